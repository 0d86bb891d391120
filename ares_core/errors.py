"""The errors this package raises on purpose.

    AresError
    ├── DataError        the table cannot be read or used
    ├── SchemaError      the description of the features contradicts itself or the table
    ├── ModelError       the black box cannot be built, read or asked
    ├── CostError        comparisons or costs cannot be used
    ├── SettingError     a setting is out of its range
    ├── StoreError       what should be kept cannot be written or found
    └── Cancelled        the user stopped a long computation

Each carries one sentence that says what is wrong and where, and one that says what to do.
"""

from __future__ import annotations

LONGEST = 600


class AresError(Exception):
    """A problem the user can mend.

    Parameters
    ----------
    problem
        One sentence: the rule broken, what was expected, what was found.
    hint
        One sentence: what to do now.
    """

    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.problem = _readable(problem)
        self.hint = _readable(hint)


def _readable(sentence: str) -> str:
    """Leave out the middle of a sentence into which a file put more than anybody reads."""
    return sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 120]} … {sentence[-100:]}"


class DataError(AresError):
    """The table cannot be read or used."""


class SchemaError(AresError):
    """The description of the features contradicts itself or the table."""


class ModelError(AresError):
    """The black box cannot be built, read or asked."""


class CostError(AresError):
    """Comparisons or costs cannot be used."""


class SettingError(AresError):
    """A setting is out of its range."""


class StoreError(AresError):
    """What should be kept cannot be written or found."""


class Cancelled(AresError):
    """The user stopped a long computation."""

    def __init__(self) -> None:
        super().__init__("The computation was cancelled.", "Start it again when you are ready.")
