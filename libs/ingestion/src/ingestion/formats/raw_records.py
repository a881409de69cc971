"""Records that are not validated yet, out of answers that tell of one thing repeatedly, and what unites them."""

from dataclasses import dataclass
from typing import Any

from ingestion.formats.json_values import JsonObject
from ingestion.report import Place


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The fields of a record, not validated yet, and where they were read."""

    fields: JsonObject
    place: Place

    @property
    def ref(self) -> str | None:
        """The reference that an entity claims; None for a link."""
        return self.fields.get("ref")


def link_key(fields: JsonObject) -> tuple[Any, ...]:
    """What makes a link this one: everything but the role of an appearance and the weight of a studio credit."""
    names = ("record", "from", "to", "relation", "character", "person", "studio", "work", "language", "raw_role")
    return tuple(fields.get(name) for name in names)


def united(first: JsonObject, second: JsonObject) -> JsonObject:
    """Both answers about one entity: the first value that is not empty counts, names add up."""
    result = dict(first)
    for field, value in second.items():
        if field == "names":
            known = {name["name"] for name in result["names"]}
            result["names"] = [*result["names"], *_as_further(value, known)]
        elif field == "extra":
            result["extra"] = value | result.get("extra", {})
        elif result.get(field) in (None, [], ""):
            result[field] = value
    return result


def _as_further(names: list[JsonObject], known: set[str]) -> list[JsonObject]:
    """Names that are not known yet; an entity keeps its one main name."""
    new = [name for name in names if name["name"] not in known]
    return [name | {"kind": "alias"} if name["kind"] == "main" else name for name in new]
