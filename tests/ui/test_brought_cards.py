"""Cards of models from elsewhere: what a model says of itself never becomes markup, and every finding has a line."""

from __future__ import annotations

import numpy as np
import pytest

from ares_core.models import Behaviour, Matching, Signature
from ares_core.models.inspection import Inspection, ScoreSpread
from ares_core.models.matching import Pairing
from ares_core.models.raw import Wanted
from ares_core.worker import InspectionView
from tests.ui.test_words import HOSTILE
from ui.cards.brought import answers_text, behaviour_list, self_card, sent_card
from ui.charts.threshold import threshold_alt, threshold_figure

SPREAD = ScoreSpread("good", np.array([0.1, 0.4, 0.4, 0.9]))


def inspected(name: str = "income", labels: tuple[tuple[str, int], ...] = (), sandbox: str = "") -> InspectionView:
    """Return what a model with one column says."""
    signature = Signature((Wanted(name),))
    found = Inspection("skops", "f" * 64, signature, Matching(()), 4, labels, None, () if labels else (SPREAD,), None)
    return InspectionView(found, sandbox)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_model_says_of_itself_is_escaped(text: str) -> None:
    """Names of columns and labels come from a file nobody trusts."""
    card = str(self_card(inspected(text, ((text, 3), ("no", 1)))))
    plain = str(self_card(inspected("x", (("x", 3), ("no", 1)))))
    assert card.count("<") == plain.count("<")


def test_the_card_says_what_runs_where() -> None:
    """The locks, the columns, and labels with how many people get each."""
    card = str(self_card(inspected(labels=(("yes", 3), ("no", 1)), sandbox="landlock and seccomp")))
    for words in (
        "a skops file",
        "behind landlock and seccomp",
        "1 column: income",
        "yes (3), no (1)",
        "ffffffffffffffff",
    ):
        assert words in card
    assert "asked over HTTP" in str(self_card(inspected()))
    assert answers_text(inspected()) == "scores, from 0.1 to 0.9"


def test_each_column_has_a_line_that_says_what_is_sent() -> None:
    """The column, what it is sent as, and what the model calls it where it has another name for it."""
    pairings = [Pairing("has_card", "has_card", sent="true/false"), Pairing("Job", "job", sent="text")]
    card = str(sent_card(pairings))
    assert card.count("<tr") == 2
    for line in ("has_card</th><td>true/false</td>", "Job</th><td>text, called job</td>"):
        assert line in card


@pytest.mark.parametrize("text", HOSTILE)
def test_what_the_columns_are_called_is_escaped(text: str) -> None:
    """Names come from two files nobody trusts."""
    card, plain = (str(sent_card([Pairing(name, name + "1", sent="text")])) for name in (text, "x"))
    assert card.count("<") == plain.count("<")


def test_every_finding_has_a_line_and_bad_ones_stand_out() -> None:
    """Six lines, with yes and no in words, not by colour alone."""
    lines = str(behaviour_list(Behaviour(400, 0, 3, 0, 0, 400, 300, 1.0).findings(10_000)))
    assert lines.count("<li") == 6
    assert lines.count("model-bad") == lines.count("✗ no") == 2
    assert "answered differently about 3 people" in lines


def test_the_threshold_s_effect_is_drawn_and_told() -> None:
    """The words give both ends and the chosen threshold; the curve is that of the side which is good."""
    assert threshold_alt(SPREAD, 0.5, above=True).endswith("from 0 at 0.1 to 3 at 0.9; at 0.5 it is 3.")
    assert threshold_alt(SPREAD, 0.5, above=False).endswith("from 4 at 0.1 to 1 at 0.9; at 0.5 it is 1.")
    figure = threshold_figure(SPREAD, 0.5, above=True)
    assert list(figure.data[0].y) == SPREAD.curve()[1]
