"""What a catalogue file may not contain, beyond what the record schema already refuses."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from datastore.dates import PartialDate
from datastore.edges import EDGES
from datastore.vocabulary import INVERSE_CHARACTER_RELATION, NameKind, Season, StaffRole, WorkFormat
from pydantic import BaseModel, ValidationError

from ingestion.records import (
    AnimeRecord,
    AnyEntity,
    AnyLink,
    AppearanceRecord,
    CharacterRecord,
    CharacterRelationRecord,
    EntityRecord,
    EpisodeRecord,
    MangaRecord,
    PersonRecord,
    RelationRecord,
    StaffRecord,
    StudioCreditRecord,
    StudioRecord,
    VoiceRecord,
    WorkRecord,
    parse_record,
)

MAIN_GENRES = frozenset(
    {
        "Action",
        "Adventure",
        "Comedy",
        "Drama",
        "Fantasy",
        "Horror",
        "Mecha",
        "Music",
        "Mystery",
        "Psychological",
        "Romance",
        "Sci-Fi",
        "Slice of Life",
        "Sports",
        "Supernatural",
        "Thriller",
    }
)
"""The genres a work may name; everything finer is a tag."""

_SEASON_OF_MONTH = {
    month: season
    for season, months in (
        (Season.WINTER, (12, 1, 2)),
        (Season.SPRING, (3, 4, 5)),
        (Season.SUMMER, (6, 7, 8)),
        (Season.FALL, (9, 10, 11)),
    )
    for month in months
}


@dataclass(frozen=True, slots=True)
class LocatedRecord:
    """A record and where it was read. Lines count from 1."""

    file: str
    line: int
    record: AnyEntity | AnyLink


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with one line. `ref` is empty when the line could not be read."""

    file: str
    line: int
    ref: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.ref} {self.field}: {self.message}"


def read_records(paths: Iterable[Path]) -> tuple[list[LocatedRecord], list[Problem]]:
    """All records of the files, in order, and a problem for each line that is no record. Blank lines are skipped."""
    located: list[LocatedRecord] = []
    problems: list[Problem] = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
            if not line.strip():
                continue
            try:
                located.append(LocatedRecord(path.name, number, parse_record(line)))
            except ValidationError as error:
                problems += (
                    Problem(path.name, number, "", ".".join(str(part) for part in detail["loc"]), detail["msg"])
                    for detail in error.errors()
                )
    return located, problems


def validate(records: Iterable[LocatedRecord]) -> list[Problem]:
    """Every broken rule, sorted by file and line; an empty list means that the catalogue may be loaded."""
    catalogue = _Catalogue.of(records)
    problems = [problem for rule in _RULES for problem in rule(catalogue)]
    return sorted(problems, key=lambda problem: (problem.file, problem.line, problem.field, problem.message))


@dataclass(slots=True)
class _Catalogue:
    records: list[LocatedRecord]
    entities: dict[str, EntityRecord] = field(default_factory=dict[str, EntityRecord])

    @classmethod
    def of(cls, records: Iterable[LocatedRecord]) -> "_Catalogue":
        catalogue = cls(list(records))
        for item in catalogue.records:
            if isinstance(item.record, EntityRecord):
                for ref in (item.record.ref, *item.record.external_ids):
                    catalogue.entities.setdefault(ref, item.record)
        return catalogue

    def canonical(self, ref: str) -> str:
        """The ref under which the entity is written; the given one when nothing claims it."""
        entity = self.entities.get(ref)
        return entity.ref if entity else ref

    def each[R: BaseModel](self, kind: type[R]) -> Iterator[tuple[LocatedRecord, R]]:
        for item in self.records:
            if isinstance(item.record, kind):
                yield item, item.record


def _problem(item: LocatedRecord, field_name: str, message: str) -> Problem:
    record = item.record
    ref = record.ref if isinstance(record, EntityRecord) else _ends(record)[0][1]
    return Problem(item.file, item.line, ref, field_name, message)


_WORK = (AnimeRecord, MangaRecord)


