"""Charts: values in, plotly figures out. Text from the data goes through `plain`, since plotly reads some HTML."""

from __future__ import annotations

from html import escape
from typing import Any

import plotly.graph_objects as go
import streamlit as st

BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#7F7F7F"


def plain(text: object, most: int = 60) -> str:
    """Return text that plotly shows as it is, cut where it is too long for an axis."""
    words = " ".join(str(text).split())
    return escape(words if len(words) <= most else words[: most - 1] + "…")


def show_chart(figure: go.Figure, alt: str, *, key: str, **options: Any) -> Any:
    """Show a figure, with words for those who cannot see it; returns what was chosen when `on_select` is given."""
    config = {"displayModeBar": False, "responsive": True}
    return st.plotly_chart(figure, width="stretch", key=key, config=config, alt=alt, **options)
