"""Queries over the catalogue that a model writes: the real client over HTTP, the real executor on PostgreSQL."""

from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID, uuid4

import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.budget import QueryLimits
from agent_core.evidence import QueryResultEvidence
from agent_core.llm.providers import ModelMode, ModelOptions, ModelProvider
from agent_core.orchestrator import LoopOptions, Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import (
    Action,
    AgentRequest,
    AgentResponse,
    AnswerStatus,
    RunStep,
    Stage,
    StepStatus,
    WarningCode,
)
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vocabulary import StaffRole, WorkFormat
from factories import CatalogueFactory
from fixtures.postgres import seeded
from fixtures.scripted_llm import Body, Fill, ScriptedLLM, labels

type Values = dict[str, Any]

QUESTION = "What did Mirelle Ostrander do at Plimf that somebody could watch twice?"
"""Nothing that the rules read as a question about a set: the model is asked what to do."""

FILMS = "MATCH (p:Person {id: $n1})-[:STAFF_OF]->(w:Anime)-[:PRODUCED_BY]->(s:Studio {id: $n2}) "
RIGHT = FILMS + "WHERE w.format = 'movie' RETURN w.id AS id, w.name AS name ORDER BY name"
COUNT = FILMS + "RETURN count(DISTINCT w) AS works"
MISSPELT = "MATCH (p:Person {id: $n1})-[:DIRECTED]->(w:Anime) RETURN w.name AS name"
WRITE = "MATCH (w:Anime {name: 'Zorblax'}) DETACH DELETE w"
COSTLY = "MATCH (a), (b), (c), (d), (e) RETURN count(*) AS n"
INVENTED = "MATCH (w:Anime) RETURN 9000 AS episodes LIMIT 1"
REFUSED = {
    MISSPELT: "line 1, column 27: There is no relationship type 'DIRECTED'",
    WRITE: "line 1, column 35: ",
    COSTLY: "more than the 10000000 that are allowed",
    INVENTED: "A returned column holds a value that the query writes itself.",
}


def rewrite_values() -> Values:
    free: Values = {"entity_types": [], "year": None, "within": None}
    names = [{"text": text, **free} for text in ("Mirelle Ostrander", "Plimf")]
    return {
        "rationale": "r",
        "rewritten_query": "Which films did Mirelle Ostrander make at Plimf?",
        "needs_external_context": True,
        "fixed_answer": None,
        "answer_kind": "count",
        "mentions": names,
        "concepts": [],
        "asked_fields": [],
        "relations": [],
        "entity_types": ["anime"],
        "filters": [],
        "top_k": None,
        "language": "en",
    }


def step_values(action: str, **parts: object) -> Values:
    empty = dict.fromkeys(("search_intent", "graph_intent", "graph_query_intent", "plan", "final"))
    return {"rationale": "r", "action": action, **empty, **parts}


def queried(text: str) -> Fill:
    """A step that asks this query."""
    return Fill(step_values("graph_query", graph_query_intent={"text": text}))


def says(text: str) -> Fill:
    """A draft of one sentence that cites the last evidence it is shown."""

    def draft(body: Body) -> Values:
        sentence = {"text": text, "evidence": labels(body, "e")[-1:]}
        return {"rationale": "r", "sentences": [sentence], "result_entities": [], "confidence": 0.9}

    return Fill(draft)


class Asked:
    """A loop over the catalogue whose stages ask the scripted server."""

    def __init__(self, llm: ScriptedLLM, loop: Orchestrator) -> None:
        self.llm = llm
        self._loop = loop

    async def ask(self, *steps: Fill, draft: str) -> AgentResponse:
        """The answer when the model chooses these steps and drafts this sentence."""
        self.llm.requests.clear()
        self.llm.script("QueryRewriteWire", Fill(rewrite_values()))
        self.llm.script("NextStepWire", *steps)
        self.llm.script("DraftAnswerWire", says(draft))
        sufficient: Values = {"rationale": "r", "sufficient": True, "missing": [], "suggested_next_action": None}
        self.llm.script("SufficiencyReportWire", Fill(sufficient))
        response = await self._loop.run(AgentRequest(query=QUESTION, request_id=uuid4()))
        assert violations(response) == []
        return response

    def selections(self) -> list[str]:
        """What the model was told each time it chose a step."""
        pairs = zip(self.llm.asked(), self.llm.messages(), strict=True)
        return [text for name, text in pairs if name == "NextStepWire"]


async def write_world(read_write: ReadWriteEngine) -> dict[str, UUID]:
    """A film and a series by one director at one studio, and a film by nobody."""
    async with read_write.begin(30) as conn:
        make = CatalogueFactory(conn)
        made = {
            "nights": await make.make_anime("Zorblax Nights", form=WorkFormat.MOVIE, start="2011-07"),
            "zorblax": await make.make_anime("Zorblax", episode_count=64, start="2009-04-05"),
            "bare": await make.make_anime("Bare", form=WorkFormat.MOVIE),
            "mirelle": await make.make_person("Mirelle Ostrander"),
            "plimf": await make.make_studio("Plimf"),
        }
        for work in ("nights", "zorblax"):
            await make.worked(made["mirelle"], made[work], StaffRole.DIRECTOR)
            await make.produced(made["plimf"], made[work])
    return made


template, made = seeded(write_world)


