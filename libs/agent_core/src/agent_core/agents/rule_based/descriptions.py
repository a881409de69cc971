"""Whether a question describes what it wants because it can't name it. Judged with none but certain names known."""

import re
from collections.abc import Sequence

from agent_core.agents.rule_based.cues import FieldCue, GenreCue, RelationCue, StatusCue, UnsupportedCue
from agent_core.agents.rule_based.english import is_english
from agent_core.agents.rule_based.items import Item
from agent_core.agents.rule_based.shapes import is_vague
from agent_core.agents.rule_based.superlatives import superlative_of
from agent_core.agents.rule_based.understanding import Understanding
from agent_core.agents.rule_based.wanted import EXTREMES
from agent_core.agents.rule_based.words import FUNCTION_WORDS
from agent_core.schemas import AskedField

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
    r"^(?:(?:in|at|by|from|for|of|to|under|with) )?(?:who|whom|whose|what|which|when|where|how|why)\b"
    r"|^(?:is|are|was|were|do|does|did|has|have|can)\b"
    r"|[.,;!:] (?:who|what|which|when|where|how|why)\b|\b(?:what|how|when|why)\b"
)


def is_description(understood: Understanding) -> bool:
    """Whether the question must be answered by what it describes."""
    if understood.names or _is_extreme(understood):
        return False
    if wants_title(understood.text) or _wants_scene(understood.text):
        return True
    if is_vague(understood.text) and _says_something(understood):
        return True
    if len(content_words(understood.text)) >= MIN_WORDS and _DESCRIBED.search(understood.text):
        return True
    told = [word for item in understood.items if _tells(item) for word in content_words(item.text)]
    asks_otherwise = any(isinstance(item.cue, FieldCue | RelationCue) and not _tells(item) for item in understood.items)
    if _ASKS.search(understood.text) is None:
        return len(told) >= MIN_KEYWORDS + asks_otherwise or (
            not asks_otherwise and _is_sentence(understood.text, told)
        )
    if asks_otherwise or not all(map(is_english, told)):
        return False
    least = next((least for pattern, least in _ASKED_OF if pattern.search(understood.text)), None)
    return least is not None and len(told) >= least


_KINDS = r"(?:animes?|mangas?|shows?|series|movies?|films?|stor(?:y|ies)|works?|one|characters?)"
_ASKED_OF: tuple[tuple[re.Pattern[str], int], ...] = (
    (
        re.compile(r"^who (?:is|was|are|were) (?:the|an?|that|those) .*\b(?:with|who|that|whose|from|in|without)\b"),
        MIN_WORDS - 1,
    ),
    (re.compile(rf"^(?:which|what) {_KINDS} (?:has|have|had|features?|contains?|shows?) (?:an?|the) "), MIN_WORDS - 1),
    (re.compile(rf"^(?:in |on )?(?:which|what) (?:\w+ )?{_KINDS}\b(?! of\b)"), MIN_WORDS),
)
"""How a description is asked for, and how many of its words must tell something."""

_TITLE_WANTED = re.compile(
    r"(?: [.,;!:?])+ (?:and )?(?:what (?:is|was) (?:it|that|this)(?: called| again)?"
    rf"|what (?:is|was) (?:the|its) (?:title|name)|(?:the )?(?:title|name)"
    rf"|(?:which|what) {_KINDS}(?: (?:is|was) (?:it|that|this))?)$"
)


def wants_title(text: str) -> bool:
    """Whether a story is told and then its title asked for: `An elf outlives her friends. What is it called?`"""
    asked = _TITLE_WANTED.search(text)
    told = content_words(text[: asked.start()]) if asked is not None else []
    return len(told) > MIN_WORDS and _is_mostly_english(told) and "character" not in text[-20:]


_SCENE = re.compile(rf"^(?:in )?(?:which|what) {_KINDS} (?:does|do|did|is|are|must) (?:an?|the|two|some) ")


def _wants_scene(text: str) -> bool:
    """Whether a work is asked for by what happens in it: `In which film does a timid boy …?`"""
    scene = _SCENE.match(text)
    told = content_words(text[scene.end() :]) if scene is not None else []
    return len(told) > MIN_KEYWORDS and _is_mostly_english(told)


def _is_mostly_english(words: Sequence[str]) -> bool:
    """Whether a word or so in six is none that the list of English words holds."""
    return 6 * sum(not is_english(word) for word in words) <= len(words)


_ARTICLE = re.compile(r"\w (?:an?|the) \w")
_TELLING = re.compile(r"\b(?:with|who|that|and|against|from|into|while|after|whose|where|because|becomes?|without)\b")


def _is_sentence(text: str, told: Sequence[str]) -> bool:
    """Whether ordinary words are put together as in a story: `two teens swap bodies and a comet`."""
    is_told = len(told) >= MIN_WORDS and _TELLING.search(text) is not None
    is_told |= len(told) > MIN_WORDS and _ARTICLE.search(text) is not None
    return is_told and all(map(is_english, told))


def _is_extreme(understood: Understanding) -> bool:
    """Whether the question only asks for the extreme of a field: `the movie with the highest score`."""
    if superlative_of(understood.text) is None:
        return False
    said = [item.text for item in understood.items if item.cue is None and item.text not in FUNCTION_WORDS]
    return EXTREMES.union({"most", "fewest", "number"}).issuperset(said)


def _tells(item: Item) -> bool:
    """Whether an item can be part of a story: a plain word, a word for kin, a genre, something that happens."""
    is_kin = item.relation is not None and item.relation.family.startswith("kin")
    is_somebody = isinstance(item.cue, FieldCue) and item.cue.fields == (AskedField.GENDER,)
    return item.cue is None or is_kin or is_somebody or isinstance(item.cue, UnsupportedCue | GenreCue | StatusCue)


def _says_something(understood: Understanding) -> bool:
    """Whether a word is there that no cue explains, or a word for a person that can stand in a story."""
    return any(content_words(item.text) and (_tells(item) or item.relation is not None) for item in understood.items)


def content_words(text: str) -> list[str]:
    """The words of a text that are neither function words nor numbers."""
    found = re.findall(r"[^\W_]+", text)
    return [word for word in found if word not in FUNCTION_WORDS and len(word) > 1 and not word[0].isdigit()]
