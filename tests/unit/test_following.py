"""`enishi ask --stream` as people see it: steps as they come, nothing that a terminal would obey."""

from collections.abc import AsyncGenerator

import pytest
from agent_api.v1 import search_pb2
from agent_service.converters import response_to_proto
from enishi.commands.following import follow_for_people
from fixtures.agents import agent_response


async def test_people_see_the_steps_and_get_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    answer = agent_response(answer="Nothing was found.")

    async def stream() -> AsyncGenerator[search_pb2.SearchEvent]:
        step = search_pb2.RunStep(n=1, stage="rewrite", action="rules", status="ok", hits=2, ms=12.3)
        yield search_pb2.SearchEvent(stage_started=search_pb2.StageStarted(stage="rewrite", action="rules"))
        yield search_pb2.SearchEvent(stage_finished=step)
        yield search_pb2.SearchEvent(step_chosen=search_pb2.StepChosen(action="pg_graph", reason="\x1b[2Jone hop"))
        yield search_pb2.SearchEvent(warning_raised=search_pb2.Warning(code="SAMPLE_ONLY", message="a part"))
        yield search_pb2.SearchEvent(run_finished=response_to_proto(answer))

    assert await follow_for_people(stream()) == answer
    assert capsys.readouterr().err.splitlines() == [
        "  1  rewrite rules: ok, 2 found, 12 ms",
        "  →  pg_graph: [2Jone hop",
        "  !  SAMPLE_ONLY: a part",
    ]
