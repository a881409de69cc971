"""Answers of the agent lane."""

import strawberry
from agent_api.v1 import search_pb2

from graphql_bff.search.evidence import EntityRef, Evidence, evidence_of, refs_of


@strawberry.type
class SourceCitation:
    """What stands behind one `[n]` of the answer."""

    marker: int
    evidence_id: str
    title: str
    locator: str
    quote: str
    offsets: list[int] = strawberry.field(description="Start and end of the quote in the evidence's text, or nothing.")
    row_version: int | None
    verdict: str = strawberry.field(description="`supported` or `partial`.")

    @classmethod
    def of(cls, source: search_pb2.SourceCitation) -> "SourceCitation":
        """The GraphQL view of a citation."""
        return cls(
            marker=source.marker,
            evidence_id=source.evidence_id,
            title=source.title,
            locator=source.locator,
            quote=source.quote,
            offsets=list(source.offsets),
            row_version=source.row_version if source.HasField("row_version") else None,
            verdict=source.verdict,
        )


@strawberry.type
class Candidate:
    """Something else that a name in the question could have meant."""

    entity: EntityRef
    matched_name: str
    match: str
    score: float
    discriminators: list[str] = strawberry.field(description="What tells it from the others.")

    @classmethod
    def of(cls, candidate: search_pb2.Candidate) -> "Candidate":
        """The GraphQL view of a candidate."""
        return cls(
            entity=EntityRef.of(candidate.entity),
            matched_name=candidate.matched_name,
            match=candidate.match,
            score=candidate.score,
            discriminators=list(candidate.discriminators),
        )


@strawberry.type
class NearMiss:
    """Something that almost fits."""

    entity: EntityRef
    reason: str
    score: float | None

    @classmethod
    def of(cls, miss: search_pb2.NearMiss) -> "NearMiss":
        """The GraphQL view of a near miss."""
        score = miss.score if miss.HasField("score") else None
        return cls(entity=EntityRef.of(miss.entity), reason=miss.reason, score=score)


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
    error: str | None

    @classmethod
    def of(cls, step: search_pb2.RunStep) -> "RunStep":
        """The GraphQL view of a step."""
        return cls(
            n=step.n,
            stage=step.stage,
            action=step.action,
            reason=step.reason,
            status=step.status,
            hits=step.hits,
            ms=step.ms,
            error=step.error if step.HasField("error") else None,
        )


@strawberry.type
class Usage:
    """What the run cost."""

    turns: int
    model_calls: int
    tool_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = strawberry.field(description="In US dollars, where the model's price is known.")

    @classmethod
    def of(cls, usage: search_pb2.Usage) -> "Usage":
        """The GraphQL view of a run's usage."""
        return cls(
            turns=usage.turns,
            model_calls=usage.model_calls,
            tool_calls=usage.tool_calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cost=usage.cost if usage.HasField("cost") else None,
        )


@strawberry.type
class Answer:
    """A grounded answer: every sentence with a fact carries a marker `[n]` that `sources` explains."""

    answer: str
    status: str = strawberry.field(
        description="`answered`, `answered_with_caveats`, `ambiguous`, `not_found`, `unanswerable` or `partial`."
    )
    confidence: float = strawberry.field(description="0 to 1.")
    confidence_band: str = strawberry.field(description="`high`, `medium`, `low` or `insufficient`.")
    confidence_reasons: list[str]
    source_entities: list[EntityRef] = strawberry.field(description="All entities that the answer rests on.")
    result_entities: list[EntityRef] = strawberry.field(description="The entities that were asked for.")
    evidence: list[Evidence]
    evidence_truncated: bool = strawberry.field(description="Whether uncited evidence was left out for its size.")
    citations: list[str] = strawberry.field(description="Titles, each once, in the order of their markers.")
    sources: list[SourceCitation]
    missing: list[str] = strawberry.field(description="Parts of the question that stay open.")
    alternatives: list[Candidate]
    searched: list[str]
    near_misses: list[NearMiss]
    rewritten_query: str
    steps: list[RunStep]
    warnings: list[AnswerWarning]
    usage: Usage
    trace_id: strawberry.ID
    termination_reason: str

    @classmethod
    def of(cls, response: search_pb2.SearchAIResponse) -> "Answer":
        """The GraphQL view of an answer."""
        return cls(
            answer=response.answer,
            status=response.status,
            confidence=response.confidence,
            confidence_band=response.confidence_band,
            confidence_reasons=list(response.confidence_reasons),
            source_entities=refs_of(response.source_entities),
            result_entities=refs_of(response.result_entities),
            evidence=evidence_of(response.evidence),
            evidence_truncated=response.evidence_truncated,
            citations=list(response.citations),
            sources=[SourceCitation.of(source) for source in response.sources],
            missing=list(response.missing),
            alternatives=[Candidate.of(candidate) for candidate in response.alternatives],
            searched=list(response.searched),
            near_misses=[NearMiss.of(miss) for miss in response.near_misses],
            rewritten_query=response.rewritten_query,
            steps=[RunStep.of(step) for step in response.steps],
            warnings=[AnswerWarning(code=w.code, message=w.message, subject=w.subject) for w in response.warnings],
            usage=Usage.of(response.usage),
            trace_id=strawberry.ID(response.trace_id),
            termination_reason=response.termination_reason,
        )
