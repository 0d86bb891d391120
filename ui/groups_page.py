"""The parts of the Subgroups page: choosing features, the picture, the gaps, the moves."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ares_core.audit.subgroups import SubgroupFigures, gaps_tested
from ares_core.audit.words import people
from ares_core.files import dump_json
from ares_core.people import Schema
from ares_core.worker import GroupsView
from ui.cards.groups import figures_table, gap_cards, headline_cards, moves_table
from ui.charts import show_chart
from ui.charts.groups import SIGNS, dots, dots_words, forest, forest_words
from ui.downloads import download, download_table
from ui.groups import MEASURES, Measure, first_measure, groups_frame, headlines, likely, moves_frame, name_of, ranked
from ui.html import show
from ui.session import Session
from ui.words import safe

MOST_ROWS, MOST_CARDS, MOST_MOVES = 20, 5, 8
KEPT = "groups_measure_chosen"
CORRECTED = (
    "The more groups are compared, the more often one of them looks different by chance. The p-value says how often a "
    "gap this large would come up if there were none. It is corrected (Holm) for the number of groups and for the two "
    "things compared: how often the rules help, and the least that acceptance costs. Below 0.05, chance hardly "
    "explains the gap. The interval is widened by the same correction, so it excludes 0 exactly when the p-value is "
    "below 0.05."
)


def choose_interest(session: Session, schema: Schema) -> bool:
    """Let the visitor choose whom to compare, and say whether any feature is chosen."""
    known = [name for name in session.view.interest if name in schema.names]
    st.session_state.groups_interest = known
    st.multiselect(
        "Compare people by",
        schema.names,
        format_func=lambda name: schema[name].title,
        key="groups_interest",
        on_change=lambda: _compare_by(session, st.session_state.groups_interest),
        placeholder="Choose features of interest",
        help="The features of interest: people at each of their levels are a group. The rules are described by the "
        "same features, so choosing others here changes the rules too. The model is not asked again.",
    )
    return bool(known)


def _compare_by(session: Session, names: Sequence[str]) -> None:
    session.set_view(interest=tuple(names), size=None)


def offer_likely(session: Session, schema: Schema) -> None:
    """Offer the features people are often compared by, while none is chosen."""
    st.info(
        "Choose the features whose groups you want to compare. People are often compared by what they cannot change:"
    )
    with st.container(horizontal=True, key="groups_likely"):
        for name in likely(schema):
            st.button(safe(schema[name].title), key=f"groups_by_{name}", on_click=_compare_by, args=(session, [name]))


def show_whom(view: GroupsView, *, same_people: bool) -> bool:
    """Say on whom everything is measured, and return whether there is anything to show."""
    total = view.everybody
    if not total.affected:
        st.info(
            "Nobody is left to measure on: all people refused were used to choose the rules. Keep a larger share aside."
        )
        st.page_link("pages/4_Recourse.py", label="Change the limits", icon="👉")
        return False
    if not view.groups:
        st.info("No level of these features describes enough people to compare. Choose others, or lower the support.")
        return False
    if not total.size:
        st.warning(
            "No rule was worth offering, so nobody is helped; only the least acceptance costs, and who has no recourse "
            "at all, can be compared."
        )
    whom = "the same that the rules were chosen on" if same_people else "none of whom any rule was chosen on"
    st.caption(
        f"Measured on {people(total.affected)} the model refuses, {whom}. In brackets: 95 % intervals, unless another "
        "confidence is given."
    )
    return True


def show_picture(schema: Schema, view: GroupsView) -> None:
    """Show what stands out, one measure as a forest plot, and the figures behind it."""
    show(headline_cards(headlines(schema, view.groups)))
    measure = _choose_measure(view.groups)
    shown = _some(ranked(view.groups), "groups_all", "groups") if len(view.groups) > MOST_ROWS else view.groups
    show_chart(forest(schema, view, shown, measure), forest_words(schema, view, shown, measure), key="groups_forest")
    with st.expander("All figures as a table", key="groups_table"):
        show(figures_table(schema, view, view.groups))
        with st.container(horizontal=True):
            download_table("Download as CSV", groups_frame(schema, view.groups), "groups.csv", key="groups_csv")
            text = dump_json({"subgroups": [group.to_json() for group in view.groups]})
            download("Download as JSON", text, "groups.json", key="groups_json")


def _choose_measure(groups: Sequence[SubgroupFigures]) -> Measure:
    """Let the visitor choose what is shown; until they do, it is what tells most."""

    def keep() -> None:
        st.session_state[KEPT] = st.session_state.groups_measure

    st.session_state.groups_measure = st.session_state.get(KEPT) or first_measure(groups).name
    st.segmented_control(
        "What to compare",
        list(MEASURES),
        key="groups_measure",
        on_change=keep,
        required=True,
        help="One figure of every group at a time; the table below has all of them.",
    )
    measure = MEASURES[st.session_state.groups_measure]
    st.caption(f"{measure.about} Hollow markers: fewer than 30 people.")
    return measure


def _some(groups: Sequence[SubgroupFigures], key: str, what: str) -> Sequence[SubgroupFigures]:
    """Return the groups chance explains least, or all on request."""
    label = f"Show all {len(groups)} {what}"
    every = st.toggle(label, key=key, help="Otherwise those that differ most surely from everybody else.")
    return groups if every else groups[:MOST_ROWS]


def show_gaps(schema: Schema, view: GroupsView) -> None:
    """Say each group's gap to everybody else, what chance explains least first."""
    st.header("Each group against everybody else", anchor=False, help=CORRECTED)
    order, tested = ranked(view.groups), gaps_tested(view.groups)
    show(gap_cards(schema, order[:MOST_CARDS], tested))
    if len(order) > MOST_CARDS:
        with st.expander(f"{len(order) - MOST_CARDS} more groups", key="groups_more"):
            show(gap_cards(schema, order[MOST_CARDS:], tested))


