"""What a run tells while it works: which events, in which order, and that they fold to its answer."""

import asyncio
from collections.abc import Callable
from uuid import uuid4

import pytest
from agent_core.errors import ModelErrorKind, SourceUnavailable, StageFailed
from agent_core.events import (
    EvidenceAdded,
    NoAnswer,
    RunAborted,
    RunEvent,
    RunFinished,
    StageFinished,
    StepChosen,
    fold,
)
from agent_core.schemas import (
    Action,
    AgentRequest,
    AgentResponse,
    DraftAnswer,
    FinalOutcome,
    NextStep,
    QueryRewrite,
    SufficiencyReport,
)
from agent_core.testing import ScriptedStages, scripted
from fixtures.loop_world import (
    ENOUGH,
    NOT_ENOUGH,
    World,
    cite_everything,
    concept_rewrite,
    final,
    list_everything,
    luffy_rewrite,
    search,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


async def told(world: World, stages: ScriptedStages, query: str = "Luffy?") -> tuple[list[RunEvent], AgentResponse]:
    heard: list[RunEvent] = []
    response = await world.loop(stages).run(AgentRequest(query=query, request_id=uuid4()), listener=heard.append)
    return heard, response


def kinds(events: list[RunEvent]) -> list[str]:
    return [event.body.kind for event in events]


async def test_a_run_tells_of_every_part_in_order(world: World) -> None:
    stages = scripted(
        concept_rewrite(),
        steps=[search("pirates")],
        drafts=[cite_everything("One Piece is the work")],
        reports=[ENOUGH],
    )
    heard, response = await told(world, stages)
    assert kinds(heard) == [
        "run_started",
        *("stage_started", "stage_finished"),  # rewrite
        *("stage_started", "stage_finished", "step_chosen"),  # select
        *("stage_started", "stage_finished", "evidence_added"),  # execute
        *("stage_started", "stage_finished"),  # answer
        *("stage_finished", "draft_made"),  # validate: noted, takes no time
        *("stage_started", "stage_finished", "draft_judged"),  # sufficiency
        *("stage_started", "stage_started", "stage_finished", "stage_finished"),  # finalize, around the last check
        "run_finished",
    ]
    assert [event.sequence for event in heard] == list(range(1, len(heard) + 1))
    assert fold(heard) == response
    (chosen,) = [event.body for event in heard if isinstance(event.body, StepChosen)]
    assert (chosen.step.action, chosen.turn, chosen.by_model) == (Action.QDRANT_SEARCH, 1, False)
    (added,) = [event.body for event in heard if isinstance(event.body, EvidenceAdded)]
    assert {item.title for item in added.evidence} == {"One Piece"}


async def test_steps_are_told_as_they_end(world: World) -> None:
    stages = scripted(luffy_rewrite(), drafts=[cite_everything("Luffy is in One Piece")], reports=[ENOUGH])
    heard, response = await told(world, stages)
    assert tuple(each.body.step for each in heard if isinstance(each.body, StageFinished)) == response.steps


async def test_a_cancelled_run_says_so_last(world: World) -> None:
    async def for_ever(_view: object) -> NextStep:
        await asyncio.sleep(60)
        raise AssertionError

    heard: list[RunEvent] = []
    loop = world.loop(scripted(concept_rewrite(), steps=[for_ever]))
    running = asyncio.ensure_future(loop.run(AgentRequest(query="q", request_id=uuid4()), listener=heard.append))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert heard[-1].body == RunAborted(error="cancelled")
    with pytest.raises(NoAnswer):
        fold(heard)


async def test_a_run_that_nobody_planned_for_ends_as_failed(world: World) -> None:
    heard: list[RunEvent] = []
    loop = world.loop(scripted(RuntimeError("a secret")))
    with pytest.raises(RuntimeError):
        await loop.run(AgentRequest(query="q", request_id=uuid4()), listener=heard.append)
    assert heard[-1].body == RunAborted(error="failed")
    assert "secret" not in heard[-1].model_dump_json()


_FAULTS: tuple[tuple[str, Callable[[], BaseException]], ...] = (
    ("resolve", lambda: SourceUnavailable("postgresql")),
    ("resolve", lambda: SourceUnavailable("postgresql", timed_out=True)),
    ("rows", lambda: SourceUnavailable("postgresql")),
    ("search", lambda: SourceUnavailable("qdrant")),
    ("graph", lambda: SourceUnavailable("postgresql", timed_out=True)),
)
_REWRITES: tuple[QueryRewrite, ...] = (
    luffy_rewrite(),
    concept_rewrite(),
    luffy_rewrite(mentions=(luffy_rewrite().mentions[0].model_copy(update={"text": "Sakura"}),)),
    luffy_rewrite(mentions=(luffy_rewrite().mentions[0].model_copy(update={"text": "Nobody"}),)),
    luffy_rewrite(needs_external_context=False, fixed_answer="greeting"),
)
_STEPS: tuple[NextStep | StageFailed, ...] = (
    search("pirates"),
    search("ninja"),
    search("nothing like it"),
    final(FinalOutcome.ENOUGH),
    final(FinalOutcome.NOT_FOUND),
    final(FinalOutcome.AMBIGUOUS),
    StageFailed("selector", ModelErrorKind.BAD_OUTPUT),
    StageFailed("selector", ModelErrorKind.UNAVAILABLE),
)
_REPORTS: tuple[SufficiencyReport, ...] = (ENOUGH, NOT_ENOUGH)
_DRAFTS = (
    list_everything,
    cite_everything("One Piece is the work"),
    cite_everything("Atlantis sank in 1234"),
    DraftAnswer(answer="Nothing is cited here.", confidence=0.9),
)


@given(
    rewrite=st.sampled_from(_REWRITES),
    steps=st.lists(st.sampled_from(_STEPS), min_size=1, max_size=5),
    drafts=st.lists(st.sampled_from(_DRAFTS), min_size=1, max_size=3),
    reports=st.lists(st.sampled_from(_REPORTS), min_size=1, max_size=3),
    faults=st.lists(st.sampled_from(_FAULTS), max_size=3),
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_the_answer_is_the_fold_of_the_events(
    rewrite: QueryRewrite,
    steps: list[NextStep | StageFailed],
    drafts: list[Callable[..., DraftAnswer] | DraftAnswer],
    reports: list[SufficiencyReport],
    faults: list[tuple[str, Callable[[], BaseException]]],
) -> None:
    world = World()
    for method, fault in faults:
        world.catalogue.fail(method, fault())
    model = scripted(rewrite, steps=steps, drafts=drafts, reports=reports)
    rules = scripted(rewrite, steps=[search("pirates")], drafts=[list_everything], reports=[ENOUGH])
    heard: list[RunEvent] = []
    loop = world.loop(model, rules)
    response = await loop.run(AgentRequest(query="Which anime?", request_id=uuid4()), listener=heard.append)
    # Through JSON, as the events are stored: nothing of the answer hangs on the objects of the run.
    stored = [RunEvent.model_validate_json(event.model_dump_json()) for event in heard]
    assert fold(stored) == response
    assert sum(isinstance(event.body, RunFinished) for event in heard) == 1


async def test_events_are_what_validation_would_have_made_of_them(world: World) -> None:
    """Those of each step are made without it."""
    heard, _ = await told(
        world,
        scripted(
            concept_rewrite(),
            steps=[search("pirates")],
            drafts=[cite_everything("One Piece is the work")],
            reports=[ENOUGH],
        ),
    )
    for event in heard:
        read = RunEvent.model_validate_json(event.model_dump_json())
        assert read == event
        assert read.model_dump_json() == event.model_dump_json()
        assert [*vars(read), *vars(read.body)] == [*vars(event), *vars(event.body)]
