"""What people would type to find invented entities: the first letters of popular names, in every script, and typos."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

import numpy as np

from agent_evals.bench.chance import Chance, Integers
from agent_evals.bench.invented_catalogue import InventedCatalogue

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TRIES = 40
_FEWEST_TYPO_CHARS, _MOST_TYPO_CHARS = 6, 14


class QueryClass(StrEnum):
    """How much was typed, and in what script."""

    SHORT = "1-2 chars"
    MIDDLE = "3-8 chars"
    NATIVE = "native"
    TYPO = "typo"


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody typed, and the position of the entity that was meant."""

    text: str
    meant: int


def typed_queries(catalogue: InventedCatalogue, kind: QueryClass, count: int) -> tuple[Typed, ...]:
    """`count` queries as they are typed: popular entities are meant more often, and short texts come again.

    Whoever types a name passes every length of a class once, so that each is as frequent as the others.
    """
    return tuple(islice(_drawn(catalogue, kind, count * _TRIES), count))


def _drawn(catalogue: InventedCatalogue, kind: QueryClass, count: int) -> Iterator[Typed]:
    names = catalogue.names
    chance = Chance(catalogue.seed, f"typed {kind}")
    wanted = _places_of(catalogue, is_native=kind is QueryClass.NATIVE)
    weights = np.cumsum(catalogue.popularity[names.owners[wanted]].astype(np.float64))
    drawn: list[int] = wanted[chance.weighted(weights, count)].tolist()
    dice: list[list[float]] = chance.uniform(6 * count).reshape(count, 6).tolist()
    for place, die in zip(drawn, dice, strict=True):
        text = _typed(names.texts[place], kind, die)
        if text:
            yield Typed(text, int(names.owners[place]))


def _places_of(catalogue: InventedCatalogue, *, is_native: bool) -> Integers:
    flags = np.array([text.isascii() for text in catalogue.names.texts], dtype=np.bool_)
    return np.flatnonzero(flags != is_native).astype(np.int64)


def _typed(name: str, kind: QueryClass, die: list[float]) -> str:
    if kind is QueryClass.TYPO:
        return _misspelled(name, die)
    # Most people begin at the beginning, some at a later word.
    begun = name if die[0] < 0.7 else name[name.rfind(" ") + 1 :]
    shortest, longest = {QueryClass.SHORT: (1, 2), QueryClass.MIDDLE: (3, 8), QueryClass.NATIVE: (1, 4)}[kind]
    text = begun[: shortest + int(die[1] * (longest - shortest + 1))].lower().strip()
    return text if shortest <= len(text) else ""


def _misspelled(name: str, die: list[float]) -> str:
    """Half of the texts end with a word, half anywhere, as when somebody is still typing; one letter is wrong."""
    lower = name.lower()
    length = _FEWEST_TYPO_CHARS + int(die[0] * (_MOST_TYPO_CHARS - _FEWEST_TYPO_CHARS + 1))
    text = lower[:length].strip()
    if die[1] < 0.5:
        end = lower.find(" ", length)
        text = lower if end < 0 else lower[:end]
    letters = [place for place in range(1, len(text)) if text[place].isalpha()]
    if len(text) < _FEWEST_TYPO_CHARS or not letters:
        return ""
    at = letters[int(die[2] * len(letters))]
    other = _LETTERS[int(die[4] * len(_LETTERS))]
    wrong = (
        text[:at] + text[at + 1 :],
        text[:at] + other + text[at:],
        text[:at] + other + text[at + 1 :],
        text[: at - 1] + text[at] + text[at - 1] + text[at + 1 :],
    )[int(die[3] * 4)]
    return wrong if wrong != text else ""
