"""Arguments: what the command line takes, and the settings it says."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NoReturn

from ares_core.errors import SettingError
from ares_core.models import FAMILIES
from ares_core.settings import PRESETS, Settings, Weights
from ares_core.wording import plain_number

DEMOS = ("german", "planted-bias")
STORE_ACTIONS = ("backup", "restore", "check", "delete")
CHANGES = ("freeze", "increase-only", "decrease-only")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command came to: a text to show, and files to write once it was shown."""

    text: str
    files: dict[Path, str | bytes] = field(default_factory=dict)


Command = Callable[[argparse.Namespace], Outcome]


class Once(argparse.Action):
    """Store a value, and refuse a second one rather than forget the first."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the value of an option or an operand."""
        given = vars(namespace).setdefault("given", set())
        if self.dest in given:
            parser.error(f"{option} is given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are sentences with a hint, and that wants options whole and once."""

    def __init__(self, **described: Any) -> None:
        super().__init__(**described, allow_abbrev=False)  # a new option must not make an old command ambiguous
        self.register("action", None, Once)

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing usage and exiting."""
        told = message.replace("invalid choice", "unknown choice").rstrip(".")
        raise SettingError(
            f"The command line is not understood: {told}.", f"Run '{self.prog} --help' for what there is."
        )


def build_parser(commands: Mapping[str, Command]) -> Parser:
    """Describe every command.

    Parameters
    ----------
    commands
        What runs each: audit, costs, schema, person, demo and store.
    """
    parser = Parser(prog="python -m ares_core", description="Vet a model's recourse before it is deployed.")
    offered = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (text, describe) in DESCRIBED.items():
        command = offered.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        describe(command)
        command.set_defaults(command=commands[name])
    return parser


def _audit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, metavar="DATA.csv")
    parser.add_argument("--target", metavar="COL", help="the column that holds the outcome; needed only with --train")
    parser.add_argument(
        "--favourable", metavar="VALUE", help="the outcome people want; without --target, the model's favourable answer"
    )
    _model_arguments(parser)
    parser.add_argument(
        "--expected",
        metavar="FILE_OR_COLUMN",
        help="answers the model is known to give, compared before the audit: a column of the table, or a CSV file with "
        "row (counted from 0) and answer or score",
    )
    parser.add_argument("--schema", type=Path, metavar="SCHEMA.json", help="what the schema command wrote, edited")
    texts = (
        "a feature of interest, whose levels describe the subgroups",
        "a feature no rule may change",
        "a feature that may only rise",
        "a feature that may only fall",
    )
    for flag, text in zip(("subgroup", *CHANGES), texts, strict=True):
        parser.add_argument(f"--{flag}", action="append", default=[], metavar="COL", help=text)
    price = parser.add_mutually_exclusive_group()
    price.add_argument("--costs", type=Path, metavar="COSTS.csv", help="what it costs to change each feature")
    price.add_argument("--comparisons", type=Path, metavar="PAIRS.csv", help="experts' comparisons to learn costs from")
    _setting_arguments(parser)
    _output_arguments(parser)
    parser.add_argument(
        "--save-model", type=Path, metavar="FILE.skops", help="keep the model trained here as a skops file"
    )


def _model_arguments(parser: argparse.ArgumentParser) -> None:
    model = parser.add_mutually_exclusive_group(required=True)
    model.add_argument(
        "--model",
        type=_file_or_url,
        metavar="FILE_OR_URL",
        help="a model file (skops, ONNX, XGBoost, LightGBM, or rules in JSON), or the address of an MLflow or "
        "Open Inference service",
    )
    model.add_argument(
        "--train", choices=list(FAMILIES), help="train a model on half of the rows, audit the other half"
    )
    parser.add_argument(
        "--columns",
        type=_names,
        metavar="a,b,c",
        help="the columns of a model that does not name its own, in the order it was trained on",
    )
    parser.add_argument(
        "--categories",
        type=Path,
        metavar="FILE",
        help="the categories that a model file lacks: JSON with a list for each column, or the training table as CSV",
    )
    parser.add_argument(
        "--service-description",
        type=Path,
        metavar="FILE",
        help="what a service wants and gives, as JSON, where it does not say so itself",
    )
    _answer_arguments(parser)


def _answer_arguments(parser: argparse.ArgumentParser) -> None:
    """Offer what says how the answers of a model from elsewhere are read."""
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--favourable-answer", metavar="LABEL", help="the model's favourable label, where names do not make it plain"
    )
    way.add_argument(
        "--threshold",
        type=_number("threshold", float),
        metavar="X",
        help="read the model's scores: those on the higher side of this number are favourable",
    )
    parser.add_argument("--score", metavar="CLASS", help="the class whose score is read, where there are several")
    parser.add_argument("--below", action="store_true", help="scores on the lower side of the threshold are favourable")
    parser.add_argument(
        "--ties",
        choices=["higher", "lower"],
        help="what a score exactly at the threshold counts as (default: as the model's library counts it, else higher)",
    )
    parser.add_argument(
        "--budget", type=_number("budget", int), metavar="ROWS", help="the most rows a service may be asked about"
    )


def _file_or_url(text: str) -> Path | str:
    """Tell an address, which has a scheme, from the path of a file."""
    return text if "://" in text else Path(text)


def _names(text: str) -> tuple[str, ...]:
    """Read a list of columns; a name that holds a comma stands in quotation marks."""
    names = tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []))
    if not names or "" in names:
        raise SettingError(f"Option '--columns' is {text!r}, with an empty name.", "Write names between commas: a,b,c.")
    return names


def _setting_arguments(parser: argparse.ArgumentParser) -> None:
    """Offer every setting as an option, from the one source of defaults and help."""
    protocol = parser.add_mutually_exclusive_group()
    protocol.add_argument(
        "--paper-protocol", action="store_true", help="choose and measure rules on the same people, counting plainly"
    )
    for item in fields(Settings):
        if item.name == "weights":
            continue
        flag, options = item.name.replace("_", "-"), item.metadata["options"]
        kind = int if isinstance(item.default, int) else float
        number: dict[str, Any] = {"type": _number(flag, kind), "metavar": "N"}
        extra: dict[str, Any] = {"choices": options} if options else number
        sentence = item.metadata["help"].rstrip(".").replace("%", "%%")
        text = sentence[0].lower() + sentence[1:]
        group = protocol if item.name == "holdout" else parser
        # How rules are chosen follows the protocol unless it is said.
        default = None if item.name == "selection" else item.default
        shown = "robust; paper with --paper-protocol" if default is None else "%(default)s"
        group.add_argument(f"--{flag}", default=default, help=f"{text} (default: {shown})", **extra)
    weights = parser.add_mutually_exclusive_group()
    weights.add_argument("--weights", metavar="a,b,c,d", help="correctness, coverage, feature cost, feature change")
    weights.add_argument(
        "--preset", choices=list(PRESETS), default="balanced", help="a named choice of weights (default: %(default)s)"
    )
    weights.add_argument(
        "--tune", action="store_true", help="tune the weights on people set aside, as the paper's appendix does"
    )


def _number(option: str, kind: type[int] | type[float]) -> Callable[[str], float]:
    """Return a reader of one option's number that says in a sentence what is wrong with it."""

    def read(text: str) -> float:
        try:
            return plain_number(text, kind)
        except ValueError as error:
            what = "a whole number" if kind is int else "a number"
            problem = f"Option '--{option}' is {text!r}, not {what}."
            raise SettingError(problem, f"Write {what} in digits.") from error

    return read


def _output_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar="RUN.json", help="write the run for machines")
    parser.add_argument("--quiet", action="store_true", help="tell no progress on stderr")


