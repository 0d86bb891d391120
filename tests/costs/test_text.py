"""Costs as text a person reads."""

from __future__ import annotations

from ares_core.costs import Answer, Comparison, Costs, FeatureCost, costs_text, fit_costs

ANSWERS = [
    Comparison("income", "savings", expert="Ada"),
    Comparison("savings", "car", Answer.TIE, expert="Ben"),
    Comparison("age", "car", Answer.CANNOT_SAY, expert="Ada"),
]


def test_the_whole_text() -> None:
    """Hardest first, intervals only where something was learned, then counts and what is left open."""
    costs = Costs(
        {
            "car": FeatureCost(1.0, 1.0, 1.52, "learned"),
            "age": FeatureCost(3.0, 3.0, 3.0, "direct"),
            "income": FeatureCost(12.346, 1.5, 20.0, "learned"),
            "savings": FeatureCost(1.0, 1.0, 2.0, "learned"),
        }
    )
    assert costs_text(costs, ANSWERS).splitlines() == [
        "feature    cost    90 % interval  source",
        "income    12.35    1.50 to 20.00  learned",
        "age        3.00                –  direct",
        "car        1.00     1.00 to 1.52  learned",
        "savings    1.00     1.00 to 2.00  learned",
        "",
        "3 answers by 2 experts: 1 say which is harder, 1 tie, 1 cannot say.",
        "Warning: nobody compared 'age'; such a cost is a guess.",
    ]


def test_groups_that_nothing_links_are_named() -> None:
    """Two islands of comparisons bring a warning that lists them."""
    answers = [Comparison("a", "b"), Comparison("c", "d"), Comparison("d", "e")]
    lines = costs_text(fit_costs(answers, None), answers).splitlines()
    assert lines[-4:] == [
        "3 answers: 3 say which is harder, 0 ties, 0 cannot say.",
        "Warning: nothing links these 2 groups; costs compare only inside a group.",
        "  group 1: 'c', 'd', 'e'",
        "  group 2: 'a', 'b'",
    ]


def test_linked_comparisons_bring_no_warning() -> None:
    """Nothing to warn of, nothing said."""
    answers = [Comparison("a", "b"), Comparison("b", "c")]
    assert "Warning" not in costs_text(fit_costs(answers, None), answers)


def test_answers_that_say_nothing_bring_a_warning() -> None:
    """With only "cannot say" every change costs the same, and the text says so."""
    answers = [Comparison("a", "b", Answer.CANNOT_SAY)]
    assert costs_text(fit_costs(answers, None), answers).splitlines()[-1] == (
        "Warning: no answer says anything about costs, so every change costs the same."
    )


def test_without_comparisons_only_the_table_is_shown() -> None:
    """Costs that were not learned need no account of answers; no costs at all is a header."""
    assert costs_text(Costs.unit(["a"])).splitlines() == [
        "feature    cost    90 % interval  source",
        "a          1.00                –  unit",
    ]
    assert costs_text(Costs.unit([])) == "feature    cost    90 % interval  source"


def test_long_lists_of_names_are_cut() -> None:
    """A hundred features nobody compared do not fill the screen."""
    answers = [Comparison("a", "b")]
    text = costs_text(fit_costs(answers, ["a", "b", *(f"f{number}" for number in range(100))]), answers)
    assert text.endswith("'f7' and 92 more; such a cost is a guess.")
