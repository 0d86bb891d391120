"""RuleModel: a two level recourse set used as a black box, so that the right audit is known beforehand.

The file is JSON; the predicates are those of a run file, and a run file itself is accepted:

    {"format": "ares-rules",
     "rules": [{"subgroup": [{"feature": "race", "equals": "Caucasian"}],
                "before": [{"feature": "married", "equals": "No"}, {"feature": "has_job", "equals": "No"}],
                "after": [{"feature": "married", "equals": "No"}, {"feature": "has_job", "equals": "Yes"}]}]}

It may say "version": 1, and a rule may keep the figures that stand beside it in a run file, which are not looked at.
Any other key is refused: a misspelt one would silently make another model.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ares_core.errors import ModelError
from ares_core.files import parse_json, read_bytes
from ares_core.models.blackbox import Answers
from ares_core.people.levels import (
    Cell,
    Choice,
    Interval,
    Level,
    Mask,
    Value,
    holds_numbers,
    holds_truths,
    truth,
)
from ares_core.people.predicates import Conjunction, Predicate, check_keys, predicate_from_json

RULES, RUN = "ares-rules", "ares-run"
VERSION = 1
FILE_KEYS = ("format", "version", "rules")
PARTS = ("subgroup", "before", "after")
FIGURES = ("learn", "check", "feature_cost", "feature_change")  # what a run file says of each of its rules
MOST_BYTES = 5_000_000
TRUTHS = "true and false"
HINT = 'Write {"format": "ares-rules", "rules": [{"subgroup": […], "before": […], "after": […]}]}.'


@dataclass(frozen=True, slots=True)
class RefusalRule:
    """A rule (subgroup, before, after) read as a reason to refuse.

    It refuses a person when the subgroup holds, every part of `before` that the rule leaves unchanged holds,
    each changed feature is at its before or its after level, and not all changed features are at their after
    level. So a rule with two changes really needs both.
    """

    subgroup: Conjunction
    before: Conjunction
    after: Conjunction

    def __post_init__(self) -> None:
        if self.before.features != self.after.features:
            only = sorted(set(self.before.features) ^ set(self.after.features))[0]
            raise ModelError(
                f'Feature {only!r:.60} stands in only one of "before" and "after".',
                "Name the same features in both.",
            )
        if not self.changed:
            raise ModelError(
                'Nothing changes from "before" to "after".',
                'Give at least one feature another level in "after".',
            )

    @property
    def changed(self) -> tuple[str, ...]:
        """The features that move."""
        pairs = zip(self.before, self.after, strict=True)
        return tuple(one.feature for one, other in pairs if not _same(one.level, other.level))

    def predicates(self) -> Iterator[Predicate]:
        """Yield every predicate of the rule."""
        yield from (*self.subgroup, *self.before, *self.after)

    def refuses(self, masks: Mapping[Predicate, Mask], rows: int) -> Mask:
        """Say for each row whether this rule refuses it.

        Parameters
        ----------
        masks
            For each predicate of the rule the rows it holds for, shape (rows,).
        rows
            The number of rows.
        """
        changed = set(self.changed)
        caught, arrived = np.ones(rows, dtype=bool), np.ones(rows, dtype=bool)
        for predicate in self.subgroup:
            caught &= masks[predicate]
        for before, after in zip(self.before, self.after, strict=True):
            if before.feature in changed:
                caught &= masks[before] | masks[after]
                arrived &= masks[after]
            else:
                caught &= masks[before]
        return caught & ~arrived


@dataclass(frozen=True, slots=True)
class RuleModel:
    """A black box that refuses whom a rule refuses and accepts everybody else.

    Parameters
    ----------
    rules
        At least one.
    sha256
        Of the file it was read from.
    kind
        What to call it.
    """

    rules: tuple[RefusalRule, ...]
    sha256: str
    kind: str = "rules"

    def __post_init__(self) -> None:
        if not self.rules:
            raise ModelError("The rule model has no rules.", "Give it at least one rule.")

    def predict(self, frame: pd.DataFrame) -> Answers:
        """Return 1 (accepted) or 0 (refused) for each row, shape (n,)."""
        self.check(frame)
        predicates = {predicate for rule in self.rules for predicate in rule.predicates()}
        masks = {predicate: predicate.mask(frame) for predicate in predicates}
        refused = np.zeros(len(frame), dtype=bool)
        for rule in self.rules:
            refused |= rule.refuses(masks, len(frame))
        return (~refused).astype(np.int8)

    def check(self, frame: pd.DataFrame) -> None:
        """Check that the rules speak of this table.

        Raises
        ------
        ModelError
            If a rule names a column the table lacks, or compares it with a value of another type.
        """
        # Columns are looked up once, not for each predicate: there may be far more predicates than columns.
        held = {column: _held(cells) for column, cells in frame.items()}
        for number, rule in enumerate(self.rules, start=1):
            for predicate in rule.predicates():
                for column, value in _compared(predicate):
                    _check_column(f"Rule {number} of the rule model", column, value, held)


def read_rule_model(path: Path | str) -> RuleModel:
    """Read a rule model from a JSON file.

    Raises
    ------
    ModelError
        If there is no such file, or it holds no rules that can be used.
    """
    source = Path(path)
    smaller = 'Keep only its "format" and its "rules".'
    return parse_rule_model(
        read_bytes(source, f"The rule model {source.name!r}", MOST_BYTES, ModelError, smaller), source.name
    )


def parse_rule_model(data: bytes, name: str) -> RuleModel:
    """Read a rule model from the bytes of a JSON file; messages call it `name`."""
    return RuleModel(tuple(_rules(_document(data, name), name)), hashlib.sha256(data).hexdigest())


def _document(data: bytes, name: str) -> list[Any]:
    """Return the entries of the file's list of rules."""
    document = parse_json(data, f"The rule model {name!r}", ModelError, HINT)
    if not isinstance(document, Mapping) or document.get("format") not in (RULES, RUN):
        found = document.get("format") if isinstance(document, Mapping) else type(document).__name__
        raise ModelError(f'The rule model {name!r} says "format": {found!r:.60}, not {RULES!r} or {RUN!r}.', HINT)
    version = document.get("version", VERSION)
    if version != VERSION:
        raise ModelError(
            f"The rule model {name!r} is of version {version!r:.60}; this program reads {VERSION}.",
            f'Write "version": {VERSION}, or bring rules that this program wrote.',
        )
    if document["format"] == RULES:  # a run says much beside its rules
        check_keys(document, FILE_KEYS, f"The rule model {name!r}")
    rules = document.get("rules")
    if not isinstance(rules, list) or not rules:
        raise ModelError(f"The rule model {name!r} has no rules.", HINT)
    return rules


