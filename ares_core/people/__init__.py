"""People: who is in the table, at which levels they are, and what may change."""

from ares_core.people.feature import Change, Feature, Kind
from ares_core.people.levels import Cell, Choice, Interval, Level, Missing, Value, plain
from ares_core.people.parquet import read_table
from ares_core.people.predicates import Conjunction, Predicate, predicate_from_json
from ares_core.people.protected import free_notes
from ares_core.people.reading import Limits, RawTable, read_csv
from ares_core.people.schema import Schema
from ares_core.people.schema_document import read_numbers, without_target
from ares_core.people.schema_file import schema_for
from ares_core.people.suspects import suspect_notes
from ares_core.people.table import Substitution, Table

__all__ = [
    "Cell",
    "Change",
    "Choice",
    "Conjunction",
    "Feature",
    "Interval",
    "Kind",
    "Level",
    "Limits",
    "Missing",
    "Predicate",
    "RawTable",
    "Schema",
    "Substitution",
    "Table",
    "Value",
    "free_notes",
    "plain",
    "predicate_from_json",
    "read_csv",
    "read_numbers",
    "read_table",
    "schema_for",
    "suspect_notes",
    "without_target",
]
