"""Questions with a picture in the loop, with an index in memory: what is spent, who is asked, what stops."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

import pytest
from agent_core.budget import Budget, Limits
from agent_core.errors import IntentRefused, InvalidRequest, SourceUnavailable
from agent_core.evidence import ALIKE, PICTURES_SOURCE, SAME, EntityRef, RankedEntry, RankedListEvidence
from agent_core.orchestrator import LoopOptions, Orchestrator, Sources
from agent_core.orchestrator.outcomes import violations
from agent_core.protocols import LoopView, Stages
from agent_core.schemas import (
    AgentRequest,
    AgentResponse,
    AnswerStatus,
    ConfidenceBand,
    FinalOutcome,
    Hit,
    NextStep,
    RetrievalResult,
    SearchIntent,
    Stage,
    StepStatus,
    Strategy,
    TerminationReason,
    WarningCode,
)
from agent_core.testing import scripted
from agent_core.turns import CompleteQuestion, PastMention
from fixtures.loop_world import ENOUGH, World, cite_everything, codes, final, luffy_rewrite, steps_of

PICTURE = "http://pictures.example/a.png"


class PictureIndex:
    """An index that finds the same for every picture, or fails."""

    def __init__(self, world: World, found: Sequence[tuple[EntityRef, str]] | Exception) -> None:
        self._world = world
        self._found = found
        self.intents: list[SearchIntent] = []

    async def execute(self, intent: SearchIntent, *, timeout: float) -> RetrievalResult:
        self.intents.append(intent)
        if isinstance(self._found, Exception):
            raise self._found
        if not self._found:
            return RetrievalResult(status=StepStatus.EMPTY, summary="Nothing in the index matches the picture.")
        rows = [self._world.catalogue.entities[ref.id] for ref, _ in self._found]
        lines = [f"{row.title}: {band}" for row, (_, band) in zip(rows, self._found, strict=True)]
        entries = tuple(RankedEntry(entity=ref, score=0.9, reason=band) for ref, band in self._found)
        seen = RankedListEvidence(
            id="pictures:1", source=PICTURES_SOURCE, title="Pictures", text="; ".join(lines), entries=entries
        )
        hits = tuple(Hit(entity=row.entity, score=0.9, evidence_id=row.id, row_version=1) for row in rows)
        return RetrievalResult(status=StepStatus.OK, summary="found", hits=hits, evidence=(seen, *rows))


class Reader:
    """A reader of picture questions that always says the same."""

    def __init__(self, complete: CompleteQuestion | None) -> None:
        self._complete = complete

    async def complete(self, question: str, shown: EntityRef, budget: Budget) -> CompleteQuestion | None:
        return self._complete


async def ask(
    world: World,
    index: PictureIndex,
    stages: Stages,
    rules: Stages | None = None,
    *,
    limits: Limits | None = None,
    strategy: Strategy = Strategy.AUTO,
) -> AgentResponse:
    loop = Orchestrator(
        stages=stages,
        rule_based=rules or stages,
        sources=Sources(world.catalogue, world.catalogue, index, world.catalogue.graph),
        clock=world.clock,
        options=LoopOptions(limits=limits or Limits()),
    )
    request = AgentRequest(query="What is this?", image_query=PICTURE, request_id=uuid4(), strategy=strategy)
    response = await loop.run(request)
    assert violations(response) == []
    return response


def drafting(text: str, *results: EntityRef) -> Stages:
    """Stages that draft this text, and must not be asked to rewrite or choose."""
    failing = AssertionError("nobody is asked to rewrite a question that only asks for its picture")
    return scripted(failing, drafts=[cite_everything(text, *results)], reports=[ENOUGH]).stages


async def test_a_picture_is_looked_for_once_and_needs_neither_rewrite_nor_selection(world: World) -> None:
    index = PictureIndex(world, [(world.one_piece, SAME)])
    response = await ask(world, index, drafting("It is One Piece", world.one_piece))
    assert (response.status, response.termination_reason) == (AnswerStatus.ANSWERED, TerminationReason.SUFFICIENT)
    assert [intent.image_query for intent in index.intents] == [PICTURE]
    assert [step.action for step in steps_of(response, Stage.EXPAND)] == ["qdrant_search"]
    assert response.usage.tool_calls == 2
    assert response.confidence_band is ConfidenceBand.HIGH


async def test_a_similar_picture_makes_a_less_certain_answer(world: World) -> None:
    index = PictureIndex(world, [(world.one_piece, ALIKE)])
    response = await ask(world, index, drafting("It is One Piece", world.one_piece))
    assert response.confidence_band is ConfidenceBand.MEDIUM


async def test_with_a_model_a_picture_alone_costs_no_selection_of_it(world: World) -> None:
    index = PictureIndex(world, [])
    model, rules = drafting("never"), drafting("never")
    rules = replace(rules, source_selector=_Ends())
    response = await ask(world, index, model, rules)
    assert response.status is AnswerStatus.NOT_FOUND
    assert response.answer.startswith("No picture in the catalogue looks like it.")
    assert response.usage.model_calls == 0
    assert len(index.intents) == 1


class _Ends:
    """The rules' word that no step is left."""

    async def run(self, view: LoopView, budget: Budget) -> NextStep:
        return final(FinalOutcome.NOT_FOUND)


async def test_what_is_shown_settles_the_rest_of_the_question(world: World) -> None:
    index = PictureIndex(world, [(world.luffy, SAME)])
    settled = PastMention(text="Luffy", entity=world.luffy)
    complete = CompleteQuestion(text="Which anime is Luffy in?", settled=(settled,))
    stages = scripted(luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece")], reports=[ENOUGH]).stages
    response = await ask(world, index, replace(stages, pictures=Reader(complete)))
    assert response.status is AnswerStatus.ANSWERED
    assert "relation:0" not in response.missing
    assert len(index.intents) == 1


async def test_what_was_not_understood_is_said(world: World) -> None:
    index = PictureIndex(world, [(world.one_piece, SAME)])
    stages = replace(drafting("It is One Piece"), pictures=Reader(CompleteQuestion(text="")))
    response = await ask(world, index, stages)
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert codes(response) == {WarningCode.PICTURE_ONLY}


async def test_an_index_that_is_away_is_said_and_nothing_else_is_tried(world: World) -> None:
    index = PictureIndex(world, SourceUnavailable("qdrant", timed_out=True))
    rules = replace(drafting("never"), source_selector=_Ends())
    response = await ask(world, index, rules)
    assert response.status is AnswerStatus.NOT_FOUND
    assert WarningCode.VECTOR_UNAVAILABLE in codes(response)
    assert "No picture" not in response.answer


async def test_a_refused_picture_is_the_caller_s_error(world: World) -> None:
    index = PictureIndex(world, IntentRefused("image_query", "the picture is damaged"))
    with pytest.raises(InvalidRequest, match="image_query: the picture is damaged"):
        await ask(world, index, drafting("never"))
    with pytest.raises(InvalidRequest, match="a strategy that searches it"):
        await ask(world, index, drafting("never"), strategy=Strategy.GRAPH)
    assert len(index.intents) == 1


async def test_looking_is_paid_for_from_the_tool_calls(world: World) -> None:
    index = PictureIndex(world, [(world.one_piece, SAME)])
    response = await ask(world, index, drafting("never"), limits=Limits(tool_calls=2))
    assert response.status is AnswerStatus.PARTIAL
    assert index.intents == []
