"""Answer: what an invited expert sees. It opens straight onto the first question, and is light: many come at once."""

from __future__ import annotations

import streamlit as st

from ares_core.errors import StoreError
from ui.answering import Sitting
from ui.answering_view import show_sitting
from ui.shared import store
from ui.shell import boundary, mend_space, open_plain_page
from ui.words import error_text

KEY = "answer_sitting"

open_plain_page("Which is harder?")
with boundary():
    token = st.query_params.get("invite", "")
    sitting = st.session_state.get(KEY)
    if sitting is None or sitting.expert.token != token:
        try:
            sitting = Sitting.begin(store().studies, token)
        except StoreError as error:
            st.title("This link opens no study", anchor=False)
            st.info(error_text(error))
            st.stop()
        st.session_state[KEY] = sitting
        mend_space()
    show_sitting(sitting)
