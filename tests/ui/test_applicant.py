"""The Applicant page: finding somebody, what they can do, and changing them by hand."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ares_core.audit.person import PersonRecourse, PricedMove
from ares_core.costs import Costs
from ares_core.people import Change, Conjunction, Feature, Kind, Predicate, Schema
from ares_core.people.levels import Interval, Value
from ares_core.recourse import RecourseRule
from ares_core.worker import PeopleView, PersonView
from tests.patience import PATIENCE
from tests.ui.shelves import fresh_shelf
from ui import links
from ui.applicant import Search, Trial, choice_text, choices, in_order, moved, named, person_label, total_cost
from ui.cards.person import answer_sign, changes_list, person_cards, sign
from ui.state import AuditState, View

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "6_Applicant.py")
NASTY = "<b onload=x>![](http://host/x.png)"
AGE = Feature("age", Kind.CATEGORY, ("age",), (Value("young", "y"), Value("old", "o")), change=Change.FROZEN)
PAY = Feature(
    "pay",
    Kind.NUMBER,
    ("pay",),
    (Interval("below 10", None, 10), Interval("10 to below 20", 10, 20), Interval("20 or more", 20, None)),
    label="Monthly pay",
    change=Change.INCREASE,
)
JOB = Feature("job", Kind.CATEGORY, ("job",), (Value("none", 0), Value(NASTY, 1), Value("unheard of", 2)))
SCHEMA = Schema((AGE, PAY, JOB))
RICHER = Conjunction((Predicate("pay", Interval("any name", 20, None)),))
RULE = RecourseRule(
    Conjunction((Predicate("age", AGE.levels[0]),)), Conjunction((Predicate("pay", PAY.levels[1]),)), RICHER
)


def person(recourse: PersonRecourse, part: str = "check") -> PersonView:
    """Somebody young with pay 12 and no job."""
    return PersonView(
        recourse,
        levels=(("age", "young"), ("pay", "10 to below 20"), ("job", "none")),
        cells=(("age", "young"), ("pay", "12"), ("job", "none")),
        open_levels=(("age", ()), ("pay", ("20 or more",)), ("job", (NASTY, "unheard of"))),
        held=(
            ("age", ("young", "old")),
            ("pay", ("below 10", "10 to below 20", "20 or more")),
            ("job", ("none", NASTY)),
        ),
        part=part,
    )


HELPED = person(PersonRecourse(4, 6, False, RULE, True, PricedMove(RICHER, 1.5, 1), 9, False))
STUCK = person(PersonRecourse(4, 6, False, RULE, False, None, 9, False), "learn")
GIVEN_UP = person(PersonRecourse(4, 6, False, None, False, None, 200_000, True))


def test_a_search_changes_by_parts() -> None:
    """A feature begins at its first level, keeps the level it had, and goes when it is not wanted."""
    search = Search().by(SCHEMA, ["age", "pay"]).at("age", "old")
    assert search.levels == (("age", "old"), ("pay", "below 10"))
    assert search.by(SCHEMA, ["age"]).levels == (("age", "old"),)
    assert (search.only(False).refused, search.drawn().draws) == (False, 1)


def test_a_change_back_is_no_change() -> None:
    """Putting a feature back to the person's own level leaves nothing changed."""
    trial = Trial(4).at("pay", "20 or more", own="10 to below 20")
    assert trial.levels == (("pay", "20 or more"),)
    assert trial.at("pay", "10 to below 20", own="10 to below 20") == Trial(4)


def test_changes_are_named_as_the_schema_names_them() -> None:
    """A level read from elsewhere goes by the schema's name."""
    assert named(SCHEMA, RICHER) == (("pay", "20 or more"),)
    assert moved(SCHEMA, named(SCHEMA, RICHER), {"pay": "12"}) == [("Monthly pay", "12", "20 or more")]
    assert total_cost(Costs.unit(SCHEMA.names), (("pay", "20 or more"), ("job", "none"))) == 2


def test_changed_features_come_first_and_frozen_ones_last() -> None:
    """The order is changed, changeable, frozen; a word keeps those that have it, and those changed."""
    assert [each.name for each in in_order(SCHEMA, ())] == ["pay", "job", "age"]
    assert [each.name for each in in_order(SCHEMA, ["job"])] == ["job", "pay", "age"]
    assert [each.name for each in in_order(SCHEMA, ["age"], "MONTH")] == ["age", "pay"]


def test_only_levels_somebody_is_at_can_be_tried() -> None:
    """A level nobody is at is not offered; those not allowed, and the person's own, are marked."""
    assert choices(HELPED, JOB) == ("none", NASTY)
    assert choice_text(HELPED, PAY, "20 or more") == "20 or more"
    assert choice_text(HELPED, PAY, "10 to below 20") == "10 to below 20 (as now)"
    assert choice_text(HELPED, PAY, "below 10") == "below 10 (not allowed)"


def test_people_are_named_by_row_and_cells() -> None:
    """A row is the line of the file, as the table shows it."""
    frame = pd.DataFrame({"a": ["x", "y"], "b": ["1", "2"]}, index=pd.Index([6, 10], name="Row of the file"))
    assert person_label(PeopleView((6, 10), frame, (False, False), 2), 10) == "Row 10: y, 2"


def test_the_cards_say_rule_and_cheapest_move() -> None:
    """The rule with whether it works, and the move with its price; from what the person has to what it leads to."""
    cards = person_cards(SCHEMA, HELPED, 2)
    assert "For people with age = young:" in cards
    assert "It works for this person." in cards and "✓" in cards
    assert "1 change, cost 1.5." in cards
    assert "12 → <strong><u>20 or more</u></strong>" in cards