def _rules(entries: Iterable[Any], name: str) -> Iterator[RefusalRule]:
    for number, entry in enumerate(entries, start=1):
        try:
            yield _rule(entry)
        except ModelError as error:
            raise ModelError(f"Rule {number} of {name!r}: {error.problem}", error.hint) from error


def _rule(entry: Any) -> RefusalRule:
    if not isinstance(entry, Mapping):
        raise ModelError(f"It is {entry!r:.60}, not an object.", HINT)
    check_keys(entry, (*PARTS, *FIGURES), "It")
    return RefusalRule(*(_conjunction(entry, part) for part in PARTS))


def _conjunction(entry: Mapping[str, Any], part: str) -> Conjunction:
    predicates = entry.get(part, [])
    if not isinstance(predicates, list):
        raise ModelError(f'"{part}" is {predicates!r:.60}, not a list of predicates.', HINT)
    read = [predicate_from_json(predicate) for predicate in predicates]
    features = Counter(predicate.feature for predicate in read)
    twice = next((feature for feature, count in features.items() if count > 1), None)
    if twice is not None:
        raise ModelError(f'"{part}" names the feature {twice!r:.60} twice.', "Name each feature once.")
    return Conjunction.of(read)


def _same(one: Level, other: Level) -> bool:
    """Compare what two levels mean, not what they are called."""
    return replace(one, name="") == replace(other, name="")


def _compared(predicate: Predicate) -> list[tuple[str, Cell | None]]:
    """List the columns a predicate looks at, each with a value it compares them with (None: with nothing)."""
    level = predicate.level
    if isinstance(level, Choice):
        return list(level.assignment)
    if isinstance(level, Value):
        return [(predicate.feature, level.value)]
    if isinstance(level, Interval):
        return [(predicate.feature, level.low if level.low is not None else level.high)]
    return [(predicate.feature, None)]


def _held(cells: pd.Series[Any]) -> str:
    return TRUTHS if holds_truths(cells) else "numbers" if holds_numbers(cells) else "text"


def _check_column(where: str, column: str, value: Cell | None, held: Mapping[Any, str]) -> None:
    if column not in held:
        raise ModelError(
            f"{where} names the column {column!r:.60}, which the table does not have.",
            f"The table's columns: {', '.join(map(str, list(held)[:12]))}.",
        )
    if value is not None and not _fits(value, held[column]):
        raise ModelError(
            f"{where} compares column {column!r:.60}, which holds {held[column]}, with {value!r:.60}.",
            "Write numbers, true and false without quotation marks and text with them.",
        )


def _fits(value: Cell, held: str) -> bool:
    """Say whether a value can be compared with what a column holds; files of before write true as "True"."""
    if held == TRUTHS:
        return isinstance(value, bool) or (isinstance(value, str) and truth(value) is not None)
    return isinstance(value, str) if held == "text" else not isinstance(value, str)
