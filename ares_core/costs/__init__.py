"""Costs: from experts' comparisons of features to what it costs to change each of them."""

from __future__ import annotations

from .agreement import (
    Concordance,
    Dispute,
    Likeness,
    by_expert,
    concordance,
    disputes,
    expert_beliefs,
    like_minded,
    likenesses,
)
from .belief import Belief
from .comparison import Answer, Comparison, beyond
from .comparison_file import comparisons_json, parse_comparisons, read_comparisons, write_comparisons
from .costs import Costs, FeatureCost, components, parse_costs, read_costs, write_costs
from .draws import cost_draws
from .experts import Pair, bradley_terry_expert, random_pairs, random_probability_expert, round_robin
from .fitting import fit_costs
from .panel import MOST_COMPARED, Panel, hear_panel
from .pooling import LeftOut, leave_one_out, missing_link, pool, preview
from .posterior import DEFAULT_PRIOR_VARIANCE, Posterior, fit_posterior
from .questioning import PRECISION, Asked, Seen, answers_left, information_gain, next_question
from .review import Cycle, Repeat, Review, Surprise, cycles, differing_repeats, review_answers, surprises
from .text import costs_text

__all__ = [
    "DEFAULT_PRIOR_VARIANCE",
    "MOST_COMPARED",
    "PRECISION",
    "Answer",
    "Asked",
    "Belief",
    "Comparison",
    "Concordance",
    "Costs",
    "Cycle",
    "Dispute",
    "FeatureCost",
    "LeftOut",
    "Likeness",
    "Pair",
    "Panel",
    "Posterior",
    "Repeat",
    "Review",
    "Seen",
    "Surprise",
    "answers_left",
    "beyond",
    "bradley_terry_expert",
    "by_expert",
    "comparisons_json",
    "components",
    "concordance",
    "cost_draws",
    "costs_text",
    "cycles",
    "differing_repeats",
    "disputes",
    "expert_beliefs",
    "fit_costs",
    "fit_posterior",
    "hear_panel",
    "information_gain",
    "leave_one_out",
    "like_minded",
    "likenesses",
    "missing_link",
    "next_question",
    "parse_comparisons",
    "parse_costs",
    "pool",
    "preview",
    "random_pairs",
    "random_probability_expert",
    "read_comparisons",
    "read_costs",
    "review_answers",
    "round_robin",
    "surprises",
    "write_comparisons",
    "write_costs",
]
