"""A panel: what several experts say together, how far they agree, and what each of them changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .agreement import ByExpert, Concordance, Dispute, Likeness, concordance, disputes, like_minded, likenesses
from .belief import Belief
from .costs import Costs, components
from .pooling import LeftOut, joint_belief, leave_one_out, missing_link, pool, relative_counts

MOST_COMPARED = 30
"""Experts compared with each other two by two."""


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """All that the answers of several experts say; experts go by their names.

    Parameters
    ----------
    costs, belief
        Of all experts together, by their weights.
    agreement
        Kendall's W; None while fewer than two experts can be compared.
    groups
        Experts who think alike, the largest group first.
    link
        Two features whose comparison would link what nothing links yet; None if all are linked.
    unlinked
        Into how many parts the comparisons fall.
    """

    costs: Costs
    belief: Belief
    agreement: Concordance | None
    likenesses: tuple[Likeness, ...]
    disputes: tuple[Dispute, ...]
    groups: tuple[tuple[str, ...], ...]
    left_out: tuple[LeftOut, ...]
    link: tuple[str, str] | None
    unlinked: int


def hear_panel(answers: ByExpert, weights: Mapping[str, float], features: Sequence[str]) -> Panel:
    """Work out what experts say together.

    Parameters
    ----------
    answers
        Each expert's comparisons, by name. Agreement is that of all of them.
    weights
        By expert; who has the weight 0, or none, is left out of the costs.
    features
        Every feature.
    """
    counting = {expert: own for expert, own in answers.items() if weights.get(expert, 0) > 0}
    shares = {expert: weights[expert] for expert in counting}
    every = [one for own in counting.values() for one in own]
    likeness = likenesses(dict(list(answers.items())[:MOST_COMPARED]), features)
    return Panel(
        costs=pool(counting, shares, features),
        belief=joint_belief(counting, relative_counts(counting, shares), features),
        agreement=concordance(answers, features),
        likenesses=likeness,
        disputes=disputes(answers),
        groups=like_minded(likeness),
        left_out=leave_one_out(counting, shares, features) if len(counting) > 1 else (),
        link=missing_link(every, features) if every else None,
        unlinked=len(components(every, features)),
    )
