"""Load a pickle or a joblib file, which the operator must have allowed: whatever it does, it does behind the locks."""

from __future__ import annotations

import io
import warnings

import joblib
from sklearn.exceptions import InconsistentVersionWarning

from ares_core.models.loaders.base import Loaded
from ares_core.models.loaders.versioned import VersionedModel, version_words
from ares_core.models.raw import Categories


def load(content: bytes, _: Categories) -> Loaded:
    """Read a scikit-learn estimator, or anything with its methods, from a pickle."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InconsistentVersionWarning)
        estimator = joblib.load(io.BytesIO(content))
    found = [each.message for each in caught if isinstance(each.message, InconsistentVersionWarning)]
    made_with = sorted({str(warning.original_sklearn_version)[:20] for warning in found})
    here = str(found[0].current_sklearn_version) if found else ""
    return VersionedModel(estimator, version_words(made_with, here))
