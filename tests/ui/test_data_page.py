"""The Data page: empty, with a demonstration, with an own file, and with what cannot be used."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ares_core.costs import Comparison
from ares_core.people import Change, Kind
from ares_core.worker import Errands
from tests.bad_cases import DATA
from tests.patience import PATIENCE
from ui.demos import caveats
from ui.intake import Intake
from ui.session import Session
from ui.shared import pool, shelf
from ui.shelf import Setup
from ui.state import AuditState, Step
from ui.words import safe

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "1_Data.py")
NASTY = "![](http://evil.test/x.png) <b>"
BAD_FILES = {case.name: (case.files["people.csv"], case.words) for case in DATA if "people.csv" in case.files}


def own_table() -> pd.DataFrame:
    """Return people with a suspect number, a suspect word, a choice of three columns, and an identifier."""
    rows = range(60)
    return pd.DataFrame(
        {
            "id": [f"p{row}x" for row in rows],
            "spouse": ["yes" if row % 4 else "no" for row in rows],
            "income": [-9 if row % 15 == 0 else 1000 + 31 * row for row in rows],
            "years": ["n/a" if row % 20 == 3 else str(row % 19) for row in rows],
            NASTY: [("a", "*b*", "$c$")[row % 3] for row in rows],
            "OwnsHouse": [int(row % 3 == 0) for row in rows],
            "RentsHouse": [int(row % 3 == 1) for row in rows],
            "SharesHouse": [int(row % 3 == 2) for row in rows],
            "granted": ["yes" if row % 5 < 3 else "no" for row in rows],
        }
    )


def parquet() -> bytes:
    """Return the table as a Parquet file."""
    stream = io.BytesIO()
    own_table().to_parquet(stream)
    return stream.getvalue()


@cache
def errands() -> Errands:
    """Return the questions of one visitor, who starts over with each test: a worker takes seconds to start."""
    return Errands(pool(), shelf().file)


def opened() -> AppTest:
    """Return the page as somebody sees it who begins an audit."""
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    page.session_state["ares"] = Session(AuditState(), errands())
    return sound(page.run())


def sound(page: AppTest) -> AppTest:
    """Return the page if nothing on it broke."""
    assert not page.exception
    return page


def given(content: bytes, name: str = "people.csv") -> AppTest:
    """Return the page after a file was uploaded."""
    page = opened()
    return sound(page.file_uploader[0].set_value((name, content, "")).run())


@pytest.fixture
def page() -> AppTest:
    """Return the page with an own table in use."""
    return press(given(own_table().to_csv(index=False).encode()), "data_use")


def press(page: AppTest, key: str) -> AppTest:
    """Press a button."""
    return sound(page.button(key=key).click().run())


def session(page: AppTest) -> Session:
    """Return the visitor's session."""
    found = page.session_state["ares"]
    assert isinstance(found, Session)
    return found


def setup(page: AppTest) -> Setup:
    """Return the audit's table."""
    found = session(page).state.setup
    assert found is not None
    return found


def widget(page: AppTest, kind: str, label: str) -> Any:
    """Return the widget with this label."""
    return next(each for each in getattr(page, kind) if each.label.startswith(label))


def labelled(page: AppTest, label: str) -> Any:
    """Return the first button with this label."""
    return next(button for button in page.button if button.label.replace("\\", "") == label)


def shown(page: AppTest) -> str:
    """Return everything the page says in markdown."""
    return " ".join(str(each.value) for each in [*page.markdown, *page.caption, *page.info, *page.error])


def choose(page: AppTest, feature: str) -> AppTest:
    """Choose a feature in the editor."""
    return sound(page.selectbox(key="data_feature").set_value(feature).run())


def test_the_empty_page_asks_for_a_file_or_offers_a_demonstration() -> None:
    """A newcomer sees what to bring, both demonstrations, and no error."""
    page = opened()
    assert page.file_uploader[0].label == "Your own table: CSV or Parquet"
    assert {button.key for button in page.button} >= {"data_demo_german", "data_demo_planted"}
    assert not page.error


