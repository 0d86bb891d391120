"""Data: who the people are, how it turned out for them, and what they could change."""

from __future__ import annotations

from contextlib import nullcontext

import streamlit as st

from ui.data_page import show_data
from ui.intake import intake, show_upload, show_ways
from ui.shell import boundary, open_page

session = open_page("Data", "The people, how it turned out for them, and what each of them could change.")
upload, setup = intake().upload, session.state.setup
with nullcontext() if setup is None else st.expander("Use other data", expanded=upload is not None):
    show_ways(session)
with boundary():
    if upload is not None:
        show_upload(session, upload)
    elif setup is not None:
        show_data(session, setup)
