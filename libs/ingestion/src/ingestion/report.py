"""What an import read, kept, repaired, refused and left waiting: a frozen report and the builder that counts for it."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

MAX_NAMED = 200
"""Items named one by one in each list of a report; the counts beside the lists are exact."""


class RepairKind(StrEnum):
    """What can be put right without refusing a record."""

    NUL_REMOVED = "nul_removed"
    CONTROL_REMOVED = "control_character_removed"
    SURROGATE_REPLACED = "lone_surrogate_replaced"
    INVALID_UTF8_REPLACED = "invalid_utf8_replaced"
    UNREADABLE_DATE = "unreadable_date_kept_as_text"
    INSTANT_MADE_DATE = "instant_made_date"
    IMPOSSIBLE_DATE_PART = "impossible_date_part_dropped"
    UNKNOWN_VALUE = "unknown_value_left_empty"
    JUNK_NAME = "junk_name_dropped"
    TRIMMED_NAME = "name_trimmed"
    NAME_LIST_SPLIT = "list_of_names_split"
    HTML_MADE_PLAIN = "html_made_plain"


LOSSY_REPAIRS = frozenset({RepairKind.SURROGATE_REPLACED, RepairKind.INVALID_UTF8_REPLACED})
"""Repairs that lost a character nobody can bring back: the import counts as partial."""


class Outcome(StrEnum):
    """What became of a record that was kept."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


class ExitStatus(StrEnum):
    """How an import ended, with a number for scripts."""

    OK = "ok"
    PARTIAL = "partial"
    NOTHING = "nothing"

    @property
    def code(self) -> int:
        """0 all well, 1 something was refused or lost a character, 2 nothing was imported."""
        return list(ExitStatus).index(self)


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(_Value):
    """Where a record was read: a file below the imported path, and the line or the part of it, from 1."""

    file: str
    line: int | None = None
    part: int | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}"
        return self.file if self.part is None else f"{self.file}#{self.part}"


class Kept(_Value):
    """Records of one type that are in the catalogue now."""

    record: str
    created: int
    changed: int
    unchanged: int


class Counted(_Value):
    """How often something happened."""

    kind: str
    count: int


class Refusal(_Value):
    """A record or a file that was not taken, and why; `reason` names the field."""

    place: Place | None
    subject: str | None
    reason: str


class Repair(_Value):
    """A record that was taken after a repair."""

    place: Place | None
    subject: str | None
    kind: RepairKind
    count: int


class Conflict(_Value):
    """A value that differs from the one kept. `source` said it; `kept_source` said the other, where that is known."""

    subject: str
    field: str
    kept: str
    other: str
    source: str
    kept_source: str | None = None


class Loss(_Value):
    """What a source said before and its new dump no longer says: entities, names, or values of one field.

    `lost` of the `had` items are missing; `first` names the entities of some of them.
    """

    source: str
    kind: str
    had: int
    lost: int
    first: tuple[str, ...]


class Duplicate(_Value):
    """Documents that hold the same text under several names or dates, by their references."""

    documents: tuple[str, ...]


class ImportReport(_Value):
    """The whole of one import. Lists name at most `MAX_NAMED` items; counts are exact."""

    format: str
    source: str
    files: int
    input_totals: tuple[Counted, ...] = ()
    read: tuple[Counted, ...]
    kept: tuple[Kept, ...]
    refused_count: int
    refused: tuple[Refusal, ...]
    repaired: tuple[Counted, ...]
    repairs: tuple[Repair, ...]
    not_imported: tuple[Counted, ...]
    conflict_count: int
    conflicts: tuple[Conflict, ...]
    waiting: int
    waiting_for: tuple[str, ...]
    completed: int
    merged: int = 0
    removed: int = 0
    losses: tuple[Loss, ...] = ()
    is_held_back: bool = False
    duplicate_count: int = 0
    duplicates: tuple[Duplicate, ...] = ()
    dangling_count: int = 0
    dangling: tuple[str, ...] = ()

    @property
    def created(self) -> int:
        """Records that are new in the catalogue."""
        return sum(kept.created for kept in self.kept)

    @property
    def changed(self) -> int:
        """Records whose stored form is now another one."""
        return sum(kept.changed for kept in self.kept)

    @property
    def unchanged(self) -> int:
        """Records that were there already, just so."""
        return sum(kept.unchanged for kept in self.kept)

    @property
    def exit_status(self) -> ExitStatus:
        """`nothing` when no record was kept, removed or waits; `partial` when some were refused, held back or lossy."""
        if not self.created + self.changed + self.unchanged + self.waiting + self.removed:
            return ExitStatus.NOTHING
        lossy = any(counted.kind in LOSSY_REPAIRS for counted in self.repaired)
        return ExitStatus.PARTIAL if self.refused_count or self.is_held_back or lossy else ExitStatus.OK


