"""A question that came with a picture, read by rules: does it ask what is shown, or more about what is shown?"""

import re
from collections.abc import Sequence

from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.follow_up import complete_question
from agent_core.agents.rule_based.text import clean
from agent_core.budget import Budget
from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.protocols import MentionFinder
from agent_core.turns import CompleteQuestion, PastMention, PastTurn

FINDER_SECONDS = 2.0

_PICTURE = r"(?:picture|image|photo|poster|cover|art|artwork|key visual|screenshot|screen|still|frame|drawing|scene)"
_WORK = r"(?:anime|manga|show|series|movie|film|work|title)"
_SOMEBODY = r"(?:character|person|girl|boy|guy|man|woman|lady|hero|heroine|one)"
_SHOWN_WORK = re.compile(
    rf"\b(?:the|this|that) {_WORK} (?:that is |shown |seen |depicted )*(?:in|on|of|from|behind) (?:this|the|that|my)"
    rf" {_PICTURE}\b|\bthis {_PICTURE}\b|\b(?:the|that) {_PICTURE}\b|\bthis(?= (?:come|air|start|end|run|have|get)\b)",
    re.IGNORECASE,
)
_SHOWN_SOMEBODY = re.compile(
    rf"\b(?:the|this|that) {_SOMEBODY}(?: (?:that is |shown |seen |depicted )*(?:in|on) (?:this|the|that|my)"
    rf" {_PICTURE})?\b"
    rf"|\b(?:this|that|the) {_PICTURE}\b|\b(?:this|it)(?=[ ?.!]*$)",
    re.IGNORECASE,
)
_IDENTIFYING_WORDS = """
    a an the this that these it is are was what which who whose where in on of from for to as and or do does did can
    could would you me us i we my please tell know identify recognise recognize find name named called title titled
    source sauce show shows shown depict depicts depicted see seen here look looks like looking similar resemble
    resembles have has any something anything else same
    anime manga series movie film work character person girl boy guy man woman lady hero heroine one studio episode
    picture image photo poster cover art artwork key visual screenshot screen still frame drawing scene there come
    comes taken belong belongs s
"""
_IDENTIFYING = frozenset(_IDENTIFYING_WORDS.split())
_PEOPLE = frozenset({EntityType.PERSON, EntityType.CHARACTER})


class RuleBasedPictureQuestions:
    """See PictureQuestionReader for the promises."""

    def __init__(self, mention_finder: MentionFinder) -> None:
        self._finder = mention_finder

    async def complete(self, question: str, shown: EntityRef, budget: Budget) -> CompleteQuestion | None:
        """See PictureQuestionReader."""
        text = clean(question)
        if only_asks_what_it_is(text):
            return None
        budget.spend_tool_call()
        try:
            found = await self._finder.find(text, timeout=budget.timeout(FINDER_SECONDS))
        except SourceUnavailable:
            return None
        return about_what_is_shown(text, [mention.text for mention in found], shown)


def only_asks_what_it_is(question: str) -> bool:
    """Whether every word of the question has to do with the picture itself; so too where no word is Latin."""
    words = re.findall(r"[a-z0-9]+", question.casefold())
    return all(word in _IDENTIFYING for word in words)


def about_what_is_shown(question: str, names: Sequence[str], shown: EntityRef) -> CompleteQuestion | None:
    """The question with what the picture shows in its place; as it is when it has names of its own, else None."""
    if shown.entity_type in _PEOPLE:
        pointing = _SHOWN_SOMEBODY.sub("her", question, count=1)
    else:
        pointing = _SHOWN_WORK.sub(f"this {_noun(shown.entity_type)}", question, count=1)
    name = shown.name or ""
    turn = PastTurn(question=f"Who or what is {name}?", mentions=(PastMention(text=name, entity=shown),))
    complete = complete_question(pointing, names, [turn])
    if complete.settled:
        return complete
    return CompleteQuestion(text=question) if names else None


def _noun(entity_type: EntityType) -> str:
    return "manga" if entity_type is EntityType.MANGA else "anime" if entity_type is EntityType.ANIME else "one"
