"""A question's text while a set question is read from it: what was understood is blanked, the rest must say nothing."""

import re
from dataclasses import dataclass
from functools import lru_cache

from agent_core.agents.rule_based.beginnings import needed, starts_of
from agent_core.agents.rule_based.text import BLANK, NAME, blank, name_index

_NAME = re.compile(NAME)

_IDLE = """
    a an the all any every each of in on at to for as is are was were be been has have had having do does did
    that which what who whose where there here this these those it its with and also please list show give me us name
    names find tell you your know i want need every catalogue catalog database data collection recorded exist exists
    ever released release aired air airing started start starting began begin beginning premiered premiere premiering
    came out come launched debuted debuted appeared during within year years out first up so far only just called
    titled them they s 's produced made shown broadcast published total altogether whole entire some one ones get can
    from overall belonging considered among between whole kind both types type genre genres tagged listed set
    releases release ran run once simultaneously altogether
"""
_IDLE_WORDS = frozenset(_IDLE.split())
_IDLE_MARKS = frozenset(",.?!;:-\"'“”()¿¡「」")


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> tuple[re.Pattern[str], tuple[frozenset[str], ...]]:
    """The pattern as whole words, and which beginnings of words a match of it needs."""
    return re.compile(rf"(?<![\w'])(?:{pattern})(?!\w)"), needed(pattern)


@dataclass(slots=True)
class Scan:
    """The text that is left to be understood. Offsets never change; blanks part what stood beside them."""

    text: str

    def take(self, pattern: str) -> re.Match[str] | None:
        """The first stretch that matches as whole words, blanked; None leaves the text as it is."""
        match = self.find(pattern)
        if match is not None:
            self.text = blank(self.text, match.start(), match.end())
        return match

    def find(self, pattern: str) -> re.Match[str] | None:
        """The first stretch that matches as whole words."""
        compiled, sets = _compiled(pattern)
        starts = starts_of(self.text)
        for each in sets:
            if each.isdisjoint(starts):
                return None
        return compiled.search(self.text)

    def cut(self, start: int, end: int) -> None:
        """Blank a stretch that was understood otherwise."""
        self.text = blank(self.text, start, end)

    @property
    def has_name(self) -> bool:
        """Whether a name was not understood yet."""
        return _NAME.search(self.text) is not None

    @property
    def names(self) -> tuple[int, ...]:
        """The names that were not understood yet, in order."""
        return tuple(name_index(match.group()) for match in _NAME.finditer(self.text))

    @property
    def left(self) -> tuple[str, ...]:
        """The words and names that mean something and that nothing explained."""
        words = self.text.replace(BLANK, " ").split()
        return tuple(word for word in words if word not in _IDLE_WORDS and not _IDLE_MARKS.issuperset(word))


def number_of(text: str) -> int | None:
    """A whole number in digits or as a word up to twenty."""
    if text.isdigit():
        return int(text)
    return NUMBERS.get(text)


_NUMBER_WORDS = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty
"""
NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), start=1)}
NUMBER = r"(?:\d+(?:[.,]\d+)?|" + "|".join(NUMBERS) + r")"
