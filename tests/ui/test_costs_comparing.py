"""Comparing features: what a question shows, and what is said of the answers."""

from __future__ import annotations

from dataclasses import replace

from ares_core.costs import Answer, Comparison, Costs, FeatureCost, fit_costs
from ares_core.datasets import load_german
from ares_core.people import Change
from ui.cards.costs import answers_table, costs_frame, costs_table, feature_card
from ui.charts.costs import costs_alt, costs_figure
from ui.comparing import (
    Step,
    answer_words,
    asked_next,
    comparable,
    example_step,
    guessed,
    hardest_first,
    names_text,
    progress,
    strangers,
    unlinked_words,
)

SCHEMA = load_german().schema
FEATURES = comparable(SCHEMA)


def test_frozen_features_are_not_compared() -> None:
    """Nobody is asked about what cannot change."""
    assert "age" not in FEATURES
    assert {SCHEMA[name].change for name in SCHEMA.names if name not in FEATURES} == {Change.FROZEN}


def step(name: str, people: list[int], favoured: list[int] | None = None) -> Step | None:
    """Return the example of a feature; without figures nobody had the favourable outcome."""
    return example_step(SCHEMA[name], people, favoured or [0] * len(people))


def test_the_example_is_a_step_the_schema_allows() -> None:
    """It goes from where most people are who may move, to the next level that is allowed."""
    assert step("savings", [0, 60, 20, 10, 10]) == Step("below 100 DM", "100 to 500 DM", 0.2)
    # The most people are at the highest level, which may only increase.
    assert step("savings", [0, 10, 20, 10, 60]) == Step("100 to 500 DM", "500 to 1000 DM", 0.1)
    # The next level is forbidden.
    assert step("status", [50, 20, 20, 10]) == Step("no checking account", "0 to 200 DM", 0.2)
    assert step("telephone", [60, 40]) == Step("no", "yes", 0.4)
    assert step("age", [1, 2, 3, 4, 5]) is None


def test_the_example_leads_to_where_people_fare_better() -> None:
    """Nobody is asked how hard it is to give a shorter loan up when longer ones are refused more often."""
    people, better_short = [10, 50, 20, 10, 10], [9, 30, 8, 2, 1]
    assert step("duration", people, better_short) == Step("12 to 17 months", "below 12 months", 0.1)
    assert step("duration", people, better_short[::-1]) == Step("12 to 17 months", "18 to 23 months", 0.2)


def test_a_category_moves_to_its_most_common_allowed_level() -> None:
    """Levels without order are all equally near."""
    assert step("other_debtors", [90, 3, 7]) == Step("none", "guarantor", 0.07)


def test_answers_are_said_with_labels() -> None:
    """Each kind of answer is a sentence with the schema's labels; unknown names stay as they are."""
    assert answer_words(SCHEMA, Comparison("savings", "job")) == "“Savings” is harder than “Job”"
    assert "about the same" in answer_words(SCHEMA, Comparison("savings", "job", Answer.TIE))
    assert "cannot say" in answer_words(SCHEMA, Comparison("savings", "gone", Answer.CANNOT_SAY))
    assert "“gone”" in answer_words(SCHEMA, Comparison("savings", "gone"))


def test_progress_counts_what_says_something() -> None:
    """Two answers for each feature are useful; "cannot say" is counted apart."""
    some = [Comparison("savings", "job"), Comparison("savings", "job", Answer.CANNOT_SAY)]
    share, words = progress(some, ["savings", "job"])
    assert share == 0.25
    assert words == "1 answer, and 1 “cannot say”; useful from about 4, 2 for each feature."
    assert progress([Comparison("savings", "job")] * 5, ["savings", "job"])[0] == 1.0


def test_the_missing_link_is_named() -> None:
    """Two groups nothing links are named, and the comparison that would link them; lone features are a guess."""
    given = [Comparison("savings", "job"), Comparison("housing", "telephone")]
    link, alone = unlinked_words(SCHEMA, given, ["savings", "job", "housing", "telephone", "amount"])
    assert "Comparing “Savings” with “Housing” would link them." in link
    assert "Nobody has compared “Loan amount” yet" in alone
    assert unlinked_words(SCHEMA, [], FEATURES) == []
    assert unlinked_words(SCHEMA, given[:1], ["savings", "job"]) == []


