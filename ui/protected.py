"""Protected attributes: features whose names suggest that nobody should be told to change them. Only a suggestion."""

from __future__ import annotations

import re

from ares_core.people import Change, Feature, Schema
from ares_core.people.infer import PROTECTED

WORDS = PROTECTED | {
    *("birth", "birthday", "birthdate", "born", "dob", "citizen", "citizenship", "foreign", "foreigner", "immigrant"),
    *("migrant", "origin", "ethnic", "racial", "skin", "religious", "faith", "disability", "disabled", "handicap"),
    *("marital", "married", "spouse", "widowed", "divorced", "pregnant", "pregnancy", "orientation", "language"),
    *("geschlecht", "alter", "herkunft", "nation", "native", "minority", "women", "woman", "man", "men"),
}


def suggested(schema: Schema) -> tuple[Feature, ...]:
    """Return the features that may change although their name, label or a column says sex, race, age or the like."""
    return tuple(
        feature
        for feature in schema.features
        if feature.change is not Change.FROZEN and _words(feature.name, feature.label, *feature.columns) & WORDS
    )


def _words(*names: str) -> set[str]:
    return {word.lower() for name in names for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
