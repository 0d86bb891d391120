"""The answer page's screens: one question, why it cannot be answered, the answers, a second look, and thanks."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ares_core.costs import Answer
from ares_core.wording import counted
from ui.answering import SKIPPED, Question, Screen, Sitting
from ui.answering_words import kept_words, left_words, share_words, verdict_words
from ui.cards.answer import ask_head, costs_view, saved_line
from ui.experts_found import group_view, own_view
from ui.html import show, tag
from ui.shell import boundary
from ui.words import error_text, safe

MOST_REASON = 300


@st.fragment
def show_sitting(sitting: Sitting) -> None:
    """Show what the expert looks at; nothing is asked in a study that is closed.

    A click runs this part of the page alone: its frame is sent once, and not again with every answer.
    """
    asking = sitting.screen in (Screen.ASK, Screen.WHY)
    show_screen = show_enough if sitting.study.closed and asking else SCREENS[sitting.screen]
    with boundary():  # here, since that of the page is not around a part that runs alone
        show_screen(sitting)


def show_question(sitting: Sitting) -> None:
    """Ask which of two features is harder to change; the cards are the answers."""
    question = sitting.question
    if question is None:
        _show_done(sitting)
        return
    changing = question.supersedes is not None
    with st.container(key="answer_question", horizontal=True):  # one for all: each would be one more message
        show(ask_head(sitting.study.title, "" if changing else left_words(sitting.left, len(sitting.stands)), changing))
        _show_problem(sitting)
        _show_cards(sitting, question)
        _show_others(sitting, question)
        show(saved_line("" if sitting.saved is None else verdict_words(sitting.saved, sitting.items)))
        if not changing:
            _show_ways(sitting)


def _show_cards(sitting: Sitting, question: Question) -> None:
    """Show the two features; keys carry the question, so that a second click answers nothing else."""
    for name, side in ((question.left, "Left"), (question.right, "Right")):
        st.button(
            card_label(sitting, name),
            key=f"answer_{side.lower()}_{question.id[:8]}",
            shortcut=side,
            width="stretch",
            wrap=True,
            on_click=sitting.answer,
            args=(question, name),
        )


def _show_others(sitting: Sitting, question: Question) -> None:
    """Offer the answers that name no feature."""
    mark = question.id[:8]
    st.button(
        "About the same",
        key=f"answer_same_{mark}",
        shortcut="Down",
        on_click=sitting.answer,
        args=(question, None, Answer.TIE),
    )
    st.button(
        "Cannot compare …",
        key=f"answer_why_{mark}",
        shortcut="Up",
        on_click=sitting.look,
        args=(Screen.WHY,),
    )
    if question.supersedes is not None:
        st.button("Keep my answer", key=f"answer_keep_{mark}", on_click=sitting.look, args=(sitting.back,))
        return
    st.button(
        "Skip",
        key=f"answer_skip_{mark}",
        shortcut="Space",
        on_click=sitting.answer,
        args=(question, None, SKIPPED),
    )


def card_label(sitting: Sitting, name: str) -> str:
    """Return what stands on a card, as markdown: the feature, an example, and how many people are there already."""
    item = sitting.items[name]
    return f"**{safe(item.title)}**  \n{safe(item.step)}  \n{safe(share_words(item.share))}"


def _show_ways(sitting: Sitting) -> None:
    """Offer undo, the answers, a second look and the end."""
    mark = sitting.question.id[:8] if sitting.question else "last"  # a second click undoes nothing more
    st.button(
        "Undo",
        key=f"answer_undo_{mark}",
        shortcut="Backspace",
        type="tertiary",
        disabled=not sitting.stands,
        on_click=sitting.undo,
    )
    _way(f"Your answers ({len(sitting.stands)})", "answers", sitting, Screen.ANSWERS)
    if sitting.doubts:
        _way(f"Look at {counted(len(sitting.doubts), 'thing')} again", "review", sitting, Screen.REVIEW)
    _way("That is enough for today", "enough", sitting, Screen.ENOUGH)


def _way(label: str, key: str, sitting: Sitting, screen: Screen) -> None:
    st.button(label, key=f"answer_to_{key}", type="tertiary", on_click=sitting.look, args=(screen,))


def _show_done(sitting: Sitting) -> None:
    show(ask_head(sitting.study.title, "", False, "There is nothing left to ask you"))
    _show_problem(sitting)
    st.write("You have answered every question that would help. Thank you.")
    with st.container(key="answer_ways", horizontal=True):
        _show_ways(sitting)


def show_why(sitting: Sitting) -> None:
    """Ask why two features cannot be compared; saying nothing is fine."""
    question = sitting.question
    if question is None:
        _show_done(sitting)
        return
    show(ask_head(sitting.study.title, "", False, "Why can they not be compared?"))
    _show_problem(sitting)
    for place, name in enumerate((question.left, question.right)):
        st.button(
            f"{safe(sitting.items[name].title)} cannot change at all",
            key=f"answer_fixed_{place}",
            width="stretch",
            wrap=True,
            on_click=sitting.fixed,
            args=(question, name),
            help="Whoever asked is told, and you are not asked about it again.",
        )
    reason = "answer_reason"
    st.text_input("Another reason, if you like", key=reason, max_chars=MOST_REASON, help="Is kept with your answer.")
    with st.container(key="answer_ways", horizontal=True):
        st.button(
            "Save “cannot compare”",
            key="answer_unsure",
            type="primary",
            on_click=_unsure(sitting, question, reason),
        )
        _way("Back to the question", "ask", sitting, Screen.ASK)


def _unsure(sitting: Sitting, question: Question, key: str) -> Callable[[], None]:
    def clicked() -> None:
        words = " ".join(str(st.session_state.get(key, "")).replace("\0", "").split())
        sitting.answer(question, None, Answer.CANNOT_SAY, words)

    return clicked


def show_answers(sitting: Sitting) -> None:
    """List the answers; each of them can be changed."""
    show(ask_head(sitting.study.title, "", False, "Your answers"))
    _show_problem(sitting)
    st.write("Choose an answer to change it." if sitting.stands else "There are no answers yet.")
    with st.container(key="answer_list"):
        for given in reversed(sitting.stands):
            _change(sitting, given.id, verdict_words(given, sitting.items))
    with st.container(key="answer_ways", horizontal=True):
        _way("Back to the questions", "ask", sitting, Screen.ASK)


def _change(sitting: Sitting, answer: str, words: str) -> None:
    key = f"answer_change_{answer[:12]}"
    st.button(safe(words), key=key, width="stretch", wrap=True, on_click=sitting.change, args=(answer,))


def show_review(sitting: Sitting) -> None:
    """Offer answers for a second look."""
    show(ask_head(sitting.study.title, "", False, "Worth a second look"))
    _show_problem(sitting)
    st.write(
        "None of this is a mistake: some things are close to each other. Choose an answer to change it, or go on."
        if sitting.doubts
        else "Your answers go together well. There is nothing to look at again."
    )
    given = {one.id: one for one in sitting.stands}
    with st.container(key="answer_list"):
        for doubt in sitting.doubts:
            st.write(safe(doubt.words))
            for answer in doubt.answers:
                if answer in given:
                    _change(sitting, answer, verdict_words(given[answer], sitting.items))
    with st.container(key="answer_ways", horizontal=True):
        _way("Back to the questions", "ask", sitting, Screen.ASK)
        _way("That is enough for today", "enough", sitting, Screen.ENOUGH)


def show_enough(sitting: Sitting) -> None:
    """Say thank you, with what was learned."""
    closed = sitting.study.closed
    show(ask_head(sitting.study.title, "", False, "This study is closed" if closed else "Thank you"))
    _show_problem(sitting)
    st.write(kept_words(len(sitting.stands), closed))
    _show_views(sitting)
    with st.container(key="answer_ways", horizontal=True):
        if not closed:
            if sitting.doubts:
                _way(f"Look at {counted(len(sitting.doubts), 'thing')} again", "review", sitting, Screen.REVIEW)
            _way("Answer more", "ask", sitting, Screen.ASK)
            _way(f"Your answers ({len(sitting.stands)})", "answers", sitting, Screen.ANSWERS)


def _show_views(sitting: Sitting) -> None:
    """Show what the expert's answers say together, and everybody's beside them once that is revealed."""
    own = own_view(sitting.names, sitting.stands)
    if own is None:
        st.write("After a few comparisons you will see here what they say together.")
        return
    group = group_view(sitting.studies, sitting.study) if sitting.study.revealed else None
    show(costs_view(sitting.items, own, group))
    if group is None:
        words = "What everybody says together is shown here once whoever asked you reveals it."
        show(tag("p", words, css="answer-small"))


def _show_problem(sitting: Sitting) -> None:
    if sitting.problem is not None:
        st.error(f"{error_text(sitting.problem)}  \nThis answer is not saved; those before it are.")


SCREENS: dict[Screen, Callable[[Sitting], None]] = {
    Screen.ASK: show_question,
    Screen.WHY: show_why,
    Screen.ANSWERS: show_answers,
    Screen.REVIEW: show_review,
    Screen.ENOUGH: show_enough,
}