def test_long_lists_of_names_are_cut() -> None:
    """The first four, and how many more."""
    assert names_text(SCHEMA, ["savings"]) == "“Savings”"
    assert names_text(SCHEMA, ["savings", "job"]) == "“Savings” and “Job”"
    assert names_text(SCHEMA, FEATURES).endswith(f"and {len(FEATURES) - 4} more")


def test_answers_about_features_that_are_gone_are_found() -> None:
    """Their places are told, so that they can be removed."""
    given = [Comparison("savings", "job"), Comparison("boat", "job")]
    assert strangers(given, SCHEMA) == [1]


def test_costs_of_features_nobody_compared_are_guesses() -> None:
    """A guess is told apart from a learned cost in the table, in the figure and in the download."""
    given = [Comparison("savings", "job")]
    costs = fit_costs(given, ["savings", "job", "housing"]).with_direct({"job": 4.0})
    assert guessed(given, costs) == {"housing"}
    ordered = hardest_first(costs, ["savings", "job", "housing"])
    assert ordered[0][0] == "job"
    table = costs_table(SCHEMA, ordered, guessed(given, costs))
    assert [words in table for words in ("typed in", "from answers", "a guess: not compared")] == [True] * 3
    rows = [(SCHEMA[name].title, cost, name == "housing") for name, cost in ordered]
    symbols = {trace.name: trace.marker.symbol for trace in costs_figure(rows).data}
    assert symbols == {"typed in": "diamond", "from answers": "circle", "a guess: not compared": "circle-open"}
    assert costs_alt(rows).startswith("Costs with 90 % intervals, the hardest feature first: Job 4;")
    assert costs_frame(SCHEMA, costs, {"housing"}).loc["housing", "source"] == "a guess: not compared"


def test_features_called_the_same_stand_on_lines_of_their_own() -> None:
    """Two equal labels do not fall together in the figure."""
    rows = [
        ("Savings", FeatureCost.exactly(2.0, "direct"), False),
        ("Savings", FeatureCost.exactly(1.0, "direct"), False),
    ]
    assert list(costs_figure(rows).data[0].y) == [0, 1]


def test_names_from_the_data_are_text() -> None:
    """Markup in a label, a level or an answer is shown, not obeyed."""
    evil = "<img src=x onerror=alert(1)>"
    feature = replace(SCHEMA["savings"], label=evil)
    shown = feature_card(feature, Step(evil, evil, 0.5)) + answers_table([evil])
    assert "<img" not in shown
    assert shown.count("&lt;img") == 4
    assert "<img" not in str(costs_figure([(evil, FeatureCost.exactly(1.0, "unit"), False)]).to_json())


def test_unit_costs_show_no_interval() -> None:
    """Nothing was learned, so there is no interval to show."""
    costs = Costs.unit(["savings"])
    assert "–" in costs_table(SCHEMA, costs.items(), ())


def test_the_next_question_follows_from_the_answers() -> None:
    """The same answers lead to the same question, a pair once; answers about what is gone are passed over."""
    given: list[Comparison] = []
    for _ in FEATURES[1:]:  # these link all features; then pairs come again
        asked = asked_next(FEATURES, given)
        assert asked is not None
        assert asked == asked_next(FEATURES, [*given])
        assert {asked.left, asked.right} not in [{one.first, one.second} for one in given]
        given.append(Comparison(asked.right, asked.left))
    assert unlinked_words(SCHEMA, given, FEATURES) == []
    assert asked_next(("savings", "job"), [Comparison("boat", "savings")]) is not None
    assert asked_next(("savings",), []) is None


def test_of_kept_costs_nothing_is_called_a_guess() -> None:
    """Which features were compared for them is not known."""
    assert guessed(None, fit_costs([Comparison("savings", "job")], ["savings", "job", "housing"])) == frozenset()


def test_frozen_features_are_marked_as_such() -> None:
    """In the table and in the download they stand apart from costs somebody gave."""
    costs = Costs.unit(SCHEMA.names)
    table = str(costs_table(SCHEMA, hardest_first(costs, FEATURES), ()))
    frozen = [one for one in SCHEMA.features if one.change is Change.FROZEN]
    assert table.count("frozen: nobody is told to change it") == len(frozen) > 0
    assert all(one.title in table for one in frozen)
    frame = costs_frame(SCHEMA, costs, ())
    assert set(frame.index[frame["source"].str.startswith("frozen")]) == {one.name for one in frozen}
