"""Load a pickle or a joblib file, which the operator must have allowed: whatever it does, it does behind the locks."""

from __future__ import annotations

import io

import joblib

from ares_core.models.loaders.base import Loaded
from ares_core.models.loaders.estimator import EstimatorModel


def load(content: bytes) -> Loaded:
    """Read a scikit-learn estimator, or anything with its methods, from a pickle."""
    return EstimatorModel(joblib.load(io.BytesIO(content)))
