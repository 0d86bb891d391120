"""What it costs to change each feature, and where that figure comes from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ares_core.errors import CostError
from ares_core.wording import brief, plain_number

from .comparison import Answer, Comparison
from .names import closest_hint
from .sheet import Row, parse_sheet, read_sheet, sheet_text

Source = Literal["unit", "learned", "direct"]
SOURCES: tuple[str, ...] = get_args(Source)
LEAST, MOST = 1e-9, 1e9
USABLE = "a number from a billionth to a billion"
ENTER = "Enter a positive number, such as 1 or 2.5."
COLUMNS = ("feature", "cost")


@dataclass(frozen=True, slots=True)
class FeatureCost:
    """The cost of changing one feature.

    Parameters
    ----------
    cost
        From `LEAST` to `MOST`. A unit cost is 1; the easiest of the learned costs is 1.
    low, high
        A 90 % interval around a learned cost; the cost itself when nothing was learned.
    source
        "unit" (nobody said anything), "learned" (from comparisons) or "direct" (entered by the user).
    """

    cost: float
    low: float
    high: float
    source: Source

    def __post_init__(self) -> None:
        numbers = (self.cost, self.low, self.high)
        if not all(_usable(number) for number in numbers):
            raise CostError(f"A cost and its interval are {numbers!r}, not each {USABLE}.", ENTER)
        if not self.low <= self.cost <= self.high:
            raise CostError(
                f"The cost {self.cost!r} lies outside its interval {numbers[1:]!r}.",
                "Give low, cost and high in ascending order.",
            )
        if self.source not in SOURCES:
            raise CostError(
                f"A cost has the source {self.source!r}, which is not known.", f"Use one of: {', '.join(SOURCES)}."
            )

    @classmethod
    def exactly(cls, cost: float, source: Source) -> FeatureCost:
        """Build a cost without uncertainty."""
        return cls(cost, cost, cost, source)


@dataclass(frozen=True, slots=True, eq=False)
class Costs(Mapping[str, FeatureCost]):
    """The cost of every feature: a mapping from name to `FeatureCost` that nobody changes.

    Two of them are equal when they hold the same costs, in whatever order.

    Parameters
    ----------
    entries
        Cost by feature name; copied.
    """

    entries: Mapping[str, FeatureCost]

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", dict(self.entries))

    @classmethod
    def unit(cls, features: Iterable[str]) -> Costs:
        """Let every feature cost 1, so that a cost counts changes."""
        return cls(dict.fromkeys(features, FeatureCost.exactly(1.0, "unit")))

    @classmethod
    def from_json(cls, data: object) -> Costs:
        """Build costs from what `to_json` returned."""
        if not isinstance(data, dict):
            raise CostError("The costs are not a JSON object.", "Give {feature: {cost, low, high, source}}.")
        return cls({str(feature): _from_json(str(feature), entry) for feature, entry in data.items()})

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Return {feature: {"cost", "low", "high", "source"}}."""
        return {feature: asdict(entry) for feature, entry in self.items()}

    def of(self, feature: str) -> float:
        """Return the cost of one feature.

        Raises
        ------
        CostError
            If the feature has no cost.
        """
        if feature not in self.entries:
            raise CostError(f"Feature {feature!r} has no cost.", closest_hint(feature, self))
        return self.entries[feature].cost

    def vector(self, features: Iterable[str]) -> NDArray[np.float64]:
        """Return the costs of these features, in their order."""
        return np.array([self.of(feature) for feature in features], dtype=np.float64)

    def with_direct(self, entered: Mapping[str, float]) -> Costs:
        """Return these costs with some entered by hand, marked "direct".

        Raises
        ------
        CostError
            If a feature is not known or a cost is too small or too large to be one.
        """
        for feature, cost in entered.items():
            if feature not in self.entries:
                raise CostError(
                    f"A cost is given for {feature!r}, which is not a feature.", closest_hint(feature, self)
                )
            if not _usable(cost):
                raise CostError(f"The cost of {feature!r} is {cost!r}, which is not {USABLE}.", ENTER)
        direct = {feature: FeatureCost.exactly(float(cost), "direct") for feature, cost in entered.items()}
        return Costs({**self.entries, **direct})

    def __getitem__(self, feature: str) -> FeatureCost:
        return self.entries[feature]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __hash__(self) -> int:
        return hash(frozenset(self.entries.items()))


