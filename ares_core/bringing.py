"""Bringing: the model a command names, a family, a file or an address, and how its answers are read."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from ares_core.audit import People
from ares_core.errors import DataError, ModelError, SettingError
from ares_core.files import name_of, read_bytes, refuse_large
from ares_core.models import BlackBox, ForeignModel, RawModel, Reading, RuleModel, parse_rule_model
from ares_core.models.categories import read_categories, refuse_lacking
from ares_core.models.endpoint import USUAL_BUDGET, open_service, parse_description
from ares_core.models.expected import ExpectedAnswers, ExpectedCheck, compare_expected, expected_column, read_expected
from ares_core.models.formats import RULES, detect
from ares_core.models.inspection import Inspection, inspect_model, ties_of
from ares_core.models.labels import find_label
from ares_core.models.reading import refuse_many
from ares_core.models.rule_model import MOST_BYTES
from ares_core.models.sandbox import LIMITS, open_model
from ares_core.people import RawTable

OF_SERVICES = ("budget", "service_description")
OF_ANSWERS = ("favourable_answer", "threshold", "score", "below", "ties", "columns", "categories", *OF_SERVICES)
MOST_FILE_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Recorded:
    """How an earlier run read a model's answers, and the columns it showed the model, in the model's order."""

    reading: Reading | None
    columns: tuple[str, ...]


def bring(options: argparse.Namespace, people: People, recorded: Recorded | None = None) -> BlackBox | str:
    """Return the model a command names, ready to be asked about these people; of one to be trained, its family.

    Parameters
    ----------
    recorded
        What an earlier run recorded of the model, which holds unless the options say otherwise.

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
        raw: RawModel | RuleModel = _service(options)
    else:
        raw = _opened(options.model, options.categories)
    if isinstance(raw, RuleModel):
        _refuse_options(options, (*OF_ANSWERS, "expected"), "a rule model, whose answers need no reading")
        raw.check(frame)
        return raw
    columns = options.columns or (recorded.columns if recorded is not None and not raw.signature.columns else ())
    reading, tied = _reading(options, raw, people, columns, None if recorded is None else recorded.reading)
    model = ForeignModel.fitted(raw, frame, reading, columns)
    return replace(model, matching=model.matching.with_warning(tied)) if tied else model


def check_outcome(options: argparse.Namespace) -> None:
    """Refuse options that name no outcome where one is needed, or leave open which is favourable."""
    if options.train and options.target is None:
        raise SettingError(
            "Option '--train' needs '--target': a model is trained on outcomes.", "Name the column of outcomes."
        )
    if options.target is not None and options.favourable is None:
        raise SettingError("Option '--target' needs '--favourable'.", "Name the outcome people want.")


def expected_answers(options: argparse.Namespace, table: RawTable) -> ExpectedAnswers | None:
    """Return the answers that --expected names, a column of the table or else a file; None without the option.

    Raises
    ------
    AresError
        If there is neither, or what it holds are no answers.
    """
    if options.expected is None:
        return None
    if options.expected == options.target:
        raise SettingError(
            f"Column {options.expected!r} is the target, so it cannot hold the expected answers too.",
            "Name a column of the model's own answers.",
        )
    if options.expected in table.frame.columns:
        return expected_column(table.frame[options.expected])
    path = Path(options.expected)
    if not path.exists():
        raise DataError(
            f"Option '--expected' names {options.expected!r}, neither a column of the table nor a file.",
            "Name a column, or a CSV file with the columns row and answer or score.",
        )
    subject = f"The file of expected answers {name_of(path)!r}"
    content = read_bytes(path, subject, MOST_FILE_BYTES, DataError, "Give fewer rows.")
    return read_expected(content, path.name)


def check_expected(model: BlackBox | str, people: People, expected: ExpectedAnswers | None) -> ExpectedCheck | None:
    """Compare a model with the answers it is known to give; None if there are none.

    Raises
    ------
    AresError
        If one differs, or they cannot be compared.
    """
    if expected is None or not isinstance(model, ForeignModel):
        return None
    found = compare_expected(model, people.table, expected)
    found.require_same()
    return found


def _service(options: argparse.Namespace) -> RawModel:
    """Open the service that --model names, as its own metadata or --service-description describes it."""
    budget = USUAL_BUDGET if options.budget is None else int(options.budget)
    path, description = options.service_description, None
    if path is not None:
        subject = f"The service description {name_of(path)!r}"
        description = parse_description(read_bytes(path, subject, MOST_FILE_BYTES, ModelError, "Give a shorter file."))
    return open_service(options.model, budget=budget, description=description)


def _opened(path: Path, categories: Path | None) -> RawModel | RuleModel:
    """Open a file by what it holds; rules are read here, everything else in a sandbox."""
    subject = f"The model file {name_of(path)!r}"
    content = read_bytes(path, subject, LIMITS.file_bytes, ModelError, "Save a smaller model.")
    if detect(content, path.name) != RULES:
        return _completed(content, path.name, categories)
    refuse_large(content, subject, MOST_BYTES, ModelError, 'Keep only its "format" and its "rules".')
    return parse_rule_model(content, path.name)


def _completed(content: bytes, name: str, categories: Path | None) -> RawModel:
    """Open a model file in a sandbox, with the categories it lacks if it lacks some."""
    raw = open_model(content, name)
    if categories is None:
        refuse_lacking(raw.signature)
        return raw
    subject = f"The file of categories {name_of(categories)!r}"
    given = read_bytes(categories, subject, MOST_FILE_BYTES, ModelError, "Give only the columns it is about.")
    if not raw.signature.lacking:
        raw.close()
        raise ModelError(f"The model file {name!r} lacks no categories.", "Leave out --categories.")
    found = read_categories(given, categories.name, raw.signature.lacking)
    raw.close()
    return open_model(content, name, categories=found)


