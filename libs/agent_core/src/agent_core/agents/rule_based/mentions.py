"""Names of a reading as mentions: with the year, the kind and the work that the words beside them give."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from datastore.vocabulary import WORK_TYPES, EntityType

from agent_core.agents.rule_based.text import NAME, Piece, Reading, name_index
from agent_core.schemas import Mention

_YEAR = r"(?:19[1-9]\d|20\d\d)"
_YEARS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<n>{NAME})(?P<cut> \( (?P<y>{_YEAR})(?: ,? ?[\w ]+?)? \))",
        rf"(?P<n>{NAME})(?P<cut> (?:\[ )?(?P<y>{_YEAR})(?: \])?)(?= |$)(?! (?:or|and) later)",
        rf"(?P<cut>\b(?P<y>{_YEAR}) (?:(?:version|edition|adaptation|anime|series|remake|movie|film|show"
        rf"|one|tv series) of )?(?:the )?)(?P<n>{NAME})",
        rf"(?P<n>{NAME})(?P<cut> (?:from|of) (?:the year )?(?P<y>{_YEAR}))(?= |$)",
        rf"(?P<n>{NAME})(?P<cut> ,? ?the (?P<y>{_YEAR}) (?:version|one|series|anime|film|movie|remake|show))(?= |$)",
    )
)
_TWO_YEARS = re.compile(
    rf"\b(?P<y>{_YEAR})(?: \w+)? (?:and|vs|versus|or|with|to) (?:the )?(?P<z>{_YEAR}) (?:(?:versions?"
    rf"|editions?|adaptations?|anime|series|ones?) of )?(?P<n>{NAME})"
)
_TWO_YEARS_AFTER = re.compile(
    rf"(?P<n>{NAME}) (?:\( )?(?P<y>{_YEAR})(?: \))? (?:and|vs|versus|or|with"
    rf"|to) (?:the )?(?:\( )?(?P<z>{_YEAR})(?: \))?(?: (?:version|one|series|anime))?(?= |$)"
)
_KINDS: tuple[tuple[str, tuple[EntityType, ...]], ...] = (
    ("anime", (EntityType.ANIME,)),
    ("tv series", (EntityType.ANIME,)),
    ("tv", (EntityType.ANIME,)),
    ("series", (EntityType.ANIME, EntityType.MANGA)),
    ("movie", (EntityType.ANIME,)),
    ("film", (EntityType.ANIME,)),
    ("ova", (EntityType.ANIME,)),
    ("manga", (EntityType.MANGA,)),
    ("novel", (EntityType.MANGA,)),
    ("light novel", (EntityType.MANGA,)),
    ("character", (EntityType.CHARACTER,)),
    ("studio", (EntityType.STUDIO,)),
    ("voice actor", (EntityType.PERSON,)),
    ("voice actress", (EntityType.PERSON,)),
    ("actor", (EntityType.PERSON,)),
    ("director", (EntityType.PERSON,)),
    ("person", (EntityType.PERSON,)),
)
_KIND = "|".join(sorted((word for word, _ in _KINDS), key=len, reverse=True))
_BRACKETED_KIND = re.compile(rf"(?P<n>{NAME})(?P<cut> \( (?:the )?(?P<k>{_KIND})(?: series)? \))")
_VERSION = re.compile(
    rf"(?P<cut>\b(?:the )?(?P<k>{_KIND})(?: (?:version|series|adaptation|edition))? (?:called |named "
    rf"|titled )?)(?P<n>{NAME})"
)
_VERSION_OF = re.compile(
    rf"\b(?P<k>anime|manga|movie|film|novel|series|tv series)(?: (?:version|series|adaptation|edition))?"
    rf" of (?P<n>{NAME})"
)
"""The manga of X is the manga X, unless X is somebody whose manga it is."""
_BESIDE = re.compile(rf"(?P<n>{NAME}) (?P<k>{_KIND})(?= |$)")
_TWO_KINDS = re.compile(
    rf"\b(?P<k>anime|manga|movie|novel) (?:and|vs|versus|or|with) (?:the )?(?P<l>anime|manga|movie"
    rf"|novel) (?:(?:versions?|adaptations?) )?(?:of )?(?P<n>{NAME})"
)
_TWO_KINDS_AFTER = re.compile(
    rf"(?P<n>{NAME})(?: 's)? (?P<k>anime|manga|movie|novel) (?:and|vs|versus|or|with) (?:the "
    rf"|its )?(?P<l>anime|manga|movie|novel)(?: versions?)?(?= |$)"
)
_KIND_TYPES: dict[str, tuple[EntityType, ...]] = dict(_KINDS)
_FILMS = frozenset({"movie", "film"})


@dataclass(slots=True)
class Notes:
    """What the words beside a name say of it."""

    year: int | None = None
    second_year: int | None = None
    types: tuple[EntityType, ...] = ()
    second_types: tuple[EntityType, ...] = ()
    is_film: bool = False

    @property
    def is_double(self) -> bool:
        """Whether the name stands for two entities: of two years, or of two kinds."""
        return self.second_year is not None or bool(self.second_types)


@dataclass(frozen=True, slots=True)
class Noted:
    """A reading without the words that only describe its names, and what they said, by name index."""

    reading: Reading
    notes: dict[int, Notes] = field(default_factory=dict[int, Notes])
    excepted: tuple[str, ...] = ()
    """What the question leaves out by name: `besides X`."""


def note_names(reading: Reading) -> Noted:
    """Take `(2011)`, `the 2003 X`, `X (manga)` and the like out of the reading, into notes on the names."""
    notes: dict[int, Notes] = {}
    reading, excepted = _without_exceptions(reading)
    for pattern in (_TWO_YEARS, _TWO_YEARS_AFTER):
        match = pattern.search(reading.text)
        if match is not None:
            index = name_index(match.group("n"))
            notes[index] = Notes(year=int(match.group("y")), second_year=int(match.group("z")))
            reading = _without(reading, match.start(), match.start("n"), after=(match.end("n"), match.end()))
    for pattern in (_TWO_KINDS, _TWO_KINDS_AFTER):
        match = pattern.search(reading.text)
        if match is not None:
            index = name_index(match.group("n"))
            kinds = _KIND_TYPES[match.group("k")], _KIND_TYPES[match.group("l")]
            notes[index] = Notes(types=kinds[0], second_types=kinds[1])
            reading = _without(reading, match.start(), match.start("n"), after=(match.end("n"), match.end()))
    for pattern in _YEARS:
        while (match := pattern.search(reading.text)) is not None:
            notes.setdefault(name_index(match.group("n")), Notes()).year = int(match.group("y"))
            reading = _without(reading, *match.span("cut"))
    while (match := _BRACKETED_KIND.search(reading.text)) is not None:
        note = notes.setdefault(name_index(match.group("n")), Notes())
        note.types, note.is_film = _KIND_TYPES[match.group("k")], match.group("k") in _FILMS
        reading = _without(reading, *match.span("cut"))
    return Noted(reading, notes, excepted)


_EXCEPTION = re.compile(
    rf"(?:(?: ,)? |^)(?:other than|besides|apart from|aside from|except(?: for)?|not counting"
    rf"|excluding) (?:the )?{NAME}(?:(?: ,)?(?: and| or)? (?:the )?{NAME})*(?: ,)?"
)


def _without_exceptions(reading: Reading) -> tuple[Reading, tuple[str, ...]]:
    """The reading without `other than X`, where another name is left, and what is excepted: nothing to start from."""
    match = _EXCEPTION.search(reading.text)
    excepted = [name_index(found) for found in re.findall(NAME, match.group())] if match is not None else []
    if match is None or set(excepted).issuperset(reading.name_indexes()):
        return reading, ()
    return _without(reading, *match.span()), tuple(reading.names[index].text[:300] for index in excepted)


def _without(reading: Reading, start: int, end: int, after: tuple[int, int] = (0, 0)) -> Reading:
    gone = {id(piece) for span in ((start, end), after) if span[1] > span[0] for piece in reading.pieces_in(*span)}
    kept: tuple[Piece, ...] = tuple(piece for piece in reading.pieces if id(piece) not in gone)
    return Reading(reading.question, reading.names, kept)


def _is_called_a_film(reading: Reading, index: int) -> bool:
    return any(
        match.group("k") in _FILMS and name_index(match.group("n")) == index
        for pattern in (_VERSION, _BESIDE, _VERSION_OF)
        for match in pattern.finditer(reading.text)
    )


def kind_beside(reading: Reading, index: int, hint: Sequence[EntityType] = ()) -> tuple[EntityType, ...]:
    """The kind that the words at a name give it, `the manga X`, `X anime`; else the hint, which the grammar gives."""
    for pattern in (_VERSION, _BESIDE, _VERSION_OF):
        for match in pattern.finditer(reading.text):
            types = _KIND_TYPES[match.group("k")]
            if name_index(match.group("n")) == index and _agrees(types, hint):
                return types
    return tuple(hint)


def _agrees(types: Sequence[EntityType], hint: Sequence[EntityType]) -> bool:
    """Whether a word can say what the name is: in `X director` and `the anime X is from` it says what is asked."""
    if WORK_TYPES.issuperset(types):
        # Where makers and works are both possible, the word is what is asked of them: `X films`.
        return not hint or (bool(WORK_TYPES.intersection(hint)) and EntityType.STUDIO not in hint)
    return not hint or bool(set(types).intersection(hint))


def mentions_of(
    noted: Noted,
    indexes: Iterable[int],
    *,
    hints: Mapping[int, Sequence[EntityType]] | None = None,
    within: Mapping[int, int] | None = None,
) -> tuple[Mention, ...]:
    """The mentions for these names, in order, each once; a name with two years is two mentions."""
    found: list[Mention] = []
    for index in indexes:
        name = noted.reading.names[index]
        note = noted.notes.get(index, Notes())
        scope = (within or {}).get(index)
        types = _types(note.types, tuple((hints or {}).get(index, ())), name.entity_types)
        readings = [(note.year, types)]
        if note.is_double:
            readings.append((note.second_year, note.second_types or types))
        for year, allowed in readings:
            mention = Mention(
                text=name.text[:300],
                entity_types=allowed,
                year=year,
                within=noted.reading.names[scope].text[:300] if scope is not None else None,
                is_quoted=name.is_quoted,
                is_film=not note.is_double and (note.is_film or _is_called_a_film(noted.reading, index)),
            )
            if mention not in found:
                found.append(mention)
    return tuple(found)


def _types(
    said: tuple[EntityType, ...], hint: tuple[EntityType, ...], known: tuple[EntityType, ...]
) -> tuple[EntityType, ...]:
    """What a name can be: as said; else as the grammar has it, unless the catalogue knows it as something else."""
    if said:
        return said
    if known and hint and not set(known).intersection(hint):
        return ()
    return hint
