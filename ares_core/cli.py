"""The command line: readable text on stdout, progress on stderr, JSON for machines.

Exit 0: done. Exit 2: bad input, told in one sentence and a hint, and nothing written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from ares_core.audit import (Audit, People, Request, costs_of_run, dump_json, person_recourse, person_text, read_run,
                             rules_of_run, run_audit, run_to_json, subject, summary_text, write_whole)
from ares_core.costs import Costs, costs_text, fit_costs, read_comparisons, read_costs
from ares_core.datasets import load_german
from ares_core.errors import AresError, DataError, ModelError, SchemaError, SettingError
from ares_core.models import FAMILIES, BlackBox, read_rule_model
from ares_core.people import Change, Schema, Table, read_csv, schema_for
from ares_core.settings import PRESETS, Settings, Weights

USAGE_HINT = "Run 'python -m ares_core --help' for what there is."


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are sentences with a hint."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing usage and exiting."""
        raise SettingError(f"The command line is not understood: {message}.", USAGE_HINT)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    try:
        options = build_parser().parse_args(arguments)
        command: Callable[[argparse.Namespace], str] = options.command
        sys.stdout.write(command(options))
    except AresError as error:
        sys.stderr.write(f"error: {error.problem}\nhint: {error.hint}\n")
        return 2
    return 0


def build_parser() -> Parser:
    """Describe every command."""
    parser = Parser(prog="python -m ares_core", description="Vet a model's recourse before it is deployed.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _audit_arguments(commands.add_parser("audit", help="summarise the recourse a model offers"))
    costs = commands.add_parser("costs", help="comparisons in, costs with intervals out")
    costs.add_argument("pairs", type=Path, metavar="PAIRS.csv")
    costs.add_argument("--json", type=Path, metavar="OUT")
    costs.set_defaults(command=costs_command)
    schema = commands.add_parser("schema", help="what was inferred of a table, to edit and pass back")
    schema.add_argument("data", type=Path, metavar="DATA.csv")
    schema.add_argument("--json", type=Path, metavar="OUT")
    schema.set_defaults(command=schema_command)
    person = commands.add_parser("person", help="one person: rule, does it work, cheapest move")
    person.add_argument("run", type=Path, metavar="RUN.json")
    person.add_argument("data", type=Path, metavar="DATA.csv")
    _model_arguments(person)
    person.add_argument("--row", type=int, required=True, metavar="N", help="row of the file, counted from 0")
    person.add_argument("--json", type=Path, metavar="OUT")
    person.set_defaults(command=person_command)
    demo = commands.add_parser("demo", help="the audit of the bundled data, printed")
    demo.add_argument("--json", type=Path, metavar="RUN.json")
    demo.set_defaults(command=demo_command)
    return parser


def _model_arguments(parser: argparse.ArgumentParser) -> None:
    model = parser.add_mutually_exclusive_group(required=True)
    model.add_argument("--model", type=Path, metavar="FILE", help="a rule model (JSON)")
    model.add_argument("--train", choices=list(FAMILIES), help="train a model on half of the rows, audit the other half")


def _audit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, metavar="DATA.csv")
    parser.add_argument("--target", required=True, metavar="COL", help="the column that holds the outcome")
    parser.add_argument("--favourable", required=True, metavar="VALUE", help="the outcome people want")
    _model_arguments(parser)
    parser.add_argument("--schema", type=Path, metavar="SCHEMA.json")
    for flag, text in (("subgroup", "a feature of interest, whose levels describe the subgroups"),
                       ("freeze", "a feature no rule may change"), ("increase-only", "a feature that may only rise"),
                       ("decrease-only", "a feature that may only fall")):
        parser.add_argument(f"--{flag}", action="append", default=[], metavar="COL", help=text)
    price = parser.add_mutually_exclusive_group()
    price.add_argument("--costs", type=Path, metavar="COSTS.csv", help="what it costs to change each feature")
    price.add_argument("--comparisons", type=Path, metavar="PAIRS.csv", help="experts' comparisons to learn costs from")
    _setting_arguments(parser)
    parser.add_argument("--json", type=Path, metavar="RUN.json", help="write the run for machines")
    parser.set_defaults(command=audit_command)


def _setting_arguments(parser: argparse.ArgumentParser) -> None:
    """Offer every setting as an option, from the one source of defaults and help."""
    for item in fields(Settings):
        if item.name == "weights":
            continue
        extra: dict[str, Any] = {"choices": item.metadata["options"]} if item.metadata["options"] else {"type": type(item.default)}
        parser.add_argument(f"--{item.name.replace('_', '-')}", default=item.default, help=item.metadata["help"], **extra)
    parser.add_argument("--paper-protocol", action="store_true", help="choose and measure rules on the same people")
    weights = parser.add_mutually_exclusive_group()
    weights.add_argument("--weights", metavar="a,b,c,d", help="correctness, coverage, feature cost, feature change")
    weights.add_argument("--preset", choices=list(PRESETS), default="balanced", help="a named choice of weights")


