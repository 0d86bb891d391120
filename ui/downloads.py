"""Downloads: what is shown, as a file. Names carry a digest, so that no two different files look the same."""

from __future__ import annotations

import hashlib
import re

import pandas as pd
import streamlit as st

from ares_core.people.writing import write_csv


def download(label: str, text: str, name: str, *, key: str) -> None:
    """Offer text as a file; `name` is 'rules.json', to which a digest is added.

    The label is shown as markdown, so it must hold nothing from the data.
    """
    st.download_button(label, text.encode(), file_name(name, text), _kind(name), key=key, on_click="ignore")


def download_table(label: str, frame: pd.DataFrame, name: str, *, key: str) -> None:
    """Offer a table as CSV that no spreadsheet reads as formulas; the index becomes the first column."""
    download(label, write_csv(frame.reset_index()), name, key=key)


def file_name(name: str, text: str) -> str:
    """Return a file name with a digest of the content: 'rules-1f3a9c0e.json'."""
    stem, _, ending = name.rpartition(".")
    plain = re.sub(r"[^\w-]+", "-", stem).strip("-") or "file"
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.{ending}"


def _kind(name: str) -> str:
    return {"json": "application/json", "csv": "text/csv"}.get(name.rpartition(".")[2], "text/plain")
