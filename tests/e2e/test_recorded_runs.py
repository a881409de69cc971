"""Recorded runs of the demo catalogue, run again: whatever the rules, the loop or the catalogue do else is found.

To record them anew after a change that is meant: pytest tests/e2e/test_recorded_runs.py --snapshot-update
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.budget import Limits, QueryLimits
from agent_core.orchestrator import LoopOptions, Orchestrator
from agent_core.recording import RunRecord, recorded_stages
from agent_core.recording.seams import FOLLOW_UP
from agent_core.replay import replay
from agent_core.schemas import AgentRequest
from agent_service.sessions import PostgresSessions
from datastore.postgres.engine import PostgresOptions, open_read_only, open_read_write
from fixtures.postgres import READER_ROLE
from fixtures.recorded_questions import QUESTIONS, RecordedQuestion
from fixtures.recorded_runs import run_recorded
from fixtures.stack import Home
from pydantic import JsonValue

SECONDS = 60.0
_SAID = ("answer", "status", "termination_reason", "missing", "result_entities")
FOLDER = Path(__file__).with_name("recorded_runs")


@pytest.fixture
async def loop(running_home: Home) -> AsyncGenerator[Orchestrator]:
    """The rules over the demo catalogue, without an index: its nearest neighbours may differ between machines."""
    async with open_loop(running_home.state["postgres_dsn"]) as opened:
        yield opened


@asynccontextmanager
async def open_loop(dsn: str) -> AsyncGenerator[Orchestrator]:
    """Patient: on a busy machine a read that is given up would be a difference."""
    patient = PostgresOptions(dsn=dsn, pool_max_size=2, statement_timeout_ms=30_000, acquire_timeout_ms=30_000)
    reader = open_read_only(replace(patient, role=READER_ROLE))
    writer = open_read_write(patient)
    options = LoopOptions(Limits(seconds=SECONDS), QueryLimits(seconds=SECONDS), source_seconds=SECONDS)
    sessions = PostgresSessions(writer, keep_days=1, keep_turns=5)
    built = build_orchestrator(read_only=reader, vector_store=None, embedder=None, options=options, sessions=sessions)
    yield built
    await built.close()
    await reader.close()
    await writer.close()


async def recorded(loop: Orchestrator, question: RecordedQuestion) -> RunRecord:
    asked = loop
    if question.model is not None:
        asked = loop.with_stages(recorded_stages(question.model.stages, "model"), None)
    session = uuid4() if question.before else None
    for earlier in question.before:
        await loop.run(AgentRequest(query=earlier, request_id=uuid4(), session_id=session))
    _, record = await run_recorded(asked, AgentRequest(query=question.text, request_id=uuid4(), session_id=session))
    # What a replay needs, and what it is held against; the rest is done anew and may be done in another way.
    full = record(True)
    needed = [call for call in full.calls if call.by == "model" or call.name == FOLLOW_UP]
    response = full.calls[-1].model_copy(update={"output": said(full), "evidence_ids": ()})
    return full.model_copy(update={"events": (), "calls": (*needed, response)})


def said(record: RunRecord) -> dict[str, JsonValue]:
    """What a caller was told: the answer, how it ended, and what stands behind it."""
    response = record.calls[-1].output
    assert isinstance(response, dict)
    sources, warnings = (response.get(name, []) for name in ("sources", "warnings"))
    assert isinstance(sources, list)
    assert isinstance(warnings, list)
    return {
        **{
            name: response.get(name)
            for name in ("answer", "status", "termination_reason", "missing", "result_entities")
        },
        "evidence": [source.get("evidence_id") for source in sources if isinstance(source, dict)],
        "warnings": [warning.get("code") for warning in warnings if isinstance(warning, dict)],
    }


@pytest.mark.parametrize("name", QUESTIONS)
async def test_a_recorded_run_does_the_same_again(
    loop: Orchestrator, name: str, request: pytest.FixtureRequest
) -> None:
    file = FOLDER / f"{name}.json"
    if request.config.getoption("--snapshot-update"):
        kept = await recorded(loop, QUESTIONS[name])
        file.write_text(kept.model_dump_json(indent=1, exclude_defaults=True) + "\n", encoding="utf-8")
    record = RunRecord.model_validate_json(file.read_text(encoding="utf-8"))
    assert said(await replay(loop, record, seconds=SECONDS)) == record.calls[-1].output