def _costs_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pairs", type=Path, metavar="PAIRS.csv")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the costs for machines")


def _schema_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, metavar="DATA.csv")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the schema to a file")


def _person_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN.json")
    parser.add_argument("data", type=Path, metavar="DATA.csv")
    _model_arguments(parser)
    parser.add_argument(
        "--row",
        type=_number("row", int),
        required=True,
        metavar="N",
        help="person of the file, counted from 0: 0 is row 2 of a spreadsheet",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the answer for machines")


def _demo_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        dest="demo",
        choices=DEMOS,
        default="german",
        help="which of the bundled tables (default: %(default)s)",
    )
    _output_arguments(parser)


def _store_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=STORE_ACTIONS,
        metavar="ACTION",
        help="write everything to a new file, fill an empty store from one, see whether it is whole, "
        "delete an audit for good",
    )
    parser.add_argument("what", nargs="?", metavar="FILE/AUDIT", help="the backup's file, or the id of the audit")
    parser.add_argument(
        "--store", metavar="URL", help="its database; else what ARES_STORE says, else ares.sqlite3 in this folder"
    )


DESCRIBED: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "audit": ("summarise the recourse a model offers", _audit_arguments),
    "costs": ("comparisons in, costs with intervals out", _costs_arguments),
    "schema": ("what was inferred of a table, to edit and pass back", _schema_arguments),
    "person": ("one person: rule, does it work, cheapest move", _person_arguments),
    "demo": ("the audit of bundled data, printed", _demo_arguments),
    "store": ("back up, restore, check and clear what the dashboard keeps", _store_arguments),
}


def settings_of(options: argparse.Namespace) -> Settings:
    """Collect the settings given on the command line."""
    values = {item.name: getattr(options, item.name) for item in fields(Settings) if item.name != "weights"}
    if options.paper_protocol:
        values["holdout"] = 0.0
    if values["selection"] is None:
        values["selection"] = "paper" if options.paper_protocol else "robust"
    weights = PRESETS[options.preset][0] if options.weights is None else Weights.parse(options.weights)
    return Settings(**values, weights=weights)
