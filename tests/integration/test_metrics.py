"""What Prometheus reads of the agent, over HTTP."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import httpx
import pytest
import sqlalchemy as sa
from agent_core.schemas import (
    AgentResponse,
    AnswerStatus,
    ConfidenceBand,
    RunStep,
    Stage,
    StepStatus,
    TerminationReason,
    Usage,
    Warning,
    WarningCode,
)
from agent_service.metrics import EndpointInUse, Metrics, serve_metrics
from agent_service.settings import Settings
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.outbox import OutboxState, outbox
from datastore.postgres.outbox_lag import index_lag
from fixtures.agents import agent_response
from pydantic import ValidationError

STEPS = ("rewrite_ms", "selector_ms", "qdrant_ms", "pg_graph_ms", "answer_ms", "sufficiency_ms", "total_ms")


def busy_response() -> AgentResponse:
    return agent_response(
        status=AnswerStatus.ANSWERED_WITH_CAVEATS,
        termination_reason=TerminationReason.SUFFICIENT,
        confidence_band=ConfidenceBand.MEDIUM,
        steps=(
            RunStep(n=1, stage=Stage.EXECUTE, action="qdrant_search", status=StepStatus.EMPTY),
            RunStep(n=2, stage=Stage.EXECUTE, action="qdrant_search", status=StepStatus.EMPTY),
            RunStep(n=3, stage=Stage.FINALIZE, action="sufficient", status=StepStatus.EMPTY),
        ),
        warnings=(Warning(code=WarningCode.CITATION_REMOVED, message="removed"),),
        usage=Usage(
            turns=2,
            model_calls=3,
            tool_calls=5,
            prompt_tokens=1_000,
            completion_tokens=50,
            cost=0.25,
            ms=dict.fromkeys(STEPS, 7.5),
        ),
    )


async def test_a_scrape_has_every_figure_of_a_run() -> None:
    metrics = Metrics()
    metrics.answered(busy_response())
    metrics.aborted("cancelled")
    metrics.index_lag(12.5)
    endpoint = serve_metrics(metrics, "127.0.0.1", 0)
    try:
        async with httpx.AsyncClient() as http:
            page = (await http.get(f"http://127.0.0.1:{endpoint.port}/metrics")).text
        with pytest.raises(EndpointInUse, match="ENISHI_METRICS_PORT"):
            serve_metrics(metrics, "127.0.0.1", endpoint.port)
    finally:
        await asyncio.to_thread(endpoint.close)
    lines = set(page.splitlines())
    assert {
        'enishi_runs_total{reason="sufficient",status="answered_with_caveats"} 1.0',
        'enishi_runs_total{reason="",status="cancelled"} 1.0',
        'enishi_tokens_total{kind="prompt"} 1000.0',
        'enishi_tokens_total{kind="completion"} 50.0',
        "enishi_cost_total 0.25",
        "enishi_model_calls_total 3.0",
        "enishi_tool_calls_total 5.0",
        'enishi_zero_results_total{action="qdrant_search"} 2.0',
        "enishi_removed_citations_total 1.0",
        "enishi_index_lag_seconds 12.5",
        'enishi_turns_bucket{le="1.0"} 0.0',
        'enishi_turns_bucket{le="2.0"} 1.0',
    } <= lines
    for step in STEPS:
        assert {f"enishi_{step}_count 1.0", f"enishi_{step}_sum 7.5", f'enishi_{step}_bucket{{le="5.0"}} 0.0'} <= lines


async def test_the_lag_is_the_age_of_the_oldest_open_change(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    async with read_only.connect(30) as connection:
        assert await index_lag(connection) == 0.0
    ages = {OutboxState.DONE: 90, OutboxState.DEAD: 80, OutboxState.CLAIMED: 40, OutboxState.PENDING: 20}
    async with read_write.begin(30) as connection:
        for state, age in ages.items():
            await connection.execute(
                outbox.insert().values(
                    entity_id=uuid4(),
                    entity_type="anime",
                    version=1,
                    operation="upsert",
                    state=state,
                    created_at=sa.func.now() - timedelta(seconds=age),
                )
            )
    async with read_only.connect(30) as connection:
        assert 40 <= await index_lag(connection) < 60


def test_metrics_are_off_by_default_and_on_loopback_unless_allowed() -> None:
    assert Settings().metrics_port is None
    assert Settings().metrics_host == "127.0.0.1"
    with pytest.raises(ValidationError, match="ENISHI_ALLOW_REMOTE"):
        Settings(metrics_host="0.0.0.0", metrics_port=9464)
