"""Left: answers say which feature was shown on the left; studies have no key of their own any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Bring the tables up to date; of answers given before nobody knows what was on the left."""
    op.add_column("answers", sa.Column("left", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("studies") as studies:
        studies.drop_constraint("uq_studies_key", type_="unique")
        studies.drop_column("key")
