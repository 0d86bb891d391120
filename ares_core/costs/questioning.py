"""Which two features to ask an expert about next, and how many answers are still worth asking for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, expit

from ares_core.errors import CostError

from .belief import SHARES, Belief, Matrix, spread_out
from .comparison import Answer, Comparison

Why = Literal["link", "inform", "repeat"]
REPEAT_EVERY = 8
REPEAT_AGE = 6
PRECISION = 1.5
MOST_ANSWERS = 200
NINETY = 1.6449
"""Standard deviations on either side of the mean that hold 90 % of a Gaussian."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A question an expert has seen, and what came of it.

    Parameters
    ----------
    first, second
        The two features, in the order in which the answer names them.
    answer
        As in `Comparison`; None if the expert skipped the question.
    left
        Which of the two was shown on the left.
    pair
        The two features, in no order.
    """

    first: str
    second: str
    answer: Answer | None
    left: str
    pair: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.left not in (self.first, self.second) or self.first == self.second:
            raise CostError(
                f"A question about {self.first!r} and {self.second!r} showed {self.left!r} on the left.",
                "Name two different features, and one of them as the left one.",
            )
        object.__setattr__(self, "pair", frozenset((self.first, self.second)))

    def comparison(self, expert: str = "") -> Comparison | None:
        """Return the answer as a comparison, or None if there was none."""
        return None if self.answer is None else Comparison(self.first, self.second, self.answer, expert)


@dataclass(frozen=True, slots=True)
class Asked:
    """The question to ask: two features, where to show each, and what the question is for.

    Parameters
    ----------
    left, right
        The features, as they are shown.
    why
        "link" (connects features that nothing connects yet), "inform" (the answer tells most) or "repeat" (asked
        before, now the other way round, to see how steady the expert is).
    """

    left: str
    right: str
    why: Why


def next_question(
    features: Sequence[str], answers: Sequence[Seen], *, seed: int, belief: Belief | None = None
) -> Asked | None:
    """Choose the next question for one expert; the same answers and seed always lead to the same one.

    First come pairs that link what this expert has not linked yet, so that one answer less than there are features
    links them all; then new pairs. Every 8th question is a pair answered at least 6 questions ago, shown the other
    way round, each pair once. Within each kind comes the pair that tells most: the mutual information of the answer
    and the difficulties under the belief. No feature comes three times running unless nothing else can be asked.
    Pairs the expert cannot judge are not asked again; skipped ones once, when no new pair is left.

    Parameters
    ----------
    features
        Those that may be compared.
    answers
        What this expert has seen, in order, with the answers that stand now; questions about anything but the
        features are passed over.
    seed
        Decides left and right, and between pairs that tell equally much.
    belief
        About the same features; learned from these answers if not given.

    Returns
    -------
    Asked or None
        None if nothing sensible is left to ask.
    """
    known = frozenset(features)
    seen = [one for one in answers if one.pair <= known]
    if len(features) < 2:
        return None
    if belief is None:
        belief = Belief.fit(features, seen)
    table = _Table(tuple(features), seen, belief)
    rng = np.random.default_rng([seed & (2**64 - 1), len(answers)])
    jitter = rng.random(len(table.gain)) * 1e-9
    for why, which in table.kinds():
        if which.any():
            best = int(np.argmax(np.where(which, table.gain + jitter, -1.0)))
            return table.asked(best, why, bool(rng.integers(2)))
    return None


def information_gain(belief: Belief) -> Matrix:
    """Return what an answer about each pair would tell of the difficulties, in nats, shape (pairs,).

    I = H(E p) − E H(p), where p is the chance that the first is called harder and H the entropy of a yes or no.
    The pairs are those of `numpy.triu_indices`: (0, 1), (0, 2), … by place among the belief's features.
    """
    pairs = np.triu_indices(len(belief.features), 1)
    chance = expit(spread_out(belief.mean, belief.covariance, pairs))
    expected = chance @ SHARES
    gain: Matrix = _entropy(expected) - _entropy(chance) @ SHARES
    return gain


def _entropy(chance: Matrix) -> Matrix:
    entropy: Matrix = entr(chance) + entr(1 - chance)
    return entropy


class _Table:
    """Every pair of features with what was answered about it and what asking would tell."""

    def __init__(self, features: tuple[str, ...], seen: Sequence[Seen], belief: Belief) -> None:
        self.features, self.seen = features, seen
        self.first, self.second = np.triu_indices(len(features), 1)
        self.gain = information_gain(_in_order(belief, features))
        self.place = {feature: place for place, feature in enumerate(features)}
        self.pairs = [one.pair for one in seen]
        self.times = Counter(self.pairs)
        self.judged = [one for one in seen if one.answer not in (None, Answer.CANNOT_SAY)]

    def kinds(self) -> list[tuple[Why, NDArray[np.bool_]]]:
        """Return which pairs may be asked for which purpose, the most urgent purpose first."""
        new, rested = ~self._among(self.seen), ~self._tired()
        link, old = new & self._apart(), self._old() & rested
        skipped = self._among([one for one in self.seen if one.answer is None and self.times[one.pair] == 1])
        return [
            ("link", link & rested),
            ("repeat", old & (self._due() and not link.any())),
            ("inform", new & rested),
            # A repeat lets a feature rest that every new pair holds.
            ("repeat", old & new.any()),
            ("inform", new),
            ("inform", skipped & ~self._among(self.seen[-1:]) & rested),
            ("inform", skipped),
        ]

    def asked(self, pair: int, why: Why, turned: bool) -> Asked:
        """Return the question about a pair; a repeat is shown the other way round."""
        one, other = self.features[self.first[pair]], self.features[self.second[pair]]
        if why == "repeat":
            turned = self.seen[self.pairs.index(frozenset((one, other)))].left == one
        return Asked(other, one, why) if turned else Asked(one, other, why)

    def _among(self, seen: Sequence[Seen]) -> NDArray[np.bool_]:
        """Tell which pairs are among these questions."""
        square = np.zeros((len(self.features), len(self.features)), dtype=bool)
        for one in seen:
            square[self.place[one.first], self.place[one.second]] = True
        among: NDArray[np.bool_] = (square | square.T)[self.first, self.second]
        return among

    def _apart(self) -> NDArray[np.bool_]:
        """Tell which pairs no answers link."""
        group = np.arange(len(self.features))
        for one in self.judged:
            ours, theirs = group[self.place[one.first]], group[self.place[one.second]]
            if ours != theirs:
                group[group == theirs] = ours
        apart: NDArray[np.bool_] = group[self.first] != group[self.second]
        return apart

    def _tired(self) -> NDArray[np.bool_]:
        """Tell which pairs hold a feature of both the last two questions."""
        tired = np.zeros(len(self.features), dtype=bool)
        if len(self.seen) > 1:
            tired[[self.place[name] for name in self.seen[-1].pair & self.seen[-2].pair]] = True
        held: NDArray[np.bool_] = tired[self.first] | tired[self.second]
        return held

    def _due(self) -> bool:
        """Tell whether it is time for a repeat: there are seven questions, and no repeat among the last seven."""
        last = self.pairs[1 - REPEAT_EVERY :]
        return len(last) == REPEAT_EVERY - 1 and all(self.times[pair] == 1 for pair in last)

    def _old(self) -> NDArray[np.bool_]:
        """Tell which pairs were asked once, long enough ago, and judged."""
        long_ago = set(self.pairs[: max(len(self.pairs) - REPEAT_AGE + 1, 0)])
        return self._among([one for one in self.judged if self.times[one.pair] == 1 and one.pair in long_ago])


def answers_left(
    belief: Belief, answers: Sequence[Seen] = (), *, precision: float = PRECISION, most: int = MOST_ANSWERS
) -> int:
    """Estimate how many more answers make the difficulties precise enough.

    Precise enough means that the 90 % interval of a difficulty, less the mean of all, reaches 1.5 to either side, on
    average over the features; before any answer it is 3.6. In simulations with difficulties drawn from the prior,
    experts came there after about 26 answers about 8 features, 42 about 12 and 73 about 20; ranks then correlated 0.85
    to 0.90 with the truth. Beyond that one expert gets little for much: after 120 answers about 20 features it was
    still 1.2, and all pairs of 8 features leave 1.4. Several experts together get there sooner.

    The plan takes the most informative pair, adds the information its answer is expected to bring (E p(1 − p) under
    the belief), and goes on so, each pair once.

    Parameters
    ----------
    belief
        What is known now.
    answers
        What this expert has seen: pairs that will not be asked again.
    precision
        The half width that is enough; finite and above 0.
    most
        Where to stop counting.

    Returns
    -------
    int
        0 if the belief is precise enough already or there is nothing left to ask; at most `most`.
    """
    covariance, worth = belief.centred(), _expected_information(belief)
    known = frozenset(belief.features)
    for one in answers:
        if one.pair <= known:
            first, second = belief.place(one.first), belief.place(one.second)
            worth[first, second] = worth[second, first] = 0
    enough = precision / NINETY * len(belief.features)
    for count in range(most):
        own = covariance.diagonal()
        if np.sqrt(np.maximum(own, 0)).sum() <= enough:
            return count
        gain = worth * (own + own[:, None] - 2 * covariance)
        first, second = divmod(int(gain.argmax()), len(own))
        if gain[first, second] <= 0:
            return count
        pull = covariance[first] - covariance[second]
        covariance = covariance - np.outer(pull, pull) * (worth[first, second] / (1 + gain[first, second]))
        worth[first, second] = worth[second, first] = 0
    return most


def _expected_information(belief: Belief) -> Matrix:
    """Return E p(1 − p) for each two features: how much an answer about them adds to the precision."""
    pairs = np.triu_indices(len(belief.features), 1)
    chance = expit(spread_out(belief.mean, belief.covariance, pairs))
    worth = np.zeros_like(belief.covariance)
    worth[pairs] = (chance * (1 - chance)) @ SHARES
    return worth + worth.T


def _in_order(belief: Belief, features: tuple[str, ...]) -> Belief:
    """Return the belief about these features alone, in their order."""
    if belief.features == features:
        return belief
    places = [belief.place(feature) for feature in features]
    covariance = belief.covariance[np.ix_(places, places)]
    return Belief(features, belief.mode[places], belief.mean[places], covariance, belief.prior_variance)
