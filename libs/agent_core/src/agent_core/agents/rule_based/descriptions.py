"""Whether a question describes what it wants because it can't name it. Judged with none but certain names known."""

import re

from agent_core.agents.rule_based.cues import FieldCue, GenreCue, RelationCue, StatusCue, UnsupportedCue
from agent_core.agents.rule_based.items import Item
from agent_core.agents.rule_based.shapes import is_vague
from agent_core.agents.rule_based.understanding import Understanding
from agent_core.agents.rule_based.words import FUNCTION_WORDS

MIN_WORDS = 3
"""Content words of a question that asks for what it describes."""

MIN_KEYWORDS = 5
"""Content words of one that asks nothing and names nothing."""

_DESCRIBED = re.compile(
    r"^(?:who|what|which (?:one|character|person|girl|boy|hero|villain)) (?:is|was|are|were) (?:the"
    r"|an?|that) (?!name|title)"
    r".*\b(?:who|that|which|whose|with|in)\b"
    r"|^which (?:character|person|anime|manga|show|series|movie|film|story|work|one) (?:is|was"
    r"|are) (?:the|an?|that|about) "
    r"|^(?:which|what) (?:\w+ )?(?:anime|manga|show|series|movie|film|story|work|one|character) (?:has"
    r"|had|features?|stars|follows"
    r"|tells|shows|depicts|involves|deals with|centers on|revolves around) (?:an?|the|two|three|some) "
)
_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|how|why)\b|^(?:is|are|was|were|do|does|did|has|have|can)\b"
)


def is_description(understood: Understanding) -> bool:
    """Whether the question must be answered by what it describes."""
    if understood.names:
        return False
    if is_vague(understood.text) and _says_something(understood):
        return True
    if len(content_words(understood.text)) >= MIN_WORDS and _DESCRIBED.search(understood.text):
        return True
    told = [word for item in understood.items if _tells(item) for word in content_words(item.text)]
    asks_otherwise = sum(isinstance(item.cue, FieldCue | RelationCue) and not _tells(item) for item in understood.items)
    return _ASKS.search(understood.text) is None and len(told) >= MIN_KEYWORDS + min(asks_otherwise, 1)


def _tells(item: Item) -> bool:
    """Whether an item can be part of a story: a plain word, a word for kin, a genre, something that happens."""
    is_kin = item.relation is not None and item.relation.family.startswith("kin")
    return item.cue is None or is_kin or isinstance(item.cue, UnsupportedCue | GenreCue | StatusCue)


def _says_something(understood: Understanding) -> bool:
    """Whether a word is there that no cue explains, or a word for a person that can stand in a story."""
    return any(
        content_words(item.text) and (item.cue is None or item.relation is not None) for item in understood.items
    )


def content_words(text: str) -> list[str]:
    """The words of a text that are neither function words nor numbers."""
    found = re.findall(r"[^\W_]+", text)
    return [word for word in found if word not in FUNCTION_WORDS and len(word) > 1 and not word[0].isdigit()]
