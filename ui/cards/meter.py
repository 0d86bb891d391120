"""Meters: a share as a bar with its interval, beside the number in words."""

from __future__ import annotations

from markupsafe import Markup

from ares_core.audit.intervals import Share
from ui.html import tag


def meter(share: Share) -> Markup:
    """Return a bar of a share with its interval; decoration, so it must stand beside the same in words."""
    low, high = share.interval
    fill = tag("span", css="meter-fill", style=f"width:{100 * (share.value or 0):.1f}%")
    whisker = tag("span", css="meter-interval", style=f"left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%")
    return tag("span", fill, whisker, css="meter", aria_hidden="true")
