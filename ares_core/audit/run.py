"""Run: what a run file says that a later question needs, read back and checked once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ares_core.audit.json_part import ABSENT, Part
from ares_core.audit.run_file import FORMAT, VERSION
from ares_core.audit.subject import People, described, without_column
from ares_core.costs import Costs, FeatureCost
from ares_core.errors import DataError, SchemaError
from ares_core.files import name_of, read_json
from ares_core.models import Reading
from ares_core.people import Conjunction, Predicate, RawTable, predicate_from_json
from ares_core.recourse import RecourseRule
from ares_core.settings import Settings

MOST_NESTED = 20  # a run nests half as deep; what is far deeper cannot even be written into a sentence
ANEW = "Write the file anew with 'audit … --json'."


@dataclass(frozen=True, slots=True)
class Run:
    """An audit made earlier.

    Parameters
    ----------
    data_sha256, target, favourable
        The table's digest, its column of outcomes, and the outcome people want; both empty without an outcome.
    expected
        The column of answers the model is known to give, which is no feature; empty without one.
    schema
        A schema file's content; whether it describes the table is seen when the table is there.
    model_sha256, reading, columns
        The model's digest, how its answers were read, and the columns it was shown, in its order; None and empty where
        it was made here.
    seed, max_changes
        The settings that decide who was audited and how many features one person may change.
    ranked
        The rules with the accuracy that decides between them.
    costs
        What it costs to change each feature.
    """

    data_sha256: str
    target: str
    favourable: str
    expected: str
    schema: Mapping[str, Any]
    model_sha256: str
    reading: Reading | None
    columns: tuple[str, ...]
    seed: int
    max_changes: int
    ranked: tuple[tuple[RecourseRule, float], ...]
    costs: Costs


def read_run(path: Path) -> Run:
    """Read a run file.

    Raises
    ------
    DataError
        If it is none, or something in it is missing or damaged; the sentence says where.
    """
    hint, subject = "Give the file that 'audit … --json' wrote.", f"The run file {name_of(path)!r}"
    document = read_json(path, subject, DataError, hint)
    if not isinstance(document, dict) or (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise DataError(f"{subject} is not a run of version {VERSION}.", hint)
    if _is_nested_deeper(document, MOST_NESTED):
        raise DataError(f"{subject} is nested deeper than any run.", ANEW)
    return _run(Part(document, subject, ANEW))


def people_of_run(run: Run, raw: RawTable) -> People:
    """Return the people of a run, from the table it was made from.

    Raises
    ------
    DataError
        If it is another table, or the run does not describe it.
    """
    if raw.sha256 != run.data_sha256:
        raise DataError("The table is not the one the run was made from.", "Give the data file of the audit.")
    try:
        return described(without_column(raw, run.expected), run.target, run.favourable, run.schema)[0]
    except (DataError, SchemaError) as error:  # the table is the same, so the run file is not
        raise DataError("The run does not describe its own table: 'data' or 'schema' was altered.", ANEW) from error


def _is_nested_deeper(value: Any, most: int) -> bool:
    """Say whether a JSON value holds lists or objects within each other more than `most` times."""
    within = [value]
    for _ in range(most):
        holders = [part for part in within if isinstance(part, dict | list)]
        if not holders:
            return False
        within = [inner for part in holders for inner in (part.values() if isinstance(part, dict) else part)]
    return any(isinstance(part, dict | list) for part in within)


def _run(document: Part) -> Run:
    data, model, settings = document["data"], document["model"], document["settings"]
    return Run(
        data_sha256=data["sha256"].text(),
        target=_text_or_none(data["target"]),
        favourable=_text_or_none(data["favourable"]),
        expected=_expected(model["expected"]),
        schema=document["schema"].content(),
        model_sha256=model["sha256"].text(),
        reading=_reading(model["reading"]),
        columns=_columns(model["columns"]),
        seed=_seed(settings["seed"]),
        max_changes=_max_changes(settings["max_changes"]),
        ranked=tuple((_rule(entry), _accuracy(entry["learn"]["accuracy"])) for entry in document["rules"].entries()),
        costs=Costs({feature: _cost(feature, entry) for feature, entry in document["costs"].items()}),
    )


def _reading(part: Part) -> Reading | None:
    """Read how answers were read; a run from before models were brought from elsewhere says nothing of it."""
    if part.value in (None, ABSENT):
        return None
    favourable, threshold, above = part["favourable"].text(), part["threshold"], part["above"].truth()
    number = None if threshold.value is None else threshold.number()
    ties = "higher" if part["ties"].value is ABSENT else part["ties"].text()  # runs from before there was a choice
    with part.expecting("way to read answers"):
        return Reading.from_json({"favourable": favourable, "threshold": number, "above": above, "ties": ties})


def _text_or_none(part: Part) -> str:
    return "" if part.value is None else part.text()


def _expected(part: Part) -> str:
    """Read which column holds expected answers; empty where none does, and in runs from before there were any."""
    return "" if part.value in (None, ABSENT) else _text_or_none(part["column"])


def _columns(part: Part) -> tuple[str, ...]:
    """Read which columns the model was shown; a run of a model made here says nothing of it."""
    if part.value in (None, ABSENT):
        return ()
    return tuple(_column(pairing) for pairing in part.entries())


def _column(part: Part) -> str:
    pairing = part.entries()
    with part.expecting("column"):
        if not pairing:
            raise ValueError("no name")
        return pairing[0].text()


def _seed(part: Part) -> int:
    number = part.whole_number()
    with part.expecting("allowed seed"):
        return Settings(seed=number).seed


def _max_changes(part: Part) -> int:
    number = part.whole_number()
    with part.expecting("allowed number of changes"):
        return Settings(max_changes=number).max_changes


def _rule(part: Part) -> RecourseRule:
    conjunctions = [_conjunction(part[name]) for name in ("subgroup", "before", "after")]
    with part.expecting("rule"):
        return RecourseRule(*conjunctions)


def _conjunction(part: Part) -> Conjunction:
    predicates = [_predicate(entry) for entry in part.entries()]
    with part.expecting("predicates on different features"):
        return Conjunction.of(predicates)


def _predicate(part: Part) -> Predicate:
    with part.expecting("predicate"):
        return predicate_from_json(part.value)


def _accuracy(part: Part) -> float:
    """Read the accuracy that decides; a rule that describes none of the learn people comes last."""
    return -math.inf if part.value is None else part.number()


def _cost(feature: str, part: Part) -> FeatureCost:
    with part.expecting("cost"):
        return Costs.from_json({feature: part.value})[feature]
