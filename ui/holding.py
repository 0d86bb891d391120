"""Holding: let a widget show what the session says, whatever the browser missed.

A browser draws what the last of several quick runs sent. A value that was set in one of the others alone is lost: the
widget begins with its own beginning, such as nothing chosen, and the browser sends that as if somebody had chosen it.
"""

from __future__ import annotations

from typing import Any

import streamlit as st


def hold(key: str, value: Any, argument: str = "value") -> dict[str, Any]:
    """Let a widget show what the session says; return what else to create it with: its default.

    A widget that shows it already is left alone, so that a drag is not undone. It needs the default nonetheless: on a
    slow line the browser may draw it only now, and would else begin at the lowest value and send that as a choice.
    """
    if st.session_state.get(key) == value and key in st.session_state:
        return {argument: value}
    st.session_state[key] = value
    return {}


def begin(key: str, value: Any, argument: str = "value") -> dict[str, Any]:
    """Let a widget begin with a value and keep what is typed; return what else to create it with: its default."""
    return hold(key, st.session_state.get(key, value), argument)


def choose(key: str, value: Any) -> str:
    """Let a widget in which nothing is typed or dragged show what the session says, in every run; return its key."""
    st.session_state[key] = value
    return key


def begin_with(key: str, value: Any) -> None:
    """Let such a widget begin with a value, and keep what is chosen."""
    choose(key, st.session_state.get(key, value))
