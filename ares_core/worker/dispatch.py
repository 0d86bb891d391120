"""Dispatch: the one function that answers; other modules register what they can answer."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from ares_core.worker.desk import Desk


@singledispatch
def answer(question: Any, desk: Desk) -> Any:  # noqa: ARG001 - the shape of those that are registered
    """Answer a question.

    Raises
    ------
    AresError
        If it cannot be answered and the user can mend that.
    """
    raise TypeError(f"there is no answer to {type(question).__name__}")
