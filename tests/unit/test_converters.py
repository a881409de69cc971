"""An answer survives the wire; a request that breaks a limit names the field and the limit."""

from typing import TypedDict
from uuid import uuid4

import pytest
from agent_api.v1 import search_pb2
from agent_core.errors import InvalidRequest
from agent_core.evidence import (
    ComparisonEvidence,
    EntityRef,
    EntityRowEvidence,
    FieldDifference,
    FieldValue,
    GraphPath,
    PathEvidence,
    PathStep,
    QueryResultEvidence,
    RankedEntry,
    RankedListEvidence,
    SharedRelation,
    WebPageEvidence,
)
from agent_core.schemas import (
    AgentResponse,
    AnswerStatus,
    Candidate,
    ConfidenceBand,
    MatchKind,
    RunStep,
    SourceCitation,
    Stage,
    Strategy,
    TerminationReason,
    Usage,
    Warning,
    WarningCode,
)
from agent_service.converters import request_from_proto, response_from_proto, response_to_proto
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

WORK = EntityRef(entity_type=EntityType.ANIME, id=uuid4(), name="Moon Gate")
HERO = EntityRef(entity_type=EntityType.CHARACTER, id=uuid4())


class Common(TypedDict):
    """What the evidence below has in common."""

    source: str
    title: str
    text: str
    row_version: int


def full_response() -> AgentResponse:
    """An answer with every kind of evidence and every optional field."""
    step = PathStep(
        from_=WORK, rel=EdgeType.FEATURES, to=HERO, direction="in", qualifier="main", evidence_id="edge:1", hub=WORK
    )
    common: Common = {"source": "postgresql:anime", "title": "Moon Gate", "text": "a text", "row_version": 3}
    return AgentResponse(
        answer="Moon Gate has 26 episodes [1].",
        status=AnswerStatus.ANSWERED,
        confidence=0.75,
        confidence_band=ConfidenceBand.HIGH,
        confidence_reasons=("exact name",),
        source_entities=(WORK, HERO),
        result_entities=(WORK,),
        evidence=(
            EntityRowEvidence(id="row:1", entity=WORK, fields=(FieldValue(name="episodes", value="26"),), **common),
            PathEvidence(id="edge:1", path=GraphPath(steps=(step,)), **common),
            ComparisonEvidence(
                id="compare:1",
                left=WORK,
                right=WORK,
                fields=(FieldDifference(field="episodes", left="26", right=None),),
                shared=(SharedRelation(edge=EdgeType.PRODUCED_BY, entity=HERO),),
                **common,
            ),
            RankedListEvidence(id="ranked:1", entries=(RankedEntry(entity=WORK, score=0.5),), **common),
            QueryResultEvidence(
                id="query:1",
                query="MATCH",
                parameters={"year": 2001},
                row_count=2,
                sample=((1, "a"), (None, True)),
                **common,
            ),
            WebPageEvidence(id="web:1", url="https://example.org", **common),
        ),
        citations=("Moon Gate",),
        sources=(
            SourceCitation(
                marker=1,
                evidence_id="row:1",
                title="Moon Gate",
                locator="anime/1",
                quote="26",
                offsets=(0, 2),
                row_version=3,
            ),
        ),
        alternatives=(Candidate(entity=HERO, matched_name="Moon", match=MatchKind.TYPO, score=0.5),),
        steps=(RunStep(n=1, stage=Stage.RESOLVE, action="resolve", ms=1.5),),
        warnings=(Warning(code=WarningCode.GRAPH_TRUNCATED, message="cut"),),
        usage=Usage(turns=1, tool_calls=2, prompt_tokens=3, ms={"total_ms": 4.5}),
        trace_id=uuid4(),
        session_id=uuid4(),
        termination_reason=TerminationReason.SUFFICIENT,
    )


def test_an_answer_survives_the_wire_unchanged() -> None:
    response = full_response()

    assert response_from_proto(response_to_proto(response)) == response


def test_a_count_of_nothing_survives_the_wire() -> None:
    nothing = QueryResultEvidence(
        id="query:1", query="MATCH", row_count=0, source="postgresql", title="nothing", text="no rows"
    )
    response = full_response().model_copy(update={"evidence": (nothing,), "confidence": 0.0})

    assert response_from_proto(response_to_proto(response)) == response


def test_a_request_keeps_what_was_asked() -> None:
    session_id = uuid4()
    message = search_pb2.SearchAIRequest(
        query="How long is Moon Gate?",
        session_id=str(session_id),
        strategy=search_pb2.STRATEGY_GRAPH,
        budgets=search_pb2.Budgets(max_turns=2),
        entity_types=[search_pb2.ENTITY_TYPE_ANIME],
    )

    request = request_from_proto(message, request_id=uuid4(), principal="alice", seconds=3.0)

    assert request.query == "How long is Moon Gate?"
    assert request.session_id == session_id
    assert request.strategy is Strategy.GRAPH
    assert (request.max_turns, request.max_tool_calls) == (2, None)
    assert request.entity_types == (EntityType.ANIME,)
    assert (request.principal, request.timeout_seconds) == ("alice", 3.0)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (search_pb2.SearchAIRequest(query=""), "query"),
        (search_pb2.SearchAIRequest(query="a" * 10_000), "query"),
        (search_pb2.SearchAIRequest(query="a", session_id="one"), "session_id"),
        (search_pb2.SearchAIRequest(query="a", entity_types=[99]), "entity_types"),  # type: ignore[list-item]
        (search_pb2.SearchAIRequest(query="a", strategy=99), "strategy"),  # type: ignore[arg-type]
        (search_pb2.SearchAIRequest(query="a", budgets=search_pb2.Budgets(max_turns=0)), "max_turns"),
    ],
    ids=["empty", "too long", "session id", "entity type", "strategy", "turns"],
)
def test_a_broken_limit_is_named(message: search_pb2.SearchAIRequest, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        request_from_proto(message, request_id=uuid4(), principal="local", seconds=None)

    assert caught.value.field == field
    assert caught.value.limit
