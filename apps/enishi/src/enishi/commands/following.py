"""`enishi ask --stream`: what a run tells while it works, as lines for people or for scripts."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC

from agent_api.v1 import search_pb2
from agent_core.schemas import AgentResponse
from agent_service.converters import response_from_proto
from google.protobuf import json_format

from enishi.terminal import clean, make_console


async def follow_as_json(stream: AsyncGenerator[search_pb2.SearchEvent]) -> None:
    """One line of JSON for each event, written at once. Raises AgentError."""
    async with aclosing(stream):
        async for event in stream:
            sys.stdout.write(_json_line(event) + "\n")
            sys.stdout.flush()


async def follow_for_people(stream: AsyncGenerator[search_pb2.SearchEvent]) -> AgentResponse | None:
    """The answer, after a line for each step on standard error. Raises AgentError."""
    console = make_console(stderr=True)
    async with aclosing(stream):
        async for event in stream:
            if event.HasField("run_finished"):
                return response_from_proto(event.run_finished)
            line = _line(event)
            if line is not None:
                console.print(clean(line), style="dim")
    return None


def _json_line(event: search_pb2.SearchEvent) -> str:
    kind = event.WhichOneof("body") or ""
    head = {"kind": kind, "sequence": event.sequence, "at": event.at.ToDatetime(UTC).isoformat()}
    if event.HasField("run_finished"):
        answer = json.loads(response_from_proto(event.run_finished).model_dump_json())
        return json.dumps({**head, "response": answer}, ensure_ascii=False)
    body = json_format.MessageToDict(
        getattr(event, kind), preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return json.dumps({**head, kind: body}, ensure_ascii=False)


def _line(event: search_pb2.SearchEvent) -> str | None:
    """What people are told of an event; None for what the next one tells better."""
    match event.WhichOneof("body"):
        case "stage_finished":
            step = event.stage_finished
            return f"{step.n:>3}  {step.stage} {step.action}: {step.status}, {step.hits} found, {step.ms:.0f} ms"
        case "step_chosen":
            return f"  →  {event.step_chosen.action}: {event.step_chosen.reason}"
        case "warning_raised":
            return f"  !  {event.warning_raised.code}: {event.warning_raised.message}"
        case _:
            return None
