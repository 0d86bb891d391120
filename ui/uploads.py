"""Uploads: a box to bring a file in, with the one thing mended that screen readers stumble over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

# Streamlit marks the box as mere decoration and names it at once, which contradict each other; a named group it is.
# The text is fixed: nothing of a file or a visitor ever gets into it.
MEND = """<script>
window.aresMendUploads ??= (() => {
  const mend = () => document.querySelectorAll('[data-testid=stFileUploaderDropzone][role=presentation]')
    .forEach((box) => box.setAttribute('role', 'group'));
  new MutationObserver(mend).observe(document.body, {childList: true, subtree: true});
  mend();
  return mend;
})();
</script>"""


def upload_box(label: str, *, key: str, on_change: Callable[..., None], args: tuple[Any, ...], help: str) -> None:
    """Show a box for a file of any kind, which is told by its content; the callback finds it in the session state."""
    st.file_uploader(label, key=key, on_change=on_change, args=args, help=help)
    st.html(MEND, unsafe_allow_javascript=True)
