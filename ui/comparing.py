"""Comparing features: what a question shows and what the answers so far leave open. Values and sentences only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ares_core.audit.words import percent
from ares_core.costs import Answer, Asked, Comparison, Costs, FeatureCost, Seen, components, next_question
from ares_core.people import Change, Feature, Schema
from ares_core.wording import counted
from ares_core.worker import Description

EACH = 2  # answers for each feature from which costs are useful
NAMES_SHOWN = 4
MOST_LEVELS = 40  # looked at for an example, those with the most people


@dataclass(frozen=True, slots=True)
class Step:
    """A change of one feature that people could make: its level names, and the share of people already there."""

    start: str
    target: str
    there: float


def comparable(schema: Schema) -> tuple[str, ...]:
    """Return the features that may change in any way; nobody need think about the others."""
    return tuple(feature.name for feature in schema.features if feature.change is not Change.FROZEN)


def example_step(feature: Feature, people: Sequence[int], favoured: Sequence[int]) -> Step | None:
    """Return a step the schema allows: to where people fare better, from where most of them are, and a short one.

    Parameters
    ----------
    people, favoured
        How many people are at each level, and how many of them had the favourable outcome.

    Returns
    -------
    The step, or None if the schema allows none.
    """
    places = sorted(range(len(feature.levels)), key=lambda place: -people[place])[:MOST_LEVELS]
    fares = [had / count if count else 0.0 for had, count in zip(favoured, people, strict=True)]
    steps = [(start, target) for start in places for target in places if feature.allows(start, target)]
    if not steps:
        return None

    def rank(step: tuple[int, int]) -> tuple[bool, int, int, int]:
        start, target = step
        return fares[target] > fares[start], people[start], -feature.magnitude(start, target), people[target]

    start, target = max(steps, key=rank)
    return Step(feature.levels[start].name, feature.levels[target].name, people[target] / max(1, sum(people)))


def asked_next(features: Sequence[str], comparisons: Iterable[Comparison]) -> Asked | None:
    """Return the question to ask one person next; the same answers always lead to the same one.

    Which feature was on the left is not kept here: a question that comes again shows the harder one on the right.
    """
    seen = [Seen(one.first, one.second, one.answer, one.first) for one in comparisons]
    return next_question(features, seen, seed=0)


def pair_steps(description: Description, pair: tuple[str, str]) -> list[Step | None]:
    """Return an example for each of two features."""
    schema, places = description.schema, [description.schema.index(name) for name in pair]
    return [
        example_step(schema.features[place], description.people[place], description.favoured[place]) for place in places
    ]


def there_words(step: Step) -> str:
    """Say how common the end of a step is."""
    return f"{percent(step.there)} of the people are there already."


def answer_words(schema: Schema, comparison: Comparison) -> str:
    """Say an answer: '“Savings” is harder than “Telephone”'."""
    first, second = (f"“{_title(schema, name)}”" for name in (comparison.first, comparison.second))
    return {
        Answer.HARDER: f"{first} is harder than {second}",
        Answer.TIE: f"{first} and {second} are about the same",
        Answer.CANNOT_SAY: f"{first} or {second}: cannot say",
    }[comparison.answer]


def progress(comparisons: Sequence[Comparison], features: Sequence[str]) -> tuple[float, str]:
    """Return how far the answers are towards useful costs, 0 to 1, and say so; "cannot say" does not count."""
    said = sum(one.answer is not Answer.CANNOT_SAY for one in comparisons)
    wanted = EACH * len(features)
    skipped = len(comparisons) - said
    also = f", and {skipped} “cannot say”" if skipped else ""
    if said >= wanted:
        return 1.0, f"{counted(said, 'answer')}{also}: enough to be useful. More make the intervals narrower."
    return said / wanted, f"{counted(said, 'answer')}{also}; useful from about {wanted}, {EACH} for each feature."


def unlinked_words(schema: Schema, comparisons: Iterable[Comparison], features: Sequence[str]) -> list[str]:
    """Say which features nobody compared, and which comparison would link groups that nothing links."""
    groups = components(comparisons, features)
    linked = [group for group in groups if len(group) > 1]
    alone = [group[0] for group in groups if len(group) == 1]
    words = []
    if len(linked) > 1:
        first, second = linked[0], linked[1]
        words.append(
            f"Nothing links {names_text(schema, first)} with {names_text(schema, second)}, so their costs cannot be "
            f"set against each other. Comparing {names_text(schema, first[:1])} with "
            f"{names_text(schema, second[:1])} would link them."
        )
    if linked and alone:
        words.append(f"Nobody has compared {names_text(schema, alone)} yet; such a cost is a guess.")
    return words


def names_text(schema: Schema, names: Sequence[str]) -> str:
    """List features by their labels, the first few of them: '“Savings”, “Job” and 3 more'."""
    quoted = [f"“{_title(schema, name)}”" for name in names[:NAMES_SHOWN]]
    if len(names) > NAMES_SHOWN:
        return f"{', '.join(quoted)} and {len(names) - NAMES_SHOWN} more"
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))


def strangers(comparisons: Iterable[Comparison], schema: Schema) -> list[int]:
    """Return the places of the answers that name something that is not a feature of these people."""
    known = set(schema.names)
    return [place for place, one in enumerate(comparisons) if not {one.first, one.second} <= known]


def hardest_first(costs: Costs, features: Iterable[str]) -> list[tuple[str, FeatureCost]]:
    """Return the costs of some features, the hardest first; equal ones keep their order."""
    return sorted(((name, costs[name]) for name in features), key=lambda entry: -entry[1].cost)


def guessed(comparisons: Iterable[Comparison] | None, costs: Costs) -> frozenset[str]:
    """Return the features whose cost is a guess, since others were compared and they were not; none if not known."""
    if comparisons is None:
        return frozenset()
    compared = {name for one in comparisons if one.answer is not Answer.CANNOT_SAY for name in (one.first, one.second)}
    return frozenset(name for name, cost in costs.items() if cost.source == "learned" and name not in compared)


def _title(schema: Schema, name: str) -> str:
    return schema[name].title if name in schema.names else name
