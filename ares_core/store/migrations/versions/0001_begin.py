"""Begin: audits with their files and documents, studies with their experts and answers, cost sets."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID, WHEN = sa.String(64), sa.String(32)


def upgrade() -> None:
    """Bring the tables up to date."""
    _audits()
    _studies()


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _part_of(table: str, column: str, whole: str, *, cascade: bool = True) -> sa.ForeignKeyConstraint:
    ondelete = "CASCADE" if cascade else None
    return sa.ForeignKeyConstraint([column], [whole], name=f"fk_{table}_{column}", ondelete=ondelete)


def _one(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=f"uq_{table}_{'_'.join(columns)}")


def _column(name: str, kind: sa.types.TypeEngine[Any]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _audits() -> None:
    op.create_table(
        "audits", _column("id", ID), _column("name", sa.Text()), _column("created", WHEN), _key("audits", "id")
    )
    op.create_table("files", _column("sha256", ID), _column("content", sa.LargeBinary()), _key("files", "sha256"))
    op.create_table(
        "documents",
        *(_column("token", ID), _column("audit", ID), _column("kind", sa.String(32)), _column("digest", ID)),
        *(_column("body", sa.Text()), _column("created", WHEN)),
        _key("documents", "token"),
        _part_of("documents", "audit", "audits.id"),
        _one("documents", "audit", "kind", "digest"),
    )
    op.create_index("ix_documents_audit", "documents", ["audit"])
    op.create_table(
        "document_files",
        *(_column("token", ID), _column("sha256", ID)),
        _key("document_files", "token", "sha256"),
        _part_of("document_files", "token", "documents.token"),
        _part_of("document_files", "sha256", "files.sha256", cascade=False),
    )
    op.create_index("ix_document_files_sha256", "document_files", ["sha256"])
    op.create_table(
        "cost_sets",
        *(_column("id", ID), _column("audit", ID), _column("name", sa.Text()), _column("version", sa.Integer())),
        *(_column("body", sa.Text()), _column("created", WHEN)),
        _key("cost_sets", "id"),
        _part_of("cost_sets", "audit", "audits.id"),
        _one("cost_sets", "audit", "name", "version"),
    )


def _studies() -> None:
    op.create_table(
        "studies",
        *(_column("id", ID), sa.Column("audit", ID), _column("key", ID), _column("title", sa.Text())),
        *(_column("items", sa.Text()), _column("revealed", sa.Boolean()), _column("closed", sa.Boolean())),
        _column("created", WHEN),
        _key("studies", "id"),
        _part_of("studies", "audit", "audits.id"),
        _one("studies", "key"),
    )
    op.create_index("ix_studies_audit", "studies", ["audit"])
    op.create_table(
        "experts",
        *(_column("id", ID), _column("study", ID), _column("token", ID), _column("name", sa.Text())),
        *(_column("weight", sa.Float()), _column("revoked", sa.Boolean()), _column("created", WHEN)),
        _key("experts", "id"),
        _part_of("experts", "study", "studies.id"),
        _one("experts", "token"),
    )
    op.create_index("ix_experts_study", "experts", ["study"])
    op.create_table(
        "answers",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        *(_column("id", ID), _column("study", ID), _column("expert", ID)),
        *(_column("first", sa.Text()), _column("second", sa.Text()), _column("verdict", sa.String(16))),
        *(_column("reason", sa.Text()), sa.Column("supersedes", ID), _column("at", WHEN)),
        _key("answers", "number"),
        _one("answers", "id"),
        _part_of("answers", "study", "studies.id"),
        _part_of("answers", "expert", "experts.id"),
    )
    op.create_index("ix_answers_study_expert", "answers", ["study", "expert"])
    op.create_index("ix_answers_supersedes", "answers", ["supersedes"])
