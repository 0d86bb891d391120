"""A group for which no rule could be written, on every card, picture, slide and file."""

from __future__ import annotations

import json
from typing import cast

import pandas as pd

from ares_core.files import dump_json
from ares_core.people import Schema
from ares_core.worker import EvaluationView, Lists, RuleView, SummaryKey, SummaryView
from tests.ruleless import WHY, audit, view
from ui.cards.groups import figures_table, gap_cards, headline_cards
from ui.cards.slides import Story, slides
from ui.charts.groups import forest, forest_words
from ui.groups import LEAST, WORKS, groups_frame, headlines, ranked


def schema() -> Schema:
    """The features of the table."""
    return audit().bench.table.schema


def test_cards_say_why_in_place_of_a_gap() -> None:
    """Its card has the reason and what concerns the model, but no points, no interval and no chance."""
    (few,) = [group for group in view().groups if group.why_none]
    card = gap_cards(schema(), (few,), 2)
    assert WHY in card
    assert "points" not in card.replace("group-points", "") and "Chance" not in card
    assert "the cheapest move that works costs this group as much as everybody else" in card


def test_the_headline_is_of_another_group() -> None:
    """What stands out is the group whose rule works less often, not the one without a rule."""
    told = headline_cards(headlines(schema(), view().groups))
    assert "race = Black" in told and "race = Asian" not in told


def test_the_table_says_why_in_the_cells_of_the_rules() -> None:
    """What the rules do is the reason in words; the least cost and who has no recourse stay."""
    row = figures_table(schema(), view(), view().groups).split("race = Asian")[1].split("</tr>")[0]
    assert row.count(WHY) == 4
    assert "<td>4</td>" in row and "0 % (0–49 %)" in row and row.endswith("<td>–</td><td>–</td>")


def test_the_picture_has_no_marker_for_it() -> None:
    """The forest plot says that there is no rule; the least cost is drawn like everybody's."""
    assert sum(len(trace.x) for trace in forest(schema(), view(), view().groups, WORKS).data) == 2
    words = " ".join(each.text for each in forest(schema(), view(), view().groups, WORKS).layout.annotations)
    assert "<br>No rule could be written" in words
    assert WHY in forest_words(schema(), view(), view().groups, WORKS)
    assert sum(len(trace.x) for trace in forest(schema(), view(), view().groups, LEAST).data) == 3


def test_the_files_have_empty_cells_and_the_reason() -> None:
    """CSV and JSON hold nothing where there is no figure, and say why."""
    frame = groups_frame(schema(), view().groups)
    row = frame.loc["race = Asian"]
    empty = ("Helped", "Helped, people", "Helped, low", "Covered", "Gap", "Gap, low", "Gap, high", "Mean cost")
    assert all(pd.isna(row[name]) for name in (*empty, "Corrected p-value of the gap"))
    assert (row["Why no figures"], row["People refused"], row["Least cost"]) == (WHY, 4, 1.0)
    line = next(line for line in frame.to_csv().splitlines() if "Asian" in line)
    assert "nan" not in line and "None" not in line
    document = json.loads(dump_json({"subgroups": [group.to_json() for group in view().groups]}))
    assert [each.get("why_none") for each in document["subgroups"]].count(WHY) == 1


def test_the_slides_say_why_on_one_slide() -> None:
    """No slide compares it with everybody else; one lists the groups without figures."""
    found = audit()
    rules = tuple(RuleView(*pair) for pair in zip(found.learned.rules, found.rule_figures, strict=True))
    split, measured = found.bench.split, found.totals(found.bench.split.check)
    summary = SummaryView(
        cast(SummaryKey, None),
        rules,
        measured,
        measured,
        False,
        found.learned.certificate,
        found.settings,
        5,
        0,
        Lists((), (), (), (), ()),
    )
    evaluation = EvaluationView(216, 118, len(split.learn), len(split.check), False, 0, 1, 1, measured.accuracy, 0.1)
    deck = slides(Story(schema(), "A function", evaluation, summary, view()))
    assert not [slide for slide in deck if slide.title.startswith("race = Asian")]
    (without,) = [slide for slide in deck if slide.title == "Groups without figures"]
    assert f"race = Asian: 4 people measured.{WHY}" in without.body.striptags()


def test_it_is_ranked_last_of_those_as_unsure() -> None:
    """The order of the page puts groups with figures first."""
    assert ranked(view().groups)[-1].why_none == WHY
