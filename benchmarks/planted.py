"""Planted: whether an audit finds the rules behind a black box whose bias is known."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from ares_core.costs import Costs
from ares_core.datasets import planted_bias
from ares_core.models.rule_model import RefusalRule
from ares_core.people import Table
from ares_core.recourse import RecourseRule, learn, prepare
from ares_core.settings import Settings

INTEREST = ("race",)


@dataclass(frozen=True, slots=True)
class Planted:
    """What came back: rules planted and found, how many are the same, and the share of checked people helped."""

    planted: int
    found: int
    same: int
    accuracy: float
    proven: bool

    @property
    def exact(self) -> bool:
        """Whether exactly the planted rules came back, proven best, and help everybody."""
        return self.planted == self.found == self.same and self.accuracy == 1.0 and self.proven


def recover(people: int, seed: int) -> Planted:
    """Audit a planted population."""
    data, model = planted_bias(people, seed)
    table = Table.build(data.people, data.schema)
    settings = Settings(seed=seed)
    bench = prepare(model, table, settings, INTEREST)
    found = learn(bench, settings, Costs.unit(data.schema.names), INTEREST)
    behind, rules = _plainly(model.rules), _plainly(found.rules)
    helped = found.coverage.helped()[bench.split.check]
    return Planted(len(behind), len(found.rules), len(behind & rules), float(helped.mean()), found.certificate.proven)


def _plainly(rules: Iterable[RefusalRule | RecourseRule]) -> set[str]:
    """Write each rule out, so that rules of different kinds can be compared."""
    parts = ([rule.subgroup.to_json(), rule.before.to_json(), rule.after.to_json()] for rule in rules)
    return {json.dumps(part, sort_keys=True) for part in parts}
