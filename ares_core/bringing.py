"""Bringing: the model a command names, a family, a file or an address, and how its answers are read."""

from __future__ import annotations

import argparse
from pathlib import Path

from ares_core.audit import People
from ares_core.errors import ModelError, SettingError
from ares_core.files import name_of, read_bytes, refuse_large
from ares_core.models import BlackBox, ForeignModel, RawModel, Reading, RuleModel, parse_rule_model
from ares_core.models.endpoint import USUAL_BUDGET, open_service
from ares_core.models.formats import RULES, detect
from ares_core.models.inspection import Inspection, inspect_model
from ares_core.models.reading import refuse_many
from ares_core.models.rule_model import MOST_BYTES
from ares_core.models.sandbox import LIMITS, open_model

OF_ANSWERS = ("favourable_answer", "threshold", "score", "below", "budget")


def bring(options: argparse.Namespace, people: People, recorded: Reading | None = None) -> BlackBox | str:
    """Return the model a command names, ready to be asked about these people; of one to be trained, its family.

    Parameters
    ----------
    recorded
        How an earlier run read the model's answers, which is how they are read unless the options say otherwise.

    Raises
    ------
    AresError
        If there is no such model, it does not fit the table, or its answers cannot be read.
    """
    _check_options(options)
    if options.train:
        return str(options.train)
    frame = people.table.frame
    if isinstance(options.model, str):
        budget = USUAL_BUDGET if options.budget is None else int(options.budget)
        raw: RawModel | RuleModel = open_service(options.model, budget=budget)
    else:
        raw = _opened(options.model)
    if isinstance(raw, RuleModel):
        _refuse_options(options, OF_ANSWERS, "a rule model, whose answers need no reading")
        raw.check(frame)
        return raw
    return ForeignModel.fitted(raw, frame, _reading(options, raw, people, recorded))


def _opened(path: Path) -> RawModel | RuleModel:
    """Open a file by what it holds; rules are read here, everything else in a sandbox."""
    subject = f"The model file {name_of(path)!r}"
    content = read_bytes(path, subject, LIMITS.file_bytes, ModelError, "Save a smaller model.")
    if detect(content, path.name) != RULES:
        return open_model(content, path.name)
    refuse_large(content, subject, MOST_BYTES, ModelError, 'Keep only its "format" and its "rules".')
    return parse_rule_model(content, path.name)


def _check_options(options: argparse.Namespace) -> None:
    if options.train:
        _refuse_options(options, OF_ANSWERS, "a model trained here, whose answers need no reading")
    elif not isinstance(options.model, str):
        _refuse_options(options, ("budget",), "a file, which is not asked over HTTP")
    if options.threshold is None:
        _refuse_options(options, ("score", "below"), "labels; they go with --threshold")
    if getattr(options, "save_model", None) is not None and not options.train:
        raise SettingError(
            "Option '--save-model' goes with '--train': only a model trained here is saved.", "Leave it out."
        )


def _refuse_options(options: argparse.Namespace, names: tuple[str, ...], what: str) -> None:
    # Not by comparison: a threshold of 0 equals False, and is one.
    given = next((name for name in names if not any(getattr(options, name) is no for no in (None, False))), None)
    if given is not None:
        raise SettingError(f"Option '--{given.replace('_', '-')}' does not go with {what}.", "Leave it out.")


def _reading(options: argparse.Namespace, raw: RawModel, people: People, recorded: Reading | None) -> Reading:
    if options.favourable_answer is not None:
        return Reading(options.favourable_answer)
    if options.threshold is None and recorded is not None:
        return recorded
    found = inspect_model(raw, people.table.frame, people.favourable)
    if options.threshold is not None:
        return Reading(_score(options, found), float(options.threshold), above=not options.below)
    return _suggested(found, people)


def _score(options: argparse.Namespace, found: Inspection) -> str:
    """Return the class whose score is read: the one that is named, or the one most people would choose."""
    names = [spread.name for spread in found.spreads]
    if not names:
        raise ModelError("The model gives labels and no scores.", "Use --favourable-answer in place of --threshold.")
    if options.score is not None or len(names) == 1:
        return names[0] if options.score is None else str(options.score)
    if found.suggested is None or found.suggested.favourable not in names:
        raise ModelError(
            f"The model gives scores for {', '.join(map(repr, names))}.", "Say which is read with --score."
        )
    return found.suggested.favourable


def _suggested(found: Inspection, people: People) -> Reading:
    if found.suggested is not None:
        return found.suggested
    labels = [label for label, _ in found.labels]
    refuse_many(labels)
    raise ModelError(
        f"The model answers {' and '.join(map(repr, labels))}, and none of these is "
        f"{people.favourable!r}, the favourable outcome.",
        "Say which is favourable with --favourable-answer.",
    )
