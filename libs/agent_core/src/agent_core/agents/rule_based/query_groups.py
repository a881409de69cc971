"""Questions for the group that has the most of a set: studios, people, voices, years, casts; and all makers of one."""

import re

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.query_links import NAMES, Links, names_in
from agent_core.agents.rule_based.query_nouns import (
    ANY_ROLE_NOUN,
    PERSON_NOUNS,
    STUDIO_NOUNS,
    VOICE_NOUNS,
    roles_of_noun,
    roles_of_verb,
)
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.agents.rule_based.query_works import GROUP_WORD, SAYS_EXTREME, Read, grouping_of, take_works
from agent_core.set_question import Grouping, SetQuestion, SetTask

_MOST = (
    r"(?:the )?(?:single )?(?P<most>most|highest number of|largest number of|greatest number of|fewest|least"
    r"|lowest number of)(?: different)?"
)
_HAS = r"(?:(?:has|have|had) )?"
_MADE = (
    r"(?:made|make|makes|produced?|produces|animated|created|released|done|did|worked on"
    r"|has|have|had|(?:is|was|stands|stood) behind|(?:is|was) responsible for|turned out|put out|came up with)"
)


_PROLIFIC = re.compile(r"^(?:who|what|which) (?:is|was) the most prolific ((?:\w+ )?\w+)")


def read_groups(text: str) -> Read | None:
    """`Which studio made the most …?`, `Who directed the most …?`, `Which decade had the most …?`"""
    text = _PROLIFIC.sub(r"which \1 has the most works", text)
    for read in (*(_BY_NUMBER if SAYS_EXTREME.search(text) is not None else ()), _makers):
        found = read(text)
        if found is not None:
            return found
    return None


def _studio_group(text: str) -> Read | None:
    scan = Scan(text)
    match = scan.take(rf"^(?:which|what) {STUDIO_NOUNS} {_HAS}{_MADE} {_MOST}") or scan.take(
        rf"^(?:(?:which|what) (?:is|was) )?(?:the )?{STUDIO_NOUNS} (?:with|that (?:has |have )?{_MADE}) {_MOST}"
    )
    return _grouped(scan, match.group("most"), Grouping.STUDIO) if match is not None else None


def _staff_group(text: str) -> Read | None:
    scan = Scan(text)
    nouns = rf"(?P<noun>{ANY_ROLE_NOUN}|{PERSON_NOUNS})"
    match = scan.take(
        rf"^(?:who|(?:which|what) {nouns}|(?:the )?{nouns.replace('noun', 'named')} (?:who|that"
        rf"|with)) ?{_HAS}(?P<verb>(?:[a-z]+ ){{0,5}}?){_MOST}"
    )
    if match is None:
        return None
    noun = match.group("noun") or match.group("named") or ""
    verb = match.group("verb").strip()
    by_noun = roles_of_noun(noun)
    by_verb = roles_of_verb(verb)
    is_plain = verb in ("", "has", "have", "had", "made", "make", "makes", "done", "created", "with")
    roles = by_noun if by_noun is not None and (is_plain or not by_verb) else by_verb
    if roles is None or (by_verb is None and not is_plain):
        return None
    return _grouped(scan, match.group("most"), Grouping.STAFF, roles)


def _voice_group(text: str) -> Read | None:
    scan = Scan(text)
    act = (
        r"(?:voices?|voiced|plays?|played|has|have|had|performs?|performed|appears?(?: in)?|appeared(?: in)?"
        r"|acts?(?: in)?|acted(?: in)?|stars?(?: in)?|starred(?: in)?|voices? in|has roles in|had roles in|voiced in)"
    )
    match = scan.take(rf"^(?:who|(?:which|what) (?:{VOICE_NOUNS}|person)) {_HAS}(?P<act>{act}) {_MOST}")
    if match is None:
        return None
    is_low = match.group("most") in ("fewest", "least", "lowest number of")
    if (
        scan.take(r"(?:characters|(?:voice )?roles|voice credits)(?: in (?:the )?(?:catalogue|total|database))?")
        is not None
    ):
        links = Links()
        place = scan.take(rf"(?:in|from|of) {NAMES}")
        if place is not None:
            links.add(names_in(place), (EntityType.ANIME,), edges=(EdgeType.APPEARS_IN,))
        if scan.left:
            return None
        question = SetQuestion(
            task=SetTask.GROUPS,
            entity_types=(EntityType.CHARACTER,),
            noun="characters",
            links=tuple(links.found),
            grouping=Grouping.VOICE_ACTOR,
            is_descending=not is_low,
        )
        return question, links
    return _grouped(scan, match.group("most"), Grouping.VOICE_ACTOR)


