"""RawModel: a model from elsewhere, before anybody has said which of its answers is the favourable one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, Protocol

import pandas as pd
from numpy.typing import NDArray

Label = str | int | float | bool
Output = Literal["label", "score"]
Kind = Literal["number", "whole number", "true/false", "text", "any"]
Categories = Mapping[str, tuple[Label, ...]]  # column name to its categories, in the order the model was trained with
NO_CATEGORIES: Categories = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A column a model wants.

    Parameters
    ----------
    name
        What the model calls it.
    kind
        What it must be sent as; "any" where the model does not say.
    values
        The categories the model knows, each in the type the model knows it by; empty where it does not say.
    blanks
        Whether it was trained with blank cells or fills them itself; None where it does not say.
    closed
        Whether it fails on other categories than these.
    """

    name: str
    kind: Kind = "any"
    values: tuple[Label, ...] = ()
    blanks: bool | None = None
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """What a model says of itself.

    Parameters
    ----------
    columns
        The columns it wants, in its order; empty where it does not say.
    classes
        The labels it may answer, in the order of its scores; empty where it does not say.
    outputs
        What it can be asked for.
    width
        How many columns it wants; None where it does not say.
    lacking
        Columns whose categories the file does not hold; the model cannot be asked until they are given.
    notes
        Sentences the user should read, such as the version the file was made with.
    by_name
        Whether it is sent a table with names and picks its columns itself.
    first_wins
        Whether its library answers the first of two classes where their scores tie; False where nobody knows.
    """

    columns: tuple[Wanted, ...] = ()
    classes: tuple[Label, ...] = ()
    outputs: tuple[Output, ...] = ("label",)
    width: int | None = None
    lacking: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    by_name: bool = False
    first_wins: bool = False


class RawModel(Protocol):
    """A model from elsewhere: labels or scores come out, and nothing is known of what they mean."""

    @property
    def kind(self) -> str:
        """What sort of model it is, in one word."""
        ...

    @property
    def sha256(self) -> str:
        """A digest that changes when the model does."""
        ...

    @property
    def signature(self) -> Signature:
        """What the model says of itself."""
        ...

    def answer(self, frame: pd.DataFrame, output: Output) -> NDArray[Any]:
        """Return what the model says of each row, unread.

        Returns
        -------
        Labels, shape (n,); or scores as floats, shape (n,) or (n, classes).
        """
        ...
