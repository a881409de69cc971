"""What stands behind an answer: one GraphQL type for each kind of evidence."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Self, TypedDict
from uuid import UUID

import strawberry
from agent_api.v1 import search_pb2
from datastore.vocabulary import EntityType

from graphql_bff.catalogue.entity import Entity, Request, load_entity


@strawberry.type
class EntityRef:
    """An entity that an answer speaks of."""

    entity_type: EntityType
    id: strawberry.ID
    name: str | None = strawberry.field(description="Its main name when the answer was made.")

    @strawberry.field
    async def entity(self, info: Request) -> Entity | None:
        """The whole entity as it is now; null when it was deleted since."""
        return await load_entity(info, UUID(self.id))

    @classmethod
    def of(cls, ref: search_pb2.EntityRef) -> Self:
        """The GraphQL view of a reference."""
        entity_type = search_pb2.EntityType.Name(ref.entity_type).removeprefix("ENTITY_TYPE_").lower()
        name = ref.name if ref.HasField("name") else None
        return cls(entity_type=EntityType(entity_type), id=strawberry.ID(ref.id), name=name)


def refs_of(refs: Iterable[search_pb2.EntityRef]) -> list[EntityRef]:
    """The GraphQL views of references."""
    return [EntityRef.of(ref) for ref in refs]


@strawberry.type
class PathStep:
    """One hop of a chain."""

    from_: EntityRef = strawberry.field(name="from")
    rel: str = strawberry.field(description="The relation, such as `appears_in`.")
    to: EntityRef
    direction: str = strawberry.field(description="`out` where the stored row reads from `from` to `to`, else `in`.")
    qualifier: str = strawberry.field(description="Role, language or kind of relation; empty where there is none.")
    evidence_id: str
    hub: EntityRef | None = strawberry.field(description="The entity that a derived relation passes through.")

    @classmethod
    def of(cls, step: search_pb2.PathStep) -> Self:
        """The GraphQL view of a hop."""
        return cls(
            from_=EntityRef.of(getattr(step, "from")),
            rel=step.rel,
            to=EntityRef.of(step.to),
            direction=step.direction,
            qualifier=step.qualifier,
            evidence_id=step.evidence_id,
            hub=EntityRef.of(step.hub) if step.HasField("hub") else None,
        )


@strawberry.type
class FieldValue:
    """One field of a row."""

    name: str
    value: str


@strawberry.type
class FieldDifference:
    """One field of two rows; null where a side doesn't know."""

    field: str
    left: str | None
    right: str | None

    @classmethod
    def of(cls, difference: search_pb2.FieldDifference) -> Self:
        """The GraphQL view of a difference."""
        return cls(
            field=difference.field,
            left=difference.left if difference.HasField("left") else None,
            right=difference.right if difference.HasField("right") else None,
        )


@strawberry.type
class SharedRelation:
    """An entity that both sides of a comparison are linked to, and how."""

    edge: str
    qualifier: str
    entity: EntityRef


@strawberry.type
class RankedEntry:
    """One place of a ranked list."""

    entity: EntityRef
    score: float
    reason: str


@strawberry.interface
class Evidence:
    """One thing that was read."""

    id: str
    source: str = strawberry.field(description="Where it was read, such as `postgresql:anime`.")
    title: str
    text: str = strawberry.field(description="Exactly what the answer was made from.")
    locator: str = strawberry.field(description="The row or place inside the source.")
    row_version: int | None
    content_hash: str | None


@strawberry.type
class EntityRowEvidence(Evidence):
    """One catalogue row."""

    entity: EntityRef
    names: list[str]
    fields: list[FieldValue]


@strawberry.type
class PathEvidence(Evidence):
    """A chain of links, each with its row."""

    path: list[PathStep]


@strawberry.type
class ComparisonEvidence(Evidence):
    """Two rows side by side."""

    left: EntityRef
    right: EntityRef
    differences: list[FieldDifference]
    shared: list[SharedRelation]


@strawberry.type
class RankedListEvidence(Evidence):
    """A ranked list: order and reason, not a total."""

    entries: list[RankedEntry]


@strawberry.type
class QueryResultEvidence(Evidence):
    """A query that ran over the catalogue."""

    query: str
    row_count: int
    has_more: bool
    columns: list[str]
    entities: list[EntityRef]
    truncated: bool
    data_date: datetime | None


