"""Black boxes: what answers yes or no about people, trained here, read from rules, or a plain function."""

from __future__ import annotations

from ares_core.models.blackbox import Answers, BlackBox, FunctionModel, ask
from ares_core.models.rule_model import RefusalRule, RuleModel, parse_rule_model, read_rule_model
from ares_core.models.training import FAMILIES, Family, ModelQuality, TrainedModel, quality, split_half, train

__all__ = [
    "FAMILIES",
    "Answers",
    "BlackBox",
    "Family",
    "FunctionModel",
    "ModelQuality",
    "RefusalRule",
    "RuleModel",
    "TrainedModel",
    "ask",
    "parse_rule_model",
    "quality",
    "read_rule_model",
    "split_half",
    "train",
]
