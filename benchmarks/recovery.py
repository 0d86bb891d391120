"""Recovery: how closely known costs come back from simulated experts, by number of answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from ares_core.costs import bradley_terry_expert, fit_costs, random_pairs
from benchmarks.cases import Case
from benchmarks.report import Check, Grid, Section

FEATURES = tuple(f"feature {number:02}" for number in range(12))
ANSWERS = (12, 36, 108, 324)
EXPERTS = 8
SPREAD = 1.5
COLUMNS = (
    ("answers", "comparisons of random pairs"),
    ("per feature", "answers for each feature"),
    ("rank correlation", "Spearman's, with the true costs"),
    ("error", "mean distance from the true cost"),
    ("in interval", "share of true costs inside the 90 % interval"),
)


def run(_cases: Sequence[Case], _folder: Path, _left_out: tuple[str, ...]) -> Section:
    """Fit costs to growing numbers of answers."""
    means = [np.mean([_recovered(seed, answers) for seed in range(EXPERTS)], axis=0) for answers in ANSWERS]
    rows = tuple(
        (f"{answers}", f"{answers / len(FEATURES):.0f}", *(f"{number:.2f}" for number in mean))
        for answers, mean in zip(ANSWERS, means, strict=True)
    )
    says = (
        f"{EXPERTS} simulated Bradley-Terry experts, each with known difficulties of {len(FEATURES)} features "
        f"(normal, standard deviation {SPREAD}); figures are means. Needs no table.",
    )
    checks = (
        Check(
            "rank correlation grows and error shrinks with the number of answers",
            f"{means[0][0]:.2f} to {means[-1][0]:.2f}, {means[0][1]:.2f} to {means[-1][1]:.2f}",
            all(np.diff([mean[0] for mean in means]) > 0) and all(np.diff([mean[1] for mean in means]) < 0),
        ),
    )
    return Section("costs", "Costs", says, (Grid(COLUMNS, rows),), checks)


def _recovered(seed: int, answers: int) -> tuple[float, float, float]:
    """Return rank correlation, mean error, and the share of true costs inside their intervals."""
    rng = np.random.default_rng(seed)
    beta = dict(zip(FEATURES, rng.normal(0, SPREAD, len(FEATURES)).tolist(), strict=True))
    costs = fit_costs(bradley_terry_expert(beta, random_pairs(FEATURES, answers, rng), rng), FEATURES)
    easiest = min(beta.values())
    truth = np.array([1 + beta[name] - easiest for name in FEATURES])
    found = costs.vector(FEATURES)
    inside = [costs[name].low <= true <= costs[name].high for name, true in zip(FEATURES, truth, strict=True)]
    return float(spearmanr(truth, found).statistic), float(np.abs(truth - found).mean()), float(np.mean(inside))
