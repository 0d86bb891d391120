"""Find columns that encode one choice together, and propose them as one feature with named levels.

Three shapes are known: "at least" ladders (`savings_geq_100`, `savings_geq_500`), one-hot columns, and
exclusive flags that share a word (`OwnsHouse`, `RentsHouse`). A proposal is made only when no row of the
table breaks it, and only when that is hardly an accident.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.people.choice_names import heads_of, option_names, shared_words, stem_of
from ares_core.people.feature import MOST_LEVELS, Feature, Kind
from ares_core.people.levels import Cell, Choice, Mask, any_long, holds_truths, interval_names, number_text, unused

# What each word says of numbers: does yes mean the large ones, and is the number itself among them?
WORDS = {
    **dict.fromkeys(("geq", "gte", "ge", "atleast", "min", ">="), (True, True)),
    **dict.fromkeys(("gt", "over", "above", ">"), (True, False)),
    **dict.fromkeys(("lt", "below", "under", "<"), (False, True)),
    **dict.fromkeys(("leq", "lte", "le", "atmost", "max", "<="), (False, False)),
}
# A word of letters stands apart: 'age_min_18' and 'AgeMin18' are thresholds, 'admin_18' is not.
THRESHOLD = re.compile(
    r"(?P<stem>.*?[^ _.])(?:[ _.]+|(?<=[a-z0-9])(?=[A-Z])|(?=[<>]))"
    r"(?P<word>(?i:geq|gte|ge|gt|at_?least|over|above|min|below|under|leq|lte|le|lt|at_?most|max)"
    r"|>=|<=|>|<)[ _.]*(?P<number>-?[0-9]+(?:\.[0-9]+)?)"
)
FLAGS: tuple[tuple[Cell, Cell], ...] = (
    (0, 1),
    ("0", "1"),
    ("no", "yes"),
    ("No", "Yes"),
    ("NO", "YES"),
    ("false", "true"),
    ("False", "True"),
    ("FALSE", "TRUE"),
    ("n", "y"),
    ("N", "Y"),
    ("f", "t"),
    ("F", "T"),
)
FEWEST_ROWS = 20
MEETINGS_EXPECTED = 5.0  # with so many expected, the chance of none is below 1 %
ACCIDENT = math.log(1e-3)


@dataclass(frozen=True, slots=True)
class Flag:
    """A column with two values that mean no and yes."""

    column: str
    no: Cell
    yes: Cell
    on: Mask

    def cell(self, on: bool) -> Cell:
        """Return the value that says yes or no."""
        return self.yes if on else self.no


def propose_choices(frame: pd.DataFrame, taken: Collection[str] = ()) -> list[Feature]:
    """Return the multi-column features found, over disjoint columns; no name is a column's or `taken`."""
    if len(frame) < FEWEST_ROWS:
        return []
    flags = _flags(frame)
    found: list[Feature] = []
    for finder in (_ladders, _named_one_hot, _one_hot, _exclusive):
        found += finder(flags)
        grouped = {column for feature in found for column in feature.columns}
        flags = [flag for flag in flags if flag.column not in grouped]
    return _with_own_names(found, {*map(str, frame.columns), *taken})


def _with_own_names(features: Sequence[Feature], taken: set[str]) -> list[Feature]:
    named = []
    for feature in features:
        name = feature.name if feature.name not in taken else " / ".join(feature.columns[:3])
        named.append(replace(feature, name=unused(name, taken)))
        taken.add(named[-1].name)
    return named


def _flags(frame: pd.DataFrame) -> list[Flag]:
    found = (_flag(str(column), cells) for column, cells in frame.items())
    return [flag for flag in found if flag is not None]


def _flag(column: str, cells: pd.Series[Any]) -> Flag | None:
    if holds_truths(cells):
        on = cells.to_numpy(dtype=bool, na_value=False)
        return Flag(column, False, True, on) if 0 < on.sum() < len(on) and not cells.hasnans else None
    if isinstance(cells.dtype, np.dtype) and cells.dtype.kind in "iuf":
        numbers = cells.to_numpy()
        on = np.asarray(numbers == 1, dtype=bool)
        two = 0 < on.sum() < len(on) and bool((on | (numbers == 0)).all())
        return Flag(column, 0, 1, on) if two else None
    values = set(cells.unique().tolist())
    pair = next((pair for pair in FLAGS if values == set(pair)), None)
    return Flag(column, *pair, np.asarray(cells == pair[1], dtype=bool)) if pair else None


