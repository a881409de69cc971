"""One run as a tree: what it did, in order, and how long each part took."""

from agent_core.recording import RecordedCall, RecordedEvent, RunRecord
from pydantic import JsonValue
from rich.text import Text
from rich.tree import Tree

from enishi.terminal import clean

_MAX_CHARACTERS = 160
_STYLES = {"ok": "green", "empty": "yellow", "truncated": "yellow", "failed": "red", "refused": "red", "timeout": "red"}
_SHOWN = frozenset(
    {"stage_finished", "step_chosen", "evidence_added", "draft_made", "draft_judged", "warning_raised", "run_aborted"}
)


def trace_tree(record: RunRecord) -> Tree:
    """Head, steps with what they led to, calls."""
    tree = Tree(_head(record))
    usage = record.usage
    tree.add(
        Text(
            f"{usage.turns} turns, {usage.tool_calls} reads, {usage.model_calls} model calls, "
            f"{usage.prompt_tokens} + {usage.completion_tokens} tokens",
            "dim",
        )
    )
    if record.query is not None:
        tree.add(_line("question", record.query))
    if record.is_cut:
        tree.add(Text("a part of this run was too large to be kept", "yellow"))
    events = tree.add(Text("events", "bold"))
    for event in record.events:
        if event.kind in _SHOWN:
            events.add(_event(event))
    calls = tree.add(Text("calls", "bold"))
    for call in record.calls:
        calls.add(_call(call))
    return tree


def _head(record: RunRecord) -> Text:
    reason = f", {record.reason}" if record.reason else ""
    return Text(f"{record.id}  {record.status}{reason}  {record.ms:.0f} ms", "bold")


def _event(event: RecordedEvent) -> Text:
    match event.kind, event.data:
        case "stage_finished", {"step": {"stage": stage, "action": action, "status": status, "hits": hits, **rest}}:
            error = f"  {_said(rest['error'])}" if rest.get("error") else ""
            parts = (f"{_ms(event.ms)}  {stage} {action}  ", (str(status), _STYLES.get(str(status), "")))
            return Text.assemble(*parts, f"  {hits} hits" if hits else "", clean(error))
        case "step_chosen", {"step": {"action": action}, "turn": turn}:
            return _line(f"turn {turn} takes", str(action))
        case "evidence_added", {"evidence": [*items]}:
            return _line("evidence", ", ".join(str(item["id"]) for item in items if isinstance(item, dict)))
        case "draft_made", {"draft": {"answer": answer}}:
            return _line("draft", _said(answer))
        case "draft_judged", {"report": {"sufficient": sufficient}}:
            return _line("draft is", "sufficient" if sufficient else "not sufficient")
        case "warning_raised", {"warning": {"code": code, "message": message}}:
            return _line(str(code), _said(message))
        case _:
            return _line(event.kind, _said(event.data))


def _call(call: RecordedCall) -> Text:
    failure = f"  {call.failure}" if call.failure else ""
    return Text(f"{_ms(call.ms)}  {call.name} by {call.by}  {call.digest}{failure}")


def _ms(milliseconds: float | None) -> str:
    return f"{milliseconds or 0.0:8.1f} ms"


def _line(name: str, said: str) -> Text:
    short = said if len(said) <= _MAX_CHARACTERS else said[: _MAX_CHARACTERS - 1] + "…"
    return Text(clean(f"{'':8}     {name}: {short}".replace("\n", " ")))


def _said(value: JsonValue) -> str:
    """A text, or what stands in its place."""
    match value:
        case {"digest": digest, "characters": characters}:
            return f"({characters} characters, {digest})"
        case _:
            return str(value)
