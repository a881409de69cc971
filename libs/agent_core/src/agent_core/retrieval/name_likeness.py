"""How a mention meets the names of an entity (pure)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from datastore.folding import edit_distance, fold, spell, words
from datastore.postgres.entity_cards import CardName, EntityCard, WorkDetails
from datastore.vocabulary import EntityType, NameKind, WorkFormat

from agent_core.retrieval.question_words import FUNCTION_WORDS
from agent_core.schemas import MatchKind

OFFICIAL = frozenset({NameKind.MAIN, NameKind.ROMAJI, NameKind.ENGLISH, NameKind.NATIVE})

# A title's trailing "(2011)" or "(TV)" tells namesakes apart; it is no part of what people call the work.
_TRAILING_LABEL = re.compile(r"\s*\((?:(?:19|20)\d\d|tv)\)\s*$", re.IGNORECASE)
_TRAILING_YEAR = re.compile(r"^(?P<name>.*\S)\s*[\s(（](?P<year>(?:19|20)\d\d)[)）]?\s*$", re.DOTALL)
_KIND = "(?P<kind>anime|manga|series|tv series|show|movie|film|light novel|novel)"
_LEADING_WORDS = re.compile(rf"^(?:(?:the|an?)\s+)?(?:{_KIND}\s+)?(?=\S)", re.IGNORECASE)
_TRAILING_WORDS = re.compile(rf"(?<=\S)\s+(?:the\s+)?{_KIND}\s*$", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\w)['’`]s?$", re.IGNORECASE)
_QUOTES = "\"'“”‘’«»「」『』《》〈〉 \t\n"

MIN_NAME_COVERED = 0.6
"""How much of a name a mention must cover before a neighbour in the vector space is taken for the one meant."""

_MIN_MISSPELT_CHARACTERS = 4
_MIN_TWICE_MISSPELT = 8
_NUMERAL = re.compile(r"[ivx]+")


class WorkKind(StrEnum):
    """What a word beside a title says of the work."""

    ANIME = "anime"
    PRINTED = "printed"
    MOVIE = "movie"


_KINDS = {
    "anime": WorkKind.ANIME,
    "manga": WorkKind.PRINTED,
    "light novel": WorkKind.PRINTED,
    "novel": WorkKind.PRINTED,
    "movie": WorkKind.MOVIE,
    "film": WorkKind.MOVIE,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a mention: the name in it, and what a year or a word such as "movie" beside it asks for."""

    name: str
    year: int | None = None
    kind: WorkKind | None = None

    def allows(self, card: EntityCard) -> bool:
        """Whether the entity is of the kind asked."""
        match self.kind:
            case None:
                return True
            case WorkKind.ANIME:
                return card.entity_type is EntityType.ANIME
            case WorkKind.PRINTED:
                return card.entity_type is EntityType.MANGA
            case WorkKind.MOVIE:
                return isinstance(card.details, WorkDetails) and card.details.format is WorkFormat.MOVIE


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The name of an entity that meets a mention best, and how."""

    name: str
    kind: MatchKind


def readings(text: str) -> tuple[Reading, ...]:
    """The ways to read a mention, the most literal first: as given, without a year, without words around the name."""
    whole = text.strip(_QUOTES)
    found = [Reading(whole)]
    dated = _TRAILING_YEAR.match(whole)
    if dated is not None:
        found.append(Reading(dated["name"].strip(_QUOTES), int(dated["year"])))
    for reading in tuple(found):
        leading = _LEADING_WORDS.match(reading.name)
        rest = reading.name[leading.end() :] if leading is not None else reading.name
        trailing = _TRAILING_WORDS.search(rest)
        bare = rest[: trailing.start()] if trailing is not None else rest
        said = (trailing and trailing["kind"]) or (leading and leading["kind"]) or ""
        name = _POSSESSIVE.sub("", bare).strip(_QUOTES)
        found.append(Reading(name, reading.year, _KINDS.get(said.lower())))
    return tuple(dict.fromkeys(reading for reading in found if reading.name))


def base_name(name: str) -> str:
    """A name, folded, without a trailing label."""
    return fold(_TRAILING_LABEL.sub("", name))


def whole_match(text: str, names: Sequence[CardName]) -> NameMatch | None:
    """The name that the text is, as given, folded, or as another name; None when it is none of them."""
    plain, folded = text.strip().casefold(), fold(text)
    official = [name.name for name in names if name.kind in OFFICIAL]
    for name in official:
        if name.strip().casefold() == plain:
            return NameMatch(name, MatchKind.EXACT)
    for name in official:
        if folded in (fold(name), base_name(name)):
            return NameMatch(name, MatchKind.FOLDED)
    for name in names:
        if name.kind not in OFFICIAL and fold(name.name) == folded:
            return NameMatch(name.name, MatchKind.ALIAS)
    return None


def is_of_whole_words(text: str, name: str) -> bool:
    """Whether the text is a run of whole words of the name."""
    return f" {fold(text)} " in f" {fold(name)} "


def is_cut_in_a_number(text: str, name: str) -> bool:
    """Whether the text ends within a number wherever the name has it: `PEP 5` is no beginning of `PEP 544`."""
    asked, known = fold(text), fold(name)
    if not asked[-1:].isdigit() or asked not in known:
        return False
    ends = (match.end() for match in re.finditer(re.escape(asked), known))
    return all(known[end : end + 1].isdigit() for end in ends)


def official_bases(names: Iterable[CardName]) -> frozenset[str]:
    """What the entity is officially called, labels apart."""
    return frozenset(base_name(name.name) for name in names if name.kind in OFFICIAL)


def misspells(text: str, name: str, *, whole: bool) -> bool:
    """Whether the text can be a misspelling of the name, or of a part of it where not `whole`.

    Short words and numbers are never misspelt: "Dragon Ball Q" is not Dragon Ball Z, "Season 3" not Season 2.
    """
    return any(_misspells(words(form(text)), words(form(name)), whole=whole) for form in (spell, fold))


def _misspells(text: Sequence[str], name: Sequence[str], *, whole: bool) -> bool:
    typed = [word for word in text if _is_fixed(word)]
    if whole and len(text) == len(name):
        return typed == [word for word in name if _is_fixed(word)]
    if whole:
        return _digits(text) == _digits(name)
    if not all(word in name for word in typed):
        return False
    return all(any(_is_slip(word, other) for other in name) for word in text) or _is_slip_of_a_run("".join(text), name)


def _is_slip_of_a_run(text: str, name: Sequence[str]) -> bool:
    """Whether the text without its spaces misspells words of the name that follow each other: whole words, no parts."""
    runs = ("".join(name[first:last]) for first in range(len(name)) for last in range(first + 1, len(name) + 1))
    return any(_is_slip(text, run) for run in runs)


def _is_slip(text: str, word: str) -> bool:
    if text == word:
        return True
    allowed = 2 if len(text) >= _MIN_TWICE_MISSPELT else 1
    return len(text) >= _MIN_MISSPELT_CHARACTERS and edit_distance(text, word) <= allowed


def _is_fixed(word: str) -> bool:
    return (
        len(word) < _MIN_MISSPELT_CHARACTERS
        or _NUMERAL.fullmatch(word) is not None
        or any(char.isdigit() for char in word)
    )


def _digits(parts: Sequence[str]) -> list[str]:
    return re.findall(r"\d+", " ".join(parts))


def closest_name(text: str, names: Sequence[CardName]) -> str | None:
    """The name that has every word of the text, slips of one letter allowed, and few others; None when none has."""
    asked = _content_words(text)
    likeness = {name.name: _likeness(asked, _content_words(name.name)) for name in names}
    best = max(likeness, key=lambda name: likeness[name], default=None)
    return best if best is not None and likeness[best] >= MIN_NAME_COVERED else None


def shared_name(text: str, names: Sequence[CardName]) -> str | None:
    """The first name that has a longer word of the text, slips of one letter allowed; None when none has."""
    asked = [word for word in _content_words(text) if len(word) >= _MIN_MISSPELT_CHARACTERS]
    return next(
        (name.name for name in names for other in _content_words(name.name) if any(_is_like(w, other) for w in asked)),
        None,
    )


def _content_words(text: str) -> list[str]:
    return [word for word in words(spell(text)) if word not in FUNCTION_WORDS]


def _likeness(asked: Sequence[str], name: Sequence[str]) -> float:
    """How much of the name the asked words cover; one word in common is never enough, one word too many too much."""
    if len(asked) < 2 or not all(any(_is_like(word, other) for other in name) for word in asked):
        return 0.0
    return sum(any(_is_like(word, other) for word in asked) for other in name) / len(name)


def _is_like(left: str, right: str) -> bool:
    return left == right or (min(len(left), len(right)) >= 5 and edit_distance(left, right) <= 1)
