"""The command line: readable text on stdout, progress on stderr, JSON for machines.

Exit 0: done. Exit 2: bad input, told in one sentence and a hint, and nothing written. Exit 130: interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from ares_core.arguments import CHANGES, Command, Outcome, build_parser, settings_of
from ares_core.audit import (
    People,
    Request,
    described,
    people_of_run,
    person_recourse,
    person_text,
    read_run,
    run_audit,
    run_to_json,
    subject,
    summary_text,
    table_notes,
    without_column,
)
from ares_core.audit.words import wrapped
from ares_core.bringing import Recorded, bring, check_expected, check_outcome, expected_answers
from ares_core.costs import Costs, costs_text, fit_costs, read_comparisons, read_costs
from ares_core.datasets import load_german, planted_bias
from ares_core.errors import AresError, DataError, ModelError, SchemaError, SettingError
from ares_core.files import Staged, check_place, destination, dump_json, name_of, read_json
from ares_core.models import BlackBox, ForeignModel
from ares_core.models.saving import check_saving, to_skops
from ares_core.people import (
    Change,
    Schema,
    Table,
    read_csv,
    without_target,
)
from ares_core.progress import Progress
from ares_core.settings import Settings
from ares_core.store_commands import store_command
from ares_core.wording import shown

OUTPUTS = ("json", "save_model")
INPUTS = ("data", "run", "pairs", "model", "schema", "costs", "comparisons", "categories")


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    try:
        options = build_parser(COMMANDS).parse_args(arguments)
        _check_output(options)
        command: Command = options.command
        outcome = command(options)
        with Staged(outcome.files) as staged:  # nothing takes its place unless everything can
            _show(outcome.text)
            staged.keep()
    except AresError as error:
        sys.stderr.write(f"error: {_one_line(error.problem)}\nhint: {_one_line(error.hint)}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("Stopped before the end.\n")
        return 130
    return 0


def _show(text: str) -> None:
    try:
        sys.stdout.write(shown(text))
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # closing must not fail again
        if not isinstance(error, BrokenPipeError):  # whoever reads a pipe, such as head, has seen enough
            raise DataError(
                f"The text cannot be written: {error.strerror}.", "Send it elsewhere, or make room for it."
            ) from error


def _one_line(sentence: str) -> str:
    """Keep a sentence on its line, whatever a file put into it."""
    return shown(sentence).replace("\n", " ")


def _check_output(options: argparse.Namespace) -> None:
    """Refuse, before any work, an output that cannot be written or that is one of the inputs."""
    outputs = [path for name in OUTPUTS if (path := getattr(options, name, None)) is not None]
    given = [path for name in INPUTS if isinstance(path := getattr(options, name, None), Path)]
    given += [Path(options.expected)] if getattr(options, "expected", None) else []
    for place, output in enumerate(outputs):
        check_place(output)
        if any(_same_file(path, output) for path in given):
            raise SettingError(f"The output {output.name!r} is also an input.", "Write the result to another file.")
        if destination(output) in map(destination, outputs[:place]):
            raise SettingError(f"The output {output.name!r} is named twice.", "Write each result to a file of its own.")


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return False


def audit_command(options: argparse.Namespace) -> Outcome:
    """Audit a model on a table."""
    settings, began = settings_of(options), perf_counter()
    check_outcome(options)
    _check_named(options)
    if options.save_model is not None:
        check_saving(options.save_model.name)
    raw = read_csv(options.data)
    expected, target = expected_answers(options, raw), options.target or ""
    raw = raw if expected is None else without_column(raw, expected.column)
    document = _document(options.schema, [target, "" if expected is None else expected.column])
    people, notes = described(
        raw, target, options.favourable if target else "", document, lambda schema: _adapted(schema, options)
    )
    schema, reading = people.table.schema, perf_counter() - began
    model = bring(options, people)
    request = Request(
        people=people,
        model=model,
        settings=settings,
        costs=_costs(options, schema),
        interest=tuple(options.subgroup),
        notes=(*notes, *_matched(model)),
        tune=options.tune,
        reading=reading,
        expected=check_expected(model, people, expected),
    )
    return _audit(request, options)


def _matched(model: BlackBox | str) -> tuple[str, ...]:
    """Say how the table's columns were matched with those a model from elsewhere wants."""
    return model.matching.notes if isinstance(model, ForeignModel) else ()


