"""A record of a run as people see it in a terminal."""

import io
from uuid import uuid4

from agent_api.v1 import traces_pb2
from agent_core.schemas import AgentRequest
from agent_core.testing import scripted
from enishi.commands.tracing import replay_text
from enishi.trace_view import trace_tree
from fixtures.loop_world import ENOUGH, World, cite_everything, luffy_rewrite
from fixtures.recorded_runs import recorded_loop, run_recorded
from rich.console import Console


async def shown(world: World, *, keep_text: bool, query: str = "Which anime is Luffy in?") -> list[str]:
    stages = scripted(
        luffy_rewrite(), drafts=[cite_everything("Monkey D. Luffy appears in One Piece")], reports=[ENOUGH]
    )
    _, record = await run_recorded(recorded_loop(world, stages), AgentRequest(query=query, request_id=uuid4()))
    out = io.StringIO()
    Console(file=out, width=250, highlight=False, markup=False).print(trace_tree(record(keep_text)))
    return [line.strip(" │├└─") for line in out.getvalue().splitlines()]


async def test_a_run_is_a_tree_with_durations(world: World) -> None:
    lines = await shown(world, keep_text=True)
    assert lines[0].endswith("  answered, sufficient  0 ms")
    assert lines[1] == "1 turns, 5 reads, 0 model calls, 0 + 0 tokens"
    assert "question: Which anime is Luffy in?" in lines
    assert "0.0 ms  expand neighbors  ok  1 hits" in lines
    assert "draft: Monkey D. Luffy appears in One Piece [1][2]." in lines
    assert "draft is: sufficient" in lines
    assert sum("pg_graph by source" in line for line in lines) == 1


async def test_texts_that_are_not_kept_are_shown_as_digests(world: World) -> None:
    lines = await shown(world, keep_text=False)
    (draft,) = [line for line in lines if line.startswith("draft: ")]
    assert draft.startswith("draft: (44 characters, ")
    assert "Luffy" not in "\n".join(lines)


async def test_what_a_question_holds_reaches_no_terminal_raw(world: World) -> None:
    lines = await shown(world, keep_text=True, query="Luffy \x1b[31m[bold]?")
    assert "question: Luffy [31m[bold]?" in lines


def test_a_replay_is_told_in_words() -> None:
    assert replay_text(traces_pb2.ReplayTraceResponse(calls=9)) == "no difference in 9 calls"
    difference = traces_pb2.TraceDifference(n=2, name="resolve", where="evidence", recorded="a", replayed="b")
    assert replay_text(traces_pb2.ReplayTraceResponse(calls=9, difference=difference)).splitlines() == [
        "call 2 of 9 differs: resolve, evidence",
        "  recorded: a",
        "  replayed: b",
    ]