@strawberry.type
class ChunkEvidence(Evidence):
    """A piece of a document."""

    document: EntityRef
    chunk_id: strawberry.ID
    start_offset: int
    end_offset: int
    position: int
    section: str | None
    date: str | None
    collection: str
    reached_by: str | None = strawberry.field(
        description="The reference that was followed to it, and the document that this stands in."
    )


@strawberry.type
class WebPageEvidence(Evidence):
    """A page of the web: untrusted."""

    url: str


class _Common(TypedDict):
    id: str
    source: str
    title: str
    text: str
    locator: str
    row_version: int | None
    content_hash: str | None


def _common(item: search_pb2.Evidence) -> _Common:
    return {
        "id": item.id,
        "source": item.source,
        "title": item.title,
        "text": item.text,
        "locator": item.locator,
        "row_version": item.row_version if item.HasField("row_version") else None,
        "content_hash": item.content_hash if item.HasField("content_hash") else None,
    }


def _entity_row(item: search_pb2.Evidence) -> Evidence:
    row = item.entity_row
    return EntityRowEvidence(
        **_common(item),
        entity=EntityRef.of(row.entity),
        names=list(row.names),
        fields=[FieldValue(name=field.name, value=field.value) for field in row.fields],
    )


def _path(item: search_pb2.Evidence) -> Evidence:
    return PathEvidence(**_common(item), path=[PathStep.of(step) for step in item.path.path.steps])


def _comparison(item: search_pb2.Evidence) -> Evidence:
    compared = item.comparison
    return ComparisonEvidence(
        **_common(item),
        left=EntityRef.of(compared.left),
        right=EntityRef.of(compared.right),
        differences=[FieldDifference.of(difference) for difference in compared.fields],
        shared=[
            SharedRelation(edge=shared.edge, qualifier=shared.qualifier, entity=EntityRef.of(shared.entity))
            for shared in compared.shared
        ],
    )


def _ranked_list(item: search_pb2.Evidence) -> Evidence:
    entries = [
        RankedEntry(entity=EntityRef.of(entry.entity), score=entry.score, reason=entry.reason)
        for entry in item.ranked_list.entries
    ]
    return RankedListEvidence(**_common(item), entries=entries)


def _query_result(item: search_pb2.Evidence) -> Evidence:
    result = item.query_result
    return QueryResultEvidence(
        **_common(item),
        query=result.query,
        row_count=result.row_count,
        has_more=result.has_more,
        columns=list(result.columns),
        entities=refs_of(result.entities),
        truncated=result.truncated,
        data_date=result.data_date.ToDatetime(UTC) if result.HasField("data_date") else None,
    )


def _chunk(item: search_pb2.Evidence) -> Evidence:
    chunk = item.chunk
    return ChunkEvidence(
        **_common(item),
        document=EntityRef.of(chunk.document),
        chunk_id=strawberry.ID(chunk.chunk_id),
        start_offset=chunk.start_offset,
        end_offset=chunk.end_offset,
        position=chunk.position,
        section=chunk.section if chunk.HasField("section") else None,
        date=chunk.date if chunk.HasField("date") else None,
        collection=chunk.collection,
        reached_by=chunk.reached_by or None,
    )


def _web_page(item: search_pb2.Evidence) -> Evidence:
    return WebPageEvidence(**_common(item), url=item.web_page.url)


_KINDS: dict[str, Callable[[search_pb2.Evidence], Evidence]] = {
    "entity_row": _entity_row,
    "path": _path,
    "comparison": _comparison,
    "ranked_list": _ranked_list,
    "query_result": _query_result,
    "chunk": _chunk,
    "web_page": _web_page,
}

EVIDENCE_TYPES: tuple[type[Evidence], ...] = (
    EntityRowEvidence,
    PathEvidence,
    ComparisonEvidence,
    RankedListEvidence,
    QueryResultEvidence,
    ChunkEvidence,
    WebPageEvidence,
)
"""All kinds, for the schema: they are reachable through the interface only."""


def evidence_of(items: Iterable[search_pb2.Evidence]) -> list[Evidence]:
    """The GraphQL views of evidence; a kind that this server doesn't know yet is left out."""
    known = ((_KINDS.get(item.WhichOneof("kind") or ""), item) for item in items)
    return [view(item) for view, item in known if view is not None]
