"""The dashboard's first page: what this is, and the audit of a bundled table, one click away."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ares_core.arguments import build_parser
from ares_core.cli import COMMANDS
from ares_core.errors import AresError

ICON = Path(__file__).parent / "assets" / "icon.png"
INTRODUCTION = (
    "A model decides about people: who gets a loan, who gets bail. "
    "AReS Audit asks what those it refuses could change to be accepted, and sums that up in a few rules, "
    "each with the people it helps and what it costs them. "
    "The comparison below the rules says whether some groups must change more than others."
)
DEMOS = {"german": "German Credit, a random forest trained here", "planted-bias": "Bail, with a planted bias"}


@st.cache_data(max_entries=len(DEMOS), show_spinner="Asking the model and searching for the best rules …")
def audit_text(demo: str) -> str:
    """Return what the command line prints for one of the bundled tables."""
    options = build_parser(COMMANDS).parse_args(["demo", "--data", demo, "--quiet"])
    return str(options.command(options))


def show(demo: str) -> None:
    """Show one audit as it is written; text that comes from data is never read as markdown."""
    try:
        st.code(audit_text(demo), language=None, wrap_lines=True)
    except AresError as error:
        st.error("The audit could not be made.")
        st.text(f"{error.problem}\n{error.hint}")


st.set_page_config(page_title="AReS Audit", page_icon=str(ICON), layout="wide")
st.title("AReS Audit")
st.write(INTRODUCTION)
chosen = st.radio("Which audit?", list(DEMOS), format_func=DEMOS.__getitem__, horizontal=True)
st.caption("What a rule changes stands between stars.")
show(chosen)