def test_the_cards_say_when_nothing_helps() -> None:
    """A rule that fails, moves that all fail, and moves that were too many are told apart."""
    stuck, given_up = person_cards(SCHEMA, STUCK, 2), person_cards(SCHEMA, GIVEN_UP, 1)
    assert "It does not work for this person." in stuck and "✗" in stuck
    assert "Of 9 moves allowed to this person none makes the model accept them." in stuck
    assert "Moves of up to 2 changes were considered." in stuck
    assert "No rule of the summary applies to this person." in given_up
    assert "dearer ones were not tried" in given_up and "up to 1 change " in given_up


def test_signs_speak_by_more_than_colour_and_are_escaped() -> None:
    """A sign has a mark and words, and nothing from the data becomes markup."""
    assert "✓" in answer_sign(True) and "accepts" in answer_sign(True)
    assert "✗" in answer_sign(False) and "refuses" in answer_sign(False)
    assert "<b onload" not in sign(True, NASTY) + changes_list([(NASTY, NASTY, NASTY)])


@pytest.mark.parametrize(("word", "row"), [("17", 17), ("2", 2), ("0", None), ("x", None), ("9" * 10, None)])
def test_the_address_carries_the_row_as_the_page_shows_it(word: str, row: int | None) -> None:
    """A link names the row as the page does, and what is no row is no row."""
    shelf = fresh_shelf()
    state, problem = links.read({"data": ["planted"], "line": [word]}, shelf)
    assert (state.view.row, problem) == (row, "")
    assert links.parameters(AuditState(view=View(row=row)), shelf).get("line") == (None if row is None else [word])


def opened(**address: str) -> AppTest:
    """Open the page at an address."""
    test = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    for name, value in address.items():
        test.query_params[name] = value
    return test.run()


@pytest.fixture(scope="module")
def page() -> AppTest:
    """One visit to the page with the planted data, which the tests below look at one after the other."""
    return opened(data="planted", groups="race", line="999999")


def html(test: AppTest) -> str:
    """All the markup on a page."""
    return " ".join(element.proto.body for element in test.get("html"))


def test_without_a_model_the_page_says_what_to_do() -> None:
    """A page whose step is missing says so and shows nothing else."""
    empty = opened()
    assert not empty.exception
    assert "There are no people to look at yet." in empty.info[0].value
    assert not empty.selectbox


def test_a_row_that_is_not_audited_is_said_so_and_can_be_left(page: AppTest) -> None:
    """Asking for somebody beyond the table is an error in words, and another row can be chosen."""
    assert not page.exception
    assert "is not among the 4,000 people audited" in page.error[0].value.replace("\\", "")
    page.number_input(key="person_row").set_value(4).run()
    assert not page.error
    assert "The model refuses this person." in html(page)


def test_a_person_is_changed_and_put_back(page: AppTest) -> None:
    """The cheapest move, tried by hand, makes the model accept; undone, it refuses again; so with the rule."""
    page.number_input(key="person_row").set_value(4).run()
    for way in ("person_try_cheapest", "person_try_rule"):
        page.button(key=way).click().run()
        assert not page.exception
        assert "With 2 changes, cost 2, the model accepts this person." in html(page)
        page.button(key="person_reset").click().run()
        assert "As they are, the model refuses this person." in html(page)


def test_a_change_that_is_not_allowed_is_tried_and_said(page: AppTest) -> None:
    """A frozen feature may be asked about, and the page says that no rule would ask for it."""
    page.number_input(key="person_row").set_value(4).run()
    race = next(box for box in page.selectbox if box.label.startswith("Race"))
    assert "cannot change" in race.label
    assert "Caucasian (not allowed)" in race.options
    race.set_value("Caucasian").run()
    assert not page.exception
    assert "Not allowed by the schema" in page.warning[0].value
    assert "1 change, cost 1" in html(page)
    page.number_input(key="person_row").set_value(2).run()
    assert "As they are" in html(page), "another person is not changed"


def test_features_are_found_by_a_word(page: AppTest) -> None:
    """A part of a name leaves the features that have it; a word none has says so."""
    boxes = len(page.selectbox)
    page.text_input(key="person_word").set_value("has").run()
    labels = [box.label for box in page.selectbox]
    assert "Has a job" in labels and "Takes drugs" not in labels and len(labels) < boxes
    page.text_input(key="person_word").set_value("zebra").run()
    assert "No feature has this word in its name." in [info.value for info in page.info]
    page.text_input(key="person_word").set_value("").run()


def test_people_are_found_by_level_and_at_random(page: AppTest) -> None:
    """A filter narrows the list; each draw is somebody who matches, and not the same one."""
    page.multiselect(key="person_features").set_value(["sex"]).run()
    assert not page.exception
    listed = page.dataframe[0].value
    assert set(listed["Sex"]) == {"Female"}
    rows = []
    for _ in range(3):
        page.button(key="person_random").click().run()
        rows.append(page.number_input(key="person_row").value)
    assert not page.exception
    assert len(set(rows)) > 1
    assert f"Row {rows[-1]:,} of the file" in [header.value for header in page.header]
    page.selectbox(key="person_pick").set_value(int(listed.index[0])).run()
    assert page.number_input(key="person_row").value == listed.index[0]


def test_people_the_model_accepts_have_nothing_to_change(page: AppTest) -> None:
    """Without the filter, accepted people are listed too; the page says that they are."""
    found = page.dataframe[0].value
    page.toggle(key="person_refused").set_value(False).run()
    more = [row for row in page.dataframe[0].value.index if row not in found.index]
    page.number_input(key="person_row").set_value(int(more[0])).run()
    assert not page.exception
    assert "The model accepts this person." in html(page)
    assert not any(button.key == "person_try_rule" for button in page.button)
