"""What a study's answers say: costs, agreement and disagreement. Values only; nothing here knows of Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ares_core.costs import (
    Belief,
    Comparison,
    Concordance,
    Costs,
    Dispute,
    LeftOut,
    Likeness,
    components,
    concordance,
    disputes,
    fit_costs,
    leave_one_out,
    like_minded,
    likenesses,
    missing_link,
    pool,
)
from ares_core.store import Expert, Given, Studies, Study
from ui.answering_words import cannot_change

Spoken = Mapping[str, tuple[Comparison, ...]]
MOST_COMPARED = 30  # experts compared with each other two by two


@dataclass(frozen=True, slots=True)
class Findings:
    """All that is shown of a study once its result is revealed; experts go by their ids.

    Parameters
    ----------
    costs, belief
        Of all experts together, by their weights.
    own
        What each expert's answers say alone.
    agreement
        Kendall's W; None while fewer than two experts can be compared.
    groups
        Experts who think alike, the largest group first.
    link
        Two features whose comparison would link what nothing links yet; None if all are linked.
    fixed
        Features somebody says cannot change at all, and who.
    pairs
        Every pair of features that was compared, and whose answers stand on it.
    """

    costs: Costs
    belief: Belief
    own: Mapping[str, Costs]
    agreement: Concordance | None
    likenesses: tuple[Likeness, ...]
    disputes: tuple[Dispute, ...]
    groups: tuple[tuple[str, ...], ...]
    left_out: tuple[LeftOut, ...]
    link: tuple[str, str] | None
    unlinked: int
    fixed: Mapping[str, tuple[str, ...]]
    pairs: Mapping[tuple[str, str], tuple[Given, ...]]


def findings(study: Study, experts: Sequence[Expert], stands: Sequence[Given]) -> Findings:
    """Work out what the answers that stand say."""
    features = tuple(item.name for item in study.items)
    spoken = said_by(stands, features)
    counting, weights = _counting(spoken, experts)
    every = [one for own in counting.values() for one in own]
    likeness = likenesses(dict(list(spoken.items())[:MOST_COMPARED]), features)
    return Findings(
        costs=pool(counting, weights, features),
        belief=_together(counting, weights, features),
        own={expert: fit_costs(own, features) for expert, own in spoken.items()},
        agreement=concordance(spoken, features),
        likenesses=likeness,
        disputes=disputes(spoken),
        groups=like_minded(likeness),
        left_out=leave_one_out(counting, weights, features) if len(counting) > 1 else (),
        link=missing_link(every, features) if every else None,
        unlinked=len(components(every, features)),
        fixed=_fixed(stands),
        pairs=_pairs(stands),
    )


def said_by(stands: Sequence[Given], features: Sequence[str]) -> dict[str, tuple[Comparison, ...]]:
    """Sort answers by expert; pairs that were skipped and features that are not of the study are passed over."""
    known = set(features)
    found: dict[str, list[Comparison]] = {}
    for given in stands:
        said = given.comparison
        if said is not None and {said.first, said.second} <= known:
            found.setdefault(given.expert, []).append(said)
    return {expert: tuple(own) for expert, own in found.items()}


def own_view(features: Sequence[str], stands: Sequence[Given]) -> Costs | None:
    """Return what one expert's answers say; None before the first that says anything."""
    said = [one for own in said_by(stands, features).values() for one in own]
    costs = fit_costs(said, features)
    return costs if any(cost.source == "learned" for _, cost in costs.items()) else None


def group_view(studies: Studies, study: Study) -> Costs:
    """Return what all experts of a study say together."""
    features = tuple(item.name for item in study.items)
    counting, weights = _counting(said_by(studies.standing(study.id), features), studies.experts(study.id))
    return pool(counting, weights, features)


def expert_names(experts: Sequence[Expert]) -> dict[str, str]:
    """Return what to call each expert; a second one of the same name is 'Ada (2)'."""
    names: dict[str, str] = {}
    times: dict[str, int] = {}
    for expert in experts:
        plain = expert.name or "somebody"
        times[plain] = times.get(plain, 0) + 1
        names[expert.id] = plain if times[plain] == 1 else f"{plain} ({times[plain]})"
    return names


def _counting(spoken: Spoken, experts: Sequence[Expert]) -> tuple[Spoken, dict[str, float]]:
    """Return the answers of the experts who count for anything, and their weights."""
    weights = {expert.id: expert.weight for expert in experts if expert.weight > 0 and expert.id in spoken}
    return {expert: spoken[expert] for expert in weights}, weights


def _together(spoken: Spoken, weights: Mapping[str, float], features: Sequence[str]) -> Belief:
    heaviest = max(weights.values(), default=1.0)
    every = [(one, weights[expert] / heaviest) for expert, own in spoken.items() for one in own]
    return Belief.fit(features, [one for one, _ in every], weights=[weight for _, weight in every])


def _fixed(stands: Sequence[Given]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for given in stands:
        name = cannot_change(given)
        if name and given.expert not in found.setdefault(name, []):
            found[name].append(given.expert)
    return {name: tuple(who) for name, who in found.items()}


def _pairs(stands: Sequence[Given]) -> dict[tuple[str, str], tuple[Given, ...]]:
    found: dict[tuple[str, str], list[Given]] = {}
    for given in stands:
        low, high = sorted((given.first, given.second))
        found.setdefault((low, high), []).append(given)
    return {pair: tuple(given) for pair, given in found.items()}