def settings_of(options: argparse.Namespace) -> Settings:
    """Collect the settings given on the command line."""
    values = {item.name: getattr(options, item.name) for item in fields(Settings) if item.name != "weights"}
    if options.paper_protocol:
        values["holdout"] = 0.0
    weights = Weights.parse(options.weights) if options.weights else PRESETS[options.preset][0]
    return Settings(**values, weights=weights)


def audit_command(options: argparse.Namespace) -> str:
    """Audit a model on a table."""
    settings = settings_of(options)
    raw = read_csv(options.data)
    document = None if options.schema is None else _read_json(options.schema)
    people = People.of(raw.frame, options.target, options.favourable,
                       lambda frame: _schema(frame, document, options), raw.sha256)
    schema = people.table.schema
    model = _model(options, people.table)
    request = Request(people=people, model=model, settings=settings, costs=_costs(options, schema),
                      interest=tuple(options.subgroup), notes=(*raw.notes, *schema.notes()))
    return _finish(run_audit(request, _watch), options.json)


def _schema(frame: Any, document: Any, options: argparse.Namespace) -> Schema:
    schema = Schema.infer(frame) if document is None else schema_for(frame, document)
    asked = {Change.FROZEN: options.freeze, Change.INCREASE: options.increase_only, Change.DECREASE: options.decrease_only}
    named = [schema[name].name for names in asked.values() for name in names]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise SchemaError(f"Feature {twice!r} is told to change in two ways.",
                          "Name it in one of --freeze, --increase-only and --decrease-only.")
    for change, names in asked.items():
        schema = schema.with_change(names, change)
    return schema


def _model(options: argparse.Namespace, table: Table) -> BlackBox | str:
    if options.train:
        return str(options.train)
    model = read_rule_model(options.model)
    model.check(table.frame)
    return model


def _costs(options: argparse.Namespace, schema: Schema) -> Costs:
    if options.costs is not None:
        return read_costs(options.costs, schema.names)
    if options.comparisons is not None:
        return fit_costs(read_comparisons(options.comparisons), schema.names)
    return Costs.unit(schema.names)


def _finish(audit: Audit, path: Path | None) -> str:
    if path is not None:
        write_whole(path, dump_json(run_to_json(audit)))
    return summary_text(audit)


def _watch(stage: str, share: float) -> bool:
    words = {"model": "preparing the model", "evaluate": "asking the model", "search": "searching for the best rules",
             "frontier": "measuring every size"}
    sys.stderr.write(f"{words[stage]}: {share:.0%}\n" if stage == "evaluate" else f"{words[stage]} …\n")
    return True


def costs_command(options: argparse.Namespace) -> str:
    """Learn costs from comparisons."""
    comparisons = read_comparisons(options.pairs)
    costs = fit_costs(comparisons, None)
    if options.json is not None:
        write_whole(options.json, dump_json({"costs": costs.to_json()}))
    return costs_text(costs, comparisons)


def schema_command(options: argparse.Namespace) -> str:
    """Infer a schema."""
    raw = read_csv(options.data)
    schema = Schema.infer(raw.frame)
    document = dump_json(schema.to_json())
    notes = "".join(f"{note}\n" for note in (*raw.notes, *schema.notes()))
    if options.json is None:
        sys.stderr.write(notes)
        return document
    write_whole(options.json, document)
    return notes + f"{len(schema.features)} features described in {options.json.name}.\n"


def person_command(options: argparse.Namespace) -> str:
    """Answer for one person of an audited table."""
    run, raw = read_run(options.run), read_csv(options.data)
    if raw.sha256 != run["data"]["sha256"]:
        raise DataError("The table is not the one the run was made from.", "Give the data file of the audit.")
    people = People.of(raw.frame, run["data"]["target"], run["data"]["favourable"],
                       lambda frame: schema_for(frame, run["schema"]), raw.sha256)
    model, table, _ = subject(people, _model(options, people.table), int(run["settings"]["seed"]))
    if model.sha256 != run["model"]["sha256"]:
        raise ModelError("The model is not the one the run was made with.", "Give the model of the audit.")
    places = {int(row): place for place, row in enumerate(table.rows)}
    if options.row not in places:
        raise DataError(f"Row {options.row} is not among the {len(table)} people audited.",
                        "Choose a row of the run's \"split\", counted from 0.")
    answer = person_recourse(model, table, places[options.row], rules_of_run(run), costs_of_run(run),
                             int(run["settings"]["max_changes"]))
    return person_text(table.schema, answer)


def demo_command(options: argparse.Namespace) -> str:
    """Audit the bundled German Credit data."""
    data = load_german()
    people = People.of(data.frame, data.target, data.favourable, lambda frame: data.schema)
    request = Request(people=people, model="rf", settings=Settings(), costs=Costs.unit(data.schema.names),
                      interest=("foreign_worker",))
    return _finish(run_audit(request, _watch), options.json)


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SchemaError(f"The schema file {path.name!r} cannot be read: {error.strerror}.", "Check its name.") from error
    except ValueError as error:
        raise SchemaError(f"The schema file {path.name!r} is not JSON: {error}.",
                          "Start from the file that the schema command writes.") from error
