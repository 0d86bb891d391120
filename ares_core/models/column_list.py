"""Column lists: the columns of a model that does not name its own, as a user lists them."""

from __future__ import annotations

from collections.abc import Sequence

from ares_core.errors import ModelError
from ares_core.models.raw import Signature, Wanted
from ares_core.people.names import quote
from ares_core.wording import counted

SHOWN = 12  # names in a hint


def listed_columns(signature: Signature, columns: Sequence[str], known: Sequence[str]) -> tuple[Wanted, ...]:
    """Return the columns that a user lists for a model that does not name its own.

    Parameters
    ----------
    columns
        The table's columns in the model's order.
    known
        All columns of the table.

    Raises
    ------
    ModelError
        If the list is empty, not of the length the model wants, or names a column twice or one that is not there.
    """
    if signature.columns:
        raise ModelError("The model names its columns itself, so no list of columns goes with it.", "Leave it out.")
    wants = "" if signature.width is None else f", only that there are {signature.width:,}"
    if not columns:
        raise ModelError(
            f"The model does not say which columns it wants{wants}.",
            "List them in the order it was trained on: --columns a,b,c, or on the page under the model.",
        )
    if signature.width not in (None, len(columns)):
        raise ModelError(
            f"The model wants {counted(signature.width or 0, 'column')}, and {len(columns):,} are listed.",
            "List the columns it was trained on, in their order.",
        )
    strange = next((name for name in columns if name not in known), None)
    if strange is not None:
        raise ModelError(
            f"The list of columns names {quote(strange)}, which the table does not have.",
            f"The table's columns: {', '.join(map(quote, known[:SHOWN]))}; the target is never shown.",
        )
    twice = next((name for place, name in enumerate(columns) if name in columns[:place]), None)
    if twice is not None:
        raise ModelError(f"The list of columns names {quote(twice)} twice.", "List each column once.")
    return tuple(Wanted(name) for name in columns)