def _document(path: Path | None, left_out: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the content of the schema file without what it says of columns that are no features."""
    if path is None:
        return None
    hint = "Start from the file that the schema command writes."
    document = read_json(path, f"The schema file {name_of(path)!r}", SchemaError, hint)
    for column in left_out:
        document = without_target(document, column)
    return document  # type: ignore[no-any-return]


def _check_named(options: argparse.Namespace) -> None:
    """Refuse the target among the features, and a feature that one option names twice."""
    for flag in ("subgroup", *CHANGES):
        names = getattr(options, flag.replace("-", "_"))
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise SettingError(f"Option '--{flag}' names {twice!r} twice.", "Name it once.")
    named = next(
        (flag for flag in ("subgroup", *CHANGES) if options.target in getattr(options, flag.replace("-", "_"))), None
    )
    if named is not None:
        raise SettingError(
            f"Column {options.target!r} is the target, so --{named} cannot name it.",
            "Name a column that the model sees.",
        )


def _adapted(schema: Schema, options: argparse.Namespace) -> Schema:
    """Return the schema with what the options say of how features may change."""
    asked = {
        Change.FROZEN: options.freeze,
        Change.INCREASE: options.increase_only,
        Change.DECREASE: options.decrease_only,
    }
    named = [name for names in asked.values() for name in {schema[name].name for name in names}]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise SchemaError(
            f"Feature {twice!r} is told to change in two ways.",
            "Name it in one of --freeze, --increase-only and --decrease-only.",
        )
    for change, names in asked.items():
        schema = schema.with_change(names, change)
    return schema


def _costs(options: argparse.Namespace, schema: Schema) -> Costs:
    if options.costs is not None:
        return read_costs(options.costs, schema.names)
    if options.comparisons is not None:
        return fit_costs(read_comparisons(options.comparisons), schema.names)
    return Costs.unit(schema.names)


def _audit(request: Request, options: argparse.Namespace) -> Outcome:
    with Progress(sys.stderr, quiet=options.quiet) as watch:
        audit = run_audit(request, watch)
    outcome = _told_and_written(summary_text(audit), options.json, run_to_json(audit))
    if getattr(options, "save_model", None) is not None:
        outcome.files[options.save_model] = to_skops(audit.model)
    return outcome


def _told_and_written(text: str, path: Path | None, document: Mapping[str, Any]) -> Outcome:
    """Return a text, and what goes with it for machines if a place was named."""
    return Outcome(text, {} if path is None else {path: dump_json(document)})


def costs_command(options: argparse.Namespace) -> Outcome:
    """Learn costs from comparisons."""
    comparisons = read_comparisons(options.pairs)
    costs = fit_costs(comparisons, None)
    return _told_and_written(costs_text(costs, comparisons) + "\n", options.json, {"costs": costs.to_json()})


def schema_command(options: argparse.Namespace) -> Outcome:
    """Infer a schema."""
    raw = read_csv(options.data)
    schema = Schema.infer(raw.frame)
    document = dump_json(schema.to_json())
    notes = "".join(f"{wrapped(note)}\n" for note in table_notes(raw, raw.frame, schema))
    if options.json is None:
        sys.stderr.write(shown(notes))
        return Outcome(document)
    return Outcome(
        notes + f"{len(schema.features)} features described in {options.json.name}.\n", {options.json: document}
    )


def person_command(options: argparse.Namespace) -> Outcome:
    """Answer for one person of an audited table."""
    run = read_run(options.run)
    people = people_of_run(run, read_csv(options.data))
    model, table, _ = subject(people, bring(options, people, Recorded(run.reading, run.columns)), run.seed)
    if model.sha256 != run.model_sha256:
        raise ModelError("The model is not the one the run was made with.", "Give the model of the audit.")
    answer = person_recourse(model, table, _place(table, options.row), run.ranked, run.costs, run.max_changes)
    return _told_and_written(person_text(table.schema, answer), options.json, answer.to_json())


def _place(table: Table, row: int) -> int:
    """Return where a row of the file stands among the people audited."""
    places = {int(each): place for place, each in enumerate(table.rows)}
    if row not in places:
        some = ", ".join(map(str, sorted(places)[:5]))
        raise DataError(
            f"Row {row}, counted from 0, is not among the {len(table)} people audited.",
            f"Choose a row that was audited: {some} or another of them.",
        )
    return places[row]


def demo_command(options: argparse.Namespace) -> Outcome:
    """Audit bundled data: German Credit with a model trained here, or a population with a planted bias."""
    began = perf_counter()
    model: BlackBox | str
    if options.demo == "german":
        data, model, interest = load_german(), "rf", "foreign_worker"
    else:
        (data, model), interest = planted_bias(), "race"
    people = People.of(data.frame, data.target, data.favourable, lambda _: data.schema, data.sha256)
    request = Request(
        people=people,
        model=model,
        settings=Settings(),
        costs=Costs.unit(data.schema.names),
        interest=(interest,),
        notes=(*data.caveats, *data.schema.notes()),
        reading=perf_counter() - began,
    )
    return _audit(request, options)


COMMANDS = {
    "audit": audit_command,
    "costs": costs_command,
    "schema": schema_command,
    "person": person_command,
    "demo": demo_command,
    "store": lambda options: Outcome(store_command(options)),
}
