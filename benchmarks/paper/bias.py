"""Bias: random black boxes with and without a planted bias, and whether an audit points at the right group.

A stand-in for the paper's participants. As in its user study, people of one group must change two features where
everybody else must change one. Which group, which features and how common they are is drawn at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ares_core.audit.figures import people_figures
from ares_core.audit.subgroups import compare_subgroups
from ares_core.costs import Costs
from ares_core.models.rule_model import RefusalRule, RuleModel
from ares_core.people import Change, Conjunction, Predicate, Schema, Table, Value
from ares_core.recourse import learn, prepare
from ares_core.settings import Settings
from benchmarks.paper.flags import by_page, by_summary, flags

GROUPS = {"race": ("A", "B", "C"), "sex": ("female", "male"), "district": ("east", "north", "south", "west")}
HABITS = ("job", "school", "rent", "phone", "savings", "treatment")
PEOPLE = 2_000
RULES = 2
TRIALS = 200
Found = dict[str, Any]


def trial(seed: int, *, biased: bool, people: int = PEOPLE) -> Found:
    """Plant a bias, or none, audit the black box, and return the group planted against and the groups flagged.

    They are flagged by what the summary does for them, and as the page does (see `flags`).
    """
    random = np.random.default_rng([seed, int(biased)])
    frame = population(people, random)
    model, planted = black_box(random, biased=biased)
    return {"planted": planted, **flagged_groups(frame, model, seed)}


def flagged_groups(frame: pd.DataFrame, model: RuleModel, seed: int) -> dict[str, list[str]]:
    """Audit a black box and return the groups flagged either way, the strongest evidence first."""
    schema = Schema.infer(frame).with_change(GROUPS, Change.FROZEN)
    table, settings, interest = Table.build(frame, schema), Settings(seed=seed, subgroup_width=1), tuple(GROUPS)
    costs = Costs.unit(schema.names)
    bench = prepare(model, table, settings, interest)
    found = learn(bench, settings, costs, interest)
    prices = bench.prices(settings, costs).move_costs
    figures = people_figures(bench, found, prices)
    compared = compare_subgroups(bench, found, figures, bench.need(prices), bench.split.check)
    return {"summary": flags(by_summary(compared)), "page": by_page(compared)}


def population(people: int, random: np.random.Generator) -> pd.DataFrame:
    """Draw people: groups of random sizes, each at least a tenth, and yes-or-no habits that do not depend on them."""
    columns = {}
    for name, levels in GROUPS.items():
        shares = 0.1 + random.dirichlet(np.full(len(levels), 3.0)) * (1 - 0.1 * len(levels))
        columns[name] = random.choice(levels, people, p=shares)
    for name in HABITS:
        columns[name] = np.where(random.random(people) < random.uniform(0.3, 0.7), "yes", "no")
    return pd.DataFrame(columns)


def black_box(random: np.random.Generator, *, biased: bool) -> tuple[RuleModel, str]:
    """Draw a black box of two rules, and with a bias the group it is planted against, else an empty name."""
    feature = str(random.choice(list(GROUPS)))
    group = str(random.choice(GROUPS[feature]))
    drawn = random.permutation(HABITS)[: 2 * RULES].tolist()
    rules = []
    for first, second in zip(drawn[::2], drawn[1::2], strict=True):
        for level in GROUPS[feature]:
            changed = (first, second) if biased and level == group else (first,)
            rules.append(_rule(feature, level, (first, second), changed))
    return RuleModel(tuple(rules), "planted"), f"{feature} = {group}" if biased else ""


def _rule(feature: str, level: str, habits: tuple[str, str], changed: tuple[str, ...]) -> RefusalRule:
    before = dict.fromkeys(habits, "no")
    after = before | dict.fromkeys(changed, "yes")
    return RefusalRule(_said({feature: level}), _said(before), _said(after))


def _said(levels: dict[str, str]) -> Conjunction:
    return Conjunction.of(Predicate(name, Value(value, value)) for name, value in levels.items())
