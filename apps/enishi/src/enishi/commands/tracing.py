"""`enishi trace` and `enishi replay`: what runs did, and whether they would do it again."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC
from uuid import UUID, uuid4

from agent_api.client import AgentClient, Caller
from agent_api.v1 import traces_pb2
from agent_core.recording import RunRecord
from agent_service.trace_converters import record_from_proto
from observability.logging import configure_logging
from rich.table import Table
from rich.text import Text

from enishi.commands.reaching import answering_stack
from enishi.settings import Settings
from enishi.terminal import clean, make_console
from enishi.trace_view import trace_tree

EXIT_DIFFERS = 1
EXIT_REFUSED = 2
_GRACE_SECONDS = 5.0


async def run_trace(settings: Settings, trace_id: UUID | None, *, limit: int, as_json: bool) -> int:
    """Show one run, or list the last ones."""
    configure_logging(level=settings.log_level)
    caller, timeout = Caller(request_id=uuid4()), settings.ask_seconds + _GRACE_SECONDS
    async with _client(settings) as client:
        if trace_id is None:
            asked = traces_pb2.ListTracesRequest(limit=limit)
            messages = list((await client.list_traces(asked, caller=caller, timeout=timeout)).traces)
        else:
            messages = [await client.get_trace(trace_id, caller=caller, timeout=timeout)]
    records = [record_from_proto(message, principal=caller.principal) for message in messages]
    if as_json:
        sys.stdout.writelines(record.model_dump_json() + "\n" for record in records)
    elif trace_id is None:
        make_console().print(_list(records))
    else:
        make_console().print(trace_tree(records[0]))
    return 0


async def run_replay(settings: Settings, trace_id: UUID, *, as_json: bool) -> int:
    """0 when the run would do the same again, 1 when not, 2 when it can't be run again."""
    configure_logging(level=settings.log_level)
    async with _client(settings) as client:
        found = await client.replay_trace(
            trace_id, caller=Caller(request_id=uuid4()), timeout=settings.ask_seconds + _GRACE_SECONDS
        )
    if as_json:
        sys.stdout.write(json.dumps(_document(found), ensure_ascii=False) + "\n")
    elif found.HasField("refusal"):
        make_console(stderr=True).print(clean(f"can't be replayed: {found.refusal}"), style="red")
    else:
        make_console().print(Text(clean(replay_text(found))))
    return EXIT_REFUSED if found.HasField("refusal") else EXIT_DIFFERS if found.HasField("difference") else 0


def replay_text(found: traces_pb2.ReplayTraceResponse) -> str:
    """What a replay found, in words."""
    if not found.HasField("difference"):
        return f"no difference in {found.calls} calls"
    difference = found.difference
    where = f", {difference.where}" if difference.where else ""
    return "\n".join(
        (
            f"call {difference.n} of {found.calls} differs: {difference.name}{where}",
            f"  recorded: {difference.recorded}",
            f"  replayed: {difference.replayed}",
        )
    )


def _document(found: traces_pb2.ReplayTraceResponse) -> dict[str, object]:
    difference = found.difference
    return {
        "refusal": found.refusal if found.HasField("refusal") else None,
        "calls": found.calls,
        "difference": {
            "n": difference.n,
            "name": difference.name,
            "where": difference.where,
            "recorded": difference.recorded,
            "replayed": difference.replayed,
        }
        if found.HasField("difference")
        else None,
    }


def _list(records: list[RunRecord]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("trace", min_width=36)
    table.add_column("started (UTC)", min_width=19)
    table.add_column("ms", justify="right")
    table.add_column("status")
    table.add_column("question", overflow="fold")
    for record in records:
        started = record.started_at.astimezone(UTC).replace(tzinfo=None)
        table.add_row(
            str(record.id),
            started.isoformat(" ", "seconds"),
            f"{record.ms:.0f}",
            Text(record.status),
            Text(clean(record.query) if record.query is not None else "not kept"),
        )
    return table


@asynccontextmanager
async def _client(settings: Settings) -> AsyncGenerator[AgentClient]:
    async with answering_stack(settings, make_console(stderr=True)) as state:
        client = AgentClient(state.agent_target)
        try:
            yield client
        finally:
            await client.close()
