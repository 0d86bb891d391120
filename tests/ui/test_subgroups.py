"""The Subgroups page: what stands out, the picture, the gaps, the moves; and what it says when there is nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ares_core.audit.figures import Totals
from ares_core.audit.intervals import Share
from ares_core.audit.moves import MoveFigures
from ares_core.audit.subgroup_text import (
    RARE,
    chance_text,
    changes_sentence,
    cost_sentence,
    gap_sentence,
    need_sentence,
)
from ares_core.audit.subgroups import Need, SubgroupFigures
from ares_core.people import Change, Conjunction, Feature, Kind, Predicate, Schema
from ares_core.people.levels import Value
from ares_core.worker import GroupsView
from tests.patience import PATIENCE
from ui.cards.groups import figures_table, gap_cards, headline_cards, moves_table
from ui.charts.groups import dots, dots_words, forest, forest_words
from ui.groups import (
    CHANGES,
    COST,
    LEAST,
    MEASURES,
    WORKS,
    brief,
    first_measure,
    groups_frame,
    headlines,
    likely,
    moves_frame,
    name_of,
    ranked,
)

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "5_Subgroups.py")
NASTY = "<b onload=x>![](http://host/x.png)"
TOWN = Feature(
    "town",
    Kind.CATEGORY,
    ("town",),
    (Value("north", "n"), Value("south", "s"), Value(NASTY, "e")),
    label="Home town",
    change=Change.FROZEN,
)
DEBTS = Feature("debts", Kind.CATEGORY, ("debts",), (Value("many", "m"), Value("none", "0")))
SCHEMA = Schema((TOWN, DEBTS))
PAYING = Conjunction((Predicate("debts", DEBTS.levels[1]),))


def at(level: int) -> Conjunction:
    """The people of a town."""
    return Conjunction((Predicate("town", TOWN.levels[level]),))


NORTH = SubgroupFigures(
    subgroup=at(0),
    accuracy=Share(40, 50),
    coverage=Share(45, 50),
    without_recourse=Share(2, 50),
    mean_fcost=1.5,
    fcost_interval=(1.25, 1.75),
    mean_changes=1.0,
    changes_interval=(1.0, 1.0),
    gap=0.3,
    gap_interval=(0.1, 0.5),
    cost_ratio=0.5,
    cost_ratio_interval=(0.4, 0.6),
    changes_ratio=0.5,
    changes_ratio_interval=(0.5, 0.5),
    p_holm=0.004,
    gap_level=0.025 / 3,
    need=Need(1.25, (1.0, 1.5), 0.6, (0.5, 0.7), 0.001, 0.0125),
    others=60,
)
SOUTH = replace(
    NORTH,
    subgroup=at(1),
    accuracy=Share(20, 40),
    without_recourse=Share(2, 40),
    gap=-0.25,
    gap_interval=(-0.45, -0.05),
    cost_ratio=1.5,
    cost_ratio_interval=(1.25, 1.8),
    changes_ratio=2.0,
    changes_ratio_interval=(1.75, 2.25),
    p_holm=0.02,
    need=Need(2.0, (1.75, 2.25), 1.6, (1.4, 1.8), 0.001, 0.0125),
    others=70,
)
FEW = replace(
    SOUTH,
    subgroup=at(2),
    accuracy=Share(0, 20),
    without_recourse=Share(1, 20),
    mean_fcost=None,
    fcost_interval=None,
    mean_changes=None,
    others=90,
)
FEW = replace(FEW, changes_interval=None, cost_ratio=None, cost_ratio_interval=None, changes_ratio=None, p_holm=1.0)
FEW = replace(FEW, need=replace(FEW.need, p_holm=1.0))
EVERYBODY = Totals(110, 60, 100, 1.75, 5, 6, 4, 3, 3, 2)
MOVE = MoveFigures(PAYING, ((at(0), Share(30, 40)), (at(1), Share(1, 20)), (at(2), Share(0, 0))))
VIEW = GroupsView((NORTH, SOUTH, FEW), (MOVE,), EVERYBODY, 1.5, 1.6)


def alike(group: SubgroupFigures) -> SubgroupFigures:
    """The group, were it like everybody else."""
    return replace(group, gap=0.0, p_holm=1.0, need=replace(group.need, ratio=1.0, p_holm=1.0))


def test_what_chance_explains_least_comes_first() -> None:
    """Groups are ranked by the smaller corrected p-value, and of equal ones the worse off first."""
    assert [group.subgroup for group in ranked((FEW, NORTH, SOUTH))] == [at(1), at(0), at(2)]
    surer = replace(NORTH, p_holm=0.0001)
    assert [group.subgroup for group in ranked((FEW, SOUTH, surer))] == [at(0), at(1), at(2)]


def test_the_first_picture_is_of_what_differs() -> None:
    """How often it works comes first, unless only the least it costs differs beyond chance."""
    assert first_measure((NORTH, SOUTH)) is WORKS
    dear = replace(alike(SOUTH), need=SOUTH.need)
    assert first_measure((alike(NORTH), dear)) is LEAST
    assert first_measure((alike(NORTH), replace(dear, need=replace(SOUTH.need, p_holm=0.03)))) is WORKS
    assert first_measure((alike(NORTH), alike(SOUTH))) is WORKS
    assert first_measure((FEW,)) is WORKS


def test_what_stands_out_is_said_of_those_worse_off() -> None:
    """The gap of those helped least, and whom acceptance costs most, each with its interval and p-value."""
    gap, least = headlines(SCHEMA, VIEW.groups)
    assert gap.figure == "−25 points"
    assert "The rules help 50 % of people with Home town = south and 75 % of everybody else" in gap.words
    assert "p = 0.04, corrected for 6 comparisons" in gap.words
    assert least.figure == "1.6 × the least cost"
    assert least.words == (
        "Whatever the rules, the cheapest move that works costs people with Home town = south 1.6 times as much as "
        "everybody else (98.75 % interval 1.4–1.8). Chance alone hardly explains it (p = 0.002, corrected for 6 "
        "comparisons)."
    )


def test_a_headline_needs_more_than_a_hint() -> None:
    """Two things are compared, so each must be surer than 5 %; being better off is no headline of need."""
    hint = replace(SOUTH, p_holm=0.03, need=replace(SOUTH.need, p_holm=0.03))
    assert [each.figure for each in headlines(SCHEMA, (hint,))] == ["Nobody surely worse off"]
    assert [each.figure for each in headlines(SCHEMA, (NORTH,))] == ["Nobody surely worse off"]
    small = replace(FEW, gap=-0.6, p_holm=0.001)
    assert headlines(SCHEMA, (small,))[0].words.endswith("Fewer than 30 people on one side: read with care.")


def test_nothing_stands_out_without_people_or_difference() -> None:
    """Small groups allow no claim, and alike groups are said to be."""
    (few,) = headlines(SCHEMA, (FEW,))
    assert few.figure == "Few people"
    (alike_,) = headlines(SCHEMA, (alike(NORTH), alike(SOUTH)))
    assert "more than chance may explain" in alike_.words


def test_frozen_features_are_offered_first() -> None:
    """People are compared by what they cannot change, or by anything where all can be changed."""
    assert likely(SCHEMA) == ("town",)
    assert likely(Schema((DEBTS,))) == ("debts",)


@pytest.mark.parametrize("most", [30, 46])
def test_short_names_keep_what_tells_groups_apart(most: int) -> None:
    """A name that is too long loses letters of the label before those of the level, and keeps to its room."""
    label = "Where people lived on the day they asked for the loan"
    schema = Schema((replace(TOWN, label=label), DEBTS))
    south = brief(schema, at(1), most)
    assert len(south) <= most and south.endswith(" = south") and "…" in south
    both = brief(schema, Conjunction((*PAYING, *at(1))), most)
    assert len(both) <= most and both != brief(schema, Conjunction((*PAYING, *at(0))), most)
    assert len(brief(schema, at(2), most)) <= most
    assert brief(SCHEMA, at(1), 46) == "Home town = south"


def test_an_interval_of_nothing_is_said_in_words() -> None:
    """Where all people helped change the same number of features, no range is pretended."""
    assert CHANGES.span(NORTH.changes_interval) == "the same for all"
    assert CHANGES.span(None) == "no interval: too few people"
    assert COST.span((1.25, 1.75)) == "1.25–1.75"


def test_equal_effort_is_said_plainly() -> None:
    """A ratio of 1 is no '1 times'."""
    same = replace(NORTH, cost_ratio=1.0, cost_ratio_interval=(0.9, 1.1), changes_ratio=1.0)
    assert cost_sentence(same) == "Recourse costs this group as much as everybody else (95 % interval 0.9–1.1)."
    assert "must change as many features as everybody else (95 % interval" in changes_sentence(same)
    assert cost_sentence(FEW) == changes_sentence(FEW) == ""


def test_a_ratio_that_chance_may_explain_is_said_to_be() -> None:
    """Where the interval of a ratio holds 1, or the test of need is not sure, the sentence says what that means."""
    close = replace(SOUTH, cost_ratio=1.04, cost_ratio_interval=(0.96, 1.12))
    doubt = "1.04 times as much (95 % interval 0.96–1.12; chance alone may explain it)."
    assert cost_sentence(close) == f"Recourse costs this group {doubt}"
    changing = replace(SOUTH, changes_ratio=1.2, changes_ratio_interval=(0.9, 1.6))
    assert changes_sentence(changing).endswith("(95 % interval 0.9–1.6; chance alone may explain it).")
    assert "chance" not in cost_sentence(SOUTH) + changes_sentence(SOUTH) + need_sentence(SOUTH)
    unsure = replace(SOUTH, need=replace(SOUTH.need, p_holm=0.03))
    assert need_sentence(unsure).endswith("(98.75 % interval 1.4–1.8; chance alone may explain it).")


@pytest.mark.parametrize(
    ("p_holm", "words"),
    [
        (0.03, "Chance alone may explain it (p = 0.06, corrected for 10 comparisons)."),
        (0.02, "Chance alone hardly explains it (p = 0.04, corrected for 10 comparisons)."),
        (0.02495, "Chance alone hardly explains it (p < 0.05, corrected for 10 comparisons)."),
        (0.025, "Chance alone may explain it (p = 0.05, corrected for 10 comparisons)."),
        (0.0004, "Chance alone hardly explains it (p < 0.001, corrected for 10 comparisons)."),
        (0.7, "Chance alone may explain it (p = 1, corrected for 10 comparisons)."),
    ],
)
def test_the_p_value_shown_is_the_one_that_decides(p_holm: float, words: str) -> None:
    """Of five groups two things are compared: what is printed below 0.05 is called sure, and nothing else."""
    assert chance_text(p_holm, 5) == words


def test_nothing_passes_a_verdict_and_everything_is_escaped() -> None:
    """No card calls anything biased, and no name from the data becomes markup."""
    cards = [
        headline_cards(headlines(SCHEMA, VIEW.groups)),
        gap_cards(SCHEMA, VIEW.groups, 3),
        figures_table(SCHEMA, VIEW, VIEW.groups),
        moves_table(SCHEMA, VIEW),
    ]
    for card in cards:
        assert "bias" not in card.lower()
        assert "<b onload" not in card
    assert "&lt;b onload=x&gt;" in cards[1] and "&lt;b onload=x&gt;" in cards[2]


def test_gaps_are_said_with_interval_and_corrected_p_value() -> None:
    """A card has points, interval, corrected p-value, and costs in words; small groups carry a mark."""
    cards = gap_cards(SCHEMA, VIEW.groups, 3)
    assert "+30 points" in cards and "−25 points" in cards
    assert "99.17 % interval −45 to −5" in cards
    assert "Recourse costs this group 1.5 times as much (95 % interval 1.25–1.8)." in cards
    assert cards.count("few people") == 1


def test_a_test_of_rare_cases_is_not_trusted() -> None:
    """One failure among 100 against none of 10,000 is no evidence, whatever the score test says."""
    rare = replace(
        SOUTH, accuracy=Share(99, 100), without_recourse=Share(0, 100), gap=-0.01, others=10_000, p_holm=1e-9
    )
    assert rare.has_rare_cases and not rare.helped_less
    assert RARE in gap_sentence(rare, 3)
    common = replace(rare, accuracy=Share(60, 100), gap=-0.4)
    assert not common.has_rare_cases and common.helped_less
    assert RARE not in gap_sentence(common, 3)
    assert not any(group.has_rare_cases for group in (NORTH, SOUTH))


def test_two_halves_share_one_card() -> None:
    """The gap of the other half of everybody is not told again."""
    other = replace(SOUTH, accuracy=Share(30, 60), without_recourse=Share(2, 60), others=50)
    assert gap_cards(SCHEMA, (NORTH, other), 2).count("<li") == 1


def test_equal_groups_have_no_gap_to_explain() -> None:
    """No p-value is given for a gap of nothing, and nobody is compared with nobody."""
    same = gap_cards(SCHEMA, (alike(NORTH),), 1)
    assert "as often as everybody else: 80 %" in same and "Chance" not in same
    alone = gap_cards(SCHEMA, (replace(NORTH, gap=None, gap_interval=None, p_holm=None, others=0),), 1)
    assert "There is nobody else for whom a rule could be written, so there is no comparison." in alone


def test_the_tables_have_every_measure_of_every_group() -> None:
    """One row for each group and one for everybody, with heads for rows and columns."""
    table = figures_table(SCHEMA, VIEW, VIEW.groups)
    assert table.count('scope="row"') == 4
    assert all(f'scope="col">{name}</th>' in table for name in MEASURES)
    assert "80 % (67–89 %)" in table and "1.5 (1.25–1.75)" in table and "4 % (1–13 %)" in table
    moves = moves_table(SCHEMA, VIEW)
    assert "75 % (60–86 %), 30 of 40" in moves and "nobody could" in moves


def test_the_files_have_what_the_tables_have() -> None:
    """Each figure stands with both ends of its interval, in a cell of its own."""
    frame = groups_frame(SCHEMA, VIEW.groups)
    assert frame.index.tolist() == [name_of(SCHEMA, group) for group in VIEW.groups]
    row = frame.loc["Home town = south"]
    assert (row["People refused"], row["Helped, people"], row["Helped"]) == (40, 20, 0.5)
    assert (row["Mean changes, low"], row["Changes ratio, high"]) == (1.0, 2.25)
    assert row["Corrected p-value of the gap"] == 0.04
    moves = moves_frame(SCHEMA, VIEW)
    assert moves.loc["debts = none", "Home town = north, tried"] == 40


@pytest.mark.parametrize("name", MEASURES)
def test_the_forest_shows_every_group_and_everybody(name: str) -> None:
    """Each group has a row of words and, where there is a figure, a marker; small groups a hollow one."""
    measure = MEASURES[name]
    figure = forest(SCHEMA, VIEW, VIEW.groups, measure)
    full, few = figure.data
    known = [group for group in VIEW.groups if measure.figure(group)[0] is not None]
    assert len(full.x) + len(few.x) == len(known)
    assert few.marker.symbol == "circle-open"
    words = " ".join(annotation.text for annotation in figure.layout.annotations)
    assert "Home town = north" in words and "everybody: " in words and "<b onload" not in words
    assert "Home town = south" in forest_words(SCHEMA, VIEW, VIEW.groups, measure)


def test_the_forest_of_shares_is_in_per_cent() -> None:
    """The marker stands at the share and its whiskers at the interval."""
    full, few = forest(SCHEMA, VIEW, VIEW.groups, WORKS).data
    assert (full.x[0], few.x[0]) == (80, 0)
    low, high = NORTH.accuracy.interval
    assert full.x[0] + full.error_x.array[0] == pytest.approx(100 * high)
    assert full.x[0] - full.error_x.arrayminus[0] == pytest.approx(100 * low)


def test_each_group_has_its_own_shape_in_the_picture_of_moves() -> None:
    """Groups differ by shape as well as colour; few people are hollow, and nobody is left out."""
    groups = [group.subgroup for group in VIEW.groups]
    north, south, few = dots(SCHEMA, VIEW.moves, groups).data
    assert (north.marker.symbol, south.marker.symbol) == (("circle",), ("square-open",))
    assert len({trace.marker.color for trace in (north, south, few)}) == 3
    assert len(few.x) == 0
    assert "debts = none: Home town = north 75 %, Home town = south 5 %" in dots_words(SCHEMA, VIEW.moves, groups)


def opened(**address: str) -> AppTest:
    """Open the page at an address."""
    test = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    for name, value in address.items():
        test.query_params[name] = value
    return test.run()


@pytest.fixture(scope="module")
def page() -> AppTest:
    """One visit to the page with the planted data, which the tests below look at one after the other."""
    return opened(data="planted", groups="race")


def html(test: AppTest) -> str:
    """All the markup on a page."""
    return " ".join(element.proto.body for element in test.get("html"))


def test_without_a_model_the_page_says_what_to_do() -> None:
    """A page whose step is missing says so and shows nothing else."""
    empty = opened()
    assert not empty.exception
    assert "There are no people to look at yet." in empty.info[0].value
    assert not empty.multiselect


def test_the_planted_story_is_told_at_one_glance(page: AppTest) -> None:
    """One group has to change twice as many features: headline, opening picture and gap all say so."""
    assert not page.exception and not page.error
    assert "2 × the least cost" in html(page)
    assert "costs people with Race = Not Caucasian 2 times as much as everybody else" in html(page)
    assert "this group must change 2 times as many features as everybody else" in html(page)
    assert page.session_state.groups_measure == "Least it costs"
    assert len(page.get("plotly_chart")) == 2
    assert "biased" not in html(page).lower()


def test_another_measure_and_other_groups_can_be_chosen(page: AppTest) -> None:
    """The measure stays as chosen; another feature of interest makes other groups."""
    page.button_group(key="groups_measure").set_value("Covered").run()
    page.multiselect(key="groups_interest").set_value(["sex"]).run()
    assert not page.exception
    assert page.session_state.groups_measure == "Covered"
    assert "Sex = Female" in html(page) and "Race = " not in html(page)


def test_without_features_of_interest_likely_ones_are_offered(page: AppTest) -> None:
    """Nothing is compared until a feature is chosen; one click on a frozen one does."""
    page.multiselect(key="groups_interest").set_value([]).run()
    assert not page.get("plotly_chart")
    keys = [button.key for button in page.button if (button.key or "").startswith("groups_by_")]
    assert "groups_by_race" in keys and "groups_by_has_job" not in keys
    page.button(key="groups_by_race").click().run()
    assert not page.exception
    assert len(page.get("plotly_chart")) == 2


def test_many_groups_are_shown_some_at_a_time(page: AppTest) -> None:
    """More groups than a picture holds are ranked and cut; few enough to tell apart are in the picture of moves."""
    page.multiselect(key="groups_interest").set_value(["race", "sex", "age"]).run()
    assert not page.exception
    assert page.toggle(key="groups_all").value is False
    assert len(page.multiselect(key="groups_in_picture").value) == 6
    assert any("more groups" in expander.label for expander in page.expander)


def test_an_unknown_feature_in_a_link_offers_those_there_are() -> None:
    """A link to a feature the data does not have is no dead end."""
    lost = opened(data="planted", groups="height")
    assert not lost.exception
    assert lost.multiselect(key="groups_interest").value == []
    assert any(button.key == "groups_by_race" for button in lost.button)
