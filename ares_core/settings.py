"""Settings: one source for defaults, ranges, symbols and help; the command line, pages and docs read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ares_core.errors import SettingError
from ares_core.wording import plain_number

METHODS = ("exact", "local", "greedy")
SELECTIONS = ("robust", "paper")
FOUR_NUMBERS = "Write them as 1,1,0.01,0.005."


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part of the objective counts (the paper's λ1 to λ4).

    `coverage` is the worth of covering one affected person; `correctness` the price of one person a rule covers
    and fails; `feature_cost` and `feature_change` the price, in people, of one unit of cost or of one level
    crossed in a rule.
    """

    correctness: float = 1.0
    coverage: float = 1.0
    feature_cost: float = 0.01
    feature_change: float = 0.005

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0 <= value < 1e9:
                raise SettingError(
                    f"Weight '{name}' is {value!r}, not a number from 0 to a billion.",
                    "Give four numbers that are zero or more, such as 1,1,0.01,0.005.",
                )

    @classmethod
    def parse(cls, text: str) -> Weights:
        """Read four numbers separated by commas."""
        try:
            numbers = [plain_number(part, float) for part in text.split(",")]
        except ValueError as error:
            raise SettingError(f"The weights {text!r} are not four numbers.", FOUR_NUMBERS) from error
        if len(numbers) != 4:
            raise SettingError(f"The weights {text!r} are {len(numbers)} numbers, not four.", FOUR_NUMBERS)
        return cls(*numbers)


PRESETS: dict[str, tuple[Weights, str]] = {
    "balanced": (Weights(), "Help as many people as possible with rules that work."),
    "reliable": (Weights(3.0, 1.0, 0.01, 0.005), "Only rules that hardly ever fail; some people may get no rule."),
    "broad": (Weights(0.5, 1.0, 0.01, 0.005), "A rule for nearly everyone, even where it fails more often."),
    "easy": (Weights(1.0, 1.0, 0.5, 0.25), "Prefer cheap and small changes, and fewer rules."),
}


def _setting(
    default: Any,
    symbol: str,
    text: str,
    low: float | None = None,
    high: float | None = None,
    options: Sequence[str] = (),
) -> Any:
    """Describe a setting: what it is called in the paper, what it means, and what it may be."""
    rule = {"symbol": symbol, "help": text, "low": low, "high": high, "options": options}
    return field(default=default, metadata=rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that decides an audit beside the data, the model and the costs."""

    max_rules: int = _setting(20, "ε1", "The most rules a summary may have.", 1, 200)
    max_width: int = _setting(7, "ε2", "The most conditions in one rule, subgroup and inner if together.", 2, 20)
    max_subgroups: int = _setting(10, "ε3", "The most subgroups a summary may have.", 1, 200)
    support: float = _setting(
        0.01, "", "The share of people a conjunction must describe to be considered.", 0.0001, 0.9999
    )
    subgroup_width: int = _setting(2, "", "The most conditions that describe a subgroup.", 1, 4)
    condition_width: int = _setting(3, "", "The most conditions in the inner if.", 1, 6)
    max_changes: int = _setting(2, "", "The most features one rule may change.", 1, 6)
    min_people: int = _setting(
        0, "", "The fewest affected people a rule must describe; 0 means the larger of 5 and 1 % of them.", 0, 1_000_000
    )
    holdout: float = _setting(
        0.5,
        "",
        "The share of affected people kept aside to check the rules on; 0 means the paper's protocol (same people).",
        0.0,
        0.9,
    )
    selection: str = _setting(
        "robust",
        "",
        "How rules are chosen: on the learn people alone (paper), or also on "
        "invented stand-ins when they are few (robust).",
        options=SELECTIONS,
    )
    search: str = _setting("exact", "", "How the best set is found.", options=METHODS)
    seed: int = _setting(0, "", "Seed of every random choice.", 0, 2**32 - 1)
    time_limit: float = _setting(
        20.0,
        "",
        "Seconds the search may take.",
        0.01,
        86_400,
    )
    weights: Weights = field(
        default_factory=Weights,
        metadata={
            "symbol": "λ1…λ4",
            "help": "How much correctness, coverage, feature cost and feature change count.",
            "low": None,
            "high": None,
            "options": (),
        },
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            _check(item.name, getattr(self, item.name), item.metadata)

    def to_json(self) -> dict[str, Any]:
        """Return every setting as a run file writes it."""
        return asdict(self)


def _check(name: str, value: Any, rule: Any) -> None:
    if rule["options"] and value not in rule["options"]:
        raise SettingError(f"Setting '{name}' is {value!r}.", f"Use one of: {', '.join(rule['options'])}.")
    low, high = rule["low"], rule["high"]
    if low is not None and not low <= value <= high:
        raise SettingError(
            f"Setting '{name}' is {value!r}, which is not between {low:,.10g} and {high:,.10g}.",
            f"{rule['help']} Choose a number between {low:,.10g} and {high:,.10g}.",
        )
