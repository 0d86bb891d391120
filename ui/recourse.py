"""The recourse page's parts: which summary is shown, its rules, what they trade off, how sure all is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from ares_core.audit.summary_words import claim_words, no_rule_words, protocol_words, trust_words
from ares_core.audit.words import hundredths
from ares_core.errors import AresError
from ares_core.recourse.learn import CLOSE
from ares_core.wording import counted
from ares_core.worker import (
    CostTradeOff,
    Evaluate,
    Evaluated,
    EvaluationView,
    Job,
    Question,
    Stability,
    Summarise,
    SummaryKey,
    SummaryView,
    TradeOff,
    Wish,
)
from ui.asking import evaluated
from ui.background import finished, later
from ui.cards.rules import figure_cards, left_out_line, rule_cards
from ui.charts import show_chart
from ui.charts.tradeoff import cost_chart, cost_words, distinct, size_chart, size_words
from ui.holding import hold
from ui.html import show, tag
from ui.session import Session
from ui.shell import answer
from ui.steadiness import WAITING, page_words, rule_words, steadiness, steadiness_question, waits
from ui.words import error_text, safe

CHART, SLIDER = "size_chart", "size_slider"
PEOPLE = "people"  # where the lists of people stand on the page
PHONE = "Open the panel at the top left to choose groups, limits and what matters most."


@dataclass(frozen=True, slots=True)
class Looked:
    """The summary on screen, on every page: all that is shown, linked or downloaded is of its `key`.

    Parameters
    ----------
    full
        The best summary within the limits.
    size, smaller
        The point chosen on the plot, and the best summary of at most so many rules; None for the full summary.
    unfinished
        The question that may bring a better summary; None when this one is the best, or close enough.
    steady
        The question for how often each rule stays as costs vary; None while no cost is learned.
    """

    evaluated: Evaluated
    evaluation: EvaluationView
    wish: Wish
    full: SummaryView
    size: int | None = None
    smaller: SummaryView | None = None
    unfinished: Summarise | None = None
    steady: Stability | None = None

    @property
    def summary(self) -> SummaryView:
        """The summary shown."""
        return self.full if self.smaller is None else self.smaller

    @property
    def key(self) -> SummaryKey:
        """What names the summary shown in questions."""
        return self.summary.key

    @property
    def background(self) -> list[Question[Any]]:
        """What is worked out while the visitor reads, in this order; sizes wait until the full summary is settled."""
        last: list[Question[Any]] = [] if self.steady is None else [self.steady]
        return [*(self.search or [self.sizes]), self.prices, *last]

    @property
    def search(self) -> list[Question[Any]]:
        """The search that may bring a better summary to every page, if there is one."""
        return [] if self.unfinished is None else [self.unfinished]

    @property
    def sizes(self) -> TradeOff:
        """The question for the best rules of each size."""
        return TradeOff(self.full.key)

    @property
    def prices(self) -> CostTradeOff:
        """The question for the best rules as cost counts for more."""
        return CostTradeOff(self.evaluated, self.wish)


def look(session: Session) -> Looked:
    """Ask for the summary on screen, and in the background for all that the Recourse page says of it."""
    found = summary_on_screen(session)
    found = replace(found, steady=steadiness_question(session, found.evaluated, found.key.wish))
    for question in found.background:
        later(session, question)
    return found


def summary_on_screen(session: Session) -> Looked:
    """Ask for the summary that every page shows: everything of the model once, then the best rules within a second."""
    asked = evaluated(session)
    found, wish, size = answer(session, Evaluate(asked)), session.wish(), session.view.size
    live = Looked(asked, found, wish, answer(session, Summarise(asked, wish), "Finding the best rules"))
    full = _full(session, live)
    return _smaller(session, full, size) if size is not None and 0 < size <= wish.settings.max_rules else full


def _smaller(session: Session, looked: Looked, size: int) -> Looked:
    """Return the best summary of a size; sizes are compared with the proven full summary, so that comes first."""
    if looked.unfinished is not None:
        proven = answer(session, looked.unfinished, "Finding the best rules")
        looked = replace(looked, full=proven, unfinished=None)
    points = answer(session, looked.sizes, "Finding the best rules of each size")
    return replace(looked, size=size, smaller=points[size - 1])


def _full(session: Session, live: Looked) -> Looked:
    """Return the proven summary in place of the live one, once it is there."""
    if live.full.certificate.gap <= CLOSE:
        return live
    question = Summarise(live.evaluated, live.wish, thorough=True)
    job = later(session, question)
    better = finished(job)
    if better is not None:
        return replace(live, full=better)
    return live if job.failed and not job.cancelled else replace(live, unfinished=question)


def opening(looked: Looked) -> None:
    """Say whom the model refuses and on whom everything is measured."""
    found = looked.evaluation
    protocol = protocol_words(found.learn, found.check, same_people=found.same_people)
    st.write(safe(f"The model refuses {found.affected:,} of the {found.people:,} people audited. {protocol}"))


def chosen_size(session: Session, looked: Looked) -> None:
    """Say that a smaller summary is looked at, and offer the way back."""
    if looked.size is None:
        return
    with st.container(key="rule_chosen", border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"You are looking at the best summary of **at most {counted(looked.size, 'rule')}**.")
        st.button(
            "Back to the full one",
            key="size_back",
            on_click=session.set_view,
            kwargs={"size": None},
            help=f"Show the best summary of at most {counted(looked.wish.settings.max_rules, 'rule')} again.",
        )


def which_summary(session: Session, looked: Looked) -> None:
    """Say on another page which summary it speaks of, and whether a better one may come."""
    chosen_size(session, looked)
    still_looking(looked)


def headline(looked: Looked) -> None:
    """Show what the rules achieve together, and whether something better may still come."""
    show(tag("p", PHONE, css="rule-phone"))
    show(figure_cards(looked.summary))
    if looked.summary.check.affected:
        show(left_out_line(looked.summary, PEOPLE))
    still_looking(looked)


def still_looking(looked: Looked) -> None:
    """Say that a better summary may come, and how much better it can be."""
    if looked.unfinished is not None:
        gap = hundredths(looked.summary.certificate.gap)
        words = f"Still looking for something better: at most {gap} % better is possible. It appears here by itself."
        show(tag("p", words, css="rule-status", role="status"))


def rules(session: Session, looked: Looked) -> None:
    """Show the rules, or why there are none, and what is proven."""
    show(tag("h2", "The rules", css="rule-heading"))
    summary, learn = looked.summary, looked.evaluation.learn
    if not summary.rules:
        st.info(safe(no_rule_words(summary, learn)))
    steady = steadiness(session, looked.steady, summary) if summary.rules else None
    if summary.rules:
        show(rule_cards(session.schema(), summary, rule_words(steady)))
    show(tag("h2", "How sure is this?", css="rule-heading"))
    sure = [claim_words(summary), " ".join(trust_words(summary, learn)), " ".join(summary.certificate.narrowed)]
    if steady is not None:
        sure.insert(1, page_words(steady))
    elif summary.rules and waits(session, looked.steady):
        show(tag("p", WAITING, css="rule-waiting", role="status"))
    show(tag("div", *(tag("p", words) for words in sure if words), css="rule-sure"))


def trade_offs(session: Session, looked: Looked) -> None:
    """Show what fewer rules achieve, and what cheaper ones do."""
    if not looked.summary.rules:
        return
    show(tag("h2", "Fewer rules?", css="rule-heading"))
    settled = None if looked.unfinished is not None else looked.sizes
    points = _ready(session, settled, "Working out the best rules of each size …")
    if points is not None:
        _sizes(session, looked, points)
    show(tag("h2", "Cheaper rules?", css="rule-heading"))
    swept = _ready(session, looked.prices, "Working out what cheaper rules achieve …")
    if swept is not None:
        _prices(looked, swept)


def _ready(session: Session, question: TradeOff | CostTradeOff | None, doing: str) -> tuple[SummaryView, ...] | None:
    """Return the answer if it is there; else say that it is being worked out, or what went wrong.

    A question that cannot be asked yet is None.
    """
    job: Job[tuple[SummaryView, ...]] | None = None if question is None else later(session, question)
    if job is not None and job.failed and not job.cancelled:
        try:
            job.result()
        except AresError as error:
            st.error(error_text(error))
        return None
    found = None if job is None else finished(job)
    if found is None:
        show(tag("p", doing, css="rule-waiting", role="status"))
    return found


def _sizes(session: Session, looked: Looked, points: tuple[SummaryView, ...]) -> None:
    size = looked.size or len(points)
    show_chart(
        size_chart(points, looked.summary, size),
        size_words(points),
        key=CHART,
        on_select=lambda: _choose_point(session, len(points)),
        selection_mode="points",
    )
    if len(points) < 2:
        return
    held = hold(SLIDER, size)
    st.slider(
        "Show the best summary of at most … rules",
        1,
        len(points),
        key=SLIDER,
        on_change=_choose,
        args=(session, len(points)),
        help="The same as choosing a point on the plot.",
        **held,
    )


def _choose_point(session: Session, most: int) -> None:
    points = st.session_state[CHART]["selection"]["points"]
    if points:
        _set_size(session, round(points[0]["x"]), most)


def _choose(session: Session, most: int) -> None:
    _set_size(session, st.session_state[SLIDER], most)


def _set_size(session: Session, size: int, most: int) -> None:
    session.set_view(size=size if 0 < size < most else None)


def _prices(looked: Looked, points: tuple[SummaryView, ...]) -> None:
    found = distinct(points)
    if len(found) < 2:
        st.write("However much cost counts, the same rules are best: cheaper ones would help fewer people.")
        return
    show_chart(cost_chart(points, looked.summary), cost_words(points), key="cost_chart")
    st.caption("From left to right people pay more. Each point is the best summary when cost counts for more or less.")
