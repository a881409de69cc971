"""What the graph holds, and what queries over it find."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast

import strawberry
from agent_api.v1 import graph_pb2
from agent_api.values import from_list, from_value
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from strawberry.scalars import JSON

from graphql_bff.search.evidence import EntityRef, refs_of


@strawberry.type
class GraphProperty:
    """A property of nodes or relationships."""

    name: str
    type: str = strawberry.field(description="`string`, `integer`, `list of string` and the like.")
    samples: list[JSON] = strawberry.field(description="A few values from the catalogue.")


@strawberry.type
class GraphLabel:
    """A kind of node."""

    name: str
    description: str
    count: int
    properties: list[GraphProperty]


@strawberry.type
class GraphRelationship:
    """A kind of relationship, in the direction in which it leads."""

    name: str
    description: str
    starts: list[str] = strawberry.field(description="Labels that it leads from.")
    ends: list[str] = strawberry.field(description="Labels that it leads to.")
    count: int
    properties: list[GraphProperty]


@strawberry.type
class GraphDescription:
    """What queries can ask about."""

    labels: list[GraphLabel]
    relationships: list[GraphRelationship]
    data_date: datetime | None = strawberry.field(description="When the newest entity came or changed.")

    @classmethod
    def of(cls, message: graph_pb2.DescribeGraphResponse) -> "GraphDescription":
        """The GraphQL view of a description."""
        labels = [
            GraphLabel(
                name=each.name,
                description=each.description,
                count=each.count,
                properties=_properties(each.properties),
            )
            for each in message.labels
        ]
        relationships = [
            GraphRelationship(
                name=each.name,
                description=each.description,
                starts=list(each.starts),
                ends=list(each.ends),
                count=each.count,
                properties=_properties(each.properties),
            )
            for each in message.relationships
        ]
        return cls(labels=labels, relationships=relationships, data_date=_date(message, message.data_date))


@strawberry.type
class GraphQueryRefusal:
    """Where a query breaks the language or a limit, and what to write instead."""

    line: int
    column: int
    message: str
    hint: str


@strawberry.type
class GraphColumn:
    """A column that a query returns."""

    name: str
    type: str


@strawberry.type
class GraphQueryCheck:
    """Whether a query would run: its columns and the planner's estimate, or why it is refused."""

    columns: list[GraphColumn]
    cost: float | None
    refusal: GraphQueryRefusal | None

    @classmethod
    def of(cls, message: graph_pb2.CheckGraphQueryResponse) -> "GraphQueryCheck":
        """The GraphQL view of a check."""
        return cls(
            columns=[GraphColumn(name=each.name, type=each.type) for each in message.columns],
            cost=message.cost if message.HasField("cost") else None,
            refusal=_refusal(message.refusal) if message.HasField("refusal") else None,
        )


@strawberry.type
class GraphQueryResult:
    """The rows of a query, or why it was not run."""

    columns: list[str]
    rows: list[JSON] = strawberry.field(description="Each a list of as many values as there are columns.")
    row_count: int = strawberry.field(description="Of all rows, of which `rows` may hold only the first.")
    truncated: bool
    entities: list[EntityRef] = strawberry.field(description="Those whose ids are in the rows.")
    data_date: datetime | None = strawberry.field(description="When the newest entity came or changed.")
    refusal: GraphQueryRefusal | None

    @classmethod
    def of(cls, message: graph_pb2.RunGraphQueryResponse) -> "GraphQueryResult":
        """The GraphQL view of a result."""
        return cls(
            columns=list(message.columns),
            rows=cast("list[JSON]", list(map(from_list, message.rows))),
            row_count=message.row_count,
            truncated=message.truncated,
            entities=refs_of(message.entities),
            data_date=_date(message, message.data_date),
            refusal=_refusal(message.refusal) if message.HasField("refusal") else None,
        )


def _properties(properties: Sequence[graph_pb2.GraphProperty]) -> list[GraphProperty]:
    return [
        GraphProperty(
            name=each.name, type=each.type, samples=[cast("JSON", from_value(sample)) for sample in each.samples]
        )
        for each in properties
    ]


def _refusal(refusal: graph_pb2.GraphQueryRefusal) -> GraphQueryRefusal:
    return GraphQueryRefusal(line=refusal.line, column=refusal.column, message=refusal.message, hint=refusal.hint)


def _date(message: Message, date: Timestamp) -> datetime | None:
    return date.ToDatetime(UTC) if message.HasField("data_date") else None