def _ladders(flags: Sequence[Flag]) -> list[Feature]:
    """Group thresholds on one stem, such as x_geq_0 and x_geq_200."""
    stems: dict[str, list[Step]] = defaultdict(list)
    for flag in flags:
        match = THRESHOLD.fullmatch(flag.column)
        if match:
            upward, included = WORDS[match["word"].lower().replace("_", "")]
            stems[match["stem"]].append(Step(float(match["number"]), not included, upward, flag))
    return [feature for stem, steps in stems.items() if len(steps) > 1 and (feature := _ladder(stem, steps))]


@dataclass(frozen=True, slots=True)
class Step:
    """A flag that says on which side of an edge people are; `after` the number, or just before it."""

    number: float
    after: bool
    upward: bool
    flag: Flag

    @property
    def edge(self) -> tuple[float, bool]:
        """Where the step is."""
        return self.number, self.after


def _ladder(stem: str, steps: Sequence[Step]) -> Feature | None:
    steps = sorted(steps, key=lambda step: (step.edge, step.flag.column))
    edges = sorted({step.edge for step in steps})
    passed = np.column_stack([step.flag.on == step.upward for step in steps])
    place = {edge: index for index, edge in enumerate(edges)}
    rungs = np.array([place[step.edge] for step in steps])
    heights = np.where(passed, rungs + 1, 0).max(axis=1)
    observed = np.unique(heights).tolist()
    if (passed != (heights[:, None] > rungs)).any() or not 2 <= len(observed) <= MOST_LEVELS:
        return None
    levels = []
    for height in observed:
        sides = zip(steps, height > rungs, strict=True)
        assignment = tuple((step.flag.column, step.flag.cell(step.upward == above)) for step, above in sides)
        levels.append(Choice(_rung_name(edges, height), assignment))
    columns = tuple(step.flag.column for step in steps)
    return Feature(stem, Kind.ORDERED, columns, tuple(levels), proposed=True)


def _rung_name(edges: Sequence[tuple[float, bool]], height: int) -> str:
    low, after_low = edges[height - 1] if height else (None, False)
    high, after_high = edges[height] if height < len(edges) else (None, False)
    numbers = [number for number, _ in edges]
    if not after_low and not after_high:
        return interval_names([None, *numbers, None])[height]
    write = partial(number_text, beside_long=any_long(numbers))
    end = "" if high is None else f"{'up to' if after_high else 'below'} {write(high)}"
    if low is None:
        return end
    if high is not None and not after_low:
        return write(low) if low == high else f"{write(low)} to {write(high)}"
    return f"over {write(low)}, {end}".rstrip(", ")


def _named_one_hot(flags: Sequence[Flag]) -> list[Feature]:
    """Group flags whose names begin alike and of which every row has exactly one."""
    groups: dict[str, list[Flag]] = defaultdict(list)
    for flag in flags:
        for head in heads_of(flag.column):
            groups[head].append(flag)
    found: list[Feature] = []
    taken: set[str] = set()
    for head in sorted(groups, key=lambda head: (-len(head), head)):
        group = [flag for flag in groups[head] if flag.column not in taken]
        if _partition(group):
            found.append(_exclusive_feature(group))
            taken.update(flag.column for flag in group)
    return found


def _partition(flags: Sequence[Flag]) -> bool:
    """Say whether every row has exactly one of the flags."""
    if not 1 < len(flags) < MOST_LEVELS:
        return False
    covered = np.logical_or.reduce([flag.on for flag in flags])
    return bool(covered.all()) and sum(int(flag.on.sum()) for flag in flags) == len(covered)


