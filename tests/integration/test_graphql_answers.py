"""The AI lane over GraphQL: the question that reaches a real agent server, the answer with its evidence, failures."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from agent_core.evidence import (
    ChunkEvidence,
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
    AnswerStatus,
    Candidate,
    ConfidenceBand,
    MatchKind,
    NearMiss,
    RunStep,
    SourceCitation,
    Stage,
    Strategy,
    TerminationReason,
    Usage,
    Warning,
    WarningCode,
)
from datastore.edges import EdgeType
from datastore.postgres.engine import ReadWriteEngine
from datastore.vocabulary import EntityType
from factories import CatalogueFactory
from fixtures.agents import agent_response, always, serving_agent
from fixtures.graphql import NO_DATABASE, Json, serving_graphql
from fixtures.services import serving_both
from fixtures.statements import StatementCounter
from pydantic import SecretStr

ASK = "query($question: String!) { searchAi(question: $question) { answer } }"
KEY = "a-key-of-alice-0001"


def a_ref(entity_type: EntityType, name: str, entity_id: UUID | None = None) -> EntityRef:
    """A reference as the agent finishes it."""
    return EntityRef(entity_type=entity_type, id=entity_id or uuid4(), name=name)


async def test_a_question_reaches_the_agent_with_its_options() -> None:
    document = """{ searchAi(
        question: "Who voices Luffy?", strategy: GRAPH, entityTypes: [CHARACTER, PERSON], language: "en",
        imageQuery: "https://example.org/a.png",
        budgets: { maxTurns: 2, maxModelCalls: 0, maxToolCalls: 5, maxTokens: 900 }
    ) { answer } }"""
    async with serving_both() as (graphql, agent):
        assert await graphql.data(document) == {"searchAi": {"answer": "nothing"}}

    (request,) = agent.requests
    assert request.query == "Who voices Luffy?"
    assert request.strategy is Strategy.GRAPH
    assert request.entity_types == (EntityType.CHARACTER, EntityType.PERSON)
    assert (request.language, request.image_query) == ("en", "https://example.org/a.png")
    assert (request.max_turns, request.max_model_calls) == (2, 0)
    assert (request.max_tool_calls, request.max_tokens) == (5, 900)
    assert request.principal == "local"


async def test_a_question_without_options_leaves_them_to_the_agent() -> None:
    async with serving_both(agent_timeout_seconds=5.0) as (graphql, agent):
        await graphql.data(ASK, question="Who?")

    (request,) = agent.requests
    assert request.strategy is Strategy.AUTO
    assert (request.max_turns, request.max_model_calls, request.max_tool_calls, request.max_tokens) == (None,) * 4
    assert (request.language, request.image_query, request.entity_types) == (None, None, ())
    assert request.timeout_seconds is not None
    assert 4 < request.timeout_seconds < 5


async def test_the_principal_of_a_key_and_the_request_id_reach_the_agent() -> None:
    request_id = uuid4()
    headers = {"Authorization": f"Bearer {KEY}", "X-Request-Id": str(request_id)}
    async with serving_both(api_keys={"alice": KEY}) as (graphql, agent):
        refused = await graphql.post(ASK, {"question": "Who?"})
        answered = await graphql.post(ASK, {"question": "Who?"}, headers)

    assert (refused.status_code, answered.status_code) == (401, 200)
    assert [(request.principal, request.request_id) for request in agent.requests] == [("alice", request_id)]


async def test_the_shared_secret_is_presented_and_a_wrong_one_is_no_fault_of_the_caller() -> None:
    async with serving_agent(internal_token=SecretStr("right")) as agent:
        async with serving_graphql(NO_DATABASE, agent_target=agent.target, internal_token="right") as graphql:
            assert await graphql.data(ASK, question="Who?")
        async with serving_graphql(NO_DATABASE, agent_target=agent.target, internal_token="wrong") as graphql:
            error = await graphql.error(ASK, question="Who?")
    assert error == {"message": "the answer service is unavailable", "code": "UNAVAILABLE"}
    assert len(agent.requests) == 1


ANSWER = """query($question: String!) { searchAi(question: $question) {
    answer status confidence confidenceBand confidenceReasons citations missing searched rewrittenQuery
    evidenceTruncated traceId terminationReason
    sourceEntities { ...ref } resultEntities { ...ref }
    sources { marker evidenceId title locator quote offsets rowVersion verdict }
    alternatives { entity { ...ref } matchedName match score discriminators }
    nearMisses { entity { ...ref } reason score }
    steps { n stage action reason status hits error } warnings { code message subject }
    usage { turns modelCalls toolCalls promptTokens completionTokens cost }
    evidence { __typename id source title text locator rowVersion contentHash
        ... on EntityRowEvidence { entity { ...ref } names fields { name value } }
        ... on PathEvidence { path { from { ...ref } rel to { ...ref } direction qualifier evidenceId hub { ...ref } } }
        ... on ComparisonEvidence { left { ...ref } right { ...ref } differences { field left right }
            shared { edge qualifier entity { ...ref } } }
        ... on RankedListEvidence { entries { entity { ...ref } score reason } }
        ... on QueryResultEvidence { query rowCount hasMore columns entities { ...ref } truncated dataDate }
        ... on ChunkEvidence { document { ...ref } chunkId startOffset endOffset position section date collection
            reachedBy }
        ... on WebPageEvidence { url }
    }
} } fragment ref on EntityRef { entityType id name }"""


async def test_an_answer_arrives_whole() -> None:
    luffy, show, voice = (
        a_ref(EntityType.CHARACTER, "Luffy"),
        a_ref(EntityType.ANIME, "One Piece"),
        a_ref(EntityType.PERSON, "Mayumi Tanaka"),
    )
    trace_id, chunk_id = uuid4(), uuid4()
    response = agent_response(
        answer="Mayumi Tanaka voices Luffy [1].",
        status=AnswerStatus.ANSWERED_WITH_CAVEATS,
        confidence=0.75,
        confidence_band=ConfidenceBand.MEDIUM,
        confidence_reasons=("one path",),
        source_entities=(luffy, show, voice),
        result_entities=(voice,),
        evidence=(
            EntityRowEvidence(
                id="row:1", source="postgresql:anime", title="One Piece", text="One Piece: episodes 1100",
                locator="anime/1", row_version=7, content_hash="abc", entity=show, names=("One Piece", "ワンピース"),
                fields=(FieldValue(name="episodes", value="1100"),),
            ),
            PathEvidence(
                id="path:1", source="postgresql:voices", title="Mayumi Tanaka", text="Mayumi Tanaka voices Luffy",
                path=GraphPath(steps=(
                    PathStep(from_=luffy, rel=EdgeType.VOICED_BY, to=voice, qualifier="ja", evidence_id="edge:1"),
                    PathStep(from_=voice, rel=EdgeType.CO_APPEARS, to=show, direction="in", evidence_id="edge:2",
                             hub=luffy),
                )),
            ),
            ComparisonEvidence(
                id="compare:1", source="postgresql", title="both", text="side by side", left=show, right=show,
                fields=(FieldDifference(field="episodes", left="1100"),),
                shared=(SharedRelation(edge=EdgeType.FEATURES, qualifier="main", entity=luffy),),
            ),
            RankedListEvidence(
                id="ranked:1", source="qdrant", title="near", text="ranked",
                entries=(RankedEntry(entity=show, score=0.5, reason="genre"),),
            ),
            QueryResultEvidence(
                id="query:1", source="postgresql", title="count", text="1 row", query="MATCH …", row_count=1,
                columns=("n",), sample=((1,),), entities=(show,), truncated=True, has_more=True,
                data_date=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
            ),
            ChunkEvidence(
                id="chunk:1", source="documents", title="guide", text="words", document=show, chunk_id=chunk_id,
                start_offset=3, end_offset=9, position=2, section="Scope", date="2024-03", collection="guides",
                reached_by="Rules 4, as “Book” refers to it",
            ),
            WebPageEvidence(id="web:1", source="web", title="page", text="words", url="https://example.org"),
        ),
        citations=("Mayumi Tanaka",),
        sources=(
            SourceCitation(marker=1, evidence_id="path:1", title="Mayumi Tanaka", locator="voices/5",
                           quote="Mayumi Tanaka voices Luffy", offsets=(0, 26), row_version=2),
        ),
        missing=("field:x",),
        alternatives=(
            Candidate(entity=luffy, matched_name="Luffy", match=MatchKind.EXACT, score=0.25, discriminators=("1999",)),
        ),
        searched=("names",),
        near_misses=(NearMiss(entity=show, reason="another year", score=0.5),),
        rewritten_query="voice actor of Luffy",
        steps=(RunStep(n=1, stage=Stage.REWRITE, action="rewrite", reason="start", hits=2, error="slow"),),
        warnings=(Warning(code=WarningCode.AMBIGUOUS_ENTITY, message="two Luffys", subject="Luffy"),),
        usage=Usage(turns=1, model_calls=2, tool_calls=3, prompt_tokens=4, completion_tokens=5, cost=0.5),
        trace_id=trace_id,
        termination_reason=TerminationReason.SUFFICIENT,
    )  # fmt: skip
    async with serving_both(always(response)) as (graphql, _):
        answer = (await graphql.data(ANSWER, question="Who voices Luffy?"))["searchAi"]

    def shown(ref: EntityRef) -> Json:
        return {"entityType": ref.entity_type.upper(), "id": str(ref.id), "name": ref.name}

    def common(kind: str, evidence_id: str, source: str, title: str, text: str) -> Json:
        known = {"__typename": kind, "id": evidence_id, "source": source, "title": title, "text": text}
        return {**known, "locator": "", "rowVersion": None, "contentHash": None}

    assert answer.pop("evidence") == [
        {
            **common("EntityRowEvidence", "row:1", "postgresql:anime", "One Piece", "One Piece: episodes 1100"),
            "locator": "anime/1",
            "rowVersion": 7,
            "contentHash": "abc",
            "entity": shown(show),
            "names": ["One Piece", "ワンピース"],
            "fields": [{"name": "episodes", "value": "1100"}],
        },
        {
            **common("PathEvidence", "path:1", "postgresql:voices", "Mayumi Tanaka", "Mayumi Tanaka voices Luffy"),
            "path": [
                {"from": shown(luffy), "rel": "voiced_by", "to": shown(voice), "direction": "out", "qualifier": "ja",
                 "evidenceId": "edge:1", "hub": None},
                {"from": shown(voice), "rel": "co_appears", "to": shown(show), "direction": "in", "qualifier": "",
                 "evidenceId": "edge:2", "hub": shown(luffy)},
            ],
        },
        {
            **common("ComparisonEvidence", "compare:1", "postgresql", "both", "side by side"),
            "left": shown(show),
            "right": shown(show),
            "differences": [{"field": "episodes", "left": "1100", "right": None}],
            "shared": [{"edge": "features", "qualifier": "main", "entity": shown(luffy)}],
        },
        {
            **common("RankedListEvidence", "ranked:1", "qdrant", "near", "ranked"),
            "entries": [{"entity": shown(show), "score": 0.5, "reason": "genre"}],
        },
        {
            **common("QueryResultEvidence", "query:1", "postgresql", "count", "1 row"),
            "query": "MATCH …",
            "rowCount": 1,
            "hasMore": True,
            "columns": ["n"],
            "entities": [shown(show)],
            "truncated": True,
            "dataDate": "2026-01-02T03:04:05+00:00",
        },
        {
            **common("ChunkEvidence", "chunk:1", "documents", "guide", "words"),
            "document": shown(show),
            "chunkId": str(chunk_id),
            "startOffset": 3,
            "endOffset": 9,
            "position": 2,
            "section": "Scope",
            "date": "2024-03",
            "collection": "guides",
            "reachedBy": "Rules 4, as “Book” refers to it",
        },
        {**common("WebPageEvidence", "web:1", "web", "page", "words"), "url": "https://example.org"},
    ]  # fmt: skip
    assert answer == {
        "answer": "Mayumi Tanaka voices Luffy [1].",
        "status": "answered_with_caveats",
        "confidence": 0.75,
        "confidenceBand": "medium",
        "confidenceReasons": ["one path"],
        "citations": ["Mayumi Tanaka"],
        "missing": ["field:x"],
        "searched": ["names"],
        "rewrittenQuery": "voice actor of Luffy",
        "evidenceTruncated": False,
        "traceId": str(trace_id),
        "terminationReason": "sufficient",
        "sourceEntities": [shown(luffy), shown(show), shown(voice)],
        "resultEntities": [shown(voice)],
        "sources": [
            {"marker": 1, "evidenceId": "path:1", "title": "Mayumi Tanaka", "locator": "voices/5",
             "quote": "Mayumi Tanaka voices Luffy", "offsets": [0, 26], "rowVersion": 2, "verdict": "supported"}
        ],
        "alternatives": [
            {"entity": shown(luffy), "matchedName": "Luffy", "match": "exact", "score": 0.25,
             "discriminators": ["1999"]}
        ],
        "nearMisses": [{"entity": shown(show), "reason": "another year", "score": 0.5}],
        "steps": [
            {"n": 1, "stage": "rewrite", "action": "rewrite", "reason": "start", "status": "ok", "hits": 2,
             "error": "slow"}
        ],
        "warnings": [{"code": "AMBIGUOUS_ENTITY", "message": "two Luffys", "subject": "Luffy"}],
        "usage": {"turns": 1, "modelCalls": 2, "toolCalls": 3, "promptTokens": 4, "completionTokens": 5, "cost": 0.5},
    }  # fmt: skip


HYDRATED = """query($question: String!) { searchAi(question: $question) {
    sourceEntities { ...whole } resultEntities { ...whole }
    evidence { ... on PathEvidence { path { from { ...whole } to { ...whole } } } }
} } fragment whole on EntityRef { name entity { __typename id name ... on Character { works { name } } } }"""


@pytest.mark.parametrize("count", [1, 10, 50])
async def test_references_are_hydrated_in_batches(
    count: int, database_url: str, read_write: ReadWriteEngine, statement_counter: StatementCounter
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn)
        show = await make.make_anime("One Piece")
        crew = [await make.make_character(f"Pirate {number}") for number in range(count)]
        for pirate in crew:
            await make.appears(pirate, show)
    work_ref = a_ref(EntityType.ANIME, "One Piece", show)
    refs = tuple(a_ref(EntityType.CHARACTER, "once", pirate) for pirate in crew)
    gone = a_ref(EntityType.CHARACTER, "Deleted since")
    paths = tuple(
        PathEvidence(
            id=f"edge:{number}", source="postgresql:appearances", title="t", text="t",
            path=GraphPath(steps=(PathStep(from_=ref, rel=EdgeType.APPEARS_IN, to=work_ref, evidence_id="e"),)),
        )
        for number, ref in enumerate(refs)
    )  # fmt: skip
    response = agent_response(source_entities=(*refs, work_ref, gone), result_entities=refs, evidence=paths)

    async with serving_both(always(response), database_url) as (graphql, _):
        with statement_counter.counting() as counted:
            answer = (await graphql.data(HYDRATED, question="Who is in One Piece?"))["searchAi"]

    names = [f"Pirate {number}" for number in range(count)]
    assert [ref["entity"]["name"] for ref in answer["resultEntities"]] == names
    assert [ref["entity"]["works"] for ref in answer["resultEntities"]] == [[{"name": "One Piece"}]] * count
    assert answer["sourceEntities"][-1] == {"name": "Deleted since", "entity": None}
    assert [evidence["path"][0]["from"]["entity"]["name"] for evidence in answer["evidence"]] == names
    assert {evidence["path"][0]["to"]["entity"]["__typename"] for evidence in answer["evidence"]} == {"Anime"}
    # What the ids are, the anime, the characters; the characters' links.
    assert len([text for text in counted.statements if "set_config" not in text]) == 4
