"""Finds works whose sequels lead back to themselves: the source contradicts itself, and readers should know."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from datastore.edges import EdgeType
from datastore.postgres.catalogue import entities, work_relations
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.report import Conflict

LOOP_FIELD = "sequel"
"""The field of a conflict that says so."""


@dataclass(frozen=True, slots=True)
class SequelLoop:
    """Works that are all sequels of each other, in the order in which they were walked, and who said so."""

    works: tuple[UUID, ...]
    names: tuple[str, ...]
    source: str

    @property
    def text(self) -> str:
        """The walk around the loop, by name."""
        return " -> ".join([*self.names, self.names[0]])

    def conflict(self) -> Conflict:
        """The loop as a report names it."""
        return Conflict(
            subject=self.names[0],
            field=LOOP_FIELD,
            kept=f"a loop of {len(self.works)} works",
            other=self.text,
            source=self.source,
        )


async def find_sequel_loops(connection: AsyncConnection) -> list[SequelLoop]:
    """One for each group of works that are all sequels of each other, by the relations of any source."""
    columns = work_relations.c
    statement = (
        sa.select(columns.work_id, columns.related_work_id, columns.relation, columns.source)
        .where(columns.relation.in_([EdgeType.SEQUEL, EdgeType.PREQUEL]))
        .order_by(columns.id)
    )
    sequels: dict[UUID, list[UUID]] = {}
    said: dict[UUID, set[str]] = {}
    for row in await connection.execute(statement):
        pair = (row.work_id, row.related_work_id)
        earlier, later = pair if row.relation == EdgeType.SEQUEL else pair[::-1]
        sequels.setdefault(earlier, []).append(later)
        said.setdefault(earlier, set()).add(row.source)
    loops = list(loops_in(sequels))
    ids = sorted({work for loop in loops for work in loop})
    names = {
        row.id: row.name
        for row in await connection.execute(sa.select(entities.c.id, entities.c.name).where(entities.c.id.in_(ids)))
    }
    return [
        SequelLoop(
            works=tuple(loop),
            names=tuple(names[work] for work in loop),
            source=", ".join(sorted(set[str]().union(*(said[work] for work in loop)))),
        )
        for loop in loops
    ]


def loops_in[T](following: Mapping[T, Sequence[T]]) -> Iterator[list[T]]:
    """The groups of more than one item that all lead to each other, each in the order in which it was walked.

    Tarjan's strongly connected components, without recursion: a chain may be long.
    """
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: dict[T, None] = {}
    for start in following:
        path = [] if start in index else [start]
        while path:
            item = path[-1]
            if item not in index:
                index[item] = low[item] = len(index)
                stack[item] = None
            open_item = next((after for after in following.get(item, ()) if after not in index), None)
            if open_item is not None:
                path.append(open_item)
                continue
            path.pop()
            low[item] = min([low[item], *(low[after] for after in following.get(item, ()) if after in stack)])
            if low[item] == index[item]:
                group = list(_popped_to(stack, item))[::-1]
                if len(group) > 1:
                    yield group


def _popped_to[T](stack: dict[T, None], last: T) -> Iterator[T]:
    """Take items off the end of the stack, `last` being the last of them."""
    while True:
        item, _ = stack.popitem()
        yield item
        if item == last:
            return
