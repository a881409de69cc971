"""The weekly archive of bangumi.tv: a folder of `.jsonlines` files, one a kind of page or link."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ingestion.formats.bangumi_lines import (
    Character,
    Episode,
    Line,
    Person,
    PersonCharacter,
    Subject,
    SubjectCharacter,
    SubjectKind,
    SubjectPerson,
    SubjectRelation,
)
from ingestion.formats.bangumi_links import LinkReader, may_be_work
from ingestion.formats.bangumi_mapping import LEFT_OUT_EPISODES, PARENT_STORY_CODES
from ingestion.formats.bangumi_people import COMPANY, PageIndex, character_fields, person_fields
from ingestion.formats.bangumi_works import RECORD_TYPES, SubjectIndex, episode_fields, work_fields
from ingestion.formats.json_lines import JsonLine, json_lines
from ingestion.formats.notes import Notes
from ingestion.formats.protocol import DumpFile, Located, RecordFactory, dump_files, reason_of
from ingestion.report import Place, ReportBuilder

_SUFFIXES = (".jsonlines", ".jsonlines.gz", ".jsonlines.zst")
# Read line by line, and counted in the report under the second name.
_FILES = {
    "subject": "subjects",
    "episode": "episodes",
    "character": "characters",
    "person": "persons",
    "subject-relations": "subject_relations",
    "subject-persons": "subject_persons",
    "subject-characters": "subject_characters",
    "person-characters": "person_characters",
}
_BEING = 1


@dataclass(frozen=True, slots=True)
class _Found[L: Line]:
    """A line of a file that is what it should be."""

    line: L
    place: Place
    notes: Notes


class BangumiFormat:
    """Reads the archive. Anime and books become works; other subjects tell only that links to them are not taken."""

    name = "bangumi"

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """Works, episodes, characters, people, then the links. See `CatalogueFormat.read`."""
        files: dict[str, DumpFile] = {}
        for file in dump_files(path, _SUFFIXES):
            stem = file.path.name.partition(".")[0]
            if stem not in _FILES:
                builder.record_refused("not a file of the archive that is read", place=Place(file=file.name))
            elif files.setdefault(stem, file) is not file:
                builder.record_refused(f"{files[stem].name} was read already", place=Place(file=file.name))
        yield from _ArchiveReader(files, builder).read()


class _ArchiveReader:
    """Reads the files in an order in which each knows what the next ones need."""

    def __init__(self, files: Mapping[str, DumpFile], builder: ReportBuilder) -> None:
        self._files = files
        self._builder = builder
        self._factory = RecordFactory(builder)
        self._subjects = SubjectIndex()
        self._persons = PageIndex()
        self._characters = PageIndex()

    def read(self) -> Iterator[Located]:
        yield from self._works()
        yield from self._episodes()
        yield from self._character_pages()
        yield from self._person_pages()
        links = LinkReader(self._builder, subjects=self._subjects, persons=self._persons, characters=self._characters)
        yield from self._relations(links)
        for staff in self._lines("subject-persons", SubjectPerson):
            yield from self._record(links.staff(staff.line), staff.place)
        for appearance in self._lines("subject-characters", SubjectCharacter):
            yield from self._record(links.appearance(appearance.line), appearance.place)
        for voice in self._lines("person-characters", PersonCharacter):
            yield from self._record(links.voice(voice.line), voice.place)

    def _works(self) -> Iterator[Located]:
        for found in self._lines("subject", Subject):
            subject = found.line
            self._subjects.add(subject)
            if subject.kind in RECORD_TYPES:
                yield from self._record(work_fields(subject, found.notes), found.place)
            else:
                self._builder.not_imported(f"{subject.kind.word}_subjects")

    def _episodes(self) -> Iterator[Located]:
        for found in self._lines("episode", Episode):
            kind = self._subjects.kind(found.line.subject_id)
            if not may_be_work(kind) or kind is SubjectKind.BOOK:
                self._builder.not_imported(f"{kind.word}_episodes")
            elif found.line.type:
                self._builder.not_imported(LEFT_OUT_EPISODES.get(found.line.type, "other_episodes"))
            else:
                yield from self._record(episode_fields(found.line, found.notes), found.place)

    def _character_pages(self) -> Iterator[Located]:
        for found in self._lines("character", Character):
            character = found.line
            if character.redirect:
                self._characters.redirect(character.id, character.redirect)
                self._builder.not_imported("redirected_characters")
            elif character.role != _BEING:
                self._characters.mark(character.id)
                self._builder.not_imported("characters_of_no_beings")
            else:
                yield from self._record(character_fields(character, found.notes), found.place)

    def _person_pages(self) -> Iterator[Located]:
        for found in self._lines("person", Person):
            person = found.line
            if person.redirect:
                self._persons.redirect(person.id, person.redirect)
                self._builder.not_imported("redirected_persons")
                continue
            if person.type == COMPANY:
                self._persons.mark(person.id)
            yield from self._record(person_fields(person, found.notes), found.place)

    def _relations(self, links: LinkReader) -> Iterator[Located]:
        """The file is read twice, so that a parent story is told of only where nothing more exact was said."""
        for found in self._lines("subject-relations", SubjectRelation):
            if found.line.relation_type not in PARENT_STORY_CODES:
                yield from self._record(links.relation(found.line), found.place)
        for found in self._lines("subject-relations", SubjectRelation, is_again=True):
            if found.line.relation_type in PARENT_STORY_CODES:
                yield from self._record(links.relation(found.line), found.place)

    def _lines[L: Line](self, stem: str, model: type[L], *, is_again: bool = False) -> Iterator[_Found[L]]:
        """The lines of a file, and reports about those that are none; a file that is read again reports nothing."""
        builder = self._builder.fresh() if is_again else self._builder
        if stem not in self._files:
            return
        for line in json_lines(self._files[stem], builder):
            builder.input_seen(_FILES[stem])
            subject = _subject(stem, line)
            line.report_repairs(builder, subject)
            try:
                parsed = model.model_validate(line.value)
            except ValidationError as error:
                builder.record_refused(reason_of(error), place=line.place, subject=subject)
            else:
                yield _Found(parsed, line.place, Notes(builder, place=line.place, subject=subject or stem))

    def _record(self, raw: dict[str, Any] | None, place: Place) -> Iterator[Located]:
        if raw is not None and (located := self._factory.build(raw, place)) is not None:
            yield located


def _subject(stem: str, line: JsonLine) -> str | None:
    number = line.value.get("id")
    return f"bangumi:{stem}:{number}" if isinstance(number, int) else None
