"""A model that follows references: it picks the step over HTTP, the loop follows, the answer cites the edge."""

import re
from typing import Any
from uuid import uuid4

import pytest
from agent_core.evidence import ChunkEvidence, PathEvidence
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import Action, AgentRequest, AgentResponse, AnswerStatus, Stage
from datastore.edges import EdgeType
from fixtures.document_world import DocumentWorld, documents
from fixtures.modelled_loop import (
    INSUFFICIENT,
    SUFFICIENT,
    draft_values,
    opened,
    rewrite_values,
    stages_on,
    step_values,
)
from fixtures.scripted_llm import Body, Fill, ScriptedLLM, labels, scripted_llm
from references.following import FollowLimits

__all__ = ["documents", "scripted_llm"]

QUESTION = "In what are sponges kept that wipe the lamps of the tower?"


def _fill(world: DocumentWorld) -> None:
    lamps = world.add("Lamps", "The lamps of the tower are wiped as the “Cleaning Manual” says.")
    manual = world.add("Cleaning Manual", "A lamp is wiped with 3 sponges. Where sponges stand is in “Store Book”.")
    store = world.add("Store Book", "The sponges that wipe a lamp stand in 12 jars, as “Jar Notes” has it.")
    notes = world.add("Jar Notes", "The sponges that wipe a lamp stand in blue jars, says the “Cleaning Manual”.")
    for start, end in ((lamps, manual), (manual, store), (store, notes)):
        world.catalogue.link(start, EdgeType.MENTIONS, end)


def _step(action: str, **parts: object) -> dict[str, Any]:
    nothing = dict.fromkeys(("document_intent", "lookup_intent", "web_intent", "follow_intent"))
    return step_values(action, **{**nothing, **parts})


def _searching(query: str) -> dict[str, Any]:
    free: dict[str, Any] = {"documents": [], "first_day": None, "last_day": None, "top_k": 1}
    step = _step("document_search", document_intent={"query": query, "mode": "hybrid", **free})
    return {name: value for name, value in step.items() if name != "follow_intent"}


def _following(body: Body) -> dict[str, Any]:
    """Follows the first reference that it is shown."""
    first = labels(body, "r")[0]
    return _step("follow_references", follow_intent={"query": QUESTION, "references": [first], "types": []})


def _drafting(body: Body) -> dict[str, Any]:
    """Says what was found so far, each sentence from the evidence that holds it."""
    system = body["messages"][0]["content"]
    cards = dict(re.findall(r"EVIDENCE (e\d+)\n((?:\| .+\n)+)", system))
    said = {
        "The lamps of the tower are wiped": "The lamps of the tower are wiped",
        "“Lamps” mentions “Cleaning Manual”": "Lamps mentions Cleaning Manual",
        "“Cleaning Manual” mentions “Store Book”": "Cleaning Manual mentions Store Book",
        "The sponges that wipe a lamp stand in 12 jars": "stand in 12 jars",
    }
    cited = {text: [label for label, card in cards.items() if words in card] for text, words in said.items()}
    return draft_values(*((text, found) for text, found in cited.items() if found))


async def _asked(world: DocumentWorld, llm: ScriptedLLM) -> AgentResponse:
    llm.script("QueryRewriteWire", Fill(rewrite_values(mentions=[], relations=[], concepts=["sponges"])))
    llm.script("DocumentStepWire", Fill(_searching("lamps of the tower")))
    llm.script("ReferenceStepWire", Fill(_following))
    llm.script("DraftAnswerWire", Fill(_drafting), Fill(_drafting))
    llm.script("SufficiencyReportWire", Fill(INSUFFICIENT), Fill(SUFFICIENT))
    async with opened(llm) as client:
        loop = world.loop(stages_on(ModelStageRunner(client)))
        return await loop.run(AgentRequest(query=QUESTION, request_id=uuid4()))


async def test_a_model_picks_the_step_and_the_answer_cites_the_edge(
    documents: DocumentWorld, scripted_llm: ScriptedLLM
) -> None:
    _fill(documents)
    response = await _asked(documents, scripted_llm)
    assert response.answer == (
        "The lamps of the tower are wiped [1]. “Lamps” mentions “Cleaning Manual” [2]. "
        "“Cleaning Manual” mentions “Store Book” [3]. The sponges that wipe a lamp stand in 12 jars [4]."
    )
    assert (response.status, violations(response)) == (AnswerStatus.ANSWERED, [])
    cited = {item.id: item for item in response.evidence}
    edges = [item for source in response.sources if isinstance(item := cited[source.evidence_id], PathEvidence)]
    assert [(step.rel, step.to.name) for edge in edges for step in edge.path.steps] == [
        (EdgeType.MENTIONS, "Cleaning Manual"),
        (EdgeType.MENTIONS, "Store Book"),
    ]
    last = cited[response.sources[-1].evidence_id]
    assert isinstance(last, ChunkEvidence)
    assert last.reached_by == "Store Book, as “Cleaning Manual” refers to it"
    assert scripted_llm.asked().count("ReferenceStepWire") == 1
    chosen = [step.action for step in response.steps if step.stage is Stage.EXECUTE]
    assert chosen == [Action.DOCUMENT_SEARCH, Action.FOLLOW_REFERENCES]


@pytest.mark.parametrize("limits", [FollowLimits(depth=1), FollowLimits(tokens=5)])
async def test_what_a_model_follows_ends_at_the_limits(
    documents: DocumentWorld, scripted_llm: ScriptedLLM, limits: FollowLimits
) -> None:
    _fill(documents)
    documents.following = limits
    response = await _asked(documents, scripted_llm)
    assert response.answer == ("The lamps of the tower are wiped [1]. “Lamps” mentions “Cleaning Manual” [2].")
