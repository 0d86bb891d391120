"""Steps: where an audit stands, in a few words for each step."""

from __future__ import annotations

from collections.abc import Sequence

from ares_core.audit.words import people
from ares_core.people import Schema
from ares_core.wording import counted
from ui.shelf import Setup
from ui.state import AuditState, Step
from ui.words import model_name


def step_words(state: AuditState, size: int | None = None, schema: Schema | None = None) -> dict[Step, str]:
    """Say for each step what is chosen; `size` is how many people the data holds, if that is known. Not markdown."""
    return {
        Step.DATA: _data(state.setup, size),
        Step.MODEL: "not chosen yet" if state.model is None else model_name(state.model),
        Step.COSTS: _costs(state.setup),
        Step.RULES: _rules(state, schema),
    }


def _data(setup: Setup | None, size: int | None) -> str:
    if setup is None:
        return "not chosen yet"
    return setup.source.name if size is None else f"{setup.source.name}, {people(size)}"


def _costs(setup: Setup | None) -> str:
    compared, typed = (len(setup.comparisons), len(setup.direct)) if setup else (0, 0)
    said = [
        *([counted(compared, "comparison")] if compared else []),
        *([f"{counted(typed, 'cost')} typed in"] if typed else []),
    ]
    return ", ".join(said) or "optional; every change costs the same so far"


def _rules(state: AuditState, schema: Schema | None) -> str:
    if not state.done(Step.RULES):
        return "the model was not asked yet"
    return f"by {_listed([_title(schema, name) for name in state.view.interest])}" if state.view.interest else "found"


def _title(schema: Schema | None, name: str) -> str:
    return schema[name].title if schema is not None and name in schema.names else name


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