def read_costs(path: str | Path, features: Iterable[str]) -> Costs:
    """Read COSTS.csv: a header ``feature,cost``, then one row for each feature whose cost is known.

    Parameters
    ----------
    path
        The file.
    features
        Every feature of the audit; one that the file does not name costs 1.

    Raises
    ------
    CostError
        If the file breaks the format, names an unknown feature or one feature twice, or a cost is too small or
        too large to be one; the message names the row.
    """
    return _entered(read_sheet(path, COLUMNS), Path(path).name, features)


def parse_costs(content: bytes, name: str, features: Iterable[str]) -> Costs:
    """Read the content of a COSTS.csv as `read_costs` does; messages call it `name`."""
    return _entered(parse_sheet(content, name, COLUMNS), name, features)


def write_costs(costs: Mapping[str, FeatureCost]) -> str:
    """Return the text of a COSTS.csv that `read_costs` reads back: the costs alone, to the last digit."""
    return sheet_text(COLUMNS, ((feature, repr(entry.cost)) for feature, entry in costs.items()))


def _entered(rows: Iterable[Row], name: str, features: Iterable[str]) -> Costs:
    """Let every feature cost 1 but those that the rows name."""
    unit = Costs.unit(features)
    entered: dict[str, float] = {}
    for row in rows:
        feature = row.cells["feature"]
        if feature not in unit:
            raise CostError(
                f"Row {row.number} of '{name}' names {feature!r}, which is not a feature.", closest_hint(feature, unit)
            )
        if feature in entered:
            raise CostError(
                f"Row {row.number} of '{name}' names {feature!r} a second time.", "Keep one row for each feature."
            )
        entered[feature] = _number(row, name)
    return unit.with_direct(entered)


def components(comparisons: Iterable[Comparison], features: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Group the features that comparisons link, directly or through others.

    Costs compare well inside a group; between two groups only the prior relates them. "Cannot say" links
    nothing, and names that are not features are passed over.

    Parameters
    ----------
    comparisons
        The answers.
    features
        The features to group.

    Returns
    -------
    tuple of tuples of str
        The groups, largest first; a feature that nobody compared is a group of its own.
    """
    group = {feature: [feature] for feature in features}
    order = {feature: place for place, feature in enumerate(group)}
    for comparison in comparisons:
        first, second = group.get(comparison.first), group.get(comparison.second)
        if comparison.answer is Answer.CANNOT_SAY or first is None or second is None or first is second:
            continue
        first.extend(second)
        group.update(dict.fromkeys(second, first))
    groups = {id(members): tuple(sorted(members, key=order.__getitem__)) for members in group.values()}
    return tuple(sorted(groups.values(), key=lambda members: (-len(members), order[members[0]])))


def _number(row: Row, name: str) -> float:
    text = row.cells["cost"]
    try:
        cost = plain_number(text, float)
    except ValueError:
        cost = math.nan
    if not _usable(cost):
        raise CostError(
            f"Row {row.number} of '{name}' gives {row.cells['feature']!r} the cost {text!r}, which is not {USABLE}.",
            "Write a positive number with a decimal point, such as 2.5.",
        )
    return cost


def _usable(cost: float) -> bool:
    """Say whether sums, squares and ratios of such costs stay numbers."""
    return LEAST <= cost <= MOST


def _from_json(feature: str, entry: object) -> FeatureCost:
    wanted = {"cost", "low", "high", "source"}
    if not isinstance(entry, dict) or set(entry) != wanted:
        raise CostError(
            f"The cost of {feature!r} is {brief(entry)}.", "Give it exactly the keys cost, low, high and source."
        )
    numbers = [entry[key] for key in ("cost", "low", "high")]
    if any(isinstance(number, bool) or not isinstance(number, int | float) for number in numbers):
        raise CostError(
            f"The cost of {feature!r} holds {brief(numbers)}, which are not all numbers.",
            "Give cost, low and high as numbers.",
        )
    try:
        cost, low, high = (float(number) for number in numbers)
        return FeatureCost(cost, low, high, entry["source"])
    except CostError as error:
        raise CostError(f"The cost of {feature!r} cannot be used: {error.problem}", error.hint) from error
    except OverflowError as error:
        raise CostError(f"The cost of {feature!r} is too large a number.", "Enter a number below 1e300.") from error