def _check_options(options: argparse.Namespace) -> None:
    if options.train:
        _refuse_options(options, (*OF_ANSWERS, "expected"), "a model trained here, whose answers need no reading")
    elif not isinstance(options.model, str):
        _refuse_options(options, OF_SERVICES, "a file, which is not asked over HTTP")
    else:
        _refuse_options(options, ("categories",), "a service; they complete a model file")
    if options.threshold is None:
        _refuse_options(options, ("score", "below", "ties"), "labels; they go with --threshold")
    if getattr(options, "save_model", None) is not None and not options.train:
        raise SettingError(
            "Option '--save-model' goes with '--train': only a model trained here is saved.", "Leave it out."
        )


def _refuse_options(options: argparse.Namespace, names: tuple[str, ...], what: str) -> None:
    # Not by comparison: a threshold of 0 equals False, and is one.
    given = next((name for name in names if not any(getattr(options, name, None) is no for no in (None, False))), None)
    if given is not None:
        raise SettingError(f"Option '--{given.replace('_', '-')}' does not go with {what}.", "Leave it out.")


def _reading(
    options: argparse.Namespace, raw: RawModel, people: People, columns: tuple[str, ...], recorded: Reading | None
) -> tuple[Reading, str]:
    """Return how answers are read: as the options say, as recorded, or as names make plain and outcomes bear out.

    The sentence beside it says how many people score exactly the threshold; it is empty if nobody is known to.
    """
    label, score = _named_answers(options, people)
    if label is not None:
        return Reading(label), ""
    if options.threshold is None and recorded is not None:
        return recorded, ""
    found = inspect_model(raw, people.table.frame, people.known_outcomes, columns)
    reading = _unasked(found) if options.threshold is None else _by_threshold(options, found, score)
    tied = found.tied_words(reading)
    return reading, f"{tied} (--ties)." if tied else ""


def _named_answers(options: argparse.Namespace, people: People) -> tuple[str | None, str | None]:
    """Return the label and the class whose score is read that options name; --favourable is one without outcomes."""
    answer = None if people.target else getattr(options, "favourable", None)
    label, score = options.favourable_answer, options.score
    named = {"--favourable-answer": label, "--score": score}
    twice = next((option for option, value in named.items() if answer is not None and value is not None), None)
    if twice is not None:
        raise SettingError(
            f"Without --target, --favourable names the model's favourable answer, and so does {twice}.",
            "Give one of the two.",
        )
    if answer is None:
        return label, score
    return (str(answer), None) if options.threshold is None else (None, str(answer))


def _by_threshold(options: argparse.Namespace, found: Inspection, score: str | None) -> Reading:
    """Read a score against the threshold given; a class that names alone decide is held against the outcomes."""
    names = [spread.name for spread in found.spreads]
    if not names:
        raise ModelError("The model gives labels and no scores.", "Use --favourable-answer in place of --threshold.")
    if score is not None or len(names) == 1:
        return _score_reading(options, found, names[0] if score is None else find_label(names, score) or score)
    reading = None if found.named is None else _score_reading(options, found, found.named.favourable)
    if reading is not None and reading.favourable in names:
        _refuse_contradicted(found, reading)
        if found.is_borne_out(reading):
            return reading
    raise ModelError(f"The model gives scores for {', '.join(map(repr, names))}.", "Say which is read with --score.")


def _score_reading(options: argparse.Namespace, found: Inspection, name: str) -> Reading:
    """Read a score as the options say; a score at the threshold counts as the model's library counts it by default."""
    ties = options.ties or ties_of(found.spreads, name)
    return Reading(name, float(options.threshold), not options.below, ties)


def _unasked(found: Inspection) -> Reading:
    """Return the reading that names make plain.

    Raises
    ------
    ModelError
        If they do not, or if the outcomes contradict it; the hint lists the readings to choose from.
    """
    labels = [label for label, _ in found.labels]
    if not found.spreads:
        refuse_many(labels)
    if found.named is not None:
        _refuse_contradicted(found, found.named)
        if found.suggested is not None:
            return found.suggested
    if len(labels) > 2:
        problem = f"The model answers {len(labels)} labels, so the score of one of them is read against a threshold."
    elif labels:
        why = "nothing says" if found.named is None else "the outcomes do not show"
        problem = f"The model answers {' and '.join(map(repr, labels))}, and {why} which is favourable."
    elif len(found.spreads) == 1:
        problem = "The model gives one score, and nothing says whether a higher one is favourable."
    else:
        names = " and ".join(repr(spread.name) for spread in found.spreads[:4])
        problem = f"The model gives scores for {names}, and nothing says which is favourable, and from where on."
    raise ModelError(problem, f"Give {_choices(found)}.")


def _refuse_contradicted(found: Inspection, reading: Reading) -> None:
    figures = found.figures(reading)
    if figures.agreement is not None and figures.is_contradicted:
        raise ModelError(
            f"{reading.words().rstrip('.')} by its name, but read so the model {figures.agreement.words()}, "
            "which is worse than chance.",
            f"See which answer is favourable, and give {_choices(found)}.",
        )


def _choices(found: Inspection) -> str:
    """List the options for each reading, with what it comes to."""
    return " or ".join(f"{each.options()} ({found.figures(each).words()})" for each in found.readings)
