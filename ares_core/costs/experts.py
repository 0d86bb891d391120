"""Simulated experts, for the paper's experiments and to show that known costs come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
from scipy.special import expit

from ares_core.errors import CostError

from .comparison import Comparison
from .names import closest_hint

Pair = tuple[str, str]


def round_robin(features: Sequence[str]) -> tuple[Pair, ...]:
    """Return every pair of features once, in the order of the features."""
    return tuple(combinations(features, 2))


def random_pairs(features: Sequence[str], count: int, rng: np.random.Generator) -> tuple[Pair, ...]:
    """Draw pairs of different features, uniformly and with replacement.

    Parameters
    ----------
    features
        At least two features.
    count
        How many pairs to draw.
    rng
        Where chance comes from.
    """
    pairs = round_robin(features)
    if not pairs:
        raise CostError(f"Pairs cannot be drawn from {len(features)} features.", "Name at least two features.")
    return tuple(pairs[place] for place in rng.integers(len(pairs), size=count))


def bradley_terry_expert(
    beta: Mapping[str, float], pairs: Iterable[Pair], rng: np.random.Generator, *, expert: str = ""
) -> tuple[Comparison, ...]:
    """Answer pairs with known difficulties: i is harder than j with probability e^β_i / (e^β_i + e^β_j).

    Parameters
    ----------
    beta
        Difficulty by feature.
    pairs
        The questions, in order; a pair may come again and be answered anew.
    rng
        Where chance comes from.
    expert
        Name to put on the answers.
    """
    answers = []
    for first, second in pairs:
        for name in (first, second):
            if name not in beta:
                raise CostError(f"The expert has no difficulty for {name!r}.", closest_hint(name, beta))
        answers.append(_answer(first, second, float(expit(beta[first] - beta[second])), rng, expert))
    return tuple(answers)


def random_probability_expert(
    pairs: Iterable[Pair], rng: np.random.Generator, *, expert: str = ""
) -> tuple[Comparison, ...]:
    """Answer pairs as in the paper's experiments.

    For each pair of features a probability is drawn uniformly, once; it then dictates how often the one is
    said to be harder than the other.

    Parameters
    ----------
    pairs
        The questions, in order; a pair may come again, in either direction.
    rng
        Where chance comes from.
    expert
        Name to put on the answers.
    """
    drawn: dict[Pair, float] = {}
    answers = []
    for first, second in pairs:
        low, high = sorted((first, second))
        if (low, high) not in drawn:
            drawn[low, high] = rng.random()
        answers.append(_answer(low, high, drawn[low, high], rng, expert))
    return tuple(answers)


def _answer(first: str, second: str, chance: float, rng: np.random.Generator, expert: str) -> Comparison:
    """Say that the first is harder with this probability, else that the second is."""
    if rng.random() < chance:
        return Comparison(first, second, expert=expert)
    return Comparison(second, first, expert=expert)
