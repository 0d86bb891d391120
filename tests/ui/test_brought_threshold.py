"""The Model page reads scores: thresholds, ties, three labels, and what it says where outcomes cannot tell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from streamlit.testing.v1 import AppTest

from ares_core.models import Reading
from tests.models.loaders.test_ties import GOOD, TABLE, of_xgboost
from tests.saved_models import needs_sandbox
from tests.ui.test_brought_page import opened, widget
from tests.ui.test_model_page import state, text
from tests.ui.test_reading_page import address
from ui.links import parameters
from ui.shared import pool, shelf

pytestmark = needs_sandbox
LOANS = TABLE.assign(loan=np.where(GOOD == 1, "granted", "refused"))


@pytest.fixture(scope="module", autouse=True)
def workers() -> Iterator[None]:
    """End the workers of this file with it."""
    yield
    pool().close()
    pool.forget()


def uploaded(frame: pd.DataFrame, content: bytes, **outcome: str) -> AppTest:
    """Open the page for a table and upload a model file."""
    page = opened(**address(frame, **outcome))
    page.radio(key="model_way").set_value("file").run()
    page.file_uploader(key="model_upload").upload("model", content, "application/octet-stream").run()
    assert not page.exception
    return page


def caption(page: AppTest) -> str:
    """Return what the page says of the threshold."""
    return next(str(each.value) for each in page.caption if "At this threshold" in str(each.value))


def test_ties_are_counted_as_xgboost_counts_them_and_can_be_changed() -> None:
    """The page says how many people score exactly 0.5 and refuses whom XGBoost refuses; the link keeps the side."""
    _, content, answers = of_xgboost()
    page = uploaded(LOANS, content)
    widget(page.radio, "model_side_").set_value("A higher score is better").run()
    refused = int((answers == 0).sum())
    assert f"refuses {refused} of 300 people" in caption(page)
    assert "people score exactly 0.5, which counts as lower" in caption(page).replace("\\", "")
    page.button(key="model_use").click().run()
    assert not page.exception
    assert state(page).model.reading == Reading("", 0.5, ties="lower")
    assert f"The model refuses {refused} of 300 people audited" in text(page)
    link = {name: values[0] for name, values in parameters(state(page), shelf()).items()}
    assert state(opened(**link)).model == state(page).model
    widget(page.radio, "model_ties_").set_value("higher").run()
    assert "which counts as higher" in caption(page)
    assert not page.button(key="model_use").disabled


def test_the_threshold_in_use_is_shown_on_coming_back() -> None:
    """Whoever looks elsewhere and returns finds the box as the audit has it, and nothing to click."""
    page = uploaded(LOANS, of_xgboost()[1])
    widget(page.radio, "model_side_").set_value("A higher score is better").run()
    widget(page.number_input, "model_threshold_").set_value(0.4712345).run()
    page.button(key="model_use").click().run()
    assert state(page).model.reading.threshold == 0.4712345
    page.radio(key="model_way").set_value("train").run()
    page.radio(key="model_way").set_value("file").run()
    assert not page.exception
    assert widget(page.number_input, "model_threshold_").value == 0.4712345
    assert page.button(key="model_use").disabled
    assert page.button(key="model_use").label == "This model is used"


def test_a_threshold_of_large_scores_begins_among_them_and_shows_all_digits() -> None:
    """Scores of 17 to 45 thousand begin near their median, move by a round number, and are written without an e."""
    scores = 20_000 + 3_000 * (TABLE["income"] / 800)
    model = make_pipeline(StandardScaler(), Ridge()).fit(TABLE, scores)
    page = uploaded(LOANS, skops.io.dumps(model))
    widget(page.radio, "model_side_").set_value("A higher score is better").run()
    box = widget(page.number_input, "model_threshold_")
    assert scores.quantile(0.4) < box.value < scores.quantile(0.6)
    assert box.value % box.step == 0
    assert box.step >= 500
    assert box.proto.format == "%.17g"
    assert "e+" not in text(page)
    box.set_value(23465.25).run()
    page.button(key="model_use").click().run()
    assert "A score of 23465.25 or more is favourable." in text(page)


def test_a_model_of_three_labels_is_read_by_a_score() -> None:
    """The page says why labels are not read, and goes on with scores."""
    classes = pd.qcut(TABLE["income"], 3, labels=["no", "review", "yes"]).astype(str)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(TABLE, classes)
    page = uploaded(LOANS, skops.io.dumps(model))
    assert "The model answers 3 labels" in text(page)
    assert page.button(key="model_use").disabled
    widget(page.selectbox, "model_score_").set_value("yes").run()
    page.button(key="model_use").click().run()
    assert not page.exception
    refused = int((model.predict_proba(TABLE)[:, 2] < 0.5).sum())
    assert f"The model refuses {refused} of 300 people audited" in text(page)


def test_numbers_are_not_taken_for_the_outcomes_of_a_few_people() -> None:
    """The model's 1 grants, the table's 1 is a default: with 12 people nothing is chosen, but both are counted."""
    frame = TABLE[:12].assign(default=1 - GOOD[:12])
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(TABLE, GOOD)
    page = uploaded(frame, skops.io.dumps(model), target="default", favourable="0")
    label = widget(page.radio, "model_label_")
    assert label.value is None
    assert page.button(key="model_use").disabled
    right = int((model.predict(frame[["loans", "income"]]) == GOOD[:12]).sum())
    lines = {line.partition(" ")[0]: line for line in label.options}
    assert f"agrees with {right} of 12 outcomes" in lines["1"]
    assert f"agrees with {12 - right} of 12 outcomes" in lines["0"]


def test_categories_the_model_never_saw_are_warned_of_openly() -> None:
    """The warning is on the page and not one click away, with the number of people."""
    jobs = np.where(np.arange(300) % 2 == 0, "clerk", "nurse")
    encoder = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["job"]), remainder="passthrough")
    model = make_pipeline(encoder, LogisticRegression()).fit(TABLE.assign(job=jobs), LOANS["loan"])
    page = uploaded(LOANS.assign(job=np.where(np.arange(300) < 20, "miner", jobs)), skops.io.dumps(model))
    warned = " ".join(str(each.value) for each in page.warning).replace("\\", "")
    assert "a category the model has never seen ('miner'), for 20 people" in warned
