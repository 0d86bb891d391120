"""The best set of rules so far, and the time left to beat it."""

from __future__ import annotations

import time

from ares_core.recourse.search.ground import Ground
from ares_core.recourse.search.problem import TOLERANCE, Effort, Problem, Rules

_ROUNDING = 1e-12  # so that a gap worked out from the bound does not exceed the one asked for


class Clock:
    """Counts the seconds an effort allows, from when it is made, and stops with the clock it is within."""

    def __init__(self, effort: Effort, within: Clock | None = None) -> None:
        self._end = time.monotonic() + effort.time_limit
        self._within = within

    def left(self) -> float:
        """Return the seconds left, at least 0."""
        own = max(0.0, self._end - time.monotonic())
        return own if self._within is None else min(own, self._within.left())

    def stop(self) -> None:
        """Leave no time, for whoever goes by this clock."""
        self._end = time.monotonic()

    def over(self) -> bool:
        """Say whether no time is left."""
        return self.left() <= 0.0


class Incumbent:
    """The best set of rules so far.

    Attributes
    ----------
    rules
        The set.
    floor
        Its gain in the ground's units, and a hair more.
    slack
        By how much, relative to its gain, another set must gain more to be worth looking for.
    """

    def __init__(self, ground: Ground) -> None:
        self._problem: Problem = ground.problem
        self._scale = ground.scale
        self._gain = 0.0
        self.rules: Rules = ()
        self.floor = 0.0
        self.slack = 0.0

    @property
    def bar(self) -> float:
        """Return the gain that is not worth looking for unless it is exceeded."""
        return self.within(self.slack)

    def within(self, gap: float) -> float:
        """Return the largest bound that is within a relative gap of the gain, or the floor if that is more."""
        return max(self.floor, (1 + gap) * self._scale * self._gain * (1 - _ROUNDING))

    def offer(self, rules: Rules) -> bool:
        """Take a set of rules within the limits if it gains more; say whether it was taken."""
        gain = self._problem.gain(rules)
        if gain <= self._gain:
            return False
        self._gain = gain
        self.rules = rules
        self.floor = self._scale * gain * (1 + TOLERANCE / 2)
        return True