@pytest.fixture
async def asked(scripted_llm: ScriptedLLM, read_only: ReadOnlyEngine, made: dict[str, UUID]) -> AsyncGenerator[Asked]:
    model = ModelOptions(
        provider=ModelProvider.OPENAI_COMPATIBLE,
        model="scripted",
        base_url=scripted_llm.base_url,
        mode=ModelMode.JSON_SCHEMA,
        try_timeout_seconds=5.0,
        stage_timeout_seconds=10.0,
    )
    loop = build_orchestrator(
        read_only=read_only,
        vector_store=None,
        embedder=None,
        model=model,
        options=LoopOptions(graph_tokens=700, queries=QueryLimits(cost=10_000_000)),
    )
    yield Asked(scripted_llm, loop)
    await loop.close()


def queries_of(response: AgentResponse) -> list[RunStep]:
    return [step for step in response.steps if step.stage is Stage.EXECUTE and step.action == Action.GRAPH_QUERY]


def result_of(response: AgentResponse) -> QueryResultEvidence:
    (found,) = [item for item in response.evidence if isinstance(item, QueryResultEvidence)]
    return found


async def test_a_right_query_is_the_evidence_of_the_answer(asked: Asked, made: dict[str, UUID]) -> None:
    response = await asked.ask(queried(RIGHT), draft="Mirelle Ostrander made Zorblax Nights at Plimf.")
    assert response.answer == "Mirelle Ostrander made Zorblax Nights at Plimf [1]."
    assert response.status is AnswerStatus.ANSWERED
    result = result_of(response)
    assert (result.query, result.row_count, result.has_more) == (RIGHT, 1, False)
    assert result.parameters == {"n1": str(made["mirelle"]), "n2": str(made["plimf"])}
    assert result.sample == ((str(made["nights"]), "Zorblax Nights"),)
    assert [step.status for step in queries_of(response)] == [StepStatus.OK]


async def test_the_model_is_shown_the_part_of_the_graph_that_is_asked_about(asked: Asked) -> None:
    await asked.ask(queried(COUNT), draft="Mirelle Ostrander has 2 works at Plimf.")
    (told,) = asked.selections()
    graph = told[told.index("| GRAPH") : told.index("<<<END")]
    assert "| (:Person) 1 nodes: staff and voice actors" in graph
    assert "-[:STAFF_OF {role, qualifier}]->(:Work|Anime|Manga) 2: role is director, author, composer" in graph
    assert "| … and more that is not shown" in graph
    assert "graph_query" in asked.llm.requests[1]["messages"][-1]["content"]


async def test_a_count_is_a_cell_of_a_query_that_ran(asked: Asked) -> None:
    response = await asked.ask(queried(COUNT), draft="Mirelle Ostrander has 2 works at Plimf.")
    assert response.answer == "Mirelle Ostrander has 2 works at Plimf [1]."
    assert result_of(response).sample == ((2,),)


async def test_a_refused_query_is_told_with_its_reason_and_written_anew(asked: Asked) -> None:
    for wrong, reason in REFUSED.items():
        draft = "Mirelle Ostrander made Zorblax Nights at Plimf."
        response = await asked.ask(queried(wrong), queried(RIGHT), draft=draft)
        assert response.answer == "Mirelle Ostrander made Zorblax Nights at Plimf [1].", wrong
        refused, ran = queries_of(response)
        assert (refused.status, ran.status) == (StepStatus.REFUSED, StepStatus.OK), wrong
        first, second = asked.selections()
        assert "refused:" not in first
        assert reason in (refused.error or "")
        assert reason in second
        assert f"|   {wrong}" in second
        assert WarningCode.STEP_REFUSED not in {warning.code for warning in response.warnings}


async def test_the_third_refused_query_is_the_last(asked: Asked) -> None:
    other = "MATCH (w:Anime)\nSET w.name = 'x' RETURN w"
    response = await asked.ask(
        queried(MISSPELT), queried(WRITE), queried(other), queried(RIGHT), draft="Zorblax is by Plimf."
    )
    assert [step.status for step in queries_of(response)] == [StepStatus.REFUSED] * 3
    given_up = [warning for warning in response.warnings if warning.subject == Action.GRAPH_QUERY]
    assert [(each.code, each.message) for each in given_up] == [
        (WarningCode.STEP_REFUSED, "Every graph_query that was proposed was refused.")
    ]
    assert "3 queries were refused; no other is tried" in {step.reason for step in response.steps}
    assert not any(isinstance(item, QueryResultEvidence) for item in response.evidence)
    offered = asked.llm.requests[-1]["response_format"]["json_schema"]["schema"]
    assert "graph_query" not in str(offered.get("properties", {}).get("action", ""))


async def test_what_stands_only_in_the_query_backs_no_sentence(asked: Asked) -> None:
    text = FILMS + "WHERE w.name <> 'Bleach' AND w.year <> 1984 RETURN w.name AS `Bleach`, w.episodes AS e LIMIT 9000"
    for invented in ("9000 works at Plimf", "Bleach at Plimf", "Zorblax Nights in 1984"):
        response = await asked.ask(queried(text), draft=f"Mirelle Ostrander made {invented}.")
        assert [step.status for step in queries_of(response)] == [StepStatus.OK]
        assert invented not in response.answer
        assert WarningCode.CITATION_REMOVED in {warning.code for warning in response.warnings}


async def test_the_rows_of_a_sample_are_no_total(asked: Asked) -> None:
    text = "MATCH (w:Anime) RETURN w.id AS id LIMIT 2"
    response = await asked.ask(queried(text), draft="The catalogue holds 2 anime.")
    assert "2 anime" not in response.answer
    response = await asked.ask(queried(text), draft="The catalogue holds at least 2 anime.")
    assert response.answer == "The catalogue holds at least 2 anime [1]."
    assert (result_of(response).row_count, result_of(response).has_more) == (2, True)
