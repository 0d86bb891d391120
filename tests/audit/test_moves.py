"""The same move in every subgroup."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ares_core.audit import Audit, People, Request, run_audit
from ares_core.costs import Costs
from ares_core.models import FunctionModel
from ares_core.people import Change, Schema
from ares_core.settings import Settings


def audited() -> Audit:
    """A job is enough for the young; the old need savings too, so a job alone helps none of them without."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame({name: random.choice(["no", "yes"], 400) for name in ("job", "savings", "phone")})
    frame["years"] = pd.Series(random.choice(["young", "old"], 400), dtype="str")
    frame = frame.astype({"job": "str", "savings": "str", "phone": "str"})
    frame["outcome"] = random.integers(0, 2, 400)

    def accepts(people: pd.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        job, savings = people["job"] == "yes", people["savings"] == "yes"
        return np.asarray(job & (savings | (people["years"] == "young")))

    people = People.of(frame, "outcome", "1", lambda seen: Schema.infer(seen).with_change(["years"], Change.FROZEN))
    request = Request(
        people=people,
        model=FunctionModel(accepts),
        settings=Settings(max_changes=1),
        interest=("years",),
        costs=Costs.unit(people.table.schema.names),
    )
    return run_audit(request)


def test_a_move_is_followed_through_every_subgroup() -> None:
    """Counted by plain loops over the check people, each share is how often the move works for who can make it."""
    audit = audited()
    assert audit.moves
    people = audit.bench.table.frame.iloc[audit.bench.affected[audit.bench.split.check]]
    for figures in audit.moves:
        (change,) = figures.move
        for subgroup, share in figures.works:
            (group,) = subgroup
            able = [
                row
                for _, row in people.iterrows()
                if row["years"] == group.level.name and row[change.feature] != change.level.name
            ]
            changed = pd.DataFrame([{**row, change.feature: change.level.name} for row in able], columns=people.columns)
            assert share.total == len(able)
            assert share.count == int(audit.model.predict(changed).sum())


def test_the_same_effort_need_not_lead_as_far() -> None:
    """Getting a job frees every young person and only those of the old who have savings."""
    works = {
        subgroup.predicates[0].level.name: share
        for figures in audited().moves
        for subgroup, share in figures.works
        if figures.move.features == ("job",)
    }
    assert works["young"].value == 1.0
    old = works["old"].value
    assert old is not None and 0.2 < old < 0.8
