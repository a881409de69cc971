"""Whether the rows of a query are those that SQL written by hand finds."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from agent_evals.cypher.database import Cells


@dataclass(frozen=True, slots=True)
class HandWritten:
    """All rows of an answer by SQL on the tables, before a LIMIT, in the answer's order.

    The last `keys` columns are no part of the answer: they are what it is sorted by. Rows with equal keys may come in
    any order, and where `limit` cuts through them, any of them may stay. Without keys the order is open.
    """

    sql: str
    limit: int | None = None
    keys: int = 0


def disagreement(found: Sequence[Cells], expected: Sequence[Cells], by_hand: HandWritten) -> str:
    """What is wrong, in a few words; empty when they agree."""
    wanted = len(expected) if by_hand.limit is None else min(by_hand.limit, len(expected))
    if len(found) != wanted:
        return f"{len(found)} rows instead of {wanted}"
    rest = [_comparable(row) for row in found]
    for tied in _tied(expected, by_hand.keys):
        here, rest = rest[: len(tied)], rest[len(tied) :]
        if strange := Counter(here) - Counter(tied):
            return f"{next(iter(strange))} is wrong here"
    return ""


def _tied(rows: Sequence[Cells], keys: int) -> Iterable[list[str]]:
    """The rows without their keys, those with equal keys together."""
    for _, group in groupby(rows, key=lambda row: row[len(row) - keys :]):
        yield [_comparable(row[: len(row) - keys]) for row in group]


def _comparable(row: Cells) -> str:
    return json.dumps([_plain(cell) for cell in row], sort_keys=True, ensure_ascii=False)


def _plain(cell: object) -> object:
    """Lists without their order, which `collect` doesn't promise; nodes as their properties; numbers by value."""
    if isinstance(cell, str) and cell.startswith("{"):
        cell = json.loads(cell)
    if isinstance(cell, list):
        members = cast("list[object]", cell)
        return sorted((_plain(member) for member in members), key=lambda each: json.dumps(each, sort_keys=True))
    if isinstance(cell, Mapping):
        properties = cast("Mapping[str, object]", cell)
        return properties.get("properties", properties)
    return round(float(cell), 9) if isinstance(cell, int | float) and not isinstance(cell, bool) else cell
