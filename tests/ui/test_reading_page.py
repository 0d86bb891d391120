"""The Model page asks how a model's answers are read, checks them, and needs no outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ares_core.models import Reading
from ares_core.worker import Brought, ServiceAt, Source
from tests.patience import PATIENCE
from tests.saved_models import needs_sandbox
from tests.services import Asked, Reply, Served, mlflow, served
from tests.test_reading_command import (
    ACCEPTED,
    PEOPLE,
    REFUSED,
    accepts,
    fitted_on_arrays,
    less_is_better,
    numbers,
    one_is_bad,
    table,
)
from tests.ui.test_brought_page import ask_service, opened, widget
from tests.ui.test_model_page import state, text
from ui.links import parameters
from ui.session import KEY
from ui.shared import pool, shelf
from ui.shelf import Setup
from ui.state import AuditState, View

Predict = Callable[[pd.DataFrame], list[Any]]
PAGES = Path(__file__).resolve().parents[2] / "pages"
SAID: list[Predict] = []


def _speak(asked: Asked) -> Reply:
    return mlflow(SAID[-1])(asked)


@pytest.fixture(scope="module", autouse=True)
def service() -> Iterator[Served]:
    """Serve on a port that new workers may ask."""
    with served(_speak) as found, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARES_ALLOWED_HOSTS", found.host)
        pool.forget()
        yield found
        pool().close()
    pool.forget()


def address(frame: pd.DataFrame, target: str = "loan", favourable: str = "granted") -> dict[str, str]:
    """Return the address of an audit of a table, without a model."""
    source = Source(shelf().put_file(frame.to_csv(index=False).encode()), "loans.csv", target, favourable)
    begun = AuditState(Setup(source, audit=shelf().begin_audit("loans.csv")))
    return {name: values[0] for name, values in parameters(begun, shelf()).items()}


def asked(service: Served, predict: Predict, frame: pd.DataFrame, **outcome: str) -> AppTest:
    """Open the page and ask a service that answers like this."""
    SAID.append(predict)
    page = ask_service(opened(**address(frame, **outcome)), service.mlflow)
    assert not page.exception
    return page


def said(page: AppTest) -> str:
    """Return all that the page says, errors too."""
    return " ".join(
        [text(page), *(str(each.value) for each in (*page.error, *page.success, *page.info, *page.caption))]
    )


def visited(page: AppTest, name: str) -> AppTest:
    """Open another page in the same session."""
    other = AppTest.from_file(str(PAGES / name), default_timeout=PATIENCE)
    other.session_state[KEY] = page.session_state[KEY]
    other.run()
    assert not other.exception
    return other


def test_both_readings_are_shown_and_one_is_chosen(service: Served) -> None:
    """0 and 1 are not plain: both come with their figures, and the right one needs no tick and warns of nothing."""
    page = asked(service, one_is_bad, table())
    for refused in (REFUSED, ACCEPTED):
        assert f"The model then refuses {len(refused)} of {PEOPLE} people; agrees with" in said(page)
    assert page.button(key="model_use").disabled
    widget(page.radio, "model_label_").set_value("0").run()
    assert not page.button(key="model_use").disabled
    assert "was not checked. Bring ten known answers" in said(page)
    page.button(key="model_use").click().run()
    assert not page.exception
    assert not page.error
    assert f"The model refuses {len(REFUSED)} of {PEOPLE} people audited" in text(page)


def test_a_reading_against_the_outcomes_needs_a_tick_and_keeps_its_warning(service: Served) -> None:
    """The button stays disabled until the tick, and every page with figures says what speaks against them."""
    page = asked(service, one_is_bad, table())
    widget(page.radio, "model_label_").set_value("1").run()
    assert "which is worse than chance" in said(page)
    assert page.button(key="model_use").disabled
    widget(page.checkbox, "model_insist_").check().run()
    page.button(key="model_use").click().run()
    assert not page.exception
    assert state(page).model == Brought(ServiceAt(service.mlflow), Reading("1"))
    session = page.session_state[KEY]
    session.state = session.state.with_view(View(interest=("job",)))
    for name in ("4_Recourse.py", "5_Subgroups.py", "6_Applicant.py", "2_Model.py"):
        other = visited(page, name)
        assert any("may be read the wrong way round" in str(error.value) for error in other.error), name


def test_a_score_without_a_name_has_no_side_until_it_is_chosen(service: Served) -> None:
    """Nothing says whether more is better."""
    page = asked(service, less_is_better, table())
    assert widget(page.radio, "model_side_").value is None
    assert page.button(key="model_use").disabled
    widget(page.radio, "model_side_").set_value("A lower score is better").run()
    assert not page.button(key="model_use").disabled
    page.button(key="model_use").click().run()
    assert state(page).model.reading == Reading("", 0.5, above=False)


@pytest.mark.parametrize("wrong", [False, True])
def test_known_answers_are_compared_before_a_model_is_used(service: Served, wrong: bool) -> None:
    """Right ones are said to hold and stay with the model; wrong ones are listed, and the model cannot be used."""
    page = asked(service, one_is_bad, table())
    widget(page.radio, "model_label_").set_value("0").run()
    known = pd.DataFrame({"row": range(10), "answer": one_is_bad(table())[:10]})
    if wrong:
        known.loc[4, "answer"] = 1 - known.loc[4, "answer"]
    box = next(each for each in page.file_uploader if each.key.startswith("model_expected_"))
    box.upload("known.csv", known.to_csv(index=False).encode(), "text/csv").run()
    assert not page.exception
    assert page.button(key="model_use").disabled == wrong
    if wrong:
        assert "differs from 1 of 10 expected answers" in said(page)
        assert page.dataframe[0].value["Row of the file"].tolist() == [6]
        return
    assert "gives all 10 expected answers" in said(page)
    page.button(key="model_use").click().run()
    assert not page.exception
    assert state(page).model.expected.rows == tuple(range(10))
    link = {name: values[0] for name, values in parameters(state(page), shelf()).items()}
    assert state(opened(**link)).model == state(page).model


def test_a_column_of_known_answers_is_no_feature(service: Served) -> None:
    """Once it is chosen the model is not shown it, and its answers are compared."""

    def strict(frame: pd.DataFrame) -> list[int]:
        SHOWN.append(set(frame.columns))
        return one_is_bad(frame)

    SHOWN: list[set[str]] = []
    frame = table().assign(before=pd.Series(one_is_bad(table())).where(np.arange(PEOPLE) < 12).astype("Int64"))
    page = asked(service, strict, frame)
    page.selectbox(key="model_expected_column").set_value("before").run()
    assert not page.exception
    widget(page.radio, "model_label_").set_value("0").run()
    assert SHOWN[-1] == {"income", "job"}
    assert "gives all 12 expected answers" in said(page)
    assert state(page).setup.source.expected == "before"


def test_without_an_outcome_a_model_is_audited_and_none_is_trained(service: Served) -> None:
    """From the upload to the rules; what cannot be measured says so, and training says why it is not offered."""
    page = AppTest.from_file(str(PAGES / "1_Data.py"), default_timeout=PATIENCE).run()
    content = table().drop(columns="loan").to_csv(index=False).encode()
    page.file_uploader(key="data_file_0").upload("loans.csv", content, "text/csv").run()
    page.checkbox(key="data_without_outcome").check().run()
    assert not page.exception
    page.button(key="data_use").click().run()
    assert not page.exception
    assert state(page).setup.source.target == ""
    SAID.append(lambda frame: ["approved" if each else "denied" for each in accepts(frame)])
    model = visited(page, "2_Model.py")
    model.radio(key="model_way").set_value("train").run()
    assert "a model is trained on outcomes" in said(model)
    model = ask_service(model, service.mlflow)
    assert not model.exception
    model.button(key="model_use").click().run()
    assert not model.exception
    assert "how often the model is right cannot be measured" in text(model)
    assert f"The model refuses {len(REFUSED)} of {PEOPLE} people audited" in text(model)
    rules = visited(model, "4_Recourse.py")
    assert not rules.error
    visited(model, "5_Subgroups.py")


@needs_sandbox
def test_a_file_without_column_names_asks_for_them() -> None:
    """Nothing is asked of the model before its columns are listed; the order of the list is kept by the link."""
    content, refused = fitted_on_arrays()
    page = opened(**address(numbers()))
    page.radio(key="model_way").set_value("file").run()
    page.file_uploader(key="model_upload").upload("model", content, "application/octet-stream").run()
    assert not page.exception
    assert "does not say which columns it wants" in said(page)
    widget(page.multiselect, "model_columns_").set_value(["debts", "income"]).run()
    page.button(key="model_use").click().run()
    assert not page.exception
    assert state(page).model.columns == ("debts", "income")
    assert f"The model refuses {len(refused)} of {PEOPLE} people audited" in text(page)
    link = {name: values[0] for name, values in parameters(state(page), shelf()).items()}
    assert state(opened(**link)).model == state(page).model