def test_a_demonstration_is_one_click_away_and_tells_its_caveats() -> None:
    """German Credit comes with its model, its people are counted with an interval, and its source is named."""
    page = press(opened(), "data_demo_german")
    assert session(page).state.done(Step.MODEL)
    assert page.expander[1].label.startswith("What to know about this demonstration")
    assert all(safe(caveat) in shown(page) for caveat in caveats("german"))
    assert "700 of 1,000: 70 % (95 % interval 67–73 %)" in " ".join(str(each.proto.body) for each in page.html)
    assert "To decide" not in [header.value for header in page.header]


def test_a_link_shows_the_data_it_names() -> None:
    """A pasted address opens the same table, ready to be edited."""
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    page.query_params["data"] = "planted"
    sound(page.run())
    assert setup(page).demo == "planted"
    assert page.selectbox(key="data_feature").options


@pytest.mark.parametrize("content", [own_table().to_csv(index=False).encode(), parquet()], ids=["csv", "parquet"])
def test_an_own_file_becomes_the_table_of_the_audit(content: bytes) -> None:
    """The outcome and its good value are guessed, the choice is checked before it is offered, and one click uses it."""
    page = given(content)
    assert "60 rows and 9 columns" in shown(page)
    target = widget(page, "selectbox", "Which column says how it turned out?")
    assert (target.value, target.options[0]) == ("granted", "spouse (no or yes)")
    assert widget(page, "radio", "Which of the two").value == "yes"
    assert "36 of 60" in shown(page)
    press(page, "data_use")
    assert (setup(page).source.target, setup(page).source.favourable) == ("granted", "yes")
    assert not page.session_state["data_intake"].upload


def test_another_outcome_can_be_chosen() -> None:
    """Choosing a column of two values asks which is good; one of many values is refused in words, not offered."""
    page = given(own_table().to_csv(index=False).encode())
    sound(widget(page, "selectbox", "Which column").set_value("spouse").run())
    sound(widget(page, "radio", "Which of the two").set_value("no").run())
    assert "15 of 60" in shown(page)
    sound(widget(page, "selectbox", "Which column").set_value("income").run())
    assert "different values" in page.error[0].value
    assert "data_use" not in {button.key for button in page.button}


@pytest.mark.parametrize("name", ["10,000 columns", "a binary file", "a picture", "nothing at all", "a ragged row"])
def test_a_file_that_cannot_be_read_is_refused_in_the_engines_words(name: str) -> None:
    """One sentence and one hint, and the page goes on."""
    content, words = BAD_FILES[name]
    page = given(content)
    assert words in page.error[0].value.replace("\\", "")
    assert page.file_uploader[0].label == "Your own table: CSV or Parquet"


@pytest.mark.parametrize("name", ["three classes", "one row", "only the target", "an empty outcome"])
def test_a_table_that_cannot_be_audited_is_never_offered(name: str) -> None:
    """What no choice of the outcome can mend is said, and there is no button to use it."""
    content, words = BAD_FILES[name]
    page = given(content)
    sound(widget(page, "selectbox", "Which column").set_value("outcome").run())
    assert words in page.error[0].value.replace("\\", "")
    assert "data_use" not in {button.key for button in page.button}


def test_three_people_are_enough_for_the_data_page() -> None:
    """A tiny table is shown and described; what it is too small for is said where it matters."""
    page = press(given(b"a,b,y\n1,x,yes\n2,y,no\n3,x,yes\n"), "data_use")
    assert page.selectbox(key="data_feature").options == ["a", "b"]


def test_a_file_can_be_set_aside() -> None:
    """Whoever uploaded the wrong file is back at the beginning."""
    page = press(given(b"a,y\n1,yes\n2,no\n"), "data_aside")
    assert page.session_state["data_intake"] == Intake(files=1)
    assert session(page).state.setup is None


def test_suspects_are_treated_as_missing_by_a_click(page: AppTest) -> None:
    """-9 and 'n/a' each come with their remedy; afterwards they are not known, and nobody asks again."""
    labelled(page, "Treat -9 as missing").click()
    sound(page.run())
    labelled(page, "Treat n/a as missing").click()
    sound(page.run())
    schema = session(page).schema()
    assert schema["income"].levels[-1].name == schema["years"].levels[-1].name == "not known"
    assert schema["years"].kind is Kind.NUMBER
    assert not any(button.label.startswith("Treat") for button in page.button)