def _ends(record: AnyLink) -> list[tuple[str, str, tuple[type[EntityRecord], ...]]]:
    """Field, reference and allowed kinds of everything a link points at; what it speaks of comes first."""
    match record:
        case RelationRecord():
            return [("from", record.from_, _WORK), ("to", record.to, _WORK)]
        case CharacterRelationRecord():
            return [("from", record.from_, (CharacterRecord,)), ("to", record.to, (CharacterRecord,))]
        case AppearanceRecord():
            return [("character", record.character, (CharacterRecord,)), ("work", record.work, _WORK)]
        case VoiceRecord():
            work: list[tuple[str, str, tuple[type[EntityRecord], ...]]] = (
                [("work", record.work, _WORK)] if record.work else []
            )
            return [
                ("person", record.person, (PersonRecord,)),
                ("character", record.character, (CharacterRecord,)),
                *work,
            ]
        case StaffRecord():
            return [("person", record.person, (PersonRecord,)), ("work", record.work, _WORK)]
        case StudioCreditRecord():
            return [("studio", record.studio, (StudioRecord,)), ("work", record.work, _WORK)]


def _dangling_references(catalogue: _Catalogue) -> Iterator[Problem]:
    for item in catalogue.records:
        match item.record:
            case EpisodeRecord() as episode:
                ends = [("anime", episode.anime, (AnimeRecord,))]
            case EntityRecord():
                continue
            case link:
                ends = _ends(link)
        for field_name, ref, kinds in ends:
            entity = catalogue.entities.get(ref)
            if entity is None:
                yield _problem(item, field_name, f"{ref} is not defined")
            elif not isinstance(entity, kinds):
                allowed = " or ".join(kind.__name__.removesuffix("Record").lower() for kind in kinds)
                yield _problem(item, field_name, f"{ref} is not a {allowed}")


def _duplicate_references(catalogue: _Catalogue) -> Iterator[Problem]:
    claimed: dict[str, LocatedRecord] = {}
    for item, entity in catalogue.each(EntityRecord):
        claims = [("ref", entity.ref), *(("external_ids", ref) for ref in entity.external_ids)]
        for field_name, ref in claims:
            first = claimed.setdefault(ref, item)
            if first is not item:
                yield _problem(item, field_name, f"{ref} is claimed before, in {first.file}:{first.line}")
        if len(set(entity.external_ids)) < len(entity.external_ids):
            yield _problem(item, "external_ids", "the same id is given twice")


def _duplicate_links(catalogue: _Catalogue) -> Iterator[Problem]:
    seen: dict[tuple[str, ...], LocatedRecord] = {}
    for item in catalogue.records:
        if isinstance(item.record, EntityRecord):
            continue
        first = seen.setdefault(_link_key(catalogue, item.record), item)
        if first is not item:
            yield _problem(item, "record", f"the same link is written in {first.file}:{first.line}")


def _link_key(catalogue: _Catalogue, record: AnyLink) -> tuple[str, ...]:
    """What makes a link the same as another: its ends and its kind, not its note, raw text or importance."""
    refs = [catalogue.canonical(ref) for _, ref, _ in _ends(record)]
    match record:
        case RelationRecord():
            kind = record.relation.value
        case CharacterRelationRecord():
            kind = record.kind.value
        case VoiceRecord():
            kind = record.language
        case StaffRecord():
            kind = record.role.value
        case AppearanceRecord() | StudioCreditRecord():
            kind = ""
    return (record.record, *refs, kind)


def _duplicate_people(catalogue: _Catalogue) -> Iterator[Problem]:
    seen: dict[tuple[str, str], LocatedRecord] = {}
    for item, entity in catalogue.each(EntityRecord):
        if not isinstance(entity, PersonRecord | StudioRecord):
            continue
        names = {_folded(name.name) for name in entity.names if name.kind in (NameKind.MAIN, NameKind.NATIVE)}
        for name in sorted(names):
            first = seen.setdefault((entity.record, name), item)
            if first is not item:
                yield _problem(item, "names", f"'{name}' also names the one in {first.file}:{first.line}")


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _impossible_dates(catalogue: _Catalogue) -> Iterator[Problem]:
    for item, work in catalogue.each(WorkRecord):
        for field_name, text, date in (("start", work.start, work.start_date), ("end", work.end, work.end_date)):
            if text is not None and date is None:
                yield _problem(item, field_name, f"'{text}' is no possible date")
        if work.start_date and work.end_date and _is_before(work.end_date, work.start_date):
            yield _problem(item, "end", f"{work.end} is before the start {work.start}")
    for item, episode in catalogue.each(EpisodeRecord):
        yield from _impossible_air_date(catalogue, item, episode)


