"""Recourse: from people and a model to the best two level recourse set, with a certificate."""

from ares_core.recourse.coverage import Coverage
from ares_core.recourse.evaluation import Evaluation, Progress
from ares_core.recourse.learn import (
    Certificate,
    Learned,
    agreed,
    cost_sweep,
    learn,
    learn_frontier,
    learn_live,
    restore,
)
from ares_core.recourse.prepare import prepare
from ares_core.recourse.recheck import Recheck, recheck
from ares_core.recourse.rules import RecourseRule, TwoLevelRecourseSet
from ares_core.recourse.stability import Stability, stability
from ares_core.recourse.tuning import Tuned, tune_weights
from ares_core.recourse.workbench import Triple, Workbench

__all__ = [
    "Certificate",
    "Coverage",
    "Evaluation",
    "Learned",
    "Progress",
    "Recheck",
    "RecourseRule",
    "Stability",
    "Triple",
    "Tuned",
    "TwoLevelRecourseSet",
    "Workbench",
    "agreed",
    "cost_sweep",
    "learn",
    "learn_frontier",
    "learn_live",
    "prepare",
    "recheck",
    "restore",
    "stability",
    "tune_weights",
]
