"""Relations, staff, appearances and casts of a Bangumi archive to raw records."""

from typing import Any

from datastore.edges import EDGES, EdgeType

from ingestion.formats.bangumi_lines import (
    PersonCharacter,
    SubjectCharacter,
    SubjectKind,
    SubjectPerson,
    SubjectRelation,
)
from ingestion.formats.bangumi_mapping import (
    ADAPTATION_CODE,
    ANIMATION_WORK,
    APPEARANCE_ROLES,
    PRODUCTION,
    RELATIONS,
    SYMMETRIC,
    TURNED_ROUND,
    RelationCode,
    kind_of_code,
    kind_of_position,
    staff_role,
)
from ingestion.formats.bangumi_people import PageIndex, character_ref, person_ref
from ingestion.formats.bangumi_works import RECORD_TYPES, SubjectIndex, subject_ref
from ingestion.report import RepairKind, ReportBuilder

_UNDETERMINED = "und"


class LinkReader:
    """Knows the subjects and persons of a dump, and turns lines about them into links between works.

    What ends at a subject that is no work is counted as not imported. An end that the dump does not hold is taken for
    a work unless a number tells otherwise: the link waits for it.
    """

    def __init__(
        self, builder: ReportBuilder, *, subjects: SubjectIndex, persons: PageIndex, characters: PageIndex
    ) -> None:
        self._builder = builder
        self._subjects = subjects
        self._persons = persons
        self._characters = characters
        self._facts: set[int] = set()

    def relation(self, line: SubjectRelation) -> dict[str, Any] | None:
        """The relation, in the same words from whichever side it is told; None the second time."""
        kinds = [self._subjects.kind(each) for each in (line.subject_id, line.related_subject_id)]
        if SubjectKind.UNKNOWN in kinds:
            self._builder.input_seen("dangling_subject_relations")
        other = next((kind for kind in (*kinds, kind_of_code(line.relation_type)) if not may_be_work(kind)), None)
        if other is not None:
            self._builder.not_imported(f"{other.word}_relations")
            return None
        fields = self._relation_fields(line)
        if self._is_known(fields):
            self._builder.input_seen("relations_told_twice")
            return None
        return fields

    def staff(self, line: SubjectPerson) -> dict[str, Any] | None:
        """A person's credit, or a company's as a studio."""
        kind = self._subjects.kind(line.subject_id) or kind_of_position(line.position)
        if not may_be_work(kind):
            self._builder.not_imported(f"{kind.word}_staff")
            return None
        person_id = self._persons.target(line.person_id)
        work, person = subject_ref(line.subject_id), person_ref(person_id)
        if not self._persons.is_marked(person_id):
            role, credit = staff_role(line.position)
            return {"record": "staff", "person": person, "work": work, "role": role, "raw_role": credit}
        if line.position == ANIMATION_WORK or line.position in PRODUCTION:
            is_main = line.position == ANIMATION_WORK
            return {"record": "studio_credit", "studio": person, "work": work, "is_main": is_main}
        self._builder.not_imported("other_company_credits")
        return None

    def appearance(self, line: SubjectCharacter) -> dict[str, Any] | None:
        """A character's appearance in a work."""
        if not self._are_imported(line.subject_id, line.character_id, "appearances"):
            return None
        return {
            "record": "appearance",
            "character": character_ref(self._characters.target(line.character_id)),
            "work": subject_ref(line.subject_id),
            "role": APPEARANCE_ROLES.get(line.type),
        }

    def voice(self, line: PersonCharacter) -> dict[str, Any] | None:
        """A voice in a work; the dump does not say in which language."""
        if not self._are_imported(line.subject_id, line.character_id, "voices"):
            return None
        return {
            "record": "voice",
            "person": person_ref(self._persons.target(line.person_id)),
            "character": character_ref(self._characters.target(line.character_id)),
            "work": subject_ref(line.subject_id),
            "language": _UNDETERMINED,
        }

    def _are_imported(self, subject_id: int, character_id: int, what: str) -> bool:
        kind = self._subjects.kind(subject_id)
        if not may_be_work(kind):
            self._builder.not_imported(f"{kind.word}_{what}")
            return False
        if self._characters.is_marked(self._characters.target(character_id)):
            self._builder.not_imported(f"{what}_of_no_beings")
            return False
        return True

    def _relation_fields(self, line: SubjectRelation) -> dict[str, Any]:
        subject, related = line.subject_id, line.related_subject_id
        code = RELATIONS.get(line.relation_type)
        if code is None:
            self._builder.repaired(RepairKind.UNKNOWN_VALUE, subject=subject_ref(subject))
            code = RelationCode(EdgeType.OTHER_RELATION, str(line.relation_type))
        edge, word = code.edge, code.word
        if line.relation_type == ADAPTATION_CODE:
            subject, related, edge = self._adaptation(subject, related)
        if edge in TURNED_ROUND:
            edge, word = TURNED_ROUND[edge]
            subject, related = related, subject
        if edge in SYMMETRIC:
            subject, related = sorted((subject, related))
        return {
            "record": "relation",
            "from": subject_ref(subject),
            "to": subject_ref(related),
            "relation": edge,
            "raw_type": word,
        }

    def _adaptation(self, subject: int, related: int) -> tuple[int, int, EdgeType]:
        """The site marks both ends alike: the anime adapts the book, unless the book came out later."""
        kinds = {self._subjects.kind(subject): subject, self._subjects.kind(related): related}
        anime, book = kinds.get(SubjectKind.ANIME), kinds.get(SubjectKind.BOOK)
        if anime is None or book is None:
            return subject, related, EdgeType.OTHER_RELATION
        adaptation, original = (book, anime) if self._subjects.is_later(book, anime) else (anime, book)
        return adaptation, original, EdgeType.ADAPTATION_OF

    def _is_known(self, fields: dict[str, Any]) -> bool:
        """Whether the fact was told already, by this line or by the one of its other side."""
        ends, edge = (fields["from"], fields["to"]), fields["relation"]
        turned = {hash((*reversed(ends), each.type)) for each in EDGES.values() if each.inverse == edge}
        fact = hash((*ends, edge))
        if not self._facts.isdisjoint({fact, *turned}):
            return True
        self._facts.add(fact)
        return False


def may_be_work(kind: SubjectKind) -> bool:
    """Whether a subject of this kind is imported, or its kind is not known."""
    return kind in RECORD_TYPES or kind is SubjectKind.UNKNOWN
