"""Recourse rules and the two level sets they form: values only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ares_core.people.predicates import Conjunction, Predicate


@dataclass(frozen=True, slots=True)
class RecourseRule:
    """If `subgroup`: if `before`, then `after`."""

    subgroup: Conjunction
    before: Conjunction
    after: Conjunction

    def __post_init__(self) -> None:
        if self.before.features != self.after.features:
            raise ValueError("before and after must name the same features")
        if not self.changes:
            raise ValueError("after must differ from before")
        if set(self.subgroup.features) & set(self.before.features):
            raise ValueError("subgroup and condition must name different features")

    @property
    def changes(self) -> tuple[Predicate, ...]:
        """The parts of `after` that differ from `before`: the move."""
        return tuple(then for now, then in zip(self.before, self.after, strict=True) if now != then)

    @property
    def width(self) -> int:
        """The number of predicates in subgroup and before."""
        return len(self.subgroup) + len(self.before)

    def to_json(self) -> dict[str, Any]:
        """Return the rule as a run file writes it."""
        return {"subgroup": self.subgroup.to_json(), "before": self.before.to_json(), "after": self.after.to_json()}


@dataclass(frozen=True, slots=True)
class TwoLevelRecourseSet:
    """Rules, those of one subgroup together."""

    rules: tuple[RecourseRule, ...]

    def __iter__(self) -> Iterator[RecourseRule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def subgroups(self) -> tuple[Conjunction, ...]:
        """The subgroups, in order of first rule."""
        return tuple(dict.fromkeys(rule.subgroup for rule in self.rules))

    @property
    def max_width(self) -> int:
        """The width of the widest rule; 0 without rules."""
        return max((rule.width for rule in self.rules), default=0)
