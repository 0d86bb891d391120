"""A panel: the parts say what they say alone, and a preview what the published costs say."""

from __future__ import annotations

import numpy as np
import pytest

from ares_core.costs import (
    Comparison,
    bradley_terry_expert,
    concordance,
    disputes,
    fit_costs,
    hear_panel,
    pool,
    preview,
    random_pairs,
)

FEATURES = ("job", "savings", "phone", "housing", "debts")


def spoken(experts: int, answers: int = 20) -> dict[str, tuple[Comparison, ...]]:
    """Return what simulated experts say who agree on how hard each feature is."""
    rng = np.random.default_rng(3)
    truth = dict(zip(FEATURES, (2.0, 1.0, -1.0, 0.0, -2.0), strict=True))
    return {
        f"expert {number}": tuple(bradley_terry_expert(truth, random_pairs(FEATURES, answers, rng), rng))
        for number in range(experts)
    }


def test_a_panel_says_what_its_parts_say() -> None:
    """Costs and changes come from those who count, agreement and disputes from everybody who spoke."""
    answers = spoken(3)
    weights = {"expert 0": 1.0, "expert 1": 1.0, "expert 2": 0.0}
    panel = hear_panel(answers, weights, FEATURES)
    counting = {name: own for name, own in answers.items() if weights[name]}
    assert panel.costs == pool(counting, None, FEATURES)
    assert panel.costs == fit_costs([one for own in counting.values() for one in own], FEATURES)
    assert {one.expert for one in panel.left_out} == set(counting)
    assert panel.agreement == concordance(answers, FEATURES)
    assert panel.disputes == disputes(answers)
    assert (panel.link, panel.unlinked) == (None, 1)


@pytest.mark.parametrize("weights", [{}, {"expert 0": 0.0, "expert 1": 0.0}])
def test_nobody_who_counts_means_unit_costs(weights: dict[str, float]) -> None:
    """Then every feature costs 1 and nobody can be left out, whatever was said."""
    panel = hear_panel(spoken(2) if weights else {}, weights, FEATURES)
    assert {cost.cost for _, cost in panel.costs.items()} == {1.0}
    assert (panel.left_out, panel.link) == ((), None)


def test_a_preview_says_what_is_published() -> None:
    """The costs are those choix finds, and each interval is nearly the published one."""
    for experts in (1, 4):
        answers = spoken(experts)
        shown, published = preview(answers, None, FEATURES), pool(answers, None, FEATURES)
        for name, cost in published.items():
            assert shown[name].cost == pytest.approx(cost.cost, abs=1e-3)
            assert shown[name].low == pytest.approx(cost.low, abs=0.35)
            assert shown[name].high == pytest.approx(cost.high, abs=0.35)
            assert shown[name].source == cost.source