def test_a_suspect_that_is_an_answer_is_not_asked_about_again(page: AppTest) -> None:
    """Saying no leaves the schema alone and closes the question."""
    before = setup(page)
    labelled(page, "No, it is an answer").click()
    sound(page.run())
    assert setup(page) == before
    assert [button.label for button in page.button if button.label.startswith("Treat")] == ["Treat n\\/a as missing"]


@pytest.mark.parametrize(("answer", "alone"), [("Yes, one choice", False), ("No, separate columns", True)])
def test_a_proposed_choice_is_accepted_or_taken_apart(page: AppTest, answer: str, alone: bool) -> None:
    """Either answer settles the question."""
    labelled(page, answer).click()
    sound(page.run())
    schema = session(page).schema()
    assert ("OwnsHouse" in schema.names) is alone
    assert not any(feature.proposed for feature in schema.features)


def test_likely_protected_attributes_are_suggested_and_never_frozen_silently(page: AppTest) -> None:
    """The spouse is named, may change until somebody clicks, and is frozen then."""
    assert session(page).schema()["spouse"].change is Change.FREE
    press(page, "data_freeze_suggested")
    assert page.multiselect(key="data_frozen").value == ["spouse"]
    sound(page.multiselect(key="data_frozen").set_value(["income", "years"]).run())
    frozen = [each.name for each in session(page).schema().features if each.change is Change.FROZEN]
    assert frozen == ["income", "years"]


def test_every_part_of_a_feature_can_be_edited(page: AppTest) -> None:
    """Words, unit, cuts, names of ranges, direction and forbidden targets arrive in the schema."""
    choose(page, "income")
    sound(widget(page, "text_input", "Name for people").set_value("Monthly income").run())
    sound(widget(page, "text_input", "Unit").set_value("EUR").run())
    sound(widget(page, "text_input", "Where it is cut").set_value("2000, 1500").run())
    sound(widget(page, "radio", "Can it change?").set_value(Change.INCREASE).run())
    names = widget(page, "text_area", "What the ranges are called").value.splitlines()
    assert names == ["below 1500 EUR", "1500 to 1999 EUR", "2000 EUR or more"]
    sound(widget(page, "text_area", "What the ranges").set_value("low\nmiddle\nhigh").run())
    sound(widget(page, "multiselect", "Never tell").set_value(["low"]).run())
    feature = session(page).schema()["income"]
    assert (feature.label, feature.unit, feature.change) == ("Monthly income", "EUR", Change.INCREASE)
    assert [level.name for level in feature.levels] == ["low", "middle", "high"]
    assert feature.forbidden == {"low"}
    assert feature.title in page.selectbox(key="data_feature").options


def test_levels_are_ordered_before_they_can_only_rise(page: AppTest) -> None:
    """A category offers no direction; once it is in order, it does, and the lines say which way is up."""
    choose(page, "spouse")
    assert widget(page, "radio", "Can it change?").options == ["Either way", "Never"]
    sound(widget(page, "radio", "What is it?").set_value(Kind.ORDERED).run())
    sound(widget(page, "text_area", "Levels and their order").set_value("yes = has one\nno").run())
    sound(widget(page, "radio", "Can it change?").set_value(Change.DECREASE).run())
    feature = session(page).schema()["spouse"]
    assert [level.name for level in feature.levels] == ["has one", "no"]
    assert feature.change is Change.DECREASE


def test_a_contradiction_is_told_keeps_the_old_schema_and_what_was_typed(page: AppTest) -> None:
    """The engine's words stand above, nothing was changed, and nobody has to type forty lines again."""
    choose(page, "spouse")
    before = setup(page)
    sound(widget(page, "text_area", "Levels").set_value("yes = same\nno = same").run())
    assert "two levels named 'same'" in page.error[0].value.replace("\\", "")
    assert setup(page) == before
    assert widget(page, "text_area", "Levels").value == "yes = same\nno = same"
    choose(page, "income")
    assert not page.error
    choose(page, "spouse")
    assert widget(page, "text_area", "Levels").value == "no\nyes"


def test_edits_are_taken_back_one_by_one(page: AppTest) -> None:
    """Undo goes back as many steps as there were, and costs that went with a feature come back."""
    first = session(page).state.setup
    assert first is not None
    priced = Setup(first.source, (Comparison("income", "spouse"),), (("spouse", 2.0), ("years", 3.0)))
    session(page).set_setup(priced)
    choose(page, "spouse")
    press(page, "data_leave")
    assert (setup(page).comparisons, setup(page).direct) == ((), (("years", 3.0),))
    choose(page, "income")
    sound(widget(page, "text_input", "Unit").set_value("EUR").run())
    press(page, "data_undo")
    press(page, "data_undo")
    assert setup(page).source == first.source
    assert setup(page).comparisons == priced.comparisons
    assert dict(setup(page).direct) == dict(priced.direct)
    assert page.button(key="data_undo").disabled


