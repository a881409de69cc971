"""What of a value may be kept: all of it, or its structure with a digest in place of every text. Pure."""

import hashlib
import json
import re

from pydantic import JsonValue, TypeAdapter

_ANYTHING: TypeAdapter[object] = TypeAdapter(object)

_PLAIN = frozenset(
    {
        "action", "answer_kind", "at", "by_code", "by_model", "chosen_by", "code", "confidence_band", "direction",
        "edge", "edge_types", "entity_type", "entity_types", "evidence_id", "evidence_ids", "fixed_answer", "id",
        "input_digest", "kind", "match", "outcome", "query_type", "rel", "relations", "request_id", "run_id",
        "session_id", "stage", "state", "status", "strategy", "suggested_next_action", "termination_reason",
        "trace_id", "verdict",
    }
)  # fmt: skip
"""Names of fields that hold ids and words of closed sets. Whatever is not among them is taken for text."""

_OPAQUE = frozenset({"parameters", "rows", "sample"})
"""Values whose keys may be anybody's words; each goes as one text."""

_MAX_PLAIN_CHARACTERS = 200

_VOLATILE = frozenset(
    {"at", "data_date", "latency_ms", "ms", "read_at", "request_id", "row_version", "trace_id", "usage", "steps"}
)
"""What differs between two runs that did the same."""

# Cards of queries say it; any import moves it.
_DATA_DATE = re.compile(r"; data of \d{4}-\d{2}-\d{2}")

_DIGITS = 4
_DIGEST_CHARACTERS = 16


def json_of(value: object) -> JsonValue:
    """A value as JSON; sets in an order of their own.

    What has its default is left out: a field that a later version adds is no difference while nobody uses it.
    """
    document: JsonValue = _ANYTHING.dump_python(value, mode="json", exclude_defaults=True)
    return [*sorted(map(str, document))] if isinstance(value, frozenset) and isinstance(document, list) else document


def digest_of(value: JsonValue) -> str:
    """A short digest of what matters in a value: times, costs and the last digits of numbers left out."""
    return _digest(json.dumps(stable(value), ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def stable(value: JsonValue) -> JsonValue:
    """The value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: stable(part) for key, part in value.items() if key not in _VOLATILE}
    if isinstance(value, list):
        return [stable(part) for part in value]
    if isinstance(value, str):
        return _DATA_DATE.sub("", value)
    return round(value, _DIGITS) if isinstance(value, float) else value


def without_text(value: JsonValue, *, is_plain: bool = False) -> JsonValue:
    """The value with `{digest, characters}` for every text that is not an id or a word of a closed set."""
    if isinstance(value, str):
        return value if not value or (is_plain and len(value) <= _MAX_PLAIN_CHARACTERS) else hidden(value)
    if isinstance(value, list):
        return [without_text(part, is_plain=is_plain) for part in value]
    if isinstance(value, dict):
        return {
            key: hidden(json.dumps(part)) if key in _OPAQUE and part else without_text(part, is_plain=key in _PLAIN)
            for key, part in value.items()
        }
    return value


def hidden(text: str) -> dict[str, JsonValue]:
    """What stands in place of a text."""
    return {"digest": _digest(text), "characters": len(text)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:_DIGEST_CHARACTERS]
