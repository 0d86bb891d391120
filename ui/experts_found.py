"""What a study's answers say: costs, agreement and disagreement. Values only; nothing here knows of Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ares_core.costs import Comparison, Costs, Panel, preview
from ares_core.store import Expert, Given, Studies, Study
from ares_core.worker import HearPanel
from ui.answering_words import cannot_change

Spoken = Mapping[str, tuple[Comparison, ...]]


@dataclass(frozen=True, slots=True)
class Findings:
    """All that is shown of a study once its result is revealed; experts go by their ids.

    Parameters
    ----------
    panel
        What the experts say together; it may be some answers behind.
    spoken
        What each expert says.
    fixed
        Features somebody says cannot change at all, and who.
    pairs
        Every pair of features that was compared, and whose answers stand on it.
    """

    panel: Panel
    spoken: Spoken
    fixed: Mapping[str, tuple[str, ...]]
    pairs: Mapping[tuple[str, str], tuple[Given, ...]]


def panel_question(study: Study, experts: Sequence[Expert], stands: Sequence[Given]) -> HearPanel:
    """Return the question for what the answers that stand say together."""
    features = names_of(study)
    spoken = said_by(stands, features)
    weights = tuple((expert.id, expert.weight) for expert in experts if expert.id in spoken)
    return HearPanel(features, tuple(spoken.items()), weights)


def findings(study: Study, stands: Sequence[Given], panel: Panel) -> Findings:
    """Put what experts say together beside what each of them says."""
    return Findings(panel, said_by(stands, names_of(study)), _fixed(stands), _pairs(stands))


def names_of(study: Study) -> tuple[str, ...]:
    """Return the features of a study."""
    return tuple(item.name for item in study.items)


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
    costs = preview(said_by(stands, features), None, features)
    return costs if any(cost.source == "learned" for _, cost in costs.items()) else None


def group_view(studies: Studies, study: Study) -> Costs:
    """Return what all experts of a study say together."""
    features = names_of(study)
    counting, weights = _counting(said_by(studies.standing(study.id), features), studies.experts(study.id))
    return preview(counting, weights, features)


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
