"""Small seeded tables with every sort of column, and black boxes written as plain functions of one row."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

from ares_core.audit import People, Request, run_audit, run_to_json
from ares_core.costs import Comparison, Costs, fit_costs
from ares_core.files import dump_json
from ares_core.models import BlackBox, FunctionModel
from ares_core.people import Change, Schema, read_csv, read_numbers, schema_for
from ares_core.settings import Settings
from tests.contract.rows import Row, all_hold

Accept = Callable[[Row], bool]
TARGET, FAVOURABLE = "outcome", "good"
JOBS = ["none", "casual", "steady", "senior"]
SCHEMA = {
    "format": "ares-schema",
    "version": 1,
    "features": [
        {"name": "job", "kind": "ordered", "levels": JOBS, "label": "Job", "forbidden": ["senior"]},
        {"name": "income", "kind": "number", "cuts": [12, 20, 31], "missing": [-9, "n/a"], "unit": "k"},
        {"name": "town", "kind": "category", "missing": []},
    ],
}
RULES = [
    {
        "subgroup": [{"feature": "sex", "equals": "F"}],
        "before": [
            {"feature": "debts", "equals": 3},
            {"feature": "income", "at_least": 12, "below": 20, "except": [-9]},
        ],
        "after": [
            {"feature": "debts", "equals": 1},
            {"feature": "income", "at_least": 20, "below": 31, "except": [-9]},
        ],
    },
    {
        "subgroup": [{"feature": "sex", "equals": "M"}],
        "before": [{"feature": "debts", "equals": 2}],
        "after": [{"feature": "debts", "equals": 0}],
    },
    {
        "subgroup": [{"feature": "income", "missing": True, "values": [-9]}],
        "before": [{"feature": "home", "equals": "rent", "columns": {"home_own": 0, "home_rent": 1, "home_free": 0}}],
        "after": [{"feature": "home", "equals": "own", "columns": {"home_own": 1, "home_rent": 0, "home_free": 0}}],
    },
]


def make_rows(seed: int, people: int = 160) -> list[dict[str, str]]:
    """Draw people: text, an order, numbers with gaps, one-hot columns, a ladder, protected columns."""
    draw = random.Random(seed)
    rows = []
    for _ in range(people):
        home, savings = draw.choice(["own", "rent", "rent", "free"]), draw.choice([0, 0, 150, 600, 700])
        skill = draw.randint(0, 3)
        income = draw.choice(["-9", "n/a", ""]) if draw.random() < 0.1 else f"{5 + 8 * skill + draw.randint(0, 12)}"
        row = {
            "sex": draw.choice("FM"),
            "age": f"{draw.randint(18, 70)}",
            "job": JOBS[skill],
            "income": income,
            "town": draw.choice(["Alba", "Brill", "Brill", "Corve", ""]),
            "debts": f"{draw.randint(0, 4)}",
            "home_own": f"{int(home == 'own')}",
            "home_rent": f"{int(home == 'rent')}",
            "home_free": f"{int(home == 'free')}",
            "savings_geq_100": f"{int(savings >= 100)}",
            "savings_geq_500": f"{int(savings >= 500)}",
        }
        rows.append({**row, TARGET: draw.choice([FAVOURABLE, "bad"])})
    return rows


def with_truths(rows: list[dict[str, str]], seed: int) -> list[dict[str, str]]:
    """Add columns of true and false: a plain one, one with gaps, and three of which each row has one."""
    draw = random.Random(seed)
    added = []
    for row in rows:
        plan = draw.randint(0, 2)
        more = {
            "has_card": draw.choice(["True", "False"]),
            "employed": draw.choice(["true", "true", "false", "false", ""]),
            **{f"plan_{name}": str(plan == place).upper() for place, name in enumerate("abc")},
        }
        added.append({**more, **row})
    return added


def truthful(row: Row) -> bool:
    """Accept by columns of true and false alone, told apart from text and numbers, and by debts."""
    card, employed = row["has_card"] is True, row["employed"] is True
    return card and (employed or row["plan_a"] is True) and row["debts"] < 4


def scored(row: Row) -> bool:
    """Accept by points, with harder terms for women: needs several features at once."""
    income = row["income"] if isinstance(row["income"], float) and row["income"] != -9 else 10.0
    points = income / 10 + 1.5 * row["savings_geq_100"] + row["savings_geq_500"] + row["home_own"] - 0.5 * row["debts"]
    return bool(points + 0.5 * JOBS.index(row["job"]) + (row["town"] == "Alba") > (3.6 if row["sex"] == "F" else 3.0))


def narrow(row: Row) -> bool:
    """Accept on an exact number beside its level, so that where a move lands matters."""
    income = row["income"] if isinstance(row["income"], float) else 0.0
    return bool(income >= 23 or row["debts"] == 0 or (row["age"] > 52 and row["home_free"] == 1))


def stubborn(row: Row) -> bool:
    """Accept on what nobody can change, and on a rare end state: many people have no recourse."""
    return bool(row["age"] >= 45 or (row["town"] == "Corve" and row["savings_geq_500"] == 1 and row["debts"] <= 1))


def refusing(rules: list[dict[str, Any]]) -> Accept:
    """Return a rule model as a function of one row.

    A rule refuses whom it describes, changed features at their first or last level, but not all at the last.
    """

    def accept(row: Row) -> bool:
        for rule in rules:
            pairs = list(zip(rule["before"], rule["after"], strict=True))
            kept = [now for now, then in pairs if now == then]
            changed = [(now, then) for now, then in pairs if now != then]
            within = all(all_hold([now], row) or all_hold([then], row) for now, then in changed)
            arrived = all_hold([then for _, then in changed], row)
            if all_hold(rule["subgroup"] + kept, row) and within and not arrived:
                return False
        return True

    return accept


def answers(accept: Accept) -> Callable[[list[Row]], list[int]]:
    """Return a function of one row as a function of many."""
    return lambda rows: [int(accept(row)) for row in rows]


def black_box(accept: Accept) -> FunctionModel:
    """Return a function of one row as a black box over tables."""

    def ask(frame: pd.DataFrame) -> list[int]:
        frame = frame.astype({name: float for name in frame.columns if frame[name].dtype.kind in "iuf"})
        rows = [
            {str(key): None if pd.isna(cell) else cell for key, cell in row.items()} for row in frame.to_dict("records")
        ]
        return [int(accept(row)) for row in rows]

    return FunctionModel(ask, accept.__name__)


def write_table(path: Path, rows: list[dict[str, str]]) -> Path:
    """Write rows as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


