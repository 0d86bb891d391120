"""Where schema edits happen: each is checked by the engine before it counts, and can be taken back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import streamlit as st

from ares_core.costs import Comparison
from ares_core.errors import AresError, SchemaError
from ares_core.files import dump_json, parse_json, refuse_large
from ares_core.people import Cell, Schema
from ares_core.worker import Describe, Source
from ui.schema_edits import Document
from ui.session import Session
from ui.shelf import Setup
from ui.words import error_text

KEY = "data_editing"
MOST_UNDO = 50
MOST_SCHEMA = 5_000_000
DECIDE, FROZEN, PANEL, LEFT_OUT, FILE = "decide", "frozen", "panel", "left out", "file"  # parts of the page
FILE_HINT = "Give a schema that was downloaded here, perhaps edited."


@dataclass(frozen=True, slots=True)
class Before:
    """What an edit changed: how the table was read, and the costs that spoke of features it took away."""

    source: Source
    comparisons: tuple[Comparison, ...] = ()
    direct: tuple[tuple[str, float], ...] = ()


@dataclass(slots=True)
class Editing:
    """What a visitor is editing.

    Parameters
    ----------
    undo
        What can be taken back, the last edit last.
    problem, place
        Why the last edit was refused, and the part of the page it was made in.
    drafts
        What was typed and refused, by the key of its widget, so that nobody types it twice.
    chosen
        The feature in the editor.
    answers
        Columns and values of which the visitor said that they are no sign of missing.
    files
        Schema files given so far, which tells one uploader from the next.
    """

    undo: list[Before] = field(default_factory=list)
    problem: AresError | None = None
    place: str = ""
    drafts: dict[str, Any] = field(default_factory=dict)
    chosen: str = ""
    answers: set[tuple[str, Cell]] = field(default_factory=set)
    files: int = 0


def editing() -> Editing:
    """Return what this visitor is editing."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Editing()
    return cast(Editing, st.session_state[KEY])


def forget_edits() -> None:
    """Begin with another table."""
    st.session_state.pop(KEY, None)


def edit(session: Session, place: str, change: Callable[[Document], Document]) -> bool:
    """Change the schema if the engine accepts it, and say whether it did.

    If not, the old one stays, and why is kept for the page to show.

    Parameters
    ----------
    place
        The part of the page where a problem is shown.
    change
        Makes the new schema document of the present one.
    """
    desk = editing()
    desk.problem, desk.place = None, place
    try:
        _use(session, dump_json(change(session.schema().to_json())))
    except AresError as error:
        desk.problem = error
        return False
    desk.drafts.clear()
    return True


def editor(session: Session, place: str, change: Callable[[Document], Document]) -> Callable[[], None]:
    """Return a callback that makes an edit."""

    def clicked() -> None:
        edit(session, place, change)

    return clicked


def typed_editor(session: Session, key: str, change: Callable[[Document, Any], Document]) -> Callable[[], None]:
    """Return a callback that edits the schema with what a widget holds, and keeps what was typed if it is refused."""

    def changed() -> None:
        value = st.session_state[key]
        if not edit(session, PANEL, lambda document: change(document, value)):
            editing().drafts[key] = value

    return changed


def use_file(session: Session, content: bytes, name: str) -> None:
    """Read the table as a schema file says, if it can be."""
    subject = f"The schema file {name!r}"

    def given(_: Document) -> Document:
        refuse_large(content, subject, MOST_SCHEMA, SchemaError, FILE_HINT)
        document: Document = parse_json(content, subject, SchemaError, FILE_HINT)
        return document

    if edit(session, FILE, given):
        session.told.append(f"The schema file {name!r} is used.")


def take_back(session: Session) -> None:
    """Undo the last edit; costs that went with it come back."""
    desk, setup = editing(), session.state.setup
    assert setup is not None
    before = desk.undo.pop()
    desk.problem = None
    desk.drafts.clear()
    session.set_setup(
        replace(
            setup,
            source=before.source,
            comparisons=(*setup.comparisons, *before.comparisons),
            direct=(*setup.direct, *before.direct),
        )
    )


def wanted(key: str, value: Any) -> Any:
    """Return what a widget is to show: a value, or what was typed into it and refused."""
    return editing().drafts.get(key, value)


def show_problem(place: str) -> None:
    """Show why the last edit was refused, if it was made in this part of the page."""
    desk = editing()
    if desk.problem is not None and desk.place == place:
        st.error(f"{error_text(desk.problem)}  \nNothing was changed.")


def spot(field_name: str, feature: str) -> str:
    """Return the key of a widget for one feature, fit for any name."""
    return f"data_{field_name}_{hashlib.sha256(feature.encode()).hexdigest()[:8]}"


def _use(session: Session, text: str) -> None:
    setup = session.state.setup
    assert setup is not None
    source = replace(setup.source, schema=text)
    schema = session.errands.ask(Describe(source)).result().schema
    if schema == session.schema():
        return
    changed, before = _known_costs(replace(setup, source=source), setup, schema)
    desk = editing()
    desk.undo = [*desk.undo, before][-MOST_UNDO:]
    if before.comparisons or before.direct:
        session.told.append("Costs of features that are no longer there were set aside; undoing brings them back.")
    session.set_setup(changed)


def _known_costs(setup: Setup, old: Setup, schema: Schema) -> tuple[Setup, Before]:
    """Set aside what was said of features that are no longer there, since nothing can be learnt from it."""
    known = set(schema.names)
    lost = tuple(each for each in setup.comparisons if not {each.first, each.second} <= known)
    direct = tuple(each for each in setup.direct if each[0] not in known)
    kept = replace(
        setup,
        comparisons=tuple(each for each in setup.comparisons if each not in lost),
        direct=tuple(each for each in setup.direct if each not in direct),
    )
    return kept, Before(old.source, lost, direct)
