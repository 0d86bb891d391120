"""A model of one's own: a skops file goes through the Model page to rules on the Recourse page."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import expect
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from tests.browser.conftest import Come
from tests.browser.test_axe import violations
from tests.browser.test_walk import bring
from tests.saved_models import needs_sandbox


@pytest.fixture
def own_model(own_table: Path, tmp_path: Path) -> Path:
    """Return a pipeline trained on the visitor's table, saved under a name that tells nothing."""
    from skops.io import dump

    frame = pd.read_csv(own_table)
    encoder = make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough")
    fitted = make_pipeline(encoder, LogisticRegression(max_iter=1000)).fit(
        frame[["savings", "job", "debts"]], frame["loan"]
    )
    dump(fitted, tmp_path / "our model")
    return tmp_path / "our model"


@needs_sandbox
def test_from_a_model_file_to_rules(come: Come, own_table: Path, own_model: Path) -> None:
    """The file is opened behind locks, read, checked and audited; everybody can use the page; a link reopens it."""
    visitor = come("/Data")
    bring(visitor, own_table, "loan (granted or refused)", "granted")
    visitor.go("Model")
    visitor.check(visitor.key("model_way").get_by_text("Upload a model file", exact=True))
    visitor.upload(visitor.key("model_upload"), own_model)
    visitor.see("What the model says of itself")
    about = visitor.page.get_by_role("table", name="What the model says of itself")
    expect(about).to_contain_text(re.compile("seccomp and limits"))
    visitor.press("model_use")
    visitor.see("How does it behave?")
    expect(visitor.page.locator(".model-checks li").first).to_contain_text("✓ yes")
    expect(visitor.page.locator(".st-key-model_refused .main-svg").first).to_be_visible()
    visitor.check(visitor.page.get_by_text("Its scores, against a threshold", exact=True))
    visitor.see("At this threshold the model refuses")
    expect(visitor.page.locator("[class*=st-key-model_curve] .main-svg").first).to_be_visible()
    assert violations(visitor) == ""
    visitor.go("Recourse")
    expect(visitor.page.locator(".rule-set")).to_be_visible()
    visitor.see("our model")
    colleague = come(visitor.page.url.removeprefix(visitor.url))
    expect(colleague.page.locator(".rule-set")).to_be_visible()
    colleague.see("our model")