@dataclass
class Case:
    """An audit to run: what the schema says, which way features may change, costs, settings."""

    settings: dict[str, Any] = field(default_factory=dict)
    interest: tuple[str, ...] = ("sex",)
    schema: dict[str, Any] = field(default_factory=lambda: SCHEMA)
    changes: dict[str, str] = field(default_factory=dict)
    harder: tuple[tuple[str, str], ...] = ()

    def request(self, path: Path, model: BlackBox | str) -> Request:
        """Return the audit of a table by a model."""
        raw = read_csv(path)
        people = People.of(read_numbers(raw.frame, self.schema), TARGET, FAVOURABLE, self.described, raw.sha256)
        names = people.table.schema.names
        costs = fit_costs([Comparison(*pair) for pair in self.harder], names) if self.harder else Costs.unit(names)
        settings = Settings(**{"support": 0.05, "condition_width": 2, "max_rules": 6, **self.settings})
        return Request(people=people, model=model, settings=settings, costs=costs, interest=self.interest)

    def described(self, frame: pd.DataFrame) -> Schema:
        """Return the schema with the changes of this case."""
        schema = schema_for(frame, self.schema)
        for name, change in self.changes.items():
            schema = schema.with_change([name], Change(change))
        return schema

    def run(self, path: Path, model: BlackBox | str) -> dict[str, Any]:
        """Run the audit and return its run file as a reader sees it."""
        document: dict[str, Any] = json.loads(dump_json(run_to_json(run_audit(self.request(path, model)))))
        return document


def strictly(path: Path) -> dict[str, Any]:
    """Read JSON as other languages do: no NaN and no infinity."""

    def refuse(word: str) -> NoReturn:
        raise AssertionError(f"{word} is not JSON")

    document: dict[str, Any] = json.loads(path.read_text("utf-8"), parse_constant=refuse)
    return document
