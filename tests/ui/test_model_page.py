"""The Model page: without data, with a demonstration, and with files that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from ares_core.models import FAMILIES
from ares_core.worker import RuleFile, TrainHere
from tests.patience import PATIENCE

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "2_Model.py")


def opened(**address: str) -> AppTest:
    """Return the page at an address."""
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    for name, value in address.items():
        page.query_params[name] = value
    return page.run()


def text(page: AppTest) -> str:
    """Return what is written on the page, without the backslashes that keep markdown away."""
    parts = [*page.markdown, *page.info, *page.error, *page.caption]
    return " ".join([*(str(part.value) for part in parts), *(str(part.proto.body) for part in page.html)]).replace(
        "\\", ""
    )


def state(page: AppTest) -> Any:
    """Return where the visitor's audit stands."""
    return page.session_state["ares"].state


def test_without_data_the_page_says_what_to_do() -> None:
    """Nothing can be chosen before there are people."""
    page = opened()
    assert not page.exception
    assert "There are no people to look at yet." in text(page)
    assert not page.radio


def test_a_model_is_chosen_trained_and_shown() -> None:
    """From data alone to quality and refusals, and then another seed, which is told."""
    page = opened(data="german", model="none")
    assert "There is no model yet." in text(page)
    assert len(page.radio(key="model_family").options) == len(FAMILIES)
    page.radio(key="model_family").set_value("lr").run()
    assert state(page).model is None
    page.button(key="model_train").click().run()
    assert not page.exception
    assert state(page).model == TrainHere("lr")
    assert "Trained on 500 people, audited on 500 others." in text(page)
    assert "Saying “good” to everybody would be right for 70 %" in text(page)
    assert "The model refuses" in text(page)
    page.number_input(key="model_seed").set_value(3)
    page.button(key="model_train").click().run()
    assert state(page).view.settings.seed == 3
    assert "The seed changed" in text(page)


def test_another_model_clears_what_was_found_and_says_so() -> None:
    """The address holds rules that were found; training another model asks again, and the groups looked at stay."""
    page = opened(data="planted", groups="race", asked="1")
    assert page.selectbox(key="model_feature").value == "race"
    assert "It was not trained here, so all 4,000 people are audited." in text(page)
    page.selectbox(key="model_feature").select("age").run()
    assert "Age: who is refused" in text(page)
    page.radio(key="model_way").set_value("train").run()
    page.radio(key="model_family").set_value("dt").run()
    page.button(key="model_train").click().run()
    assert "The model changed, so it will be asked again." in text(page)
    assert state(page).view.interest == ("race",)
    assert state(page).view.strata is None


def test_files_that_cannot_be_used_are_told_in_the_engines_words() -> None:
    """What is not a set of rules changes nothing; rules about other people are told when they are asked."""
    page = opened(data="planted")
    before = state(page).model
    assert isinstance(before, RuleFile)
    page.file_uploader(key="model_file").upload("![x](http://host/x.png).json", b"{}", "application/json").run()
    assert "says \"format\": None, not 'ares-rules'" in text(page)
    assert "![x](http" not in page.error[0].value
    assert state(page).model == before
    other = {
        "format": "ares-rules",
        "rules": [
            {
                "subgroup": [],
                "before": [{"feature": "boat", "equals": "no"}],
                "after": [{"feature": "boat", "equals": "yes"}],
            }
        ],
    }
    page.file_uploader(key="model_file").set_value(("boat.json", json.dumps(other).encode(), "application/json")).run()
    assert not page.exception
    assert "names the column 'boat', which the table does not have." in text(page)
