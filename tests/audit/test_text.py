"""Audits in words: a golden text, and what must hold of every text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from ares_core.audit import Audit, People, Request, run_audit, summary_text
from ares_core.audit.intervals import Share
from ares_core.audit.words import (
    WIDTH,
    conjunction_text,
    cost_text,
    hundredths,
    people,
    percent,
    points_text,
    predicate_text,
    ratio_text,
    rule_text,
    share_text,
    signed,
    span_text,
    wrapped,
)
from ares_core.costs import Costs
from ares_core.datasets import load_german
from ares_core.models import FunctionModel
from ares_core.people import Conjunction, Predicate, read_csv, schema_for
from ares_core.recourse import RecourseRule
from ares_core.settings import Settings
from ares_core.wording import counted

CASES = Path(__file__).resolve().parent.parent / "cases"
HOMES = ("own", "rent", "rent")
CODE = re.compile(r"[\[(]-?[\d.]+, -?[\d.]+[\])]|\bnan\b|\binf\b|None|dtype|array\(|Predicate|<[a-z_]+ ")
VERDICTS = re.compile(r"bias(?!\.)|discriminat|unfair", re.IGNORECASE)


def approve(frame: pd.DataFrame) -> pd.Series:
    """Approve loans that are short, or small for people who own their home; never where nothing is saved."""
    short = frame["months"] < 24
    small = (frame["amount"] < 2000) & (frame["home"] == "own")
    return (short | small) & (frame["savings"] > 0)


@cache
def tiny() -> Audit:
    """Return the audit behind the golden text: 200 loans and a schema with labels, units and a long name."""
    rows = [
        f"{6 + 6 * (n % 7)},{800 + 400 * (n % 5)},{HOMES[n % 3]},{n % 4},{'fm'[n // 2 % 2]},{n % 2}" for n in range(200)
    ]
    raw = read_csv("\n".join(["months,amount,home,savings,sex,repaid", *rows]).encode())
    document = json.loads((CASES / "tiny_audit.schema.json").read_text("utf-8"))
    loans = People.of(raw.frame, "repaid", "1", lambda frame: schema_for(frame, document), raw.sha256)
    costs = Costs.unit(loans.table.schema.names).with_direct({"home": 5.0, "savings": 1.5})
    settings = Settings(max_rules=4, selection="paper", support=0.05)
    return run_audit(
        Request(
            people=loans,
            model=FunctionModel(approve),
            settings=settings,
            costs=costs,
            interest=("sex",),
            notes=loans.table.schema.notes(),
        )
    )


@cache
def german() -> Audit:
    """Return an audit of the bundled data with many subgroups."""
    data = load_german()
    loans = People.of(data.frame, data.target, data.favourable, lambda _: data.schema, data.sha256)
    return run_audit(
        Request(
            people=loans,
            model="dt",
            settings=Settings(),
            costs=Costs.unit(data.schema.names),
            interest=("foreign_worker", "housing"),
        )
    )


AUDITS = {"tiny": tiny, "german": german}


def test_the_tiny_audit_reads_as_written_down() -> None:
    """The text of a small audit is, letter for letter, the one we agreed on."""
    assert summary_text(tiny()) == (CASES / "tiny_audit.txt").read_text("utf-8")


@pytest.mark.parametrize("name", AUDITS)
def test_every_rule_is_told(name: str) -> None:
    """Every rule stands in the text once, under its subgroup, with every changed part marked and no other."""
    audit = AUDITS[name]()
    text, schema = " ".join(summary_text(audit).split()), audit.bench.table.schema
    assert len(audit.learned.rules) > 0
    assert text.count("then →") == len(audit.learned.rules)
    for rule in audit.learned.rules:
        said = rule_text(schema, rule)
        assert said in text
        assert f"If {conjunction_text(schema, rule.subgroup)}:" in text
        marked = re.findall(r"\*\*(.+?)\*\*", said)
        assert marked == [predicate_text(schema, predicate) for predicate in rule.changes]


@pytest.mark.parametrize("name", AUDITS)
def test_a_text_is_for_people(name: str) -> None:
    """No line is too long, no piece of code shows, nobody is judged, and no unit of a number is lost."""
    text = summary_text(AUDITS[name]())
    assert max(map(len, text.splitlines())) <= WIDTH
    assert not CODE.search(text)
    assert not VERDICTS.search(text)
    assert "0 people" not in re.sub(r"\d0 people", "", text)
    assert not re.search(r"\b1 (?:rules|subgroups|people|candidates|comparisons)\b", text)


@pytest.mark.parametrize("name", AUDITS)
def test_the_frontier_ends_with_the_summary(name: str) -> None:
    """Where several summaries are equally good, the largest of the frontier is the one that is told."""
    audit = AUDITS[name]()
    assert audit.frontier[-1].rules == audit.learned.rules


@pytest.mark.parametrize("name", AUDITS)
def test_small_groups_are_marked(name: str) -> None:
    """Each row of a group of fewer than 30 people has a star, and the star is explained."""
    audit = AUDITS[name]()
    text = summary_text(audit)
    schema = audit.bench.table.schema
    small = [group for group in audit.subgroups if group.small and len(group.subgroup) == 1]
    for group in small[:5]:
        assert f"{conjunction_text(schema, group.subgroup)} *" in " ".join(text.split())
    assert ("* Small group" in text) == bool([group for group in audit.subgroups if group.small])


def test_labels_levels_and_units_come_from_the_schema() -> None:
    """Columns and codes are never shown where the schema has words for them."""
    text = " ".join(summary_text(tiny()).split())
    assert "Time to repay is" in text
    assert "Home of the applicant, as far as the bank could find out before the decision" in text
    assert not re.search(r"\b(?:months|amount|home|savings) (?:=|is)", text)
    savings = tiny().bench.table.schema["savings"]
    assert predicate_text(tiny().bench.table.schema, Predicate("savings", savings.levels[2])) == "Savings = 2 salaries"


def test_a_level_that_is_not_known_is_said_so() -> None:
    """Missing is told in words."""
    frame = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, None]})
    schema = schema_for(frame, {"format": "ares-schema", "version": 1, "features": [{"name": "age", "label": "Age"}]})
    assert predicate_text(schema, Predicate("age", schema["age"].levels[-1])) == "Age is not known"
    assert conjunction_text(schema, []) == "everybody"


def test_long_labels_wrap_and_percentages_stay_whole() -> None:
    """A paragraph is cut between words, never between a number and its percent sign or at a hyphen."""
    text = wrapped("word " * 21 + "12 % of well-to-do people", "  ", "    ")
    assert text.splitlines()[0].startswith("  word")
    assert "\n    12 % of" in text
    assert max(map(len, wrapped("African-American " * 20).splitlines())) <= WIDTH
    assert not any(line.endswith("-") for line in wrapped("African-American " * 20).splitlines())


def test_what_changes_is_marked_beside_what_stays() -> None:
    """Only the changed part of a rule is in stars."""
    schema = tiny().bench.table.schema
    home, savings = schema["home"].levels, schema["savings"].levels
    before = Conjunction.of([Predicate("home", home[0]), Predicate("savings", savings[0])])
    after = Conjunction.of([Predicate("home", home[0]), Predicate("savings", savings[1])])
    said = rule_text(schema, RecourseRule(Conjunction(()), before, after))
    label = "Home of the applicant, as far as the bank could find out before the decision"
    assert said == f"If {label} = owned and Savings = none, then → {label} = owned and **Savings = 1 salary**."


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "–"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.001, "under 1 %"),
        (0.998, "over 99 %"),
        (0.5, "50 %"),
        (0.005, "1 %"),
        (0.995, "over 99 %"),
    ],
)
def test_percentages_do_not_round_to_all_or_none(value: float | None, words: str) -> None:
    """Only all is 100 % and only none is 0 %."""
    assert percent(value) == words


@pytest.mark.parametrize(("count", "total"), [(1, 8), (5, 8), (7, 8), (57, 200), (29, 200), (1, 3), (2, 3), (113, 200)])
def test_halves_are_rounded_up_as_by_hand(count: int, total: int) -> None:
    """12.5 % is 13 %, 28.5 % is 29 %, whatever a float makes of them; the ends of intervals go the same way."""
    by_hand = (200 * count + total) // (2 * total)
    assert percent(count / total) == f"{by_hand} %"
    assert span_text(count / total, 1.0) == f"{by_hand}–100 %"
    assert signed(count / total) == f"+{by_hand}" and signed(-count / total) == f"-{by_hand}"


@pytest.mark.parametrize(
    ("difference", "sign", "words"),
    [
        (-0.004, "0", "0 points"),
        (0.0, "0", "0 points"),
        (0.004, "0", "0 points"),
        (-0.0117, "-1", "-1 point"),
        (0.01, "+1", "+1 point"),
        (-0.25, "-25", "-25 points"),
    ],
)
def test_differences_have_a_sign_unless_they_are_nothing(difference: float, sign: str, words: str) -> None:
    """There is no negative zero, and one point is one."""
    assert (signed(difference), points_text(difference)) == (sign, words)


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (1.625, "1.62"),
        (2.118, "2.12"),
        (0.25, "0.25"),
        (0.1, "0.1"),
        (0.0999, "0.1"),
        (0.05, "0.05"),
        (0.0047, "0.0047"),
        (0.00104, "0.001"),
        (0.000012, "0.000012"),
        (3e-9, "3e-09"),
        (12_345.678, "12,345.68"),
    ],
)
def test_small_costs_are_not_nothing(cost: float, words: str) -> None:
    """Two decimals, or two digits where decimals would hide a cost."""
    assert cost_text(cost) == words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.764, 0.898, "76–90 %"),
        (0.9964, 1.0, "99–100 %"),
        (0.0, 0.0036, "0–1 %"),
        (1.0, 1.0, "100–100 %"),
        (0.0, 0.0, "0–0 %"),
    ],
)
def test_intervals_do_not_round_to_certainty(low: float, high: float, words: str) -> None:
    """An interval that reaches below all, or above none, is written so."""
    assert span_text(low, high) == words


@pytest.mark.parametrize(("share", "words"), [(0.000432, "0.043"), (0.104, "10"), (0.996, "100"), (12.5, "1,250")])
def test_hundredths_are_plain_numbers(share: float, words: str) -> None:
    """The distance to a bound is never a power of ten."""
    assert hundredths(share) == words


def test_numbers_of_people_and_things() -> None:
    """Nobody, one person, many people; one rule, two rules."""
    assert [people(count) for count in (0, 1, 2, 12_345)] == [
        "nobody",
        "1 person",
        "2 people",
        "12,345 people",
    ]
    assert [counted(count, "rule") for count in (0, 1, 2)] == ["0 rules", "1 rule", "2 rules"]
    assert share_text(Share(97, 115)) == "97 of 115: 84 % (95 % interval 77–90 %)"
    assert share_text(Share(0, 0), " refused") == "nobody refused"
    assert ratio_text(1.8, (1.4, 2.2)) == "1.8 times as much (95 % interval 1.4–2.2)"
    assert ratio_text(1.04, (0.96, 1.12), chance=True) == (
        "1.04 times as much (95 % interval 0.96–1.12; chance alone may explain it)"
    )
    assert ratio_text(2.0, None) == "2 times as much (too few people for an interval)"


def test_a_search_that_ran_out_of_time_says_so() -> None:
    """No rule for want of time is not told as no rule worth offering."""
    audit, bench = tiny(), tiny().bench
    certificate = replace(audit.learned.certificate, gain=0.0, upper_bound=3.0, gap=1.0, proven=False)
    groups = audit.learned.groups
    learned = replace(
        audit.learned,
        triples=(),
        rules=bench.rules(groups, ()),
        coverage=bench.coverage(groups, ()),
        certificate=certificate,
    )
    text = " ".join(summary_text(replace(audit, learned=learned)).split())
    assert "No rule was found before the time for the search was over." in text
    assert "% higher" not in text and "worth." not in text