def _one_hot(flags: Sequence[Flag]) -> list[Feature]:
    """Group flags of which every row has exactly one, however they are named.

    Every such group has one flag that is on in any given row, so the search starts from the flags of the row
    that has the fewest.
    """
    if not flags:
        return []
    table = np.array([flag.on for flag in flags])
    counts = table.sum(axis=0)
    if not counts.all():
        return []
    bits, found = _packed(table), []
    rest = np.argsort(-table.sum(axis=1), kind="stable")
    for start in rest[table[rest, counts.argmin()]]:
        group = _partition_from(int(start), rest, bits)
        if group and not _accidental(table[group], len(flags)):
            found.append(_exclusive_feature([flags[index] for index in sorted(group)]))
            rest = rest[~np.isin(rest, group)]
    return found


def _packed(table: Mask) -> NDArray[np.uint64]:
    """Pack the rows of a table of bits into 64-bit words."""
    padded = np.pad(table, ((0, 0), (0, -table.shape[1] % 64)))
    return np.packbits(padded, axis=1).view(np.uint64)


def _partition_from(start: int, rest: NDArray[np.intp], bits: NDArray[np.uint64]) -> list[int]:
    """Add the most frequent flag that meets none so far, again and again; [] unless every row has one."""
    group, covered, left = [start], bits[start], rest
    everyone = np.bitwise_or.reduce(bits, axis=0)
    while len(left := left[~(bits[left] & covered).any(axis=1)]) and len(group) < MOST_LEVELS - 1:
        group.append(int(left[0]))
        covered = covered | bits[left[0]]
    return group if len(group) > 1 and (covered == everyone).all() else []


def _accidental(chosen: Mask, among: int) -> bool:
    """Say whether independent flags, as often on as these, could well form such a group.

    The chance that each of n rows has exactly one, times the number of groups of this size there are.
    """
    rates = chosen.mean(axis=1)
    exactly_one = float((rates / (1 - rates)).sum() * np.prod(1 - rates))
    size, rows = chosen.shape
    ways = math.lgamma(among + 1) - math.lgamma(size + 1) - math.lgamma(among - size + 1)
    return bool(rows * math.log(exactly_one) + ways > ACCIDENT)


def _exclusive(flags: Sequence[Flag]) -> list[Feature]:
    """Group flags that share a word and never meet, though chance would have them meet."""
    kinds: dict[str, list[Flag]] = defaultdict(list)
    for flag in flags:
        for word in shared_words(flag.column):
            kinds[word].append(flag)
    kinds = {word: group for word, group in kinds.items() if len(group) > 1}
    needed = MEETINGS_EXPECTED + math.log(max(len(kinds), 1))
    found: list[Feature] = []
    taken: set[str] = set()
    for word in sorted(kinds, key=lambda word: (-len(kinds[word]), word)):
        group = [flag for flag in kinds[word] if flag.column not in taken]
        if len(group) > 1 and _never_meet(group, needed):
            found.append(_exclusive_feature(group))
            taken.update(flag.column for flag in group)
    return found


def _never_meet(flags: Sequence[Flag], needed: float) -> bool:
    """Say whether no row has two of the flags, though each was expected to meet the others `needed` times."""
    counts = np.zeros(len(flags[0].on), dtype=np.int64)
    for flag in flags:
        counts += flag.on
        if counts.max() > 1:
            return False
    rates = np.array([flag.on.mean() for flag in flags])
    return bool((rates * (rates.sum() - rates) * len(counts) >= needed).all())


def _exclusive_feature(flags: Sequence[Flag]) -> Feature:
    """Build the feature of flags that never meet, with a level for the rows that have none."""
    columns = [flag.column for flag in flags]
    pairs = [((flag.column, flag.no), (flag.column, flag.yes)) for flag in flags]
    none = tuple(no for no, _ in pairs)
    names = option_names(columns)
    levels = [
        Choice(name, (*none[:index], yes, *none[index + 1 :]))
        for index, (name, (_, yes)) in enumerate(zip(names, pairs, strict=True))
    ]
    if not np.logical_or.reduce([flag.on for flag in flags]).all():
        levels.append(Choice(unused("none of these", names), none))
    return Feature(stem_of(columns), Kind.CATEGORY, tuple(columns), tuple(levels), proposed=True)
