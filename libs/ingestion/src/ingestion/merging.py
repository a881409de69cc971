"""What several sources say about one entity, merged into what the catalogue shows. Pure.

For each field the source that `precedence` ranks first is shown and the others fill what it leaves empty; all of them
add names. A date that agrees with the shown one and is more precise is shown in its place. The order in which sources
were imported changes nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from datastore.dates import PartialDate
from datastore.vocabulary import NameKind

from ingestion.precedence import rank
from ingestion.records import AnyEntity

_HEADER = frozenset({"record", "ref", "external_ids", "names", "extra", "popularity", "score", "score_source"})
_DATES = frozenset({"start", "end", "air_date"})
# What a record says that only mentions its entity, on the way to something else.
_MENTION = frozenset({"record", "ref", "names"})
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
class Said:
    """One source's value of a field, as text."""

    source: str
    value: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A field whose sources contradict each other: the value that is shown, and those that differ from it."""

    field: str
    shown: Said
    others: tuple[Said, ...]


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
    """What the record's source says now: a complete record replaces what is `stored`, a partial one updates it.

    A partial record that says nothing but a name only adds it to those that are `stored`.
    """
    new = record.model_dump(mode="json", by_alias=True, exclude_unset=is_partial)
    # The record type is a default, and no less said for that.
    new["record"] = record.record
    if not is_partial or stored is None:
        return new
    if new.keys() <= _MENTION:
        return {**stored, "names": combine(stored, new)["names"]}
    extra = {**stored.get("extra", {}), **new.get("extra", {})}
    return {**stored, **new, **({"extra": extra} if extra else {})}


def merge(records: Sequence[SourceRecord]) -> MergedEntity:
    """One entity of all its sources' records, one a source, whatever their order."""
    values: dict[str, Any] = {}
    disagreements: list[Disagreement] = []
    for field in sorted({field for each in records for field in each.record} - _HEADER):
        given = [each for each in _ranked(records, field) if not _is_empty(each.record.get(field))]
        if not given:
            continue
        shown = _most_precise(given, field) if field in _DATES else given[0]
        values[field] = shown.record[field]
        others = () if field in _OPINIONS else tuple(_differing(given, shown, field))
        if others:
            disagreements.append(Disagreement(field, _said(shown, field), others))
    popularity = _first(records, "popularity")
    score = _first(records, "score")
    if score is not None:
        values["score"] = score.record["score"]
        values["score_source"] = score.record.get("score_source") or score.source
    return MergedEntity(
        record=records[0].record["record"],
        names=tuple(_names(_ranked(records, "names"))),
        values=values,
        extra=_extra(_ranked(records, "extra")),
        popularity=popularity and popularity.record["popularity"],
        popularity_source=popularity and popularity.source,
        disagreements=tuple(disagreements),
    )


def combine(older: Mapping[str, Any], younger: Mapping[str, Any]) -> dict[str, Any]:
    """Two records of one source that turned out to describe one entity: the younger fills and adds names."""
    known = {name["name"] for name in older["names"]}
    added = [
        {**name, "kind": NameKind.ALIAS.value if name["kind"] == NameKind.MAIN else name["kind"]}
        for name in younger["names"]
        if name["name"] not in known
    ]
    filled = {field: value for field, value in younger.items() if _is_empty(older.get(field))}
    extra = {**younger.get("extra", {}), **older.get("extra", {})}
    return {**older, **filled, "names": [*older["names"], *added], "extra": extra}


def _ranked(records: Sequence[SourceRecord], field: str) -> list[SourceRecord]:
    return sorted(records, key=lambda each: rank(each.source, field))


def _said(record: SourceRecord, field: str) -> Said:
    return Said(record.source, str(record.record[field]))


def _most_precise(given: Sequence[SourceRecord], field: str) -> SourceRecord:
    """The first readable date, or one that agrees with it and says more; a text that is no date if all are so."""
    shown = given[0]
    for each in given[1:]:
        known, new = PartialDate.parse(shown.record[field]), PartialDate.parse(each.record[field])
        if new is not None and (known is None or (_agree(known, new) and _parts(new) > _parts(known))):
            shown = each
    return shown


def _differing(given: Iterable[SourceRecord], shown: SourceRecord, field: str) -> Iterator[Said]:
    """What contradicts the shown value. A less precise date and a text that is no date contradict nothing."""
    for each in given:
        if str(each.record[field]).casefold() == str(shown.record[field]).casefold():
            continue
        if field in _DATES:
            known, other = PartialDate.parse(shown.record[field]), PartialDate.parse(each.record[field])
            if known is None or other is None or _agree(known, other):
                continue
        yield _said(each, field)


def _agree(one: PartialDate, other: PartialDate) -> bool:
    pairs = ((one.year, other.year), (one.month, other.month), (one.day, other.day))
    return all(first == second for first, second in pairs if first is not None and second is not None)


def _parts(date: PartialDate) -> int:
    return sum(part is not None for part in (date.year, date.month, date.day))


def _is_empty(value: Any) -> bool:
    return value is None or value == []


def _first(records: Sequence[SourceRecord], field: str) -> SourceRecord | None:
    return next((each for each in _ranked(records, field) if each.record.get(field) is not None), None)


def _names(records: Sequence[SourceRecord]) -> Iterator[MergedName]:
    """The first record's names, then those of the others that are new; only the first one's main name stays main."""
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
