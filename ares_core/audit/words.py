"""Words: numbers, shares, conditions and rules as a loan manager would say them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from textwrap import fill

from ares_core.audit.intervals import Share
from ares_core.people import Interval, Missing, Predicate, Schema, Value
from ares_core.people.levels import number_text
from ares_core.recourse import RecourseRule

WIDTH = 110
NOISE = 1e-9  # of a float; shares that differ do so by more, as long as there are fewer than 100 million people
SMALLEST = 1e-6  # costs below it are written with a power of ten


def wrapped(text: str, first: str = "", other: str = "") -> str:
    """Fill a paragraph, its lines indented by `first` and `other`; '95 %', 'Cost 2' and hyphenated words stay whole."""
    joined = re.sub(r"(?<=\d) (?=%)|(?<=Cost) (?=\d)", "\N{NO-BREAK SPACE}", text)
    lines = fill(joined, WIDTH, initial_indent=first, subsequent_indent=other, break_on_hyphens=False)
    return re.sub(r"(?<=\d)\N{NO-BREAK SPACE}(?=%)|(?<=Cost)\N{NO-BREAK SPACE}(?=\d)", " ", lines)


def percent(value: float | None) -> str:
    """Write a share as a whole percentage; a dash for nobody's. Only all is 100 %, only none 0 %."""
    if value is None:
        return "–"
    rounded = whole_points(value)
    if rounded in (0, 100) and 0 < value < 1:
        return "under 1 %" if value < 0.5 else "over 99 %"
    return f"{rounded} %"


def whole_points(share: float) -> int:
    """Round a share, or a difference of two, to whole hundredths; halves go away from 0, as by hand from the counts."""
    return int(math.copysign(math.floor(100 * abs(share) + 0.5 + NOISE), share))


def signed(difference: float) -> str:
    """Write a difference of shares in whole points: '+12', '-3', '0'."""
    points = whole_points(difference)
    return f"{points:+d}" if points else "0"


def points_text(difference: float) -> str:
    """Write a difference of shares with its unit: '+12 points', '-1 point'."""
    return f"{signed(difference)} {'point' if abs(whole_points(difference)) == 1 else 'points'}"


def signed_span(low: float, high: float) -> str:
    """Write an interval of a difference in points: '-12 to +3'. Rounding moves no end onto 0."""
    return f"{_signed_end(low)} to {_signed_end(high)}"


def _signed_end(difference: float) -> str:
    points = 100 * difference
    return f"{points:+.1g}" if abs(points) > NOISE and not whole_points(difference) else signed(difference)


def confidence_text(level: float) -> str:
    """Write the confidence 1 - `level` of an interval in per cent, never as 100: '95 %', '99.17 %', '99.96 %'."""
    digits = max(2, 1 - math.floor(math.log10(100 * level)))
    return f"{number_text(round(100 * (1 - level), digits))} %"


def hundredths(share: float) -> str:
    """Write a share in hundredths: two digits, or the whole number where it has more."""
    return f"{100 * share:.2g}" if share < 0.99 else f"{100 * share:,.0f}"


def share_text(share: Share, whom: str = "") -> str:
    """Write a share with its people and interval: '97 of 115 refused: 84 % (95 % interval 76–90 %)'."""
    if share.value is None:
        return f"nobody{whom}"
    interval = span_text(*share.interval)
    return f"{share.count:,} of {share.total:,}{whom}: {percent(share.value)} (95 % interval {interval})"


def span_text(low: float, high: float) -> str:
    """Write a range of percentages: '76–90 %'. Rounding makes no end certain: 99.7 is 99, and 0.3 at the top is 1."""
    lowest = min(whole_points(low), 99) if low < 1 else 100
    highest = max(whole_points(high), 1) if high > 0 else 0
    return f"{lowest}–{highest} %"


def ratio_text(ratio: float, interval: tuple[float, float] | None, *, level: float = 0.05, chance: bool = False) -> str:
    """Write how many times as much: '1.8 times as much (95 % interval 1.4–2.2)'; `chance` may explain it."""
    if interval is None:
        return f"{cost_text(ratio)} times as much (too few people for an interval)"
    low, high = map(_times_end, interval)
    span = f"{low}–{high}" if math.isfinite(interval[1]) else f"{low} or more"
    doubt = "; chance alone may explain it" if chance else ""
    return f"{cost_text(ratio)} times as much ({confidence_text(level)} interval {span}{doubt})"


def _times_end(end: float) -> str:
    """Write an end of a ratio's interval; rounding moves none onto 1."""
    text = cost_text(end) if math.isfinite(end) else ""
    return text if text != "1" or abs(end - 1) < NOISE else f"{end:.{1 - math.floor(math.log10(abs(end - 1)))}f}"


def people(count: int) -> str:
    """Write 'nobody', '1 person' or 'N people'."""
    return {0: "nobody", 1: "1 person"}.get(count, f"{count:,} people")


def cost_text(cost: float) -> str:
    """Write a cost, or a ratio of costs, with two decimals, or two digits where it is small; only nothing is 0."""
    size = abs(cost)
    if not 0 < size < 0.1:
        return number_text(round(cost, 2))
    if size < SMALLEST:
        return f"{cost:.2g}"
    return f"{cost:.{1 - math.floor(math.log10(size))}f}".rstrip("0")


def sentence(text: str) -> str:
    """Begin with a capital letter and end with one full stop."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def level_text(schema: Schema, predicate: Predicate) -> str:
    """Say only the level of a predicate, with its unit: '100 to 500 DM'."""
    feature, level = schema[predicate.feature], predicate.level
    if isinstance(level, Missing):
        return "not known"
    same = (known.name for known in feature.levels if known.to_json() == level.to_json())
    name = next(same, level.name)
    counts = isinstance(level, Value) and not isinstance(level.value, str | bool) and name == str(level.value)
    return name + (f" {feature.unit}" if counts and feature.unit else "")


def predicate_text(schema: Schema, predicate: Predicate) -> str:
    """Say a predicate with the schema's label, level name and unit: 'Savings = 100 to 500 DM'."""
    verb = "is" if isinstance(predicate.level, Interval | Missing) else "="
    return f"{schema[predicate.feature].title} {verb} {level_text(schema, predicate)}"


def conjunction_text(schema: Schema, conjunction: Iterable[Predicate]) -> str:
    """Join predicates with 'and'."""
    return " and ".join(predicate_text(schema, predicate) for predicate in conjunction) or "everybody"


def move_text(schema: Schema, changes: Iterable[Predicate]) -> str:
    """Say what changes, each part in **stars**."""
    return " and ".join(f"**{predicate_text(schema, predicate)}**" for predicate in changes)


def rule_text(schema: Schema, rule: RecourseRule) -> str:
    """Say the inner rule; what changes stands in **stars** behind the arrow."""
    changed = set(rule.changes)
    then = [
        move_text(schema, [predicate]) if predicate in changed else predicate_text(schema, predicate)
        for predicate in rule.after
    ]
    return f"If {conjunction_text(schema, rule.before)}, then → {' and '.join(then)}."
