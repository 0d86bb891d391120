"""A generated bail population with a black box whose bias is planted, so that the right audit is known.

The black box is the one of the paper's user study (appendix, Figure 4): people who are not Caucasian must
change two features where Caucasians must change one. An audit can only be expected to find exactly those
rules if they are the one best summary of the population, so it is built, person by person, to make them so:

- nobody is refused by two rules, and nobody who is not Caucasian stands halfway through one;
- the end state of every planted rule is common; that of every other single change which also leads out of a
  rule's full condition is not (under 1 % of everybody);
- every shorter condition also describes somebody refused by the other rule, whom the move would fail;
- nothing beside a rule's own condition holds for all the people it refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.datasets.dataset import Dataset, bundled_json, described
from ares_core.errors import SettingError
from ares_core.models.blackbox import Answers
from ares_core.models.rule_model import RuleModel, read_rule_model
from ares_core.people.writing import write_csv

TARGET = "failed_to_appear"
FEWEST_PEOPLE = 500  # with fewer, the rare kinds of people below would vanish
CITATION = (
    "Generated for this project; the black box follows Figure 4 of the appendix of K. Rawal and "
    "H. Lakkaraju, Beyond Individualized Recourse: Interpretable and Interactive Summaries of Actionable "
    "Recourses, NeurIPS 2020."
)
CAVEATS = (
    "These people are generated: the table shows that an audit finds a bias known to be there, no more.",
    "The population is built so that the planted rules are its one best summary; real ones are not so tidy.",
)


@dataclass(frozen=True, slots=True)
class PersonKind:
    """People alike in all that the black box looks at.

    Parameters
    ----------
    race
        "C" (Caucasian) or "N" (not Caucasian).
    family
        Married, property, has_job: a "y" or "n" for each.
    habits
        Drugs, in_school, pays_rent: a "y" or "n" for each.
    share
        How many of a thousand people are of this kind.
    """

    race: str
    family: str
    habits: str
    share: float


# Per thousand: habits of people refused for their family state, then family states of people refused for
# their habits. The rare ones, of share 6, are Caucasian: anybody else would be halfway through a rule.
REFUSED: dict[str, tuple[dict[str, float], dict[str, float]]] = {
    "C": (
        {"yny": 6, "yyn": 30, "yyy": 15, "nnn": 30, "nny": 25, "nyn": 15, "nyy": 15},
        {"nyn": 6, "ynn": 30, "nny": 30, "nyy": 20, "yny": 15, "yyn": 15, "yyy": 15},
    ),
    "N": (
        {"yyn": 35, "yyy": 20, "nny": 40, "nyn": 20, "nyy": 20},
        {"ynn": 35, "nyy": 40, "yny": 20, "yyn": 20, "yyy": 20},
    ),
}
# Accepted people combine any family state with any habits of these; the numbers are relative.
ACCEPTED: dict[str, tuple[float, dict[str, float], dict[str, float]]] = {
    "C": (
        253,
        {"nny": 3, "nyy": 2, "ynn": 1, "yny": 2, "yyn": 1, "yyy": 3},
        {"nnn": 2, "nny": 3, "nyn": 1, "nyy": 1, "yyn": 1, "yyy": 1},
    ),
    "N": (
        210,
        {"nyy": 3, "ynn": 1, "yny": 2, "yyn": 1, "yyy": 3},
        {"nny": 4, "nyn": 1, "nyy": 2, "yyn": 1, "yyy": 1},
    ),
}


def planted_bias(people: int = 4000, seed: int = 0) -> tuple[Dataset, RuleModel]:
    """Return a generated bail population and the black box with a planted bias.

    Parameters
    ----------
    people
        How many; at least 500.
    seed
        Of the order of rows and of everything the black box does not look at.

    Raises
    ------
    SettingError
        If there are too few people for every kind of person to occur.
    """
    if people < FEWEST_PEOPLE:
        raise SettingError(
            f"The planted population was asked for with {people!r} people.",
            f"Ask for at least {FEWEST_PEOPLE}.",
        )
    random = np.random.default_rng(seed)
    frame = _with_strangers(_population(people, random), random)
    with as_file(files(__package__).joinpath("planted_bias.rules.json")) as path:
        model = read_rule_model(path)
    frame[TARGET] = _outcomes(model.predict(frame), random)
    csv_bytes = write_csv(frame).encode()
    table, schema = described(csv_bytes, bundled_json("planted_bias.schema.json"), TARGET)
    return Dataset(
        "planted_bias",
        "Generated bail decisions with a planted bias",
        csv_bytes,
        table,
        schema,
        TARGET,
        "no",
        CAVEATS,
        CITATION,
    ), model


def kinds() -> Iterator[PersonKind]:
    """Yield every kind of person that occurs."""
    for race, (habits, families) in REFUSED.items():
        yield from (PersonKind(race, "nnn", each, share) for each, share in habits.items())
        yield from (PersonKind(race, each, "ynn", share) for each, share in families.items())
    for race, (total, families, habits) in ACCEPTED.items():
        whole = sum(families.values()) * sum(habits.values())
        for family, weight in families.items():
            yield from (
                PersonKind(race, family, each, total * weight * other / whole) for each, other in habits.items()
            )


def _population(people: int, random: np.random.Generator) -> pd.DataFrame:
    """Return people of every kind in its share, in random order."""
    every = list(kinds())
    order = random.permutation(np.repeat(np.arange(len(every)), _quotas([kind.share for kind in every], people)))
    rows = pd.DataFrame([_columns(kind) for kind in every])
    return rows.iloc[order].reset_index(drop=True)


def _quotas(shares: Iterable[float], total: int) -> NDArray[np.int64]:
    """Share out a total: everybody gets the whole part of their due, the largest remainders one more."""
    weights = np.array(list(shares))
    due = weights * total / weights.sum()
    quotas: NDArray[np.int64] = np.floor(due).astype(np.int64)
    largest = np.argsort(quotas - due, kind="stable")[: total - int(quotas.sum())]
    quotas[largest] += 1
    return quotas


def _columns(kind: PersonKind) -> Mapping[str, str]:
    names = ("married", "property", "has_job", "drugs", "in_school", "pays_rent")
    words = {"y": "Yes", "n": "No"}
    race = {"C": "Caucasian", "N": "Not Caucasian"}[kind.race]
    return {"race": race} | {name: words[bit] for name, bit in zip(names, kind.family + kind.habits, strict=True)}


def _with_strangers(frame: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Add columns the black box does not look at."""
    people = len(frame)
    frame.insert(1, "sex", np.where(random.random(people) < 0.75, "Male", "Female"))
    frame.insert(2, "age", 18 + np.minimum(random.gamma(2.0, 8.0, people).astype(np.int64), 52))
    frame.insert(3, "prior_arrests", random.geometric(0.3, people) - 1)
    frame["has_phone"] = np.where(random.random(people) < 0.6, "Yes", "No")
    return frame


def _outcomes(answers: Answers, random: np.random.Generator) -> NDArray[Any]:
    """Let more of the people the black box refuses fail to appear: 55 % against 15 %."""
    chance = np.where(answers == 1, 0.15, 0.55)
    return np.where(random.random(len(answers)) < chance, "yes", "no")
