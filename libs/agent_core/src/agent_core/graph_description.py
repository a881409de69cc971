"""What the catalogue's graph holds, for people and models that write queries."""

from datetime import datetime

from pydantic import JsonValue

from agent_core.evidence import Contract
from agent_core.query_results import QueryRefusal


class PropertyDescription(Contract):
    """A property: its type in the language's words, and a few values found in the catalogue."""

    name: str
    type: str
    samples: tuple[JsonValue, ...] = ()


class LabelDescription(Contract):
    """A label and how many nodes have it."""

    name: str
    description: str
    count: int
    properties: tuple[PropertyDescription, ...] = ()


class RelationshipDescription(Contract):
    """A relationship type: from which labels to which it leads, and how many of it there are in that direction."""

    name: str
    description: str
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    count: int
    properties: tuple[PropertyDescription, ...] = ()


class GraphDescription(Contract):
    """The whole graph as it was read at `read_at`; `data_date` is that of its newest entity."""

    labels: tuple[LabelDescription, ...]
    relationships: tuple[RelationshipDescription, ...]
    data_date: datetime | None
    read_at: datetime


class CheckedColumn(Contract):
    """A column that a query would return."""

    name: str
    type: str


class GraphQueryCheck(Contract):
    """Whether a query would run: its columns and the planner's estimate of its cost, or why it is refused."""

    columns: tuple[CheckedColumn, ...] = ()
    cost: float | None = None
    refusal: QueryRefusal | None = None
