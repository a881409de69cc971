"""Who an entity is: references, the UUIDs made from them, and the hash that tells a changed row (pure)."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid5

ENISHI_NAMESPACE = UUID("6e0d3c1e-5b0a-5c5e-9d5b-1f7a2a7f4c11")
"""The namespace of every entity id. It never changes: ids are stored by others."""

_REF = re.compile(r"(?P<source>[a-z0-9_]+):(?P<kind>[a-z0-9_]+):(?P<external_id>\S{1,200})")


@dataclass(frozen=True, slots=True, order=True)
class ExternalRef:
    """One source's name for an entity, for instance `anilist:anime:1`."""

    source: str
    kind: str
    external_id: str

    def __str__(self) -> str:
        return f"{self.source}:{self.kind}:{self.external_id}"


def parse_ref(text: str) -> ExternalRef:
    """The reference that `text` spells as `source:kind:id`. Raises ValueError when it spells none."""
    match = _REF.fullmatch(text)
    if match is None:
        raise ValueError(f"a reference reads source:kind:id, not {text[:100]!r}")
    return ExternalRef(**match.groupdict())


def entity_id(source: str, kind: str, external_id: str) -> UUID:
    """The id that this reference mints when it is the first to claim an entity; the same on every machine."""
    return uuid5(ENISHI_NAMESPACE, str(parse_ref(f"{source}:{kind}:{external_id}")))


def content_hash(content: Mapping[str, object]) -> str:
    """A hash of the content that no order of keys changes. Raises ValueError for NaN, TypeError for unknown types."""
    text = json.dumps(
        content, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=_plain_value
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _plain_value(value: object) -> str:
    match value:
        case UUID() | date():
            return str(value)
        case _:
            raise TypeError(f"{type(value).__name__} has no place in hashed content")
