"""A question that came with a picture, read by rules: does it ask what is shown, or more about what is shown?"""

import re
from collections.abc import Sequence

from datastore.vocabulary import WORK_TYPES, EntityType

from agent_core.agents.rule_based.follow_up import complete_question
from agent_core.agents.rule_based.text import clean
from agent_core.budget import Budget
from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.protocols import MentionFinder
from agent_core.turns import CompleteQuestion, PastMention, PastTurn

FINDER_SECONDS = 2.0

_PICTURE = r"(?:picture|image|photo|poster|cover|art|artwork|key visual|screenshot|screen|still|frame|drawing|scene)"
_WORK = r"(?:anime|manga|show|series|movie|film|work|title|studio)"
_SOMEBODY = r"(?:character|person|girl|boy|guy|man|woman|lady|hero|heroine)"
_SHOWN = r"(?: that is| which is| who is)?(?: shown| seen| depicted| pictured)?"
_THIS = (
    r"\bthis(?= *(?:$|[?.!,]|(?:is|was|are|were|will|come|came|air|aired|start|started|end|ended|run|ran|have|has|had"
    r"|get|got|made|based|belong|and|or|in|on|by|the|an?|finished|over|still|already)\b))"
)


def _pointing(noun: str) -> re.Pattern[str]:
    """The words that point at something of this kind in a picture."""
    return re.compile(
        rf"\b(?:the|this|that) {noun} (?:that |which )?(?:this|that|the|my) {_PICTURE} is (?:from|of)\b"
        rf"|\b(?:the|this|that) {noun}{_SHOWN} (?:in|on|of|from|behind) (?:this|that|the|my) {_PICTURE}\b"
        rf"|\b(?:the|this|that) {noun} (?:shown|seen|depicted|pictured)(?: here)?\b|\b(?:the|this|that) {noun} here\b"
        rf"|\b(?:this|that) {noun}\b|\b(?:this|that|the) {_PICTURE}\b|{_THIS}",
        re.IGNORECASE,
    )


_SHOWN_WORK, _SHOWN_SOMEBODY = _pointing(_WORK), _pointing(_SOMEBODY)
_OTHER_THAN_WORK = re.compile(rf"\b(?:this|that) {_SOMEBODY}\b|\b(?:he|she|him|her|his)\b", re.IGNORECASE)
_OTHER_THAN_SOMEBODY = re.compile(rf"\b(?:this|that) {_WORK}\b", re.IGNORECASE)
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
            return CompleteQuestion(text="")
        return about_what_is_shown(text, [mention.text for mention in found], shown)


def only_asks_what_it_is(question: str) -> bool:
    """Whether every word of the question has to do with the picture itself; so too where no word is Latin."""
    words = re.findall(r"[a-z0-9]+", question.casefold())
    return all(word in _IDENTIFYING for word in words)


def about_what_is_shown(question: str, names: Sequence[str], shown: EntityRef) -> CompleteQuestion:
    """The question with what the picture shows in its place; as it is when it has names of its own.

    Its text is empty when it was not understood, or points at another kind of thing than the picture shows.
    """
    name = shown.name or ""
    settled = (PastMention(text=name, entity=shown),)
    is_somebody = shown.entity_type in _PEOPLE
    if (_OTHER_THAN_SOMEBODY if is_somebody else _OTHER_THAN_WORK).search(question):
        return CompleteQuestion(text=question if names else "")
    spoken = f"the {shown.entity_type} {name}" if shown.entity_type in WORK_TYPES else name
    text, count = (_SHOWN_SOMEBODY if is_somebody else _SHOWN_WORK).subn(lambda _: spoken, question, count=1)
    if count:
        return CompleteQuestion(text=text, settled=settled)
    complete = complete_question(question, names, [PastTurn(question=f"Who or what is {name}?", mentions=settled)])
    return complete if complete.settled else CompleteQuestion(text=question if names else "")
