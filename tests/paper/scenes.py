"""Small scenes that every system can be tried on."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ares_core.audit import People
from ares_core.models import BlackBox
from ares_core.people import Change, Schema
from benchmarks.paper.scene import OURS, PAPER, Scene, stage


def small_people(change: Change, rows: int = 240) -> People:
    """Return people of two sexes, with a job, a house and savings that decide together; `change` is that of sex."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], rows),
            "job": rng.choice(["none", "plain", "skilled"], rows),
            "owner": rng.choice(["no", "yes"], rows),
            "savings": rng.integers(0, 100, rows),
        }
    )
    points = frame["savings"] / 50 + (frame["job"] == "skilled") + (frame["owner"] == "yes")
    frame["paid"] = np.where(points + rng.normal(0, 0.3, rows) > 1.6, "yes", "no")
    return People.of(frame, "paid", "yes", lambda seen: Schema.infer(seen).with_change(["sex"], change))


def small_scene(model: BlackBox | str = "lr", *, frozen: bool = True) -> Scene:
    """Return a scene of small people, of whom half are measured where sex is frozen, else all."""
    people = small_people(Change.FROZEN if frozen else Change.FREE)
    return stage(people, ("sex",), model, OURS if frozen else PAPER, 0)
