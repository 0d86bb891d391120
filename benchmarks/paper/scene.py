"""Scene: one table, black box, seed and protocol, with the people, the costs and the grid every system shares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.audit import People, subject
from ares_core.costs import Costs, fit_costs, random_probability_expert, round_robin
from ares_core.datasets import load_german
from ares_core.models import BlackBox
from ares_core.people import Change, Feature, Kind, Missing, Schema, Table
from ares_core.people.infer import intervals, level_names, readable_cuts
from ares_core.people.table import Indices
from ares_core.recourse.prepare import find_affected
from ares_core.recourse.split import Split, split_people, strata_of
from benchmarks.cases import Case

ANSWERS = 10  # of the simulated expert about each pair of features
BUNDLED = Case(
    name="german",
    title="German Credit (the table that ships)",
    file="",
    target="credit_risk",
    favourable="good",
    protected=("personal_status_sex", "foreign_worker", "age"),
    interest=("foreign_worker",),
    others=(),
)


@dataclass(frozen=True, slots=True)
class Protocol:
    """How people are described, who may change what, and on whom figures are measured.

    Parameters
    ----------
    frozen
        Whether protected attributes stay as they are.
    levels
        Into how many levels a number is cut; 0 leaves the product's own levels.
    holdout
        The share of affected people kept aside to measure on; 0 measures on the people rules are chosen on.
    """

    name: str
    title: str
    frozen: bool
    levels: int
    holdout: float


PAPER = Protocol("paper", "The paper's protocol", False, 3, 0.0)
OURS = Protocol("ours", "Our protocol", True, 0, 0.5)
PROTOCOLS = {protocol.name: protocol for protocol in (PAPER, OURS)}


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a system is given.

    Parameters
    ----------
    affected
        Places in the table of the people the model refuses.
    split
        Places among the affected: those rules are chosen on, and those everything is measured on.
    interest
        The features our protocol makes subgroups of.
    """

    protocol: Protocol
    model: BlackBox
    table: Table
    affected: Indices
    split: Split
    costs: Costs
    interest: tuple[str, ...]
    seed: int

    @property
    def prices(self) -> NDArray[np.float64]:
        """What changing each feature of the table costs, in the table's order."""
        return self.costs.vector([feature.name for feature in self.table.features])

    def sample(self, most: int) -> Indices:
        """Return places in the table of at most so many measured people, drawn at random and seeded."""
        everyone = self.affected[self.split.check]
        if len(everyone) <= most:
            return everyone
        return np.sort(np.random.default_rng(self.seed).choice(everyone, most, replace=False))


def stage(people: People, interest: tuple[str, ...], family: str | BlackBox, protocol: Protocol, seed: int) -> Scene:
    """Train a model, or take one, find whom it refuses, and learn costs from a simulated expert.

    Parameters
    ----------
    people
        Described as the protocol asks (see `described`).
    """
    model, table, _ = subject(people, family, seed)
    affected = find_affected(model, table)
    positions = [table.position(name) for name in interest]
    split = split_people(strata_of(table.codes[affected][:, positions]), protocol.holdout, seed)
    return Scene(protocol, model, table, affected, split, simulated_costs(table.schema, seed), interest, seed)


def simulated_costs(schema: Schema, seed: int) -> Costs:
    """Learn costs as the paper's experiments do: a random probability for each pair dictates the answers."""
    pairs = round_robin(sorted(schema.names)) * ANSWERS
    return fit_costs(random_probability_expert(pairs, np.random.default_rng(seed)), schema.names)


def read_people(case: Case, folder: Path) -> People:
    """Read a table; German Credit is the one that ships where the folder lacks it."""
    if case != BUNDLED:
        return case.people(folder)
    data = load_german()
    return People.of(data.frame, data.target, data.favourable, lambda _: data.schema)


def described(people: People, case: Case, protocol: Protocol) -> People:
    """Describe people as a protocol asks: its levels, and protected attributes frozen or free like all others."""
    schema, frame = people.table.schema, people.table.frame
    if protocol.levels:
        cut = tuple(_recut(feature, frame, protocol.levels) for feature in schema.features)
        schema = replace(schema, features=cut)
    if protocol.frozen:
        schema = schema.with_change(case.protected, Change.FROZEN)
    else:
        schema = schema.with_change(schema.names, Change.FREE)
    table = Table.build(frame, schema, outcomes=people.outcomes)
    placed = replace(table, rows=people.table.rows[table.rows])
    return replace(people, table=placed, outcomes=people.outcomes[table.rows])


def _recut(feature: Feature, frame: pd.DataFrame, levels: int) -> Feature:
    """Cut a number anew at quantiles; other features stay."""
    if feature.kind is not Kind.NUMBER:
        return feature
    last = feature.levels[-1]
    missing = last if isinstance(last, Missing) else None
    cells = frame[feature.columns[0]]
    known = cells if missing is None else cells[~missing.mask(frame, feature.columns[0])]
    cuts = readable_cuts(known.to_numpy(dtype=float), levels)
    words = missing.values if missing else ()
    found = intervals(cuts, words, level_names(cuts, known, feature.unit))
    return replace(feature, levels=(*found, *([missing] if missing else [])), forbidden=frozenset())
