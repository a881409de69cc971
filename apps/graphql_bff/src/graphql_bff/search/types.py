"""Hits of the name lane, answers of the agent lane."""

from collections.abc import Iterable
from uuid import UUID

import strawberry
from agent_api.v1 import search_pb2
from datastore.postgres.name_search import NameHit
from datastore.vocabulary import EntityType, NameKind

from graphql_bff.catalogue.types import Entity, Request, entity_of


@strawberry.type
class SearchHit:
    """One entity whose name matches. `match` says how: exact, prefix, word_prefix or typo."""

    entity_type: EntityType
    id: strawberry.ID
    name: str
    matched_name: str
    matched_kind: NameKind
    match: str
    popularity: float

    @strawberry.field
    async def entity(self, info: Request) -> Entity | None:
        """The whole entity."""
        card = await info.context.cards.load(UUID(self.id))
        return entity_of(card) if card is not None else None

    @classmethod
    def of(cls, hit: NameHit) -> "SearchHit":
        """The GraphQL view of a hit."""
        return cls(
            entity_type=hit.entity_type,
            id=strawberry.ID(str(hit.entity_id)),
            name=hit.name,
            matched_name=hit.matched_name,
            matched_kind=hit.kind,
            match=hit.match,
            popularity=hit.popularity,
        )


@strawberry.type
class EntityRef:
    """An entity that an answer speaks of. `entity` is null when it was deleted since."""

    entity_type: EntityType
    id: strawberry.ID
    name: str | None

    @strawberry.field
    async def entity(self, info: Request) -> Entity | None:
        """The whole entity."""
        card = await info.context.cards.load(UUID(self.id))
        return entity_of(card) if card is not None else None

    @classmethod
    def of(cls, ref: search_pb2.EntityRef) -> "EntityRef":
        """The GraphQL view of a reference."""
        entity_type = search_pb2.EntityType.Name(ref.entity_type).removeprefix("ENTITY_TYPE_").lower()
        name = ref.name if ref.HasField("name") else None
        return cls(entity_type=EntityType(entity_type), id=strawberry.ID(ref.id), name=name)


@strawberry.type
class PathStep:
    """One hop of a chain."""

    from_: EntityRef = strawberry.field(name="from")
    rel: str
    to: EntityRef
    direction: str
    qualifier: str
    hub: EntityRef | None

    @classmethod
    def of(cls, step: search_pb2.PathStep) -> "PathStep":
        """The GraphQL view of a hop."""
        return cls(
            from_=EntityRef.of(getattr(step, "from")),
            rel=step.rel,
            to=EntityRef.of(step.to),
            direction=step.direction,
            qualifier=step.qualifier,
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


@strawberry.type
class Evidence:
    """What stands behind an answer: `text` is exactly what was read; the lists are filled as its kind has them."""

    id: str
    kind: str
    source: str
    title: str
    text: str
    locator: str
    row_version: int | None
    entity: EntityRef | None
    fields: list[FieldValue]
    path: list[PathStep]
    differences: list[FieldDifference]

    @classmethod
    def of(cls, item: search_pb2.Evidence) -> "Evidence":
        """The GraphQL view of one piece of evidence."""
        kind = item.WhichOneof("kind") or ""
        return cls(
            id=item.id,
            kind=kind,
            source=item.source,
            title=item.title,
            text=item.text,
            locator=item.locator,
            row_version=item.row_version if item.HasField("row_version") else None,
            entity=EntityRef.of(item.entity_row.entity) if kind == "entity_row" else None,
            fields=[FieldValue(name=field.name, value=field.value) for field in item.entity_row.fields],
            path=[PathStep.of(step) for step in item.path.path.steps],
            differences=[
                FieldDifference(
                    field=difference.field,
                    left=difference.left if difference.HasField("left") else None,
                    right=difference.right if difference.HasField("right") else None,
                )
                for difference in item.comparison.fields
            ],
        )


@strawberry.type
class SourceCitation:
    """What stands behind one `[n]` of the answer."""

    marker: int
    evidence_id: str
    title: str
    locator: str
    quote: str
    row_version: int | None


@strawberry.type
class Candidate:
    """Something else that a name in the question could have meant."""

    entity: EntityRef
    matched_name: str
    match: str
    score: float
    discriminators: list[str]


@strawberry.type
class AnswerWarning:
    """One thing to know about an answer."""

    code: str
    message: str
    subject: str


@strawberry.type
class RunStep:
    """One step of the run."""

    n: int
    stage: str
    action: str
    reason: str
    status: str
    hits: int
    ms: float


@strawberry.type
class Usage:
    """What the run cost."""

    turns: int
    model_calls: int
    tool_calls: int
    prompt_tokens: int
    completion_tokens: int


@strawberry.type
class Answer:
    """A grounded answer: every sentence with a fact carries a marker `[n]` that `sources` explains."""

    answer: str
    status: str
    confidence: float
    confidence_band: str
    confidence_reasons: list[str]
    source_entities: list[EntityRef]
    result_entities: list[EntityRef]
    evidence: list[Evidence]
    evidence_truncated: bool
    citations: list[str]
    sources: list[SourceCitation]
    missing: list[str]
    alternatives: list[Candidate]
    searched: list[str]
    rewritten_query: str
    steps: list[RunStep]
    warnings: list[AnswerWarning]
    usage: Usage
    trace_id: strawberry.ID
    termination_reason: str

    @classmethod
    def of(cls, response: search_pb2.SearchAIResponse) -> "Answer":
        """The GraphQL view of an answer."""
        usage = response.usage
        return cls(
            answer=response.answer,
            status=response.status,
            confidence=response.confidence,
            confidence_band=response.confidence_band,
            confidence_reasons=list(response.confidence_reasons),
            source_entities=_refs(response.source_entities),
            result_entities=_refs(response.result_entities),
            evidence=[Evidence.of(item) for item in response.evidence],
            evidence_truncated=response.evidence_truncated,
            citations=list(response.citations),
            sources=[_source(source) for source in response.sources],
            missing=list(response.missing),
            alternatives=[_candidate(candidate) for candidate in response.alternatives],
            searched=list(response.searched),
            rewritten_query=response.rewritten_query,
            steps=[_step(step) for step in response.steps],
            warnings=[AnswerWarning(code=w.code, message=w.message, subject=w.subject) for w in response.warnings],
            usage=Usage(
                turns=usage.turns,
                model_calls=usage.model_calls,
                tool_calls=usage.tool_calls,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
            ),
            trace_id=strawberry.ID(response.trace_id),
            termination_reason=response.termination_reason,
        )


def _refs(refs: Iterable[search_pb2.EntityRef]) -> list[EntityRef]:
    return [EntityRef.of(ref) for ref in refs]


def _source(source: search_pb2.SourceCitation) -> SourceCitation:
    return SourceCitation(
        marker=source.marker,
        evidence_id=source.evidence_id,
        title=source.title,
        locator=source.locator,
        quote=source.quote,
        row_version=source.row_version if source.HasField("row_version") else None,
    )


def _candidate(candidate: search_pb2.Candidate) -> Candidate:
    return Candidate(
        entity=EntityRef.of(candidate.entity),
        matched_name=candidate.matched_name,
        match=candidate.match,
        score=candidate.score,
        discriminators=list(candidate.discriminators),
    )


def _step(step: search_pb2.RunStep) -> RunStep:
    return RunStep(
        n=step.n,
        stage=step.stage,
        action=step.action,
        reason=step.reason,
        status=step.status,
        hits=step.hits,
        ms=step.ms,
    )