class ReportBuilder:
    """Counts during an import. Readers and the writer of one import share one builder."""

    def __init__(self, *, format_name: str, source: str) -> None:
        self._format = format_name
        self._source = source
        self._files = 0
        self._input_totals: Counter[str] = Counter()
        self._read: Counter[str] = Counter()
        self._kept: Counter[tuple[str, Outcome]] = Counter()
        self._refused_count = 0
        self._refused: list[Refusal] = []
        self._repaired: Counter[RepairKind] = Counter()
        self._repairs: list[Repair] = []
        self._not_imported: Counter[str] = Counter()
        self._conflict_count = 0
        self._conflicts: list[Conflict] = []
        self._known_conflicts: set[int] = set()
        self._waiting: dict[str, tuple[int, tuple[str, ...]]] = {}
        self._completed = 0
        self._merged = 0
        self._removed = 0
        self._losses: tuple[Loss, ...] = ()
        self._is_held_back = False
        self._duplicates: tuple[Duplicate, ...] = ()
        self._dangling: tuple[int, tuple[str, ...]] = (0, ())

    def file_read(self) -> None:
        """One more file was opened and read to its end."""
        self._files += 1

    def input_seen(self, kind: str, count: int = 1) -> None:
        """The dump holds `count` more things of a kind, in its own words, whether or not they become records."""
        self._input_totals[kind] += count

    def record_read(self, record: str) -> None:
        """One more record of this type came out of a file and is valid."""
        self._read[record] += 1

    def record_kept(self, record: str, outcome: Outcome) -> None:
        """A record is in the catalogue, committed."""
        self._kept[record, outcome] += 1

    def record_refused(self, reason: str, *, place: Place | None = None, subject: str | None = None) -> None:
        """A record or a file was not taken."""
        self._refused_count += 1
        if len(self._refused) < MAX_NAMED:
            self._refused.append(Refusal(place=place, subject=subject, reason=reason))

    @property
    def refused_count(self) -> int:
        """How many records and files were not taken so far."""
        return self._refused_count

    def repaired(
        self, kind: RepairKind, *, count: int = 1, place: Place | None = None, subject: str | None = None
    ) -> None:
        """`count` repairs of one kind were made to a record."""
        self._repaired[kind] += count
        if len(self._repairs) < MAX_NAMED:
            self._repairs.append(Repair(place=place, subject=subject, kind=kind, count=count))

    def not_imported(self, kind: str, count: int = 1) -> None:
        """Something that was understood and is left out on purpose."""
        self._not_imported[kind] += count

    def conflict(self, conflict: Conflict) -> None:
        """A value differs from the one kept; one that is told again counts once."""
        if hash(conflict) in self._known_conflicts:
            return
        self._known_conflicts.add(hash(conflict))
        self._conflict_count += 1
        if len(self._conflicts) < MAX_NAMED:
            self._conflicts.append(conflict)

    def links_completed(self, count: int) -> None:
        """Links that waited have found their other end."""
        self._completed += count

    def links_waiting(self, source: str, count: int, missing_refs: tuple[str, ...]) -> None:
        """How many links of a source wait at the end, and the first references they wait for."""
        self._waiting[source] = (count, missing_refs)

    def entities_merged(self, count: int) -> None:
        """Entities that turned out to be another one, and lead to it now."""
        self._merged += count

    def entities_removed(self, count: int) -> None:
        """Entities that no source speaks of any more, and that are no longer in the catalogue."""
        self._removed += count

    def lost(self, losses: tuple[Loss, ...], *, is_held_back: bool) -> None:
        """What the dump no longer says; an import that is held back for it writes nothing."""
        self._losses = losses
        self._is_held_back = is_held_back

    def same_texts(self, duplicates: Sequence[Duplicate]) -> None:
        """Documents of this import that hold the text of others."""
        self._duplicates = tuple(duplicates)

    def references_dangling(self, count: int, targets: Sequence[str]) -> None:
        """How many references in documents lead nowhere, and where the first of them would."""
        self._dangling = (count, tuple(targets))

    def absorb(self, other: "ReportBuilder") -> None:
        """Add all that another builder counted, for instance during a transaction that is committed now."""
        self._files += other._files
        self._input_totals += other._input_totals
        self._read += other._read
        self._kept += other._kept
        self._refused_count += other._refused_count
        self._refused = (self._refused + other._refused)[:MAX_NAMED]
        self._repaired += other._repaired
        self._repairs = (self._repairs + other._repairs)[:MAX_NAMED]
        self._not_imported += other._not_imported
        self._absorb_conflicts(other)
        self._completed += other._completed
        self._merged += other._merged

    def _absorb_conflicts(self, other: "ReportBuilder") -> None:
        new = other._known_conflicts - self._known_conflicts
        self._known_conflicts |= new
        self._conflict_count += len(new)
        named = [conflict for conflict in other._conflicts if hash(conflict) in new]
        self._conflicts = (self._conflicts + named)[:MAX_NAMED]

    def fresh(self) -> "ReportBuilder":
        """An empty builder for the same import."""
        return ReportBuilder(format_name=self._format, source=self._source)

    def build(self) -> ImportReport:
        """The report so far."""
        waiting_for = sorted({ref for _, refs in self._waiting.values() for ref in refs})
        return ImportReport(
            format=self._format,
            source=self._source,
            files=self._files,
            input_totals=_counted(self._input_totals),
            read=_counted(self._read),
            kept=tuple(self._kept_of(record) for record in sorted({record for record, _ in self._kept})),
            refused_count=self._refused_count,
            refused=tuple(self._refused),
            repaired=_counted(self._repaired),
            repairs=tuple(self._repairs),
            not_imported=_counted(self._not_imported),
            conflict_count=self._conflict_count,
            conflicts=tuple(self._conflicts),
            waiting=sum(count for count, _ in self._waiting.values()),
            waiting_for=tuple(waiting_for[:MAX_NAMED]),
            completed=self._completed,
            merged=self._merged,
            removed=self._removed,
            losses=self._losses,
            is_held_back=self._is_held_back,
            duplicate_count=len(self._duplicates),
            duplicates=self._duplicates[:MAX_NAMED],
            dangling_count=self._dangling[0],
            dangling=self._dangling[1][:MAX_NAMED],
        )

    def _kept_of(self, record: str) -> Kept:
        counts = {outcome.value: self._kept[record, outcome] for outcome in Outcome}
        return Kept(record=record, **counts)


def _counted[K: str](counter: Counter[K]) -> tuple[Counted, ...]:
    return tuple(Counted(kind=str(kind), count=count) for kind, count in sorted(counter.items()))
