"""Questions about the order in which the works of a franchise are watched, read from their words."""

import re

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.query_links import Links
from agent_core.agents.rule_based.query_works import Read
from agent_core.agents.rule_based.text import NAME, name_index
from agent_core.set_question import SetQuestion, SetTask, Watching

_SEE = r"(?:watch(?:ed|ing)?|see|seen|view(?:ed|ing)?|stream|start(?:ed|ing)?|begin|go through)"
_APPEAR = r"(?:come out|came out|released?|air(?:ed)?|premiered?|appear(?:ed)?|published|made)"
_STORY_WORDS = (
    r"\b(?:chronolog\w+|timeline|in-universe|story(?:line)?(?:'s)? order|plot order|story happens|narrative order"
    r"|order (?:of|in which) the (?:story|events|plot)|by story|first in the story)\b"
)
_STORY = re.compile(_STORY_WORDS)
_ORDER = re.compile(
    r"\b(?:watch|watching|viewing|view|release|released|airing|broadcast|anime|best|right|correct|proper|recommended"
    rf"|suggested) (?:watch(?:ing)? )?order\b|{_STORY_WORDS}"
    rf"|\b(?:what|which) order\b.*\b(?:{_SEE}|{_APPEAR})\b|\b(?:{_SEE}|{_APPEAR})\b.*\b(?:what|which|the right) order\b"
    rf"|\border (?:to|for|in which to|i should|should i|do i) {_SEE}\b"
    r"|\border (?:of (?:the |their |its )?releases?|of (?:the )?(?:series|franchise))\b"
    r"|\b(?:by|in(?: the)?(?: order of)?) (?:their )?release(?: date| order)?s?\b|\bsorted by (?:release|date)\b"
    r"|\bone after the other\b|\bin (?:the )?(?:right |correct )?order\b"
    rf"|\bwhere (?:do|does|should|can|to|would|must)\b.*\b(?:start|begin)\b|\bwhere to {_SEE}\b"
    rf"|\b(?:what|which)\b.*\b{_SEE} (?:first|next after)\b"
    r"|\b(?:best|good|right) (?:place|point|entry) to (?:start|begin)\b"
    rf"|\bhow (?:do|should|to|can)\b.*\b(?:get into|{_SEE})\b.*\b(?:series|franchise|first|order|everything|all)\b"
    r"|\b(?:in )?(?:what|which) order(?: \?)?$|\b(?:movies?|films?|seasons?|series|franchise) order\b"
    rf"|^{NAME} order$|\b(?:best|right|proper|correct) way to {_SEE}\b"
    rf"|^how (?:do|should|can|would|could|to)(?: (?:i|we|you|one|somebody|someone))? (?:get into|{_SEE}) (?:the"
    rf" )?{NAME}"
    r"(?: (?:anime|series|franchise|shows|movies|films))?$"
    r"|\b(?:what|which) order (?:do|does|did|should|must|to)\b.*\b(?:go|belong|come|fit)\b"
    rf"|\border of (?:the )?{NAME} (?:series|anime|movies|films|seasons|franchise)$"
    r"|\bcomes? first\b.*\b(?:comes? (?:next|after|second)|(?:which|what|and) (?:then|next|after|second))\b"
    r"|\bby (?:the )?date of (?:their |its )?(?:release|airing)\b|\b(?:viewing|watch|watching) guide\b"
    r"|\bfrom (?:the )?first to (?:the )?last\b|\bwhich \w+ (?:comes )?after which\b"
)
_OF_TWO = re.compile(
    rf"\b{_SEE} .*{NAME}.* (?:or|vs|versus) .*{NAME}.*\b(?:first|before|earlier)\b"
    rf"|\b(?:need|have|must|should|can|could|supposed)\b.*\b{_SEE} .*{NAME}.*\b(?:before|without)\b.*{NAME}"
)
_BEFORE = re.compile(
    r"\b(?:something|anything|what(?: else)?|which (?:anime|ones?|works|shows?|series)|everything)\b"
    rf".*\bbefore\b.*{NAME}"
    rf"|\b(?:need|have|must|should|required|prerequisites?)\b.*\b(?:before|for)\b.*\b{_SEE}(?: with)? {NAME}"
    rf"|\bprerequisites?\b.*{NAME}"
)
_OTHER = re.compile(
    r"\b(?:episodes?|chapters?|volumes?|characters?|read|reading|mangas?|novels?|arcs?|studios?|directed|directors?"
    r"|voices?|voiced|born|older|publish\w*|longer|similar|like(?! to))\b"
)


_SEQUENCE = re.compile(r"\bsequence\b")
_NEIGHBOUR = re.compile(r"\bcomes? (?:right|directly|just|immediately|straight) before\b")
"""Asks for the one work before another, not for all of them."""


def read_watch_order(text: str) -> Read | None:
    """`In what order should I watch X?`, `X story order`, `Where do I start with X?`, `X or Y first?`"""
    text = _SEQUENCE.sub("order", text)
    names = tuple(dict.fromkeys(name_index(found) for found in re.findall(NAME, text)))
    patterns = {1: (_ORDER, _BEFORE), 2: (_OF_TWO,)}.get(len(names), ())
    if not any(pattern.search(text) for pattern in patterns) or _OTHER.search(text) or _NEIGHBOUR.search(text):
        return None
    links = Links()
    links.add(names, (EntityType.ANIME,), edges=(EdgeType.SHARES_FRANCHISE,))
    question = SetQuestion(
        task=SetTask.WATCH_ORDER,
        entity_types=(EntityType.ANIME,),
        noun="anime",
        links=tuple(links.found),
        watching=_watching(text),
    )
    return question, links


def _watching(text: str) -> Watching:
    if _STORY.search(text) is not None:
        return Watching.BY_STORY
    return Watching.BEFORE if _ORDER.search(text) is None and _BEFORE.search(text) is not None else Watching.BY_RELEASE
