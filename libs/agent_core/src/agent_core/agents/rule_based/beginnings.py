"""How the matches of a pattern can begin, read off the pattern: most patterns need not be tried at most words. Pure.

Only what the cue tables use of the syntax is understood; anything else counts as "may begin with anything", which costs
time and never a match.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

LONGEST = 4
"""Characters of a beginning that are told apart."""

_MAX_BEGINNINGS = 400
_TELLING = 3
_ATOM = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|.", re.DOTALL)
_GROUP = re.compile(r"\((?:\?(?:P<\w+>|P=\w+|<?[=!]|:))?")
_REPEAT = re.compile(r"(?:[?*+]|\{\d*,?\d*\})\??")
_START = re.compile(rf"(?<!\w)(?=(.{{1,{LONGEST}}}))", re.DOTALL)
_FEW = re.compile(r"\[([^\^\\\]-]{1,6})\]")


@dataclass(frozen=True, slots=True)
class _Ways:
    """Beginnings of a part: `whole` ones are all of what it matches, so the next part goes on from them.

    `later` are sets of which one each begins some word of any match, wherever it is.
    """

    whole: frozenset[str]
    cut: frozenset[str] = frozenset()
    later: tuple[frozenset[str], ...] = ()

    @property
    def all(self) -> frozenset[str]:
        """The beginnings; the empty one where anything may come."""
        return self.whole | self.cut

    def then(self, after: "_Ways") -> "_Ways":
        """The ways of this part and another behind it."""
        joined = frozenset(one + other for one in self.whole for other in after.whole)
        cut = self.cut | {(one + other)[:LONGEST] for one in self.whole for other in after.cut}
        long = {each for each in joined if len(each) >= LONGEST}
        return _Ways(joined - long, cut | {each[:LONGEST] for each in long}, self.later + after.later)

    def beside(self, other: "_Ways") -> "_Ways":
        """The ways of either of two parts."""
        fewest = [min(ways.later, key=len, default=frozenset[str]()) for ways in (self, other)]
        later = (fewest[0] | fewest[1],) if all(fewest) else ()
        return _Ways(self.whole | other.whole, self.cut | other.cut, later)

    def repeated(self, sign: str) -> "_Ways":
        """The ways of this part under `?`, `*`, `+` or a count."""
        if sign.startswith("?"):
            return self.beside(_NOTHING)
        again = _Ways(frozenset(), self.all, self.later)
        return again.beside(_NOTHING) if sign.startswith("*") or re.match(r"\{0?,", sign) else again


_NOTHING = _Ways(frozenset({""}))
_ANYTHING = _Ways(frozenset(), frozenset({""}))


class _Reader:
    """Walks over a pattern once."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def alternatives(self) -> _Ways:
        """The ways of what stands up to the closing bracket or the end."""
        ways = self._sequence()
        while self._pattern.startswith("|", self._at):
            self._at += 1
            ways = ways.beside(self._sequence())
        return ways

    def _sequence(self) -> _Ways:
        """The ways of parts in a row; what follows a space begins a word."""
        parts: list[_Ways] = []
        starts: list[int] = []
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            is_space = self._pattern[self._at] == " "
            parts.append(self._repeated())
            if is_space and parts[-1].whole == _SPACE:
                starts.append(len(parts))
        row = _joined(parts)
        words = (_joined(parts[start:]).all for start in starts)
        return _Ways(row.whole, row.cut, (*(each for part in parts for each in part.later), *filter(_says, words)))

    def _repeated(self) -> _Ways:
        part = self._group() if self._pattern[self._at] == "(" else self._atom()
        sign = _REPEAT.match(self._pattern, self._at)
        if sign is None:
            return part
        self._at = sign.end()
        return part.repeated(sign.group())

    def _group(self) -> _Ways:
        opening = _GROUP.match(self._pattern, self._at)
        self._at = opening.end() if opening is not None else self._at + 1
        ways = self.alternatives()
        self._at += 1
        kind = opening.group() if opening is not None else "("
        if kind.endswith(("=", "!")):
            return _NOTHING
        return _ANYTHING if kind.startswith("(?P=") else ways

    def _atom(self) -> _Ways:
        found = _ATOM.match(self._pattern, self._at)
        text = found.group() if found is not None else ""
        self._at += max(1, len(text))
        few = _FEW.fullmatch(text)
        if few is not None:
            return _Ways(frozenset(few[1]))
        if text in ("^", "$", r"\b"):
            return _NOTHING
        if text == "." or text.startswith("[") or (text.startswith("\\") and text[1:].isalnum()):
            return _ANYTHING
        return _Ways(frozenset({text.removeprefix("\\")}))


_SPACE = frozenset({" "})


def _joined(parts: Sequence[_Ways]) -> _Ways:
    ways = _NOTHING
    for part in parts:
        if not ways.whole:
            break
        ways = ways.then(part)
        if len(ways.all) > _MAX_BEGINNINGS:
            return _ANYTHING
    return ways


def _says(beginnings: frozenset[str]) -> bool:
    return "" not in beginnings


@lru_cache(maxsize=4096)
def beginnings(pattern: str) -> frozenset[str] | None:
    """What every match of the pattern that is not empty begins with one of; None where it may be anything.

    A beginning has at most LONGEST characters.
    """
    found = _Reader(pattern).alternatives().all
    return found if _says(found) else None


def needed(pattern: str) -> tuple[frozenset[str], ...]:
    """Sets of which one each must be in `starts_of` a text for the pattern to match in it as whole words.

    The most telling ones, the smallest first.
    """
    ways = _Reader(pattern).alternatives()
    return tuple(sorted(filter(_says, dict.fromkeys((ways.all, *ways.later))), key=len)[:_TELLING])


class Sieve:
    """Tells which of several patterns may match in a text: in most texts few, and the others need not be tried.

    With `anywhere` a match may begin inside a word, else it begins where a word or a mark does.
    """

    def __init__(self, patterns: Iterable[str], *, anywhere: bool = False) -> None:
        self._patterns = tuple(patterns)
        self._anywhere = anywhere

    def of(self, text: str) -> list[int]:
        """The places of the patterns that may match, in order."""
        starts = starts_of(text)
        index, sets = self._index
        found = set(index[""])
        for start in index.keys() & starts:
            found.update(index[start])
        return [place for place in sorted(found) if not any(each.isdisjoint(starts) for each in sets[place])]

    @cached_property
    def _index(self) -> tuple[dict[str, list[int]], tuple[tuple[frozenset[str], ...], ...]]:
        """The patterns by the beginnings of the most telling of their sets, and all sets of each."""
        sets = tuple(_within(pattern) if self._anywhere else needed(pattern) for pattern in self._patterns)
        index: dict[str, list[int]] = {"": []}
        for place, each in enumerate(sets):
            for start in each[0] if each else ("",):
                index.setdefault(start, []).append(place)
        return index, sets


def _within(pattern: str) -> tuple[frozenset[str], ...]:
    """As `needed`, for matches that may begin inside a word."""
    return tuple(sorted(dict.fromkeys(_Reader(pattern).alternatives().later), key=len)[:_TELLING])


@lru_cache(maxsize=64)
def starts_of(text: str) -> frozenset[str]:
    """The one to LONGEST characters at each place of a text where no word is broken."""
    return frozenset(start[:length] for start in map(str, _START.findall(text)) for length in range(1, len(start) + 1))
