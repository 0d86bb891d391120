"""Dataset: a bundled table with everything an audit of it needs to know."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.people.reading import read_csv
from ares_core.people.schema import Schema
from ares_core.people.schema_file import schema_for


@dataclass(frozen=True, slots=True)
class Dataset:
    """A table, what its columns mean, and what to keep in mind when reading its audit.

    Parameters
    ----------
    name, title
        For programs and for people.
    csv_bytes
        The table as a CSV file.
    frame
        The table as read from that file, the target column included.
    schema
        The features: every column but the target.
    target, favourable
        The outcome's column and its favourable value.
    caveats
        Sentences a careful reader should know.
    citation
        Where the table comes from, and its licence.
    """

    name: str
    title: str
    csv_bytes: bytes
    frame: pd.DataFrame
    schema: Schema
    target: str
    favourable: str
    caveats: tuple[str, ...]
    citation: str

    def __post_init__(self) -> None:
        if self.favourable not in set(self.frame[self.target]):
            raise ValueError(f"no row of {self.name!r} has {self.target!r} = {self.favourable!r}")

    @property
    def sha256(self) -> str:
        """Digest of the CSV file."""
        return hashlib.sha256(self.csv_bytes).hexdigest()

    @property
    def people(self) -> pd.DataFrame:
        """The columns a model sees: all but the target."""
        return self.frame.drop(columns=self.target)

    @property
    def labels(self) -> NDArray[np.int8]:
        """1 where the outcome is favourable, else 0, shape (n,)."""
        return np.asarray(self.frame[self.target] == self.favourable, dtype=np.int8)


def bundled(name: str) -> bytes:
    """Return a file that ships beside this module."""
    return files(__package__).joinpath(name).read_bytes()


def described(csv_bytes: bytes, document: Any, target: str) -> tuple[pd.DataFrame, Schema]:
    """Read a table from CSV, and describe all of it but the target by a schema file's content."""
    frame = read_csv(csv_bytes).frame
    return frame, schema_for(frame.drop(columns=target), document)


def bundled_json(name: str) -> Any:
    """Return the content of a JSON file that ships beside this module."""
    return json.loads(bundled(name))
