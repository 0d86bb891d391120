"""Cost sets: named, versioned, never changed."""

from __future__ import annotations

import pytest

from ares_core.costs import Comparison, Costs, fit_costs
from ares_core.errors import StoreError
from ares_core.store import Store

UNIT = Costs.unit(("income", "savings"))
LEARNED = fit_costs([Comparison("income", "savings")], ("income", "savings"))


def test_costs_come_back_as_they_were_kept(store: Store) -> None:
    """A kept set has its costs, intervals and sources, its name and the version 1."""
    audit = store.documents.begin_audit("mine")
    kept = store.cost_sets.keep(audit, "  Spring   panel ", LEARNED)
    assert (kept.name, kept.version, kept.title) == ("Spring panel", 1, "Spring panel, version 1")
    assert kept.costs == LEARNED
    assert store.cost_sets.read(kept.id) == kept


def test_a_name_kept_again_is_its_next_version(store: Store) -> None:
    """Other costs make version 2 and leave version 1 as it is; the same costs again are the version they are."""
    audit = store.documents.begin_audit("mine")
    first = store.cost_sets.keep(audit, "panel", UNIT)
    second = store.cost_sets.keep(audit, "panel", LEARNED)
    assert second.version == 2
    assert store.cost_sets.keep(audit, "panel", LEARNED) == second
    assert store.cost_sets.read(first.id) == first
    assert [each.version for each in store.cost_sets.of_audit(audit)] == [2, 1]


def test_audits_keep_their_own(store: Store) -> None:
    """One audit does not see another's sets, and they go with it."""
    mine, other = store.documents.begin_audit("mine"), store.documents.begin_audit("other")
    kept = store.cost_sets.keep(mine, "panel", UNIT)
    assert store.cost_sets.of_audit(other) == ()
    store.documents.delete_audit(mine)
    assert store.cost_sets.read(kept.id) is None


@pytest.mark.parametrize("name", ["", "   ", "x" * 121])
def test_a_set_needs_a_short_name(store: Store, name: str) -> None:
    """A name that says nothing, or too much, is refused, and nothing is kept."""
    audit = store.documents.begin_audit("mine")
    with pytest.raises(StoreError, match="not 1 to 120"):
        store.cost_sets.keep(audit, name, UNIT)
    assert store.cost_sets.of_audit(audit) == ()
