"""One applicant: who is looked for, and how they are changed by hand. Values and pure changes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ares_core.costs import Costs
from ares_core.people import Change, Feature, Predicate, Schema
from ares_core.worker import PeopleView, PersonView

Levels = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Search:
    """Who is looked for.

    Parameters
    ----------
    levels
        (feature, level name) pairs that all hold.
    refused
        Whether only people the model refuses are meant.
    draws
        How often somebody was drawn at random, so that each draw is another.
    """

    levels: Levels = ()
    refused: bool = True
    draws: int = 0

    def by(self, schema: Schema, features: Iterable[str]) -> Search:
        """Filter by these features: at the level they had, or at their first."""
        had = dict(self.levels)
        found = ((name, had.get(name, schema[name].levels[0].name)) for name in features)
        return replace(self, levels=tuple(found))

    def at(self, feature: str, level: str) -> Search:
        """Filter a feature by another level."""
        return replace(self, levels=tuple((name, level if name == feature else old) for name, old in self.levels))

    def only(self, refused: bool) -> Search:
        """Keep to people the model refuses, or not."""
        return replace(self, refused=refused)

    def drawn(self) -> Search:
        """Count one more draw."""
        return replace(self, draws=self.draws + 1)


@dataclass(frozen=True, slots=True)
class Trial:
    """A person changed by hand: their row, and the levels they are put at."""

    row: int
    levels: Levels = ()

    def at(self, feature: str, level: str, own: str) -> Trial:
        """Put a feature at a level; at the person's own level it is unchanged again."""
        others = tuple((name, old) for name, old in self.levels if name != feature)
        return replace(self, levels=others if level == own else (*others, (feature, level)))


def named(schema: Schema, changes: Iterable[Predicate]) -> Levels:
    """Return changes by the names the schema gives their levels."""
    return tuple((change.feature, _name(schema[change.feature], change)) for change in changes)


def _name(feature: Feature, change: Predicate) -> str:
    same = (level.name for level in feature.levels if level.to_json() == change.level.to_json())
    return next(same, change.level.name)


def in_order(schema: Schema, changed: Iterable[str], word: str = "") -> tuple[Feature, ...]:
    """Return the features whose label holds a word: those changed first, those nobody can change last."""
    first = set(changed)
    found = [each for each in schema.features if word.casefold().strip() in each.title.casefold() or each.name in first]
    return tuple(sorted(found, key=lambda each: (each.name not in first, each.change is Change.FROZEN)))


def choices(person: PersonView, feature: Feature) -> tuple[str, ...]:
    """Return the levels a person can be tried at: their own, and those somebody is at."""
    possible = {dict(person.levels)[feature.name], *dict(person.held)[feature.name]}
    return tuple(level.name for level in feature.levels if level.name in possible)


def choice_text(person: PersonView, feature: Feature, level: str) -> str:
    """Write a level as an option: '4 to 7 years', and whether it is the person's own or not allowed."""
    if level == dict(person.levels)[feature.name]:
        return f"{level} (as now)"
    return level if level in dict(person.open_levels)[feature.name] else f"{level} (not allowed)"


def total_cost(costs: Costs, levels: Levels) -> float:
    """Return what changing these features costs."""
    return sum(costs.of(name) for name, _ in levels)


def person_label(people: PeopleView, row: int, most: int = 3) -> str:
    """Name a person by row and the first few cells: 'Row 5: no checking account, 24 months, …'."""
    cells = [str(cell) for cell in people.frame.iloc[people.rows.index(row), :most]]
    return f"Row {row}: {', '.join(cells)}"


def moved(schema: Schema, levels: Levels, cells: Mapping[str, str]) -> Sequence[tuple[str, str, str]]:
    """Return changes as (label, what the person has, what they would have)."""
    return [(schema[name].title, cells[name], level) for name, level in levels]
