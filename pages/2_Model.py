"""Model: the model that decides, how good it is, and whom it refuses."""

from __future__ import annotations

import streamlit as st

from ui.model_choice import choose_model
from ui.model_view import show_model
from ui.shell import boundary, need, open_page
from ui.state import Step

session = open_page("Model", "The model that decides: how good it is, and whom it refuses.")
need(session, Step.DATA)
choice, result = st.columns([1, 2], gap="large")
with choice, boundary():
    choose_model(session)
with result, boundary():
    show_model(session)