def _impossible_air_date(catalogue: _Catalogue, item: LocatedRecord, episode: EpisodeRecord) -> Iterator[Problem]:
    if episode.air_date is None:
        return
    aired = PartialDate.parse(episode.air_date)
    anime = catalogue.entities.get(episode.anime)
    if aired is None:
        yield _problem(item, "air_date", f"'{episode.air_date}' is no possible date")
    elif isinstance(anime, AnimeRecord) and anime.start_date and _is_before(aired, anime.start_date):
        yield _problem(item, "air_date", f"{aired} is before the anime's start {anime.start}")


def _is_before(one: PartialDate, other: PartialDate) -> bool:
    """Whether `one` is surely earlier: compared only as far as both are known."""
    known = zip((one.year, one.month, one.day), (other.year, other.month, other.day), strict=True)
    for left, right in known:
        if left is None or right is None:
            return False
        if left != right:
            return left < right
    return False


def _seasons(catalogue: _Catalogue) -> Iterator[Problem]:
    for item, anime in catalogue.each(AnimeRecord):
        if (anime.season is None) != (anime.season_year is None):
            yield _problem(item, "season", "season and season_year belong together")
        if anime.format is WorkFormat.TV and anime.season is None and anime.start_date and anime.start_date.month:
            yield _problem(item, "season", "a television series with a start month needs its season")
        yield from _season_against_start(item, anime)


def _season_against_start(item: LocatedRecord, anime: AnimeRecord) -> Iterator[Problem]:
    start = anime.start_date
    if start is None or start.month is None:
        return
    season = _SEASON_OF_MONTH[start.month]
    year = start.year + (start.month == 12)
    if anime.season is not None and anime.season is not season:
        yield _problem(item, "season", f"a start on {start} is {season}, not {anime.season}")
    if anime.season_year is not None and anime.season_year != year:
        yield _problem(item, "season_year", f"a start on {start} belongs to {year}, not {anime.season_year}")


def _relations_both_ways(catalogue: _Catalogue) -> Iterator[Problem]:
    """One direction is enough, the other is derived; two that can't both hold are refused by the same test."""
    seen: dict[tuple[str, str], list[tuple[str, str, LocatedRecord]]] = defaultdict(list)
    for item in catalogue.records:
        match item.record:
            case RelationRecord() as relation:
                kind, inverse = relation.relation.value, EDGES[relation.relation].inverse.value
            case CharacterRelationRecord() as relation:
                kind = relation.kind.value
                inverse = INVERSE_CHARACTER_RELATION.get(relation.kind, relation.kind).value
            case _:
                continue
        ends = (catalogue.canonical(relation.from_), catalogue.canonical(relation.to))
        for other, other_inverse, first in seen[ends[1], ends[0]]:
            if kind in (other, other_inverse) or other == inverse:
                yield _problem(item, "to", f"{kind} is written the other way round in {first.file}:{first.line}")
        seen[ends].append((kind, inverse, item))


def _voices_without_appearance(catalogue: _Catalogue) -> Iterator[Problem]:
    appearances = {
        (catalogue.canonical(record.character), catalogue.canonical(record.work))
        for _, record in catalogue.each(AppearanceRecord)
    }
    for item, voice in catalogue.each(VoiceRecord):
        if voice.work is None:
            continue
        if (catalogue.canonical(voice.character), catalogue.canonical(voice.work)) not in appearances:
            yield _problem(item, "work", f"{voice.character} does not appear in {voice.work}")


def _works_without_makers(catalogue: _Catalogue) -> Iterator[Problem]:
    produced = {catalogue.canonical(record.work) for _, record in catalogue.each(StudioCreditRecord)}
    authored = {
        catalogue.canonical(record.work) for _, record in catalogue.each(StaffRecord) if record.role is StaffRole.AUTHOR
    }
    for item, anime in catalogue.each(AnimeRecord):
        if anime.ref not in produced:
            yield _problem(item, "studio_credit", "an anime needs a studio")
    for item, manga in catalogue.each(MangaRecord):
        if manga.ref not in authored:
            yield _problem(item, "staff", "a printed work needs an author")


def _unknown_genres(catalogue: _Catalogue) -> Iterator[Problem]:
    for item, work in catalogue.each(WorkRecord):
        for genre in work.genres:
            if genre not in MAIN_GENRES:
                yield _problem(item, "genres", f"'{genre}' is no main genre")


_RULES = (
    _dangling_references,
    _duplicate_references,
    _duplicate_links,
    _duplicate_people,
    _impossible_dates,
    _seasons,
    _relations_both_ways,
    _voices_without_appearance,
    _works_without_makers,
    _unknown_genres,
)
