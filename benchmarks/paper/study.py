"""Study: the two screens a participant of the paper's user study would see, for three black boxes with a known bias.

One black box is the planted one of the paper's appendix. A network and a logistic regression learn decisions that ask
more of one group: of six things in somebody's favour a Caucasian needs three, anybody else four. Features cost 1 each,
as in the study.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.audit import People
from ares_core.audit.figures import people_figures, rule_figures
from ares_core.audit.subgroups import compare_subgroups
from ares_core.audit.text import rules_text
from ares_core.costs import Costs
from ares_core.datasets import planted_bias
from ares_core.models import BlackBox, ask
from ares_core.people.table import Indices
from ares_core.recourse import learn, prepare
from ares_core.settings import Settings
from benchmarks.paper import linear
from benchmarks.paper.advice import Advice, measure
from benchmarks.paper.flags import by_page, by_summary, flags
from benchmarks.paper.linear import Steps
from benchmarks.paper.scene import OURS, Scene, stage
from benchmarks.paper.surrogates import local_lines

BLACK_BOXES = ("rules", "dnn3", "lr")
INTEREST = "race"
GOOD = ("married", "property", "has_job", "in_school", "pays_rent")
NEEDED = 3
PEOPLE = 4_000
ASKED = 120  # refused people for whom AR-LIME is averaged
SHOWN = 5  # features of an averaged recourse
Found = dict[str, Any]


def screens(kind: str, people: int = PEOPLE, asked: int = ASKED) -> Found:
    """Return what our summary shows of a black box, and what averaged AR-LIME shows."""
    scene = setting(kind, people)
    return {"ours": our_screen(scene), "averaged": averaged_screen(scene, asked), "affected": len(scene.affected)}


def setting(kind: str, people: int, seed: int = 0) -> Scene:
    """Return the generated population with the planted black box, or with a model taught unequal decisions."""
    data, model = planted_bias(people, seed)
    favoured = ask(model, data.people) if kind == "rules" else unequal(data.people)
    frame = data.people.assign(decision=np.where(favoured, "yes", "no"))
    population = People.of(frame, "decision", "yes", lambda _: data.schema)
    box: BlackBox | str = model if kind == "rules" else kind
    scene = stage(population, (INTEREST,), box, OURS, seed)
    return replace(scene, costs=Costs.unit(data.schema.names))


def unequal(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Decide by counting what speaks for a person, and ask for one thing more of people who are not Caucasian."""
    points = (frame[list(GOOD)] == "Yes").sum(axis=1) + (frame["drugs"] == "No")
    return np.asarray(points >= np.where(frame[INTEREST] == "Caucasian", NEEDED, NEEDED + 1))


def our_screen(scene: Scene) -> Found:
    """Return the rules as text, what differs between the groups, and which of them is flagged."""
    settings = Settings(seed=scene.seed)
    bench = prepare(scene.model, scene.table, settings, scene.interest)
    found = learn(bench, settings, scene.costs, scene.interest)
    costs = bench.prices(settings, scene.costs).move_costs
    figures = people_figures(bench, found, costs)
    compared = compare_subgroups(bench, found, figures, bench.need(costs), bench.split.check)
    pairs = list(zip(found.rules, rule_figures(bench, found, costs), strict=True))
    groups = [
        {
            "group": each.subgroup.predicates[0].level.name,
            "people": each.accuracy.total,
            "accuracy": each.accuracy.value,
            "changes": each.mean_changes,
        }
        for each in compared
    ]
    text = rules_text(scene.table.schema, pairs, same_people=False)
    flagged = {"summary": flags(by_summary(compared)), "page": by_page(compared)}
    return {"text": text, "groups": groups, "flagged": flagged}


def averaged_screen(scene: Scene, asked: int) -> Found:
    """Average AR-LIME's recourses within each group: the share of people told to change each feature."""
    people = scene.sample(asked)
    steps = Steps.of(scene.table, people)
    advice = linear.advise(steps, *local_lines(scene, steps), linear.percentile_shift(steps))
    position = scene.table.position(INTEREST)
    names = [level.name for level in scene.table.features[position].levels]
    groups = []
    for level, name in enumerate(names):
        mine = np.flatnonzero(scene.table.codes[people, position] == level)
        groups.append({"group": name, **_averaged(scene, people[mine], [advice[place] for place in mine])})
    return {"groups": groups}


def _averaged(scene: Scene, people: Indices, advice: Advice) -> Found:
    outcome = measure(scene, people, advice)
    told = [feature for move in advice for feature, _ in move or ()]
    shares = np.bincount(told, minlength=len(scene.table.features)) / max(len(people), 1)
    most = np.argsort(-shares, kind="stable")[:SHOWN]
    return {
        "people": len(people),
        "accuracy": outcome.accuracy,
        "changes": len(told) / max(outcome.advised, 1),
        "features": {scene.table.features[place].title: float(shares[place]) for place in most if shares[place] > 0},
    }