def _field_group(text: str) -> Read | None:
    scan = Scan(text)
    match = scan.take(
        rf"^(?:(?:in|from|of) )?(?:which|what) {GROUP_WORD} (?:has|have|had|saw|do|does|did|were|was|is|are|contains?"
        rf"|appears? in) {_MOST}(?! (?:common|frequent|usual))"
    )
    if match is None:
        match = scan.take(
            rf"^(?:(?:what|which) (?:is|was) )?the {_MOST} (?:common|frequent|usual) {GROUP_WORD}(?: (?:of"
            rf"|among|in|for))?"
        ) or scan.take(
            rf"^(?:which|what) {GROUP_WORD} (?:is|was|are) {_MOST} (?:common|frequent|usual)(?: (?:of|among|in"
            rf"|for))?"
        )
    return _grouped(scan, match.group("most"), grouping_of(match.group("group"))) if match is not None else None


def _cast_group(text: str) -> Read | None:
    scan = Scan(text)
    match = scan.take(
        rf"(?:has|have|had|with|features?) (?:the )?(?:{_MOST} characters|(?P<large>(?:largest|biggest) (?:cast"
        rf"|number of characters)))"
    )
    if match is None:
        character = scan.take(rf"^(?:which|what) character (?:appears?|appeared|is|features?) in {_MOST}")
        return _grouped(scan, character.group("most"), Grouping.CHARACTER) if character is not None else None
    return _grouped(scan, match.group("most") or "most", Grouping.CAST)


def _adaptation_group(text: str) -> Read | None:
    scan = Scan(text)
    match = scan.take(rf"(?:has|have|had|with|got) (?:the )?{_MOST} (?:(?:anime|animated) )?adaptations")
    return _grouped(scan, match.group("most"), Grouping.ADAPTATIONS) if match is not None else None


_BY_NUMBER = (_studio_group, _staff_group, _voice_group, _field_group, _cast_group, _adaptation_group)
_MAKERS = 50
"""How many makers of a set are listed."""


_STUDIO_MADE = rf"^(?:which|what|(?:list|name)(?: all)?(?: the)?) {STUDIO_NOUNS} (?:that )?{_HAS}{_MADE}"
_STAFF_MADE = rf"^(?:who|(?:which|what) (?P<noun>{ANY_ROLE_NOUN}|{PERSON_NOUNS})) {_HAS}(?P<verb>[a-z]+)"


def _makers(text: str) -> Read | None:
    """`Which studios made films in 1988?`, `Who directed horror movies?`: each maker with the number of works."""
    scan = Scan(text)
    studio = scan.take(_STUDIO_MADE)
    roles: tuple[str, ...] | None = ()
    if studio is None:
        staff = scan.take(_STAFF_MADE)
        if staff is None:
            return None
        by_noun, verb = roles_of_noun(staff.group("noun") or ""), staff.group("verb")
        roles = by_noun if by_noun and verb in ("made", "did", "done") else roles_of_verb(verb)
        if not roles:
            return None
    works = take_works(scan)
    if works is None or (works.conditions.is_empty and not works.noun.formats) or works.links.found:
        return None
    grouping = Grouping.STUDIO if studio is not None else Grouping.STAFF
    return works.question(SetTask.GROUPS, grouping=grouping, group_qualifiers=roles, limit=_MAKERS), works.links


def _grouped(scan: Scan, most: str, grouping: Grouping, roles: tuple[str, ...] = ()) -> Read | None:
    if not scan.left:
        scan.text += " works"
    works = take_works(scan)
    if works is None:
        return None
    is_low = most in ("fewest", "least", "lowest number of")
    question = works.question(
        SetTask.GROUPS, grouping=grouping, group_qualifiers=roles, is_descending=not is_low, limit=1
    )
    return question, works.links
