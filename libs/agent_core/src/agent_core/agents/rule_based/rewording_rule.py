"""A rule that puts a rare way of asking into the words that the readers know, and what such rules are made of."""

import re
from dataclasses import dataclass

from agent_core.agents.rule_based.text import NAME

KIND = r"(?:anime|manga|movie|film|series|show|tv series|character|studio)"
YEAR = r"(?:19[1-9]\d|20\d\d)"
T = rf"(?:(?:the |an? )?(?:{KIND} )?{NAME}(?: \( {YEAR} \))?)"
"""A name with the kind that stands before it."""

TK = rf"(?:{T}|(?:the )?{NAME} (?:anime|manga|movie|film|series|novel))"
"""A name with the kind that stands on either side of it."""

AND = r"(?: and| &| ,| to| with)?"
WORKS = r"(?P<w>anime|shows|series|works|movies|films)"
VOICE_ACTOR = r"(?:voice actor|voice actress|seiyuu|va|voice)"
STEPS = r"(?P<n>\w+) (?P<h>steps?|hops?|links?|degrees?)"
BOND = r"(?:chain|path|route|way|connection|link)"
BOOK = r"(?:manga|novel|light novel|book|story)"
TURNED = r"(?:adapted|adapt|animated?|(?:turned?|made) into (?:an )?anime)"
FIELD = r"(?P<f>episodes|chapters|volumes)"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a match of the pattern is replaced by: words, and groups of the pattern in brackets."""

    pattern: re.Pattern[str]
    words: tuple[str, ...]


def rules(*pairs: tuple[str, str]) -> tuple[Rule, ...]:
    """Rules from pairs of a pattern and the words in its place."""
    return tuple(Rule(re.compile(pattern), tuple(words.split())) for pattern, words in pairs)
