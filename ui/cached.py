"""What all visitors of this server share: workers, shelf and store. The only place with @st.cache_*."""

from __future__ import annotations

import streamlit as st

from ares_core.store import Store, default_url
from ares_core.worker import Pool
from ui.shelf import Shelf


@st.cache_resource(show_spinner=False)
def pool() -> Pool:
    """Return the server's workers."""
    workers = Pool()
    workers.warm()
    return workers


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    """Return the server's files."""
    return Shelf(store())


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """Return what survives a restart."""
    return Store(default_url())
