"""The log of a run: what a full one drops, where a follower begins, what wakes it."""

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime
from itertools import count

import pytest
from agent_core.events import (
    DraftJudged,
    DraftMade,
    EventBody,
    EvidenceAdded,
    RunEvent,
    StageFinished,
    StageStarted,
    WarningRaised,
)
from agent_core.schemas import DraftAnswer, RunStep, Stage, SufficiencyReport, Warning, WarningCode
from agent_service.run_log import RunLog

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PROGRESS: tuple[EventBody, ...] = (
    StageStarted(stage=Stage.SELECT, action="rules"),
    DraftMade(draft=DraftAnswer(answer="a", confidence=1.0)),
    DraftJudged(report=SufficiencyReport(sufficient=True, rationale="r"), by_code=False),
)
SUBSTANCE: tuple[EventBody, ...] = (
    StageFinished(step=RunStep(n=1, stage=Stage.SELECT, action="rules")),
    EvidenceAdded(evidence=()),
    WarningRaised(warning=Warning(code=WarningCode.SAMPLE_ONLY, message="m")),
)


def filled(*bodies: EventBody, max_events: int = 100) -> RunLog:
    log = RunLog(max_events)
    for number, body in zip(count(1), bodies, strict=False):
        log.append(RunEvent(sequence=number, at=NOW, body=body))
    return log


async def heard(log: RunLog, *, after: int = 0) -> list[tuple[int, str]]:
    async with aclosing(log.follow(after=after, heartbeat=5)) as events:
        return [(event.sequence, event.body.kind) async for event in events if event is not None]


async def test_a_full_log_drops_what_only_tells_of_progress() -> None:
    log = filled(*PROGRESS, *PROGRESS, *SUBSTANCE, *PROGRESS, *SUBSTANCE, max_events=4)
    log.close()
    assert await heard(log) == [
        (1, "stage_started"),
        (2, "draft_made"),
        (3, "draft_judged"),
        (4, "stage_started"),
        *((7, "stage_finished"), (8, "evidence_added"), (9, "warning_raised")),
        *((13, "stage_finished"), (14, "evidence_added"), (15, "warning_raised")),
    ]
    assert await heard(log, after=4) == await heard(log, after=6)
    assert await heard(log, after=15) == []


async def test_followers_are_woken_each_at_its_own_place() -> None:
    log = filled(*PROGRESS)
    first, second = (asyncio.ensure_future(heard(log, after=after)) for after in (0, 3))
    await asyncio.sleep(0)
    log.append(RunEvent(sequence=4, at=NOW, body=SUBSTANCE[0]))
    await asyncio.sleep(0)
    log.close()
    assert [number for number, _ in await first] == [1, 2, 3, 4]
    assert await second == [(4, "stage_finished")]


async def test_a_follower_hears_all_before_the_error() -> None:
    log = filled(*PROGRESS)
    log.close(ValueError("lost"))
    events = log.follow(after=2, heartbeat=5)
    last = await anext(events)
    assert last is not None
    assert last.sequence == 3
    with pytest.raises(ValueError, match="lost"):
        await anext(events)


async def test_silence_is_told() -> None:
    async with aclosing(filled(PROGRESS[0]).follow(after=0, heartbeat=0.01)) as events:
        assert [await anext(events) is None for _ in range(3)] == [False, True, True]
