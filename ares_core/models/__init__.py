"""Black boxes: what answers yes or no about people, trained here, read from rules, or brought from elsewhere."""

from __future__ import annotations

from ares_core.models.behaviour import Behaviour, check_behaviour
from ares_core.models.blackbox import Answers, BlackBox, FunctionModel, ask
from ares_core.models.foreign import ForeignModel
from ares_core.models.matching import Matching, match_columns
from ares_core.models.raw import RawModel, Signature
from ares_core.models.reading import Reading
from ares_core.models.rule_model import RefusalRule, RuleModel, parse_rule_model, read_rule_model
from ares_core.models.training import FAMILIES, Family, ModelQuality, TrainedModel, quality, split_half, train

__all__ = [
    "FAMILIES",
    "Answers",
    "Behaviour",
    "BlackBox",
    "Family",
    "ForeignModel",
    "FunctionModel",
    "Matching",
    "ModelQuality",
    "RawModel",
    "Reading",
    "RefusalRule",
    "RuleModel",
    "Signature",
    "TrainedModel",
    "ask",
    "check_behaviour",
    "match_columns",
    "parse_rule_model",
    "quality",
    "read_rule_model",
    "split_half",
    "train",
]
