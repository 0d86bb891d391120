"""Costs as text a person reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ares_core.wording import counted

from .comparison import Answer, Comparison
from .costs import Costs, FeatureCost, components

NAMES_SHOWN = 8


def costs_text(costs: Costs, comparisons: Sequence[Comparison] = ()) -> str:
    """Return costs as lines: the hardest feature first, then what the answers were and what they leave open.

    Parameters
    ----------
    costs
        What to show.
    comparisons
        What the costs were learned from, if they were.

    Returns
    -------
    str
        Lines without a final line break.
    """
    lines = _table(costs)
    if comparisons:
        lines += ["", _counts(comparisons), *_warnings(comparisons, costs)]
    return "\n".join(lines)


def _table(costs: Costs) -> list[str]:
    hardest_first = sorted(costs.items(), key=lambda item: (-item[1].cost, item[0]))
    width = max([len("feature"), *map(len, costs)])
    head = f"{'feature':<{width}}  {'cost':>6}  {'90 % interval':>15}  source"
    return [head, *(f"{name:<{width}}  {_cells(entry)}" for name, entry in hardest_first)]


def _cells(entry: FeatureCost) -> str:
    interval = f"{entry.low:.2f} to {entry.high:.2f}" if entry.source == "learned" else "–"
    return f"{entry.cost:>6.2f}  {interval:>15}  {entry.source}"


def _counts(comparisons: Sequence[Comparison]) -> str:
    said = Counter(one.answer for one in comparisons)
    experts = {one.expert for one in comparisons if one.expert}
    by = f" by {counted(len(experts), 'expert')}" if experts else ""
    return (
        f"{counted(len(comparisons), 'answer')}{by}: {said[Answer.HARDER]} say which is harder, "
        f"{counted(said[Answer.TIE], 'tie')}, {said[Answer.CANNOT_SAY]} cannot say."
    )


def _warnings(comparisons: Sequence[Comparison], costs: Costs) -> list[str]:
    groups = components(comparisons, costs)
    linked = [group for group in groups if len(group) > 1]
    alone = [group[0] for group in groups if len(group) == 1]
    lines = []
    if len(linked) > 1:
        lines += [
            f"Warning: nothing links these {len(linked)} groups; costs compare only inside a group.",
            *(f"  group {number}: {_list(group)}" for number, group in enumerate(linked, start=1)),
        ]
    if alone and linked:
        lines.append(f"Warning: nobody compared {_list(alone)}; such a cost is a guess.")
    if not linked:
        lines.append("Warning: no answer says anything about costs, so every change costs the same.")
    return lines


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(repr(name) for name in names[:NAMES_SHOWN]) + more
