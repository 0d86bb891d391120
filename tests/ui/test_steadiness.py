"""Steadiness on the Recourse page: every rule says how often it stays, once somebody compared features."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ares_core.costs import Comparison
from ares_core.worker import Errands, Stability, StabilityView
from tests.patience import PATIENCE
from ui.demos import demo_state
from ui.session import KEY, Session
from ui.shared import pool, shelf
from ui.steadiness import ALL_STAY, WAITING, page_words, rule_words

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "4_Recourse.py")


@cache
def errands() -> Errands:
    """Return one visitor's questions, shared by all tests: a worker takes seconds to start."""
    return Errands(pool(), shelf().file)


def opened(answers: int) -> AppTest:
    """Return the page of the planted table after some answers, all background work done."""
    state = demo_state("planted", shelf())
    assert state.setup is not None
    found = Session(state, errands())
    moving = [feature.name for feature in found.schema().features if feature.change != "frozen"]
    said = tuple(Comparison(harder, easier) for harder, easier in pairwise(moving))[:answers]
    found.state, _ = state.with_setup(replace(state.setup, comparisons=said))
    page = AppTest.from_file(PAGE, default_timeout=PATIENCE)
    page.session_state[KEY] = found
    page.run()
    for job in [*errands()._jobs.values()]:
        assert job.wait(PATIENCE)
    return page.run()


def markup(page: AppTest) -> str:
    """Return all HTML of the page but its styles."""
    return "\n".join(body for element in page.get("html") if "<style" not in (body := element.proto.body))


def asked(page: AppTest) -> list[Stability]:
    """Return the questions on stability so far."""
    return [question for question in page.session_state[KEY].errands._jobs if isinstance(question, Stability)]


def test_without_answers_nothing_is_said_of_draws() -> None:
    """Costs nobody compared are not uncertain, so there is no question and no word."""
    page = opened(0)
    assert not page.exception
    assert not asked(page)
    assert "draws of the costs" not in markup(page)
    assert ALL_STAY not in markup(page)


def test_after_answers_every_rule_says_how_often_it_stays() -> None:
    """One sentence under each rule, and one by the certificate; the numbers are the worker's."""
    page = opened(3)
    assert not page.exception
    assert not page.error
    html = markup(page)
    question = asked(page)[-1]
    found = errands().ask(question).result()
    assert question.draws == found.draws == 200
    assert html.count(" of 200 draws of the costs</p>") == len(found.rules) == 4
    assert page_words(found) in html
    assert all(words in html for words in rule_words(found))
    assert WAITING not in html


def test_shares_of_other_rules_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that speaks of rules that are not on the page is passed over."""
    page = opened(3)
    job = errands().ask(asked(page)[-1])
    found = job.result()
    monkeypatch.setattr(job, "result", lambda: replace(found, rules=found.rules[1:], shares=found.shares[1:]))
    again = page.run()
    assert not again.exception
    assert "draws of the costs" not in markup(again)


@pytest.mark.parametrize(
    ("unchanged", "words"),
    [
        (1.0, "Within what the answers leave open, no recommendation changes."),
        (0.69, "In 31 % of 200 draws of the costs at least one rule changes."),
        (0.0, "In 100 % of 200 draws of the costs at least one rule changes."),
        (0.996, "In under 1 % of 200 draws of the costs at least one rule changes."),
    ],
)
def test_the_page_says_whether_anything_changes(unchanged: float, words: str) -> None:
    """Only when nothing ever changes does it say so."""
    assert page_words(StabilityView((), (), unchanged, 200)) == words
