"""Wording: what several rooms write the same way."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Write '1 rule' or '2 rules'."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
