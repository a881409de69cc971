"""Questions about `it` or `him` where nothing says who or what that is."""

import re

from agent_core.agents.rule_based.names import NamesFound
from agent_core.agents.rule_based.understanding import Understanding, unexplained
from agent_core.agents.rule_based.words import FUNCTION_WORDS

_ONE = r"(?:(?:this|that|the (?:first|second|third|last|other|same)) one|the (?:first|second|third|last) (?=[.?!]|$))"
REFERENCE = re.compile(rf"\b(?:it|he|him|she|they|them|{_ONE})\b|\b(?:its|his|her|their)\b", re.IGNORECASE)
_OF_THE_ASKED = re.compile(r"^(?:which|what) (?!is|are|was|were|did|does|do|has|have).*\b(?:its|his|her|their)\b")
"""`which anime … its`: what is asked for is what the pronoun stands for."""

_DESCRIBES = re.compile(
    r"\b(?:ones?|anime|manga|shows?|series|movies?|films?|stor(?:y|ies)|characters?|person|people|girl|boy|man|woman)"
    r" (?:where|in which|with|whose|that|who)\b"
)
_SENTENCE_ENDS = re.compile(r" [.!?;] \S")

_DESCRIBED = (_OF_THE_ASKED, _DESCRIBES, _SENTENCE_ENDS)


def is_open_reference(understood: Understanding, found: NamesFound) -> bool:
    """Whether all that a question is about is a pronoun: no name stands in it, and no word that describes anything.

    `understood` is the question read without names.
    """
    text = understood.text
    if REFERENCE.search(text) is None or any(each.search(text) for each in _DESCRIBED):
        return False
    has_name = any(name.is_known or name.is_quoted or not name.text.islower() for name in found.names)
    has_doubtful = any(name.text.casefold() not in FUNCTION_WORDS for name in found.doubtful)
    return not has_name and not has_doubtful and not unexplained(understood)
