"""What is known of the chosen model: how good it is, whom it refuses, and where to go from there."""

from __future__ import annotations

import streamlit as st

from ares_core.models.behaviour import Finding
from ares_core.recourse.recheck import TITLE
from ares_core.worker import Brought, CheckBehaviour, Evaluate, MeetModel, ModelView, Source
from ui.asking import warn_of
from ui.cards.brought import behaviour_list
from ui.cards.model import (
    features_first,
    quality_card,
    quality_words,
    refused_frame,
    refused_table,
    refused_words,
    trained_words,
)
from ui.charts import show_chart
from ui.charts.refused import MOST_LEVELS, refused_alt, refused_figure
from ui.downloads import download_table
from ui.html import show
from ui.session import Session
from ui.shell import answer, link
from ui.words import model_name, safe

NOT_CHECKED = (
    "How its answers are read was not checked. Bring ten known answers: see “Check the model against its own answers”."
)
NOT_YET = Finding(TITLE, None, "Not checked yet. The check follows the evaluation, which the Recourse page starts.")


def show_model(session: Session) -> None:
    """Meet the model and show what there is to know; say what to do if there is none."""
    setup, model, subject = session.state.setup, session.state.model, session.state.subject
    if setup is None or model is None or subject is None:
        st.info("There is no model yet. Choose one and train it, or bring one of your own.")
        return
    view = answer(session, MeetModel(subject), f"Preparing the model ({model_name(model)})")
    _quality(view, model_name(model), setup.source)
    if isinstance(model, Brought):
        st.write(safe(NOT_CHECKED if view.expected is None else view.expected.words()))
        _behaviour(session, view)
    _refused(session, view)
    _onward()


def _quality(view: ModelView, name: str, source: Source) -> None:
    st.header("How good is it?")
    if view.quality is not None:
        show(quality_card(view, name, source))
    st.write(safe(" ".join([trained_words(view), *view.told[:2], *quality_words(view, source)])))


def _behaviour(session: Session, model: ModelView) -> None:
    st.header("How does it behave?")
    evaluated = session.state.evaluated
    assert evaluated is not None
    view = answer(session, CheckBehaviour(evaluated), "Seeing how the model behaves")
    assert view.behaviour is not None, "only models made here have none"
    asked = session.errands.known(Evaluate(evaluated))
    recheck = None if asked is None else asked.recheck
    warn_of(recheck, model.agreement)
    show(behaviour_list([*view.behaviour.findings(view.rows), NOT_YET if recheck is None else recheck.finding()]))
    if view.asked:
        st.caption(safe(f"What the service was asked so far: {view.asked}"))
    if view.too_few_left:
        st.warning(
            f"The budget may not last: the audit asks about up to {view.rows:,} rows, and {view.left:,} are left. "
            "Allow more rows, or ask for less: fewer changes at once, a higher support."
        )


def _refused(session: Session, view: ModelView) -> None:
    st.header("Who is refused?")
    st.write(safe(refused_words(view)))
    schema, by_level = session.schema(), dict(view.by_level)
    names = features_first(schema, session.view.interest)
    if st.session_state.get("model_feature") not in names:
        st.session_state["model_feature"] = names[0]
    name = st.selectbox(
        "By",
        names,
        format_func=lambda name: schema[name].title,
        key="model_feature",
        persist_state="session",
        help="A feature of the people: features of interest first, then those that cannot change.",
    )
    title, levels = schema[name].title, by_level[name]
    figure = refused_figure(levels, view.refused)
    show_chart(figure, refused_alt(title, levels, view.refused), key="model_refused")
    st.caption("Points are shares, lines their 95 % intervals, numbers in brackets the people at that level.")
    if len(levels) > MOST_LEVELS:
        st.caption(f"Only the {MOST_LEVELS} largest groups are drawn; the table has all of them.")
    with st.expander("The same as a table"):
        show(refused_table(title, levels))
    download_table("Download for every feature (CSV)", refused_frame(view, schema), "refused.csv", key="model_csv")


def _onward() -> None:
    st.header("What next?")
    with st.container(horizontal=True):
        link("pages/4_Recourse.py", "See what refused people can do →")
        link("pages/3_Costs.py", "First say what is hard to change (optional) →")
