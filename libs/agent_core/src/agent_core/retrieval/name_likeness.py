"""How a mention meets the names of an entity (pure)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from datastore.folding import edit_distance, fold, spell, words
from datastore.postgres.entity_cards import CardName
from datastore.vocabulary import NameKind

from agent_core.retrieval.question_words import FUNCTION_WORDS
from agent_core.schemas import MatchKind

OFFICIAL = frozenset({NameKind.MAIN, NameKind.ROMAJI, NameKind.ENGLISH, NameKind.NATIVE})

# A title's trailing "(2011)" or "(TV)" tells namesakes apart; it is no part of what people call the work.
_TRAILING_LABEL = re.compile(r"\s*\((?:(?:19|20)\d\d|tv)\)\s*$", re.IGNORECASE)
_TRAILING_YEAR = re.compile(r"^(?P<name>.*\S)\s*[\s(（](?P<year>(?:19|20)\d\d)[)）]?\s*$", re.DOTALL)
_LEADING_WORDS = re.compile(r"^(?:the|an?)?\s*(?:anime|manga|series|show|movie|film)?\s+(?=\S)", re.IGNORECASE)
_TRAILING_WORDS = re.compile(
    r"(?<=\S)\s+(?:the\s+)?(?:anime|manga|series|tv series|show|movie|film|light novel)\s*$", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"(?<=\w)['’`]s?$", re.IGNORECASE)
_QUOTES = "\"'“”‘’«»「」『』《》〈〉 \t\n"

# Of the words of either side, how many must be alike before a neighbour in the vector space is taken for the one meant.
MIN_WORDS_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a mention: the name in it, and the year that follows the name, if that is read as one."""

    name: str
    year: int | None = None


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
        bare = _POSSESSIVE.sub("", _TRAILING_WORDS.sub("", _LEADING_WORDS.sub("", reading.name))).strip(_QUOTES)
        found.append(Reading(bare, reading.year))
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


def official_bases(names: Iterable[CardName]) -> frozenset[str]:
    """What the entity is officially called, labels apart."""
    return frozenset(base_name(name.name) for name in names if name.kind in OFFICIAL)


def closest_name(text: str, names: Sequence[CardName]) -> str | None:
    """The name that shares enough words with the text, slips of one letter allowed; None when none does."""
    asked = _content_words(text)
    likeness = {name.name: _likeness(asked, _content_words(name.name)) for name in names}
    best = max(likeness, key=lambda name: likeness[name], default=None)
    return best if best is not None and likeness[best] >= MIN_WORDS_ALIKE else None


def _content_words(text: str) -> list[str]:
    return [word for word in words(spell(text)) if word not in FUNCTION_WORDS]


def _likeness(left: Sequence[str], right: Sequence[str]) -> float:
    """The share of words that both sides have; one word in common is never enough."""
    common = sum(any(_is_like(a, b) for b in right) for a in left)
    return common / max(len(left), len(right)) if common >= 2 else 0.0


def _is_like(left: str, right: str) -> bool:
    return left == right or (min(len(left), len(right)) >= 5 and edit_distance(left, right) <= 1)
