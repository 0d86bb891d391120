"""Cards and the chart of a model: honest figures, and nothing from the data read as markup."""

from __future__ import annotations

import pytest

from ares_core.audit.intervals import Share
from ares_core.datasets import load_german
from ares_core.models import FAMILIES, ModelQuality, Reading
from ares_core.worker import Brought, ModelFile, ModelView, RuleFile, ServiceAt, Source, TrainHere
from ui.cards.model import (
    features_first,
    majority_outcome,
    quality_card,
    quality_words,
    refused_frame,
    refused_table,
    refused_words,
    trained_words,
)
from ui.charts.refused import MOST_LEVELS, refused_alt, refused_figure, shown_levels
from ui.model_choice import WAYS, family_words, way_of

SOURCE = Source("0" * 64, "people.csv", "paid", "good")
LEVELS = (("young", Share(6, 20)), ("old <b>", Share(10, 80)), ("nobody", Share(0, 0)))


def met(right: int = 76, had: int = 70, auc: float | None = 0.8, trained_on: int = 100) -> ModelView:
    """Return what is known of a model that is right about so many of 100 people."""
    quality = ModelQuality(100, right / 100, auc, max(had, 100 - had) / 100)
    return ModelView("rf", "0" * 64, quality, Share(16, 100), (("age", LEVELS),), trained_on, Share(had, 100))


def test_every_rate_of_quality_has_people_and_interval() -> None:
    """Both the model and the rate of the more frequent outcome stand with count and interval."""
    card = quality_card(met(), "Random forest", SOURCE)
    assert "<strong" in card
    assert "76 of 100" in card
    assert "95 % interval 67–83 %" in card
    assert "Always “good”" in card
    assert "70 of 100" in card


@pytest.mark.parametrize(
    ("right", "verdict"),
    [(85, "does better than that"), (72, "cannot be told from no model at all"), (50, "does worse than that")],
)
def test_the_model_is_set_against_always_saying_the_same(right: int, verdict: str) -> None:
    """The verdict follows the interval, not the bare figure."""
    said = " ".join(quality_words(met(right), SOURCE))
    assert "Saying “good” to everybody would be right for 70 %." in said
    assert verdict in said


def test_the_more_frequent_outcome_is_named_so_that_it_can_be_read() -> None:
    """The unfavourable one is named by what it is not, and a bare number by its column."""
    assert majority_outcome(met(had=70), SOURCE) == "good"
    assert majority_outcome(met(had=30), SOURCE) == "not good"
    assert majority_outcome(met(had=70), Source("0" * 64, "p.csv", "paid", "1")) == "paid = 1"


def test_a_model_without_scores_has_no_auc() -> None:
    """Only a model that ranks people is said to rank them."""
    assert "AUC" in " ".join(quality_words(met(), SOURCE))
    assert "AUC" not in " ".join(quality_words(met(auc=None), SOURCE))


def test_it_is_said_who_was_trained_on() -> None:
    """A model trained here is audited on others, any other model on everybody."""
    assert trained_words(met()) == "Trained on 100 people, audited on 100 others."
    assert trained_words(met(trained_on=0)) == "It was not trained here, so all 100 people are audited."


def test_a_model_that_refuses_nobody_is_said_to() -> None:
    """Then there is nothing to audit, and the page says so."""
    view = met()
    nobody = ModelView(view.kind, view.sha256, view.quality, Share(0, 100), view.by_level, 100, view.favourable)
    assert "refuses nobody" in refused_words(nobody)
    assert "16 of 100 people audited: 16 % (95 % interval 10–24 %)" in refused_words(view)


def test_small_groups_are_marked_and_empty_ones_listed() -> None:
    """Fewer than 30 people are marked in the table, and markup in a name is text."""
    table = refused_table("Age", LEVELS)
    assert table.count("few people") == 2
    assert "old &lt;b&gt;" in table
    assert "<b>" not in table
    assert table.count("<tr>") == 4


def test_the_chart_draws_small_groups_in_another_shape() -> None:
    """Open points are groups below 30; a level without people is not drawn."""
    figure = refused_figure(LEVELS, Share(16, 100))
    assert {trace.marker.symbol for trace in figure.data} == {"circle", "circle-open"}
    assert list(figure.layout.yaxis.ticktext) == ["young (20)", "old &lt;b&gt; (80)"]
    assert refused_alt("Age", LEVELS, Share(16, 100)).endswith("Everybody: 16 %.")


def test_of_very_many_levels_the_largest_are_drawn_in_order() -> None:
    """A feature with hundreds of levels stays readable."""
    many = [(f"level {number}", Share(0, number)) for number in range(100)]
    shown = shown_levels(many)
    assert len(shown) == MOST_LEVELS
    assert [name for name, _ in shown] == [f"level {number}" for number in range(70, 100)]


def test_features_of_interest_come_first_then_frozen_ones() -> None:
    """All features can be chosen, once each, and names that are none are passed over."""
    schema = load_german().schema
    names = features_first(schema, ["savings", "gone"])
    assert names[0] == "savings"
    assert schema[names[1]].change == "frozen"
    assert sorted(names) == sorted(schema.names)


def test_the_download_has_every_level_of_every_feature() -> None:
    """Counts, share, interval and mark stand in columns, under the schema's labels."""
    frame = refused_frame(met(), load_german().schema)
    assert list(frame.index) == ["Age", "Age", "Age"]
    assert frame["people"].tolist() == [20, 80, 0]
    assert frame["few people"].tolist() == [True, False, True]


def test_each_family_and_each_way_has_words() -> None:
    """Every family of the engine can be chosen by a name, and every way by a title and a sentence."""
    assert all(family_words(family)[0] for family in FAMILIES)
    assert family_words("rf") == ("Random forest", "100 decision trees vote.")
    assert all(way.title and way.about.endswith(".") for way in WAYS.values())
    file, service = (Brought(origin, Reading("1")) for origin in (ModelFile("0" * 64, "m"), ServiceAt("")))
    models = (None, TrainHere("lr"), RuleFile("0" * 64, "r.json"), file, service)
    assert [way_of(model) for model in models] == ["train", "train", "rules", "file", "service"]
