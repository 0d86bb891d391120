"""An audit in which one group has too few learn people for a rule: eight refused of it, four in each part."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ares_core.audit import Audit, People, Request, run_audit
from ares_core.costs import Costs
from ares_core.models import FunctionModel
from ares_core.people import Change, Schema
from ares_core.settings import Settings
from ares_core.worker import GroupsView

WHY = (
    "No rule could be written: only 4 of the people the rules were chosen on are in this group, and a rule needs at "
    "least 5."
)
GROUPS = {"Asian": (8, 8), "Black": (50, 40), "White": (60, 50)}  # refused and accepted


def table() -> pd.DataFrame:
    """People of three groups: those without a job are refused, and half of all pay rent."""
    rows = [
        {"race": race, "job": job, "rent": "yes" if n % 2 else "no", "outcome": "good" if n % 2 else "bad"}
        for race, counts in GROUPS.items()
        for job, count in zip(("none", "steady"), counts, strict=True)
        for n in range(count)
    ]
    return pd.DataFrame(rows)


def accepts(frame: pd.DataFrame) -> list[int]:
    """Accept people with a job who pay rent, and everybody with a job who is not black."""
    return ((frame["job"] == "steady") & ((frame["rent"] == "yes") | (frame["race"] != "Black"))).astype(int).tolist()


@cache
def audit(selection: str = "paper", interest: tuple[str, ...] = ("race",)) -> Audit:
    """Return the audit of that table."""
    frame = table()
    people = People.of(
        frame, "outcome", "good", lambda part: Schema.infer(part).with_change(["race", "rent"], Change.FROZEN)
    )
    return run_audit(
        Request(
            people=people,
            model=FunctionModel(accepts),
            settings=Settings(max_rules=4, selection=selection, support=0.02),
            costs=Costs.unit(people.table.schema.names),
            interest=interest,
        )
    )


def view() -> GroupsView:
    """Return what the Subgroups page shows of it."""
    found = audit()
    return GroupsView(found.subgroups, found.moves, found.totals(found.bench.split.check), 1.0, 1.0)
