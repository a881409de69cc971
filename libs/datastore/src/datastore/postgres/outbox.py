"""The outbox: what changed in the catalogue and has yet to reach the vector index."""

from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.metadata import METADATA, big_identity, now_column, one_of


class OutboxState(StrEnum):
    """Where an outbox row stands. Rows are claimed by state, never by `id > cursor`."""

    PENDING = "pending"
    CLAIMED = "claimed"
    DONE = "done"
    DEAD = "dead"


class OutboxOperation(StrEnum):
    """What the index has to do."""

    UPSERT = "upsert"
    DELETE = "delete"


outbox = sa.Table(
    "outbox",
    METADATA,
    big_identity(),
    # No foreign key: a tombstone outlives its entity.
    sa.Column("entity_id", pg.UUID(as_uuid=True), nullable=False),
    sa.Column("entity_type", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("operation", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default=sa.text("'pending'")),
    sa.Column("attempts", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("claimed_by", sa.Text),
    sa.Column("claimed_at", sa.TIMESTAMP(timezone=True)),
    sa.Column("error", sa.Text),
    now_column("created_at"),
    sa.Column("done_at", sa.TIMESTAMP(timezone=True)),
    one_of("state", OutboxState),
    one_of("operation", OutboxOperation),
)
sa.Index(
    "ix_outbox_open",
    outbox.c.state,
    outbox.c.id,
    postgresql_where=outbox.c.state.in_(["pending", "claimed"]),
)
