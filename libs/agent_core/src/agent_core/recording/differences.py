"""Where two records of the same question part. Pure."""

import json
from collections.abc import Iterator
from itertools import zip_longest

from pydantic import JsonValue

from agent_core.evidence import Contract
from agent_core.recording.records import RecordedCall, RunRecord
from agent_core.recording.text import stable

_MAX_CHARACTERS = 300


class Difference(Contract):
    """The first call that gave something else. `n` counts calls from 1; the last one is the response.

    `where` is the field that differs, empty when the calls differ as a whole.
    """

    n: int
    name: str
    where: str
    recorded: str
    replayed: str


def first_difference(recorded: RunRecord, replayed: RunRecord) -> Difference | None:
    """The first call of two runs that differs; None when all are alike."""
    for n, (old, new) in enumerate(zip_longest(recorded.calls, replayed.calls), start=1):
        if old is None or new is None or (old.name, old.by) != (new.name, new.by):
            name = (old or new or recorded.calls[0]).name
            return Difference(n=n, name=name, where="", recorded=_title(old), replayed=_title(new))
        if (old.digest, old.failure) != (new.digest, new.failure):
            return _between(n, old, new)
    return None


def _title(call: RecordedCall | None) -> str:
    return "no call" if call is None else f"{call.name} by {call.by}"


def _between(n: int, old: RecordedCall, new: RecordedCall) -> Difference:
    """Where two outputs of the same call part, as exactly as what was kept of them says."""
    where, left, right = "failure", old.failure or "none", new.failure or "none"
    if old.failure == new.failure:
        gone, come = (_only_in(old, new), _only_in(new, old))
        where, left, right = "evidence", gone or f"digest {old.digest}", come or f"digest {new.digest}"
        parted = next(_parting(stable(old.output), stable(new.output), ""), None)
        if parted is not None:
            where, left, right = parted
    return Difference(n=n, name=old.name, where=where, recorded=left, replayed=right)


def _only_in(one: RecordedCall, other: RecordedCall) -> str:
    return ", ".join(each for each in one.evidence_ids if each not in other.evidence_ids)[:_MAX_CHARACTERS]


def _parting(old: JsonValue, new: JsonValue, path: str) -> Iterator[tuple[str, str, str]]:
    """The paths at which two values part, each with what is there."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _parting(old.get(key), new.get(key), f"{path}.{key}" if path else key)
    elif isinstance(old, list) and isinstance(new, list):
        for index, (left, right) in enumerate(zip_longest(old, new)):
            yield from _parting(left, right, f"{path}[{index}]")
    elif old != new:
        yield path, _shown(old), _shown(new)


def _shown(value: JsonValue) -> str:
    text = "unset" if value is None else json.dumps(value, ensure_ascii=False)
    return text[:_MAX_CHARACTERS]
