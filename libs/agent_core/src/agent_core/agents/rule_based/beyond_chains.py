"""Questions whose words turn a relation into what no chain of relations answers: denied, timed, of a woman.

The chain alone would be answered readily, and the answer would be one to another question.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from agent_core.agents.rule_based.cues import FieldCue, Form, Mark, RelationCue
from agent_core.agents.rule_based.items import BE, DETERMINERS, Item
from agent_core.agents.rule_based.understanding import Understanding

_DENYING = frozenset({"not", "never"})
_ADVERBS = frozenset({"ever", "actually", "really", "also", "yet", "personally"})
_RELATING = frozenset({"in", "involved", "part", "among", "know", "have", "has", "had"})
_ONLY = frozenset({"only", "just", "merely"})
_THEN = frozenset({"after", "before", "since"})
_ANY_OF_A_GENDER = re.compile(
    r"^(?:did|has|have|was|were|is|are|do|does)(?: there)?(?: (?:an?|any|some|the|ever))* "
    r"(?:female|male|wom[ae]n|m[ae]n|lady|ladies)\b"
)
_LAST_EPISODE = re.compile(r"\b(?:(?:last|final|latest|newest) (?:ever )?(?:episode|ep)|(?:season |series )?finale)\b")


def is_beyond_chains(understood: Understanding) -> bool:
    """Whether the question asks for something that its relations don't lead to, though its names do."""
    text = understood.text
    if _LAST_EPISODE.search(text) is not None and not understood.cues_of(FieldCue) and not _asks_when(understood):
        return True
    if understood.is_yes_no:
        return _ANY_OF_A_GENDER.search(text) is not None and bool(understood.cues_of(RelationCue))
    return _denies(understood.items) or _is_timed_by_a_name(understood)


def _asks_when(understood: Understanding) -> bool:
    return any(item.is_mark(Mark.WHEN, Mark.HOW_LONG, Mark.HOW_MANY) for item in understood.items)


def _denies(items: Sequence[Item]) -> bool:
    """Whether what is asked for is what a relation does not lead to: `who did not work on X`."""
    for index, item in enumerate(items):
        following = items[index + 1 : index + 3]
        if item.is_mark(Mark.NOT) and item.text in _DENYING and not (following and following[0].text in _ONLY):
            verb = next((each for each in following if not each.is_word(BE | _ADVERBS)), None)
            if verb is not None and (verb.is_form(Form.VERB, Form.PASSIVE) or verb.text in _RELATING):
                return True
    return False


def _is_timed_by_a_name(understood: Understanding) -> bool:
    """`what did X direct after Y`: works of somebody, told by the date of another."""
    is_doing = any(item.is_form(Form.VERB, Form.PASSIVE) for item in understood.items)
    if len(understood.names) < 2 or not is_doing or _asks_when(understood):
        return False
    items = [item for item in understood.items if not item.is_word(DETERMINERS) and item.type is None]
    return any(before.text in _THEN and item.is_name for before, item in pairwise(items))