def show_moves(schema: Schema, view: GroupsView) -> None:
    """Show whether the same effort leads as far in every group."""
    if not view.moves:
        return
    st.header("The same move in every group", anchor=False)
    st.write(
        "Does the same effort lead as far? Each change the rules ask for, tried on everybody refused who could make "
        "it, whichever group its rule is for."
    )
    order = ranked(view.groups)
    groups = _choose_groups(schema, order) if len(order) > len(SIGNS) else view.groups
    moves, chosen = view.moves[:MOST_MOVES], [group.subgroup for group in groups]
    if len(view.moves) > MOST_MOVES and st.toggle(
        f"Show all {len(view.moves)} moves", key="groups_all_moves", help="Otherwise those of the first rules."
    ):
        moves = view.moves
    if chosen:
        show_chart(dots(schema, moves, chosen), dots_words(schema, moves, chosen), key="groups_dots")
    with st.expander("All moves as a table", key="groups_moves_table"):
        show(moves_table(schema, view))
        with st.container(horizontal=True):
            download_table("Download as CSV", moves_frame(schema, view), "moves.csv", key="moves_csv")
            text = dump_json({"moves": [move.to_json() for move in view.moves]})
            download("Download as JSON", text, "moves.json", key="moves_json")


def _choose_groups(schema: Schema, order: Sequence[SubgroupFigures]) -> Sequence[SubgroupFigures]:
    """Let the visitor choose the few groups one picture can tell apart."""
    names = {name_of(schema, group): group for group in order}
    chosen = st.multiselect(
        "Groups in the picture",
        list(names),
        default=list(names)[: len(SIGNS)],
        max_selections=len(SIGNS),
        key="groups_in_picture",
        help="At most six, so that colours and shapes tell them apart; the table below has all.",
    )
    return [names[name] for name in chosen]
