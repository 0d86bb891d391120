"""The tables of the store, one schema for SQLite and PostgreSQL.

Answers are only ever added: a changed answer supersedes the one before it, an undone one is superseded by a withdrawal.
Whatever hangs on an audit goes with it.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

ID = String(64)
# SQLite counts rows by itself only in a column of type INTEGER.
NUMBER = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

audits = Table(
    "audits",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", String(32), nullable=False),
)

files = Table(
    "files",
    metadata,
    Column("sha256", ID, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("token", ID, primary_key=True),
    Column("audit", ID, ForeignKey("audits.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(32), nullable=False),
    Column("digest", ID, nullable=False),
    Column("body", Text, nullable=False),
    Column("created", String(32), nullable=False),
    UniqueConstraint("audit", "kind", "digest"),
)

document_files = Table(
    "document_files",
    metadata,
    Column("token", ID, ForeignKey("documents.token", ondelete="CASCADE"), primary_key=True),
    Column("sha256", ID, ForeignKey("files.sha256"), primary_key=True, index=True),
)

studies = Table(
    "studies",
    metadata,
    Column("id", ID, primary_key=True),
    Column("audit", ID, ForeignKey("audits.id", ondelete="CASCADE"), index=True),
    Column("title", Text, nullable=False),
    Column("items", Text, nullable=False),
    Column("revealed", Boolean, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("created", String(32), nullable=False),
)

experts = Table(
    "experts",
    metadata,
    Column("id", ID, primary_key=True),
    Column("study", ID, ForeignKey("studies.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("token", ID, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("weight", Float, nullable=False),
    Column("revoked", Boolean, nullable=False),
    Column("created", String(32), nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("number", NUMBER, primary_key=True, autoincrement=True),
    Column("id", ID, nullable=False, unique=True),
    Column("study", ID, ForeignKey("studies.id", ondelete="CASCADE"), nullable=False),
    Column("expert", ID, ForeignKey("experts.id", ondelete="CASCADE"), nullable=False),
    Column("first", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("supersedes", ID, index=True),
    Column("left", Text, nullable=False, server_default=""),
    Column("at", String(32), nullable=False),
    Index("ix_answers_study_expert", "study", "expert"),
)

cost_sets = Table(
    "cost_sets",
    metadata,
    Column("id", ID, primary_key=True),
    Column("audit", ID, ForeignKey("audits.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("created", String(32), nullable=False),
    UniqueConstraint("audit", "name", "version"),
)
