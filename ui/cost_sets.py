"""Cost sets on the Costs page: keep costs under a name, and let kept ones count again."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ares_core.errors import AresError
from ui import costing
from ui.session import Session
from ui.shared import store
from ui.shell import EXPERTS, link
from ui.words import error_text, safe

PROBLEM = "cost_set_problem"
NAME = "cost_set_name"


def show_in_force(session: Session) -> bool:
    """Say so when kept costs or a study's experts count in place of this page's answers; return whether they do."""
    setup, kept = session.state.setup, session.cost_set()
    if kept is not None:
        st.info(f"The costs are the kept set “{safe(kept.title)}”. Answers do not change it, so nothing is asked here.")
        st.button("Let answers count again", key="cost_set_stop", on_click=costing.use_set, args=(session, ""))
        return True
    study = store().studies.by_id(setup.study) if setup is not None and setup.study else None
    if study is None:
        return False
    st.info(f"The experts of “{safe(study.title)}” decide the costs as they answer, so nothing is asked here.")
    link(EXPERTS[0], "See what they say →")
    st.button(
        "Let answers given here count again",
        key="cost_study_stop",
        on_click=costing.use_study,
        args=(session, ""),
        help="The study goes on; its answers stay, and count for this audit no more.",
    )
    return True


def show_sets(session: Session) -> None:
    """Offer to keep the costs of now, and list those kept before."""
    problem = st.session_state.pop(PROBLEM, None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name", key=NAME, max_chars=120, placeholder="Spring panel", help="What to call these costs.")
        st.button(
            "Keep these costs",
            key="cost_set_keep",
            on_click=partial(_keep, session),
            help="The same name again makes its next version; earlier ones stay as they are.",
        )
    if problem is not None:
        st.error(problem)
    setup = session.state.setup
    kept = store().cost_sets.of_audit(setup.audit) if setup is not None and setup.audit else ()
    if not kept:
        st.caption("Nothing is kept yet. A run's record names the set it used.")
    for each in kept:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.write(f"**{safe(each.title)}** · {safe(each.created[:16].replace('T', ' '))} UTC")
            st.button(
                "In use" if setup is not None and setup.cost_set == each.id else "Use",
                key=f"cost_set_use_{each.id}",
                disabled=setup is not None and setup.cost_set == each.id,
                on_click=costing.use_set,
                args=(session, each.id),
            )


def _keep(session: Session) -> None:
    try:
        costing.keep_set(session, st.session_state[NAME])
    except AresError as error:
        st.session_state[PROBLEM] = error_text(error)
    else:
        st.session_state[NAME] = ""
