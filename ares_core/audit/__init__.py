"""Audit: figures, subgroup gaps, one person, and the run file."""

from ares_core.audit.audit import (
    Audit,
    Prepared,
    Request,
    agreement_of,
    behaviour_of,
    recheck_of,
    report,
    run_audit,
)
from ares_core.audit.person import PersonRecourse, person_recourse
from ares_core.audit.person_text import person_text
from ares_core.audit.run import Run, people_of_run, read_run
from ares_core.audit.run_file import run_to_json
from ares_core.audit.subject import People, described, subject, table_notes, without_column
from ares_core.audit.text import summary_text

__all__ = [
    "Audit",
    "People",
    "PersonRecourse",
    "Prepared",
    "Request",
    "Run",
    "agreement_of",
    "behaviour_of",
    "described",
    "people_of_run",
    "person_recourse",
    "person_text",
    "read_run",
    "recheck_of",
    "report",
    "run_audit",
    "run_to_json",
    "subject",
    "summary_text",
    "table_notes",
    "without_column",
]
