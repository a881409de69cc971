"""Failing sources and models, spent budgets, time and cancellation."""

import asyncio
from uuid import UUID, uuid4

import pytest
from agent_core.budget import Limits
from agent_core.errors import (
    BudgetExhausted,
    ModelErrorKind,
    SourceUnavailable,
    StageFailed,
)
from agent_core.evidence import EntityRef
from agent_core.orchestrator import LoopOptions, Orchestrator, Sources
from agent_core.protocols import LoopView
from agent_core.schemas import (
    Action,
    AgentRequest,
    AnswerStatus,
    DraftAnswer,
    FinalOutcome,
    NextStep,
    PlannedStep,
    SearchIntent,
    Stage,
    StepStatus,
    TerminationReason,
    WarningCode,
)
from agent_core.testing import scripted
from datastore.vocabulary import EntityType
from fixtures.loop_world import (
    ENOUGH,
    World,
    cite_everything,
    codes,
    concept_rewrite,
    final,
    luffy_rewrite,
    search,
    steps_of,
)


async def test_a_source_that_is_away_for_a_moment_is_asked_again(world: World) -> None:
    world.catalogue.fail("graph", SourceUnavailable("postgresql"), SourceUnavailable("postgresql"))
    stages = scripted(luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece")], reports=[ENOUGH])
    response = await world.ask(stages)
    assert response.status is AnswerStatus.ANSWERED
    assert world.catalogue.calls.count("graph") == 3
    assert response.usage.tool_calls == 7
    first, second = world.clock.slept
    assert 0.025 <= first <= 0.05
    assert 0.05 <= second <= 0.1


async def test_a_read_that_took_too_long_is_not_repeated(world: World) -> None:
    world.catalogue.fail("graph", SourceUnavailable("postgresql", timed_out=True))
    stages = scripted(
        luffy_rewrite(), steps=[final(FinalOutcome.ENOUGH)], drafts=[cite_everything("Monkey D. Luffy is known")]
    )
    response = await world.ask(stages)
    assert world.catalogue.calls.count("graph") == 1
    assert response.status is AnswerStatus.PARTIAL
    assert WarningCode.SOURCE_TIMEOUT in codes(response)


async def test_without_vectors_the_answer_is_poorer_and_says_so(world: World) -> None:
    world.catalogue.fail("search", *[SourceUnavailable("qdrant")] * 9)
    stages = scripted(concept_rewrite(), steps=[search("pirates"), search("ninja")])
    response = await world.ask(stages)
    assert WarningCode.VECTOR_UNAVAILABLE in codes(response)
    assert response.status is AnswerStatus.NOT_FOUND
    assert Action.QDRANT_SEARCH not in stages.selector.script.views[1].offered_actions
    assert world.catalogue.calls.count("search") == 3


async def test_without_the_database_the_run_ends_with_what_was_found(world: World) -> None:
    world.catalogue.fail("graph", *[SourceUnavailable("postgresql")] * 9)
    stages = scripted(luffy_rewrite(), drafts=[cite_everything("Monkey D. Luffy is known")])
    response = await world.ask(stages)
    assert response.termination_reason is TerminationReason.DEPENDENCY_LOST
    assert response.status is AnswerStatus.PARTIAL
    assert codes(response) == {WarningCode.DATABASE_UNAVAILABLE}
    assert response.answer == "Monkey D. Luffy is known [1]."


async def test_a_database_that_is_gone_from_the_start_is_a_clear_answer(world: World) -> None:
    world.catalogue.fail("resolve", *[SourceUnavailable("postgresql")] * 9)
    response = await world.ask(scripted(luffy_rewrite()))
    assert response.termination_reason is TerminationReason.DEPENDENCY_LOST
    assert response.answer.startswith("The catalogue can't be reached right now")
    assert [step.status for step in steps_of(response, Stage.RESOLVE)] == [StepStatus.UNAVAILABLE]


async def test_a_rewrite_that_cannot_read_names_ends_the_run(world: World) -> None:
    response = await world.ask(scripted(SourceUnavailable("postgresql")))
    assert response.termination_reason is TerminationReason.DEPENDENCY_LOST


@pytest.mark.parametrize("kind", list(ModelErrorKind))
async def test_rules_take_over_when_a_model_gives_nothing_usable(world: World, kind: ModelErrorKind) -> None:
    failed = StageFailed("x", kind)
    model = scripted(failed, steps=[failed], drafts=[failed], reports=[failed])
    rules = scripted(
        luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece", world.one_piece)], reports=[ENOUGH]
    )
    response = await world.ask(model, rules)
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert response.answer == "Luffy is in One Piece [1][2]."
    assert codes(response) == {WarningCode.LLM_UNAVAILABLE}
    tried = [step for step in response.steps if step.action == "model"]
    assert len(tried) == (1 if kind.is_outage else 3)
    assert {step.error for step in tried} == {kind}


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("model_calls", WarningCode.MODEL_CALL_BUDGET_EXHAUSTED),
        ("tokens", WarningCode.TOKEN_BUDGET_EXHAUSTED),
        ("cost", WarningCode.TOKEN_BUDGET_EXHAUSTED),
    ],
)
async def test_rules_take_over_when_the_models_budget_is_spent(world: World, what: str, code: WarningCode) -> None:
    model = scripted(luffy_rewrite(), drafts=[BudgetExhausted(what)])
    rules = scripted(luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece")], reports=[ENOUGH])
    response = await world.ask(model, rules)
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert codes(response) == {code}


async def test_no_model_is_asked_when_no_model_call_is_allowed(world: World) -> None:
    model = scripted(AssertionError("a model was asked"))
    rules = scripted(luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece")], reports=[ENOUGH])
    request = AgentRequest(query="Luffy?", request_id=uuid4(), max_model_calls=0)
    response = await world.ask(model, rules, request=request)
    assert response.status is AnswerStatus.ANSWERED


async def test_a_draft_that_does_not_stand_is_replaced_by_the_rules_draft(world: World) -> None:
    invented = DraftAnswer(answer="Zoro is in Bleach [1].", evidence_ids=("row:invented",), confidence=1.0)
    model = scripted(luffy_rewrite(), drafts=[invented], reports=[ENOUGH])
    rules = scripted(luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece")])
    response = await world.ask(model, rules)
    assert response.answer == "Luffy is in One Piece [1][2]."
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert codes(response) == {WarningCode.CITATION_REMOVED}


async def test_a_sentence_that_nothing_backs_is_removed_and_the_caller_told(world: World) -> None:
    def draft(view: LoopView) -> DraftAnswer:
        ids = tuple(item.id for item in view.evidence)
        return DraftAnswer(answer="Luffy is in One Piece [2]. He beat Goku [2].", evidence_ids=ids, confidence=1.0)

    response = await world.ask(scripted(luffy_rewrite(), drafts=[draft], reports=[ENOUGH]))
    assert response.answer == "Luffy is in One Piece [1]."
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert codes(response) == {WarningCode.CITATION_REMOVED}
    assert "a sentence without backing was removed" in response.confidence_reasons


async def test_entities_that_no_cited_evidence_is_about_are_dropped(world: World) -> None:
    stranger = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=1), name="Invented")
    stages = scripted(
        luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece", stranger, world.one_piece)], reports=[ENOUGH]
    )
    response = await world.ask(stages)
    assert [ref.id for ref in response.result_entities] == [world.one_piece.id]


async def test_what_was_deleted_while_the_run_went_on_is_taken_out(world: World) -> None:
    def draft(view: LoopView) -> DraftAnswer:
        world.catalogue.remove(world.one_piece)
        ids = tuple(item.id for item in view.evidence)
        return DraftAnswer(
            answer="Luffy is in One Piece [2]. Monkey D. Luffy is known [1].", evidence_ids=ids, confidence=1.0
        )

    response = await world.ask(scripted(luffy_rewrite(), drafts=[draft], reports=[ENOUGH]))
    assert response.answer == "Monkey D. Luffy is known [1]."
    assert {WarningCode.STALE_INDEX, WarningCode.CITATION_REMOVED} <= codes(response)
    assert "One Piece" not in response.model_dump_json(include={"answer", "evidence", "source_entities", "sources"})


async def test_an_answer_that_is_all_gone_is_not_found(world: World) -> None:
    def draft(view: LoopView) -> DraftAnswer:
        world.catalogue.remove(world.one_piece)
        ids = tuple(item.id for item in view.evidence)
        return DraftAnswer(answer="Luffy is in One Piece [2].", evidence_ids=ids, confidence=1.0)

    response = await world.ask(scripted(luffy_rewrite(), drafts=[draft], reports=[ENOUGH]))
    assert response.status is AnswerStatus.NOT_FOUND
    assert response.termination_reason is TerminationReason.NO_PROGRESS


async def test_tool_calls_are_checked_before_they_are_spent(world: World) -> None:
    stages = scripted(luffy_rewrite(), drafts=[cite_everything("Monkey D. Luffy is known")])
    request = AgentRequest(query="Luffy?", request_id=uuid4(), max_tool_calls=4)
    response = await world.ask(stages, request=request)
    assert response.usage.tool_calls <= 4
    assert response.termination_reason is TerminationReason.BUDGET_EXHAUSTED
    assert codes(response) == {WarningCode.TOOL_CALL_BUDGET_EXHAUSTED}
    assert response.answer == "Monkey D. Luffy is known [1]."


async def test_no_request_can_raise_the_servers_limits(world: World) -> None:
    options = LoopOptions(limits=Limits(turns=2, tool_calls=9))
    stages = scripted(concept_rewrite(), steps=[search(f"word{n}") for n in range(20)])
    request = AgentRequest(query="x", request_id=uuid4(), max_turns=20, max_tool_calls=200)
    response = await world.ask(stages, options=options, request=request)
    assert response.usage.turns <= 2
    assert response.usage.tool_calls <= 9


async def test_when_time_is_up_what_was_found_is_kept(world: World) -> None:
    async def never(view: LoopView) -> DraftAnswer:
        await asyncio.sleep(30)
        raise AssertionError

    model = scripted(luffy_rewrite(), drafts=[never])
    rules = scripted(luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece", world.one_piece)])
    request = AgentRequest(query="Luffy?", request_id=uuid4(), timeout_seconds=0.4)
    response = await world.ask(model, rules, request=request)
    assert response.status is AnswerStatus.PARTIAL
    assert response.termination_reason is TerminationReason.DEADLINE
    assert codes(response) == {WarningCode.DEADLINE_REACHED}
    assert response.answer == "Luffy is in One Piece [1][2]."
    assert response.confidence <= 0.5


async def test_time_that_is_up_before_anything_was_found_is_said(world: World) -> None:
    async def slow(view: LoopView) -> NextStep:
        world.clock.advance(31)
        return search("pirates")

    response = await world.ask(scripted(concept_rewrite(), steps=[slow]))
    assert response.termination_reason is TerminationReason.DEADLINE
    assert response.answer.startswith("Time ran out before an answer was found.")
    assert world.catalogue.intents == []


async def test_cancellation_goes_through(world: World) -> None:
    started = asyncio.Event()
    ended: list[str] = []

    async def hang(view: LoopView) -> DraftAnswer:
        started.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.append("cleaned up")
        raise AssertionError

    loop = world.loop(scripted(luffy_rewrite(), drafts=[hang]))
    task = asyncio.create_task(loop.run(AgentRequest(query="Luffy?", request_id=uuid4())))
    await started.wait()
    calls = list(world.catalogue.calls)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["cleaned up"]
    assert world.catalogue.calls == calls


async def test_cancelling_a_plan_stops_all_of_its_steps(world: World) -> None:
    running = 0
    peak = 0

    class Slow:
        async def execute(self, intent: SearchIntent, *, timeout: float) -> object:
            nonlocal running, peak
            running += 1
            peak = max(peak, running)
            try:
                await asyncio.sleep(30)
            finally:
                running -= 1

    plan = NextStep(
        action=Action.PLAN,
        rationale="r",
        plan=tuple(
            PlannedStep(action=Action.QDRANT_SEARCH, search_intent=search(word).search_intent)
            for word in ("a", "b", "c")
        ),
    )
    stages = scripted(concept_rewrite(), steps=[plan]).stages
    loop = Orchestrator(
        stages=stages,
        rule_based=stages,
        sources=Sources(world.catalogue, world.catalogue, Slow()),  # pyright: ignore[reportArgumentType]
        clock=world.clock,
    )
    task = asyncio.create_task(loop.run(AgentRequest(query="x", request_id=uuid4())))
    while running < 3:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (running, peak) == (0, 3)
