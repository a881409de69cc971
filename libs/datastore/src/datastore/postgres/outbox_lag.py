"""How far the vector index is behind the catalogue."""

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from datastore.postgres.outbox import OutboxState, outbox

_OPEN = (OutboxState.PENDING, OutboxState.CLAIMED)


def lag_statement() -> sa.Select[float]:
    """Seconds since the oldest change that is still to be carried; rows are appended in the order of their ids."""
    oldest = (
        sa.select(outbox.c.created_at)
        .where(outbox.c.state.in_([sa.literal_column(f"'{state}'") for state in _OPEN]))
        .order_by(outbox.c.id)
        .limit(1)
        .scalar_subquery()
    )
    return sa.select(sa.func.coalesce(sa.extract("epoch", sa.func.now() - oldest), 0.0))


async def index_lag(connection: AsyncConnection) -> float:
    """Seconds since the oldest change that the index lacks; 0 when it lacks none. Rows put aside don't count."""
    return float((await connection.execute(lag_statement())).scalar_one())