def test_columns_left_out_say_why_and_come_back(page: AppTest) -> None:
    """The identifier is listed with its reason; bringing it back makes it the feature in the editor."""
    left = page.selectbox(key="data_ignored")
    assert left.options == ["id: every row holds a different text"]
    press(page, "data_bring")
    assert "id" in session(page).schema().names
    assert page.selectbox(key="data_feature").value == "id"


def test_a_schema_file_is_used_if_it_fits_and_refused_in_words_if_not(page: AppTest) -> None:
    """Downloaded, edited and brought back it counts; a wrong one changes nothing."""
    document = session(page).schema().to_json()
    document["features"][0]["label"] = "Married"
    upload = widget(page, "file_uploader", "Use a schema file")
    sound(upload.set_value(("s.json", json.dumps(document).encode(), "")).run())
    assert session(page).schema()["spouse"].label == "Married"
    assert "is used" in page.info[0].value
    before = setup(page)
    for content, words in ((b"{", "is not JSON"), (b"[]", '"format"'), (b'{"format": "ares-rules"}', '"format"')):
        upload = widget(page, "file_uploader", "Use a schema file")
        sound(upload.set_value(("s.json", content, "")).run())
        assert words in page.error[0].value.replace("\\", "")
    assert setup(page) == before


def test_changing_the_schema_of_an_audit_with_a_model_says_what_that_clears() -> None:
    """The visitor is told that the model will be asked again; the model itself stays."""
    page = press(opened(), "data_demo_german")
    sound(widget(page, "text_input", "Name for people").set_value("Account").run())
    assert "the model will be asked again" in page.info[0].value
    assert session(page).state.model is not None


def test_other_data_clears_the_model_and_says_so() -> None:
    """Using another table ends the audit of the first."""
    page = press(opened(), "data_demo_german")
    sound(page.file_uploader[0].set_value(("own.csv", own_table().to_csv(index=False).encode(), "")).run())
    press(page, "data_use")
    assert session(page).state.model is None
    assert "the model and the rules were cleared" in page.info[0].value


def test_sixty_features_with_long_names_fit_one_editor() -> None:
    """There is one panel however many features there are, and going round with Next comes back to the first."""
    names = [f"a very long name that nobody ever shortened, number {number} of sixty in all" for number in range(60)]
    frame = pd.DataFrame(
        {name: [(row + place) % (3 + place % 38) for row in range(80)] for place, name in enumerate(names)}
    )
    page = press(given(frame.assign(y=[row % 2 for row in range(80)]).to_csv(index=False).encode()), "data_use")
    assert len(page.selectbox(key="data_feature").options) == 60
    assert len(page.text_area) == 1
    press(page, "data_back")
    assert page.selectbox(key="data_feature").value == names[-1]
    press(page, "data_next")
    assert page.selectbox(key="data_feature").value == names[0]


def test_what_comes_from_the_file_is_never_read_as_markdown(page: AppTest) -> None:
    """A column named like a picture, and its values, are shown as they are."""
    choose(page, NASTY)
    assert "![](" not in shown(page)
    assert all("![](" not in each.label for each in [*page.button, *page.radio, *page.expander])
    assert all("![](" not in option for each in page.radio for option in each.options)


def test_a_column_no_rule_can_speak_of_stays_left_out(page: AppTest) -> None:
    """Bringing back an identifier of 1,100 people is refused in words, and nothing is changed."""
    rows = range(1100)
    people = pd.DataFrame(
        {"id": [f"p{row}x" for row in rows], "y": [row % 2 for row in rows], "z": [row % 3 for row in rows]}
    )
    sound(page.file_uploader[0].set_value(("p.csv", people.to_csv(index=False).encode(), "")).run())
    press(page, "data_use")
    before = setup(page)
    press(page, "data_bring")
    assert "more than 1,000" in page.error[0].value.replace("\\", "")
    assert setup(page) == before
