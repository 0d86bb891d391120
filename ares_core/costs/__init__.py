"""Costs: from experts' comparisons of features to what it costs to change each of them."""

from __future__ import annotations

from .comparison import Answer, Comparison, read_comparisons, write_comparisons
from .costs import Costs, FeatureCost, components, read_costs
from .experts import bradley_terry_expert, random_pairs, random_probability_expert, round_robin
from .fitting import fit_costs
from .posterior import DEFAULT_PRIOR_VARIANCE, Posterior, fit_posterior
from .text import costs_text

__all__ = [
    "DEFAULT_PRIOR_VARIANCE",
    "Answer",
    "Comparison",
    "Costs",
    "FeatureCost",
    "Posterior",
    "bradley_terry_expert",
    "components",
    "costs_text",
    "fit_costs",
    "fit_posterior",
    "random_pairs",
    "random_probability_expert",
    "read_comparisons",
    "read_costs",
    "round_robin",
    "write_comparisons",
]
