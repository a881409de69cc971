"""`the second season of X`: the names under which a catalogue may hold a later season, to be tried before guessing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent_core.schemas import Mention

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_SHORT = ("1st", "2nd", "3rd", *(f"{number}th" for number in range(4, 11)))
_WORDS = {word: index + 1 for words in (_ORDINALS, _NUMBERS, _SHORT) for index, word in enumerate(words)} | {
    str(number): number for number in range(1, 11)
}
_ORDINAL = "|".join((*_ORDINALS, *_SHORT))
_COUNT = "|".join((*_NUMBERS, r"10|[1-9]"))


@dataclass(frozen=True, slots=True)
class SeasonPhrase:
    """Words of a question that name a season of a work, and how that season may be called."""

    start: int
    end: int
    candidates: tuple[str, ...]


def find_season(question: str, known: Sequence[Mention]) -> SeasonPhrase | None:
    """The first season phrase about one of these names; a first season is none, its name is the work's own."""
    if "season" not in question.casefold():
        # To look for a name takes a pattern of its own, and that takes longer to compile than all else here.
        return None
    for mention in known:
        name = re.escape(mention.text)
        pattern = (
            rf"(?:the )?(?:(?P<a>{_ORDINAL}) season|season (?P<b>{_COUNT})) (?:of|in|from) (?:the )?(?P<n>{name})"
            rf"|(?P<m>{name})(?:'s)?,? (?:(?P<c>{_ORDINAL}) season|season (?P<d>{_COUNT}))"
        )
        match = re.search(rf"(?<!\w)(?:{pattern})(?!\w)", question, re.IGNORECASE)
        if match is None:
            continue
        said = next(group for group in (match.group(key) for key in "abcd") if group)
        number = _WORDS[said.casefold()]
        if number > 1:
            return SeasonPhrase(match.start(), match.end(), _names(match.group("n") or match.group("m"), number))
    return None


def _names(name: str, number: int) -> tuple[str, ...]:
    return (
        f"{name} Season {number}",
        f"{name} {_SHORT[number - 1]} Season",
        f"{name} {_ROMANS[number - 1]}",
        f"{name} {number}",
        f"{name}: Season {number}",
    )
