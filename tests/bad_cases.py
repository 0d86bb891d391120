"""Audits that must be refused: one row of a table for each kind of bad input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

HEADER = "income,job,sex,rooms,outcome"
SEEN = ("income", "job", "sex", "rooms")
LIMITS = ("max-rules", "max-width", "max-subgroups", "condition-width", "subgroup-width", "max-changes")
JOBS, OUTCOMES = ("none", "skilled", "manager"), ("bad", "good", "good")


def person(number: int) -> str:
    """Return one of the good table's rows."""
    job, sex = JOBS[number % 3], "mf"[number // 3 % 2]
    return f"{1000 + 37 * number % 900},{job},{sex},{number % 4},{OUTCOMES[(number + number // 7) % 3]}"


ROWS = [person(number) for number in range(60)]


def table(*rows: str, header: str = HEADER) -> bytes:
    """Return a CSV file."""
    return ("\n".join([header, *(rows or ROWS)]) + "\n").encode()


def outcomes(*words: str) -> bytes:
    """Return the good table with these outcomes in turn."""
    return table(*(row.rsplit(",", 1)[0] + "," + words[place % len(words)] for place, row in enumerate(ROWS)))


def column(name: str, *cells: object) -> bytes:
    """Return the good table with another column, its cells in turn."""
    rows = [f"{cells[place % len(cells)]},{row}" for place, row in enumerate(ROWS)]
    return table(*rows, header=f"{name},{HEADER}")


def rules(before: Any, after: Any, subgroup: Any = ()) -> bytes:
    """Return a rule model of one rule."""
    rule = {"subgroup": list(subgroup), "before": before, "after": after}
    return json.dumps({"format": "ares-rules", "rules": [rule]}).encode()


def schema(*features: Any, **more: Any) -> bytes:
    """Return a schema file."""
    return json.dumps({"format": "ares-schema", "version": 1, "features": list(features), **more}).encode()


def job(level: str) -> list[dict[str, str]]:
    """Return a conjunction on the job."""
    return [{"feature": "job", "equals": level}]


def income(low: float | None, high: float | None) -> list[dict[str, Any]]:
    """Return a conjunction on the income."""
    return [{"feature": "income", "at_least": low, "below": high}]


FILES: dict[str, bytes] = {"people.csv": table(), "rules.json": rules(job("none"), job("skilled"))}
TARGET = ["--target", "outcome", "--favourable", "good"]
TRAIN, RULES = ["--train", "dt"], ["--model", "rules.json"]


@dataclass(frozen=True)
class Case:
    """An audit to refuse: options beside the good ones, and files beside or instead of the good ones."""

    name: str
    words: str
    options: list[str] = field(default_factory=list)
    files: Mapping[str, bytes] = field(default_factory=dict)
    target: list[str] = field(default_factory=lambda: TARGET)
    model: list[str] = field(default_factory=lambda: RULES)
    data: str = "people.csv"

    def arguments(self) -> list[str]:
        """Return the command line."""
        return ["audit", self.data, *self.target, *self.model, *self.options, "--json", "out.json"]


def people(name: str, words: str, content: bytes, *options: str, **more: Any) -> Case:
    """Return a case whose data file is bad."""
    return Case(name, words, list(options), {"people.csv": content}, **more)


def described(name: str, words: str, *features: Any, **more: Any) -> Case:
    """Return a case whose schema is bad."""
    return Case(name, words, ["--schema", "s.json"], {"s.json": schema(*features, **more)})


def modelled(name: str, words: str, content: bytes) -> Case:
    """Return a case whose model file is bad."""
    return Case(name, words, [], {"rules.json": content})


def priced(name: str, words: str, content: str, option: str = "--costs") -> Case:
    """Return a case whose costs or comparisons are bad."""
    return Case(name, words, [option, "c.csv"], {"c.csv": content.encode()})


DATA = [
    Case("no such column", "no column 'risk'", target=["--target", "risk", "--favourable", "good"]),
    people("an empty outcome", "empty in row 4 (the header is row 1)", outcomes("good", "bad", "")),
    people("a constant target", "the same value everywhere ('good')", outcomes("good")),
    people("three classes", "3 different values", outcomes("good", "bad", "ugly")),
    people("an identifier as target", "60 different values", outcomes(*map(str, range(60)))),
    Case(
        "a favourable value nobody has",
        "'great' does not occur",
        target=["--target", "outcome", "--favourable", "great"],
    ),
    people("one row", "has 1 row", table(ROWS[0])),
    people("no rows", "a header but no rows", (HEADER + "\n").encode()),
    people("nothing at all", "empty", b""),
    people("only the target", "no column beside the target", b"outcome\n" + b"good\nbad\n" * 20),
    people(
        "10,000 columns",
        "more than 2,000 columns",
        table("1," * 9_999 + "good", header=",".join(f"c{number}" for number in range(10_000))),
    ),
    people("a binary file", "NUL", bytes(range(256)) * 9),
    people("a picture", "PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    people("a wrong encoding", "line 62 holds the byte 0x81", table() + b"1,j\x81b,f,1,good\n"),
    people("a ragged row", "Row 62 has 4 cells", table(*ROWS, "1,none,f,good")),
    people("a name twice", "both called 'income'", table(*ROWS, header="income,job,sex,income,outcome")),
    people("names alike", "look alike", table(*ROWS, header="income,job,sex,Income ,outcome")),
    Case("no data file", "'gone.csv' does not exist", data="gone.csv"),
    Case("a folder for data", "is a folder", data="."),
    people(
        "every column useless",
        "no column to learn from",
        table(*(f"1,x,{row.rsplit(',', 1)[1]}" for row in ROWS), header="a,b,outcome"),
        model=TRAIN,
    ),
    people("no outcome name", "is empty", table(*ROWS, header="income,job,sex,rooms,")),
]
MODELS = [
    modelled("a model that refuses nobody", "refuses nobody", rules(income(5000, None), income(None, 5000))),
    modelled("a model that refuses all", "refuses all", rules(income(None, 5000), income(5000, None))),
    Case("no model file", "'gone.json' does not exist", model=["--model", "gone.json"]),
    Case("a folder for a model", "is a folder", model=["--model", "."]),
    modelled("a model that is nothing known", "no model that can be read here", b"rules: none"),
    modelled("a model in no encoding", "no model that can be read here", b"\xff\xfe\x00"),
    modelled("an empty model", "is empty", b""),
    modelled("a model that is not JSON", "is not JSON", b'{"format": ares}'),
    modelled("a model without rules", "has no rules", b'{"format": "ares-rules", "rules": []}'),
    modelled("a model nested without end", "is not JSON", b'{"format":' * 100_000),
    modelled("a model of another format", "'ares-schema'", schema()),
    modelled(
        "a model of an unknown column",
        "'shoe size'",
        rules([{"feature": "shoe size", "equals": 1}], [{"feature": "shoe size", "equals": 2}]),
    ),
    modelled(
        "a model that compares text with a number",
        "holds text, with 1",
        rules([{"feature": "job", "equals": 1}], [{"feature": "job", "equals": 2}]),
    ),
    Case("a threshold for rules", "'--threshold' does not go with a rule model", ["--threshold", "0.5"]),
    Case("a label for rules", "'--favourable-answer' does not go with a rule model", ["--favourable-answer", "1"]),
    Case("a threshold for a family", "does not go with a model trained here", ["--threshold", "0.5"], model=TRAIN),
    Case("a threshold of nothing for rules", "'--threshold' does not go with a rule model", ["--threshold", "0"]),
    Case("no budget for a file", "'--budget' does not go with a file", ["--budget", "0"]),
    Case("saving under a wrong name", "which 'm.pkl' is no name for", ["--save-model", "m.pkl"], model=TRAIN),
    Case("a score without a threshold", "'--score' does not go with labels", ["--score", "good"]),
    Case("a side without a threshold", "'--below' does not go with labels", ["--below"]),
    Case("a budget for a file", "'--budget' does not go with a file", ["--budget", "10"]),
    Case("two ways to read", "not allowed with", ["--threshold", "0.5", "--favourable-answer", "1"]),
    Case("a threshold in words", "'--threshold' is 'half', not a number", ["--threshold", "half"]),
    Case("saving what was not trained", "'--save-model' goes with '--train'", ["--save-model", "out.skops"]),
    Case("an internal address", "is an internal address", model=["--model", "http://127.0.0.1:9/invocations"]),
    Case("an address with a password", "could be a secret", model=["--model", "https://me:word@host/invocations"]),
    Case("another scheme", "does not begin with http", model=["--model", "ftp://host/invocations"]),
    Case("a model and a family", "not allowed with", model=[*TRAIN, *RULES]),
    Case("neither model nor family", "--model --train", model=[]),
    Case("an unknown family", "'oracle'", model=["--train", "oracle"]),
    people(
        "two people to train on", "nobody is left to audit", table("1,none,f,1,good", "2,none,m,2,bad"), model=TRAIN
    ),
    modelled(
        "a misspelt key of a rule",
        "Rule 1 of 'rules.json': It has the unknown key 'subgroups'",
        json.dumps({"format": "ares-rules", "rules": [{"subgroups": [], "before": [], "after": []}]}).encode(),
    ),
    modelled(
        "a misspelt key of a predicate",
        "The predicate on 'income' has the unknown key 'atleast'",
        rules([{"feature": "income", "atleast": 1200, "below": 1500}], income(1500, None)),
    ),
    modelled(
        "two levels in one predicate",
        "'income' has both 'equals' and 'at_least'",
        rules([{"feature": "income", "equals": 1200, "at_least": 1500}], income(1500, None)),
    ),
    modelled("rules of another version", "is of version 99", b'{"format": "ares-rules", "version": 99, "rules": [{}]}'),
    people(
        "numbers too large to train on",
        "Column 'atoms' holds -1e+308, which is too large",
        column("atoms", 1e308, -1e308, 0),
        model=["--train", "svm"],
    ),
    people(
        "numbers too close to train on",
        "in column 'mass' differ by 2e-200 at most",
        column("mass", 0, 1e-200, 2e-200),
        model=["--train", "svm"],
    ),
]
FEATURES = [
    Case("everything frozen", "No feature can change", [f"--freeze={name}" for name in SEEN]),
    Case(
        "frozen and one way",
        "'income' is told to change in two",
        ["--freeze=income", "--increase-only=income"],
    ),
    Case(
        "up and down",
        "'income' is told to change in two",
        ["--increase-only=income", "--decrease-only=income"],
    ),
    Case("a direction without an order", "'job' is a category", ["--increase-only", "job"]),
    Case("an unknown subgroup", "no feature 'race'", ["--subgroup", "race"]),
    Case("a subgroup nearly named", "no feature 'incom'", ["--subgroup", "incom"]),
    Case("an unknown frozen feature", "no feature 'race'", ["--freeze", "race"]),
    Case("the target as subgroup", "'outcome' is the target", ["--subgroup", "outcome"]),
    Case("a subgroup twice", "'--subgroup' names 'sex' twice", ["--subgroup", "sex", "--subgroup", "sex"]),
    Case("the target frozen", "'outcome' is the target", ["--freeze", "outcome"]),
    people("a constant subgroup", "every row holds the same value", column("town", "here"), "--subgroup=town"),
    people(
        "an identifier as subgroup",
        "a different text",
        column("id", *(f"p{number}x" for number in range(60))),
        "--subgroup=id",
    ),
    Case(
        "a subgroup the schema leaves out",
        "left out of the rules",
        ["--schema=s.json", "--subgroup=sex"],
        {"s.json": schema(ignored={"sex": "not asked"})},
    ),
    people(
        "subgroups all too rare",
        "No level of 'town'",
        column("town", *"abcdefghij"),
        "--subgroup=town",
        "--support=0.2",
    ),
    Case("no level common enough", "No feature can change", ["--support", "0.9999"]),
]
SCHEMAS = [
    Case("no schema file", "'gone.json' does not exist", ["--schema", "gone.json"]),
    Case("a folder for a schema", "is a folder", ["--schema", "."]),
    Case("a schema that is not JSON", "is not JSON", ["--schema", "s.json"], {"s.json": b"income: number"}),
    Case("a schema in no encoding", "is not JSON", ["--schema", "s.json"], {"s.json": b"\xff\xfe\xfa"}),
    Case("a schema of nothing", '"format"', ["--schema", "s.json"], {"s.json": b"null"}),
    Case(
        "a schema that says a key twice",
        "says 'change' twice",
        ["--schema", "s.json"],
        {"s.json": schema({"name": "job", "change": "free"}).replace(b'"name"', b'"change": "frozen", "name"')},
    ),
    Case("a schema nested without end", "is not JSON", ["--schema", "s.json"], {"s.json": b"[" * 100_000}),
    Case("a schema of another format", '"format"', ["--schema", "s.json"], {"s.json": FILES["rules.json"]}),
    described("an unknown column", "'race'", {"name": "race"}),
    described("a feature twice", "twice", {"name": "income"}, {"name": "income"}),
    described(
        "a column in two features",
        "twice",
        {"name": "income"},
        {
            "name": "all",
            "columns": ["income", "rooms"],
            "levels": [{"name": "low", "columns": {"income": 1, "rooms": 1}}],
        },
    ),
    described("words as numbers", "row 2 (the header is row 1) holds 'none'", {"name": "job", "kind": "number"}),
    described(
        "a category that only rises",
        "'job' is a category",
        {"name": "job", "kind": "category", "change": "increase only"},
    ),
    described("an unknown kind", "'colour'", {"name": "job", "kind": "colour"}),
    described("an unknown change", "'never'", {"name": "job", "change": "never"}),
    described("cuts that fall", "increasing", {"name": "income", "kind": "number", "cuts": [1500, 1200]}),
    described("levels that leave somebody out", "'job'", {"name": "job", "levels": ["none", "skilled"]}),
    described("a level twice", "'none'", {"name": "job", "levels": ["none", "none", "skilled", "manager"]}),
    described("a forbidden level nobody knows", "'priest'", {"name": "job", "forbidden": ["priest"]}),
    described("an unknown key", "'colour'", {"name": "job", "colour": "red"}),
    described(
        "the target as part of a choice",
        "'outcome'",
        {
            "name": "end",
            "columns": ["outcome", "rooms"],
            "levels": [{"name": "well", "columns": {"outcome": "good", "rooms": 1}}],
        },
    ),
    Case("a schema without objects", '"features"', ["--schema", "s.json"], {"s.json": schema("income")}),
    described("a column ignored and described", "'job'", {"name": "job"}, ignored={"job": "not asked"}),
    described("an unknown column ignored", "'race'", ignored={"race": "not asked"}),
    described("every feature ignored", "No feature", ignored=dict.fromkeys(SEEN, "not asked")),
]
COSTS = [
    priced("a cost for an unknown feature", "'race', which is not a feature", "feature,cost\nrace,2\n"),
    priced("a negative cost", "'-2'", "feature,cost\nincome,-2\n"),
    priced("a cost of nothing", "'0'", "feature,cost\nincome,0\n"),
    priced("a cost beyond all use", "'1e200'", "feature,cost\nincome,1e200\n"),
    priced("a cost of next to nothing", "'5e-324'", "feature,cost\nincome,5e-324\n"),
    priced("a cost in digits of another script", "which is not a number", "feature,cost\nincome,\u0663\n"),
    priced("a cost in words", "'dear'", "feature,cost\nincome,dear\n"),
    priced("a cost twice", "second time", "feature,cost\nincome,2\nincome,3\n"),
    priced("costs without a header", "no column", "income,2\n"),
    priced("an empty cost file", "empty", ""),
    Case("no cost file", "'gone.csv' does not exist", ["--costs", "gone.csv"]),
    Case("a folder for costs", "is a folder", ["--costs", "."]),
    priced("a comparison of an unknown feature", "'race'", "harder,easier\nrace,income\n", "--comparisons"),
    priced("a comparison with itself", "'income'", "harder,easier\nincome,income\n", "--comparisons"),
    priced("an unknown answer", "'maybe'", "harder,easier,answer\nincome,job,maybe\n", "--comparisons"),
    Case("no comparisons file", "'gone.csv' does not exist", ["--comparisons", "gone.csv"]),
    Case("costs and comparisons", "not allowed with", ["--costs", "c.csv", "--comparisons", "c.csv"]),
]


def setting(option: str, value: str, words: str) -> Case:
    """Return a case of one setting out of its range."""
    return Case(f"{option} {value}", words, [f"--{option}={value}"])


SETTINGS = [
    *(
        setting(option, value, f"'{option.replace('-', '_')}' is {value}")
        for option in LIMITS
        for value in ("0", "-3", "1000000")
    ),
    *(
        setting(option, value, f"'--{option}' is {value!r}, not a whole number")
        for option in ("max-rules", "seed", "min-people")
        for value in ("many", "2.5", "", "1e3")
    ),
    setting("min-people", "-1", "'min_people' is -1"),
    setting("support", "5", "'support' is 5.0"),
    setting("support", "0", "'support' is 0.0"),
    setting("support", "-0.1", "'support' is -0.1"),
    setting("support", "nan", "'support' is nan"),
    setting("support", "inf", "'support' is inf"),
    setting("support", "1 %", "'1 %', not a number"),
    setting("holdout", "1.5", "'holdout' is 1.5"),
    setting("holdout", "-0.5", "'holdout' is -0.5"),
    setting("holdout", "half", "'--holdout' is 'half', not a number"),
    setting("time-limit", "0", "'time_limit' is 0.0"),
    setting("time-limit", "-1", "'time_limit' is -1.0"),
    setting("seed", "-1", "'seed' is -1, which is not between 0 and 4,294,967,295"),
    setting("seed", "99999999999", "'seed' is 99999999999"),
    *(setting(option, "luck", "'luck'") for option in ("search", "selection", "preset")),
    setting("weights", "1,1,1", "3 numbers, not four"),
    setting("weights", "1,1,1,1,1", "5 numbers, not four"),
    setting("weights", "a,b,c,d", "not four"),
    setting("weights", "1,1,-1,1", "'feature_cost' is -1.0"),
    setting("weights", "1,1,nan,1", "'feature_cost' is nan"),
    setting("weights", "", "not four numbers"),
    Case("weights and a preset", "not allowed with", ["--weights", "1,1,1,1", "--preset", "easy"]),
    Case("a holdout and the paper's protocol", "paper", ["--holdout", "0.3", "--paper-protocol"]),
    Case("an unknown option", "--magic", ["--magic"]),
    setting("seed", "1_000", "'1_000', not a whole number"),
    setting("seed", "\u0663", "not a whole number"),
    setting("weights", "1_0,1,1,1", "not four numbers"),
    Case("half an option", "--max-ru", ["--max-ru", "3"]),
    Case("an option twice", "--seed is given twice", ["--seed", "1", "--seed", "2"]),
    Case("an option without its value", "expected one argument", ["--subgroup"]),
]
CASES = [*DATA, *MODELS, *FEATURES, *SCHEMAS, *COSTS, *SETTINGS]
