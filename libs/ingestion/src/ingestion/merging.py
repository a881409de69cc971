"""What several sources say about one entity, merged into what the catalogue shows. Pure.

The source that first spoke of the entity keeps its values; later ones fill what is empty and add names. A date that
agrees with the kept one and is more precise counts as filling.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from datastore.vocabulary import NameKind

from ingestion.records import AnyEntity

_HEADER = frozenset({"record", "ref", "external_ids", "names", "extra", "popularity", "score", "score_source"})
_DATES = frozenset({"start", "end", "air_date"})
# Two sources always word, rate and tag differently: no conflict is in that.
_OPINIONS = frozenset({"synopsis", "description", "genres", "tags", "occupations", "anime"})


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One source's record of an entity, as JSON; a field that the source never mentioned is missing."""

    source: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MergedName:
    """One name, as given."""

    name: str
    kind: NameKind
    language: str | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A later source's value that differs from the kept one."""

    field: str
    kept: str
    other: str
    source: str


@dataclass(frozen=True, slots=True)
class MergedEntity:
    """One entity as the catalogue shows it. `values` holds the fields of its detail table; empty ones are missing."""

    record: str
    names: tuple[MergedName, ...]
    values: Mapping[str, Any]
    extra: Mapping[str, Any]
    popularity: int | None
    popularity_source: str | None
    disagreements: tuple[Disagreement, ...]

    @property
    def main_name(self) -> str:
        """The name shown to people."""
        return next(name.name for name in self.names if name.kind is NameKind.MAIN)

    def content(self, refs: Iterable[str]) -> dict[str, Any]:
        """All that readers and the index can see, but for popularity, which is no content."""
        return {
            "record": self.record,
            "refs": sorted(refs),
            "names": [[name.name, name.kind, name.language] for name in self.names],
            "values": dict(self.values),
            "extra": dict(self.extra),
        }


def source_json(record: AnyEntity, stored: Mapping[str, Any] | None, *, is_partial: bool) -> dict[str, Any]:
    """What the record's source says now: a complete record replaces what is `stored`, a partial one updates it."""
    new = record.model_dump(mode="json", by_alias=True, exclude_unset=is_partial)
    # The record type is a default, and no less said for that.
    new["record"] = record.record
    if not is_partial or stored is None:
        return new
    extra = {**stored.get("extra", {}), **new.get("extra", {})}
    return {**stored, **new, **({"extra": extra} if extra else {})}


def merge(records: Sequence[SourceRecord]) -> MergedEntity:
    """One entity of all its sources' records, in the order in which the sources first spoke of it."""
    values: dict[str, Any] = {}
    disagreements: list[Disagreement] = []
    for source_record in records:
        for field, value in source_record.record.items():
            if field in _HEADER or _is_empty(value):
                continue
            kept = values.setdefault(field, value)
            if field in _DATES and value.startswith(f"{kept}-"):
                values[field] = value
            elif kept != value and field not in _OPINIONS and not (field in _DATES and kept.startswith(f"{value}-")):
                disagreements.append(Disagreement(field, str(kept), str(value), source_record.source))
    popularity = _first(records, "popularity")
    score = _first(records, "score")
    if score is not None:
        values["score"] = score.record["score"]
        values["score_source"] = score.record.get("score_source") or score.source
    return MergedEntity(
        record=records[0].record["record"],
        names=tuple(_names(records)),
        values=values,
        extra=_extra(records),
        popularity=popularity and popularity.record["popularity"],
        popularity_source=popularity and popularity.source,
        disagreements=tuple(disagreements),
    )


def _is_empty(value: Any) -> bool:
    return value is None or value == []


def _first(records: Sequence[SourceRecord], field: str) -> SourceRecord | None:
    return next((record for record in records if record.record.get(field) is not None), None)


def _names(records: Sequence[SourceRecord]) -> Iterator[MergedName]:
    """The first source's names, then those of the others that are new; only the first one's main name stays main."""
    given: set[tuple[str, str]] = set()
    known: set[str] = set()
    for position, source_record in enumerate(records):
        added: list[str] = []
        for fields in source_record.record.get("names", ()):
            name, kind = fields["name"], NameKind(fields["kind"])
            if (name, kind) in given or name in known:
                continue
            given.add((name, kind))
            added.append(name)
            if position and kind is NameKind.MAIN:
                kind = NameKind.ALIAS
            yield MergedName(name, kind, fields.get("language"))
        known.update(added)


def _extra(records: Sequence[SourceRecord]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for source_record in records:
        merged = {**source_record.record.get("extra", {}), **merged}
    return merged
