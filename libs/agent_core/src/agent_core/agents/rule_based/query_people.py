"""Questions about sets of people, characters and studios: who has a part in all of several things, how many have."""

import re

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.query_conditions import take_character_conditions
from agent_core.agents.rule_based.query_links import ALL_OF, NAMES, Links, names_in
from agent_core.agents.rule_based.query_nouns import (
    ANY_ROLE_NOUN,
    PERSON_NOUNS,
    STUDIO_NOUNS,
    VOICE_NOUNS,
    roles_of_noun,
    roles_of_verb,
)
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.agents.rule_based.query_works import Read
from agent_core.agents.rule_based.text import NAME, name_index
from agent_core.set_question import SetConditions, SetQuestion, SetTask

_E, _T = EdgeType, EntityType
_WORKS = (_T.ANIME, _T.MANGA)
_VOICED = (_T.CHARACTER, _T.ANIME)
_HOW_MANY = r"(?:how many(?: different| distinct)?|(?:the )?number of)"
_WHICH = r"(?:(?:which|what|(?:name|list|show|find|give)(?: me)?)(?: all)?(?: the)? )?"
_VOICES = r"(?:voices?|voiced|plays?|played|dubs?|dubbed)(?: the characters?| the roles? of)?"
_IN = (
    r"(?:(?:has|have|had|plays?|played|got) (?:an? |any |some )?(?:voice |voice acting |acting )?(?:roles?"
    r"|parts?|characters?) in"
    r"|(?:appears?|appeared|acts?|acted|stars?|starred|performs?|performed|is|are|was|were)(?: (?:heard"
    r"|featured))? in"
    r"(?: the (?:voice )?cast of)?|(?:voices?|voiced)(?: (?:a |any )?(?:characters?|someone|somebody|roles?))? in"
    r"|(?:worked|works) as (?:an? )?(?:voice )?actors? (?:in|on|for)"
    r"|(?:does|did|do|lends?|lent) (?:an? |the |any |some )?(?:voices?|voice acting|voice work) (?:in|for|to))"
)
_HAS = r"(?:(?:has|have|had|ever) )?"
_OF_VOICES = re.compile(rf"^{VOICE_NOUNS}$")
_COUNTS = ("how many", "number of", "the number of")


_ROLE = re.compile(
    r"^(?:who|(?:which|what) (?:characters?|roles?|parts?)) (?:is|was|does|did|has|have|had)"
    rf" {NAMES}(?: (?:got|have|had|plays?|playing|voiced?|voicing|supposed to be|as|doing))* (?:in|on)(?: the)?"
    rf"(?: (?:anime|film|movie|series|show))? (?P<place>{NAME})$"
)


def _role_in(text: str) -> Read | None:
    """`Who is X in Y?`, `What role has X got in Y?` of a person; a name that is a character's leads to no set."""
    match = _ROLE.match(_ended(text))
    if match is None:
        return None
    links = Links()
    links.add(names_in(match), (_T.PERSON, _T.CHARACTER), edges=(_E.VOICED_BY,))
    links.add((name_index(match["place"]),), _WORKS, edges=(_E.APPEARS_IN,))
    return _characters(SetTask.LIST, SetConditions(), links), links


def read_people(text: str) -> Read | None:
    """`Who voices both X and Y?`, `Which actor has a role in all of X, Y and Z?`, `How many actors does X have?`"""
    if len(Scan(text).names) < 2 and not text.startswith(_COUNTS):
        return None
    for read in (_voicing, _acting, _staffing, _sharing, _cast_size, _role_in):
        found = read(text)
        if found is not None:
            return found
    return None


_WHO_VOICES = re.compile(
    rf"^(?:who|(?P<many>{_HOW_MANY} )?{_WHICH}(?:{VOICE_NOUNS}|person|people)(?: (?:who"
    rf"|that))?) {_HAS}{_VOICES} {ALL_OF}{NAMES}$"
)


def _voicing(text: str) -> Read | None:
    match = _WHO_VOICES.match(_ended(text))
    return _people(match, _E.VOICES, (), _VOICED, "voice actors") if match is not None else None


_WHO_ACTS = re.compile(
    rf"^(?:who|(?P<many>{_HOW_MANY} )?{_WHICH}(?:{VOICE_NOUNS}|{PERSON_NOUNS})(?: (?:who"
    rf"|that))?) {_HAS}{_IN} {ALL_OF}{NAMES}$"
)


def _acting(text: str) -> Read | None:
    match = _WHO_ACTS.match(_ended(text))
    return _people(match, _E.VOICES, (), (_T.ANIME,), "voice actors") if match is not None else None


_WHO_WORKS = re.compile(
    rf"^(?:who|(?P<many>{_HOW_MANY} )?{_WHICH}(?P<noun>{ANY_ROLE_NOUN}|{PERSON_NOUNS})(?:"
    rf" (?:who|that))?) {_HAS}(?P<verb>(?:[a-z]+ ){{1,5}}?){ALL_OF}{NAMES}$"
)


def _staffing(text: str) -> Read | None:
    match = _WHO_WORKS.match(_ended(text))
    if match is None:
        return None
    verb = match.group("verb").strip()
    by_noun = roles_of_noun(match.group("noun") or "")
    roles = roles_of_verb(verb)
    if roles is None and (by_noun is None or verb not in ("made", "makes", "did", "created")):
        return None
    return _people(match, _E.STAFF_OF, roles or by_noun or (), _WORKS, "people")


_WHO_SHARES = re.compile(
    rf"^(?:which|what|who are the|{_HOW_MANY}|list the|name the|the)? ?(?P<noun>{VOICE_NOUNS}"
    rf"|{ANY_ROLE_NOUN}|{PERSON_NOUNS})(?: that)? (?:do |does |did |are shared (?:by|between) )?{ALL_OF}{NAMES}"
    rf"(?: (?:both |all )?(?:share|shared|have|had)(?: in common)?)?$"
)


def _sharing(text: str) -> Read | None:
    match = _WHO_SHARES.match(_ended(text))
    if match is None or len(names_in(match)) < 2:
        return None
    if _OF_VOICES.match(match.group("noun")):
        return _people(match, _E.VOICES, (), _VOICED, "voice actors")
    roles = roles_of_noun(match.group("noun"))
    return _people(match, _E.STAFF_OF, roles or (), _WORKS, "people")


_HOW_LARGE = re.compile(
    rf"^(?P<many>{_HOW_MANY}) (?P<noun>{VOICE_NOUNS}|{ANY_ROLE_NOUN}|{PERSON_NOUNS})(?: are there)? (?:does"
    rf"|do|did|in|of|for|on) (?:the (?:voice )?cast of )?{NAMES}(?: (?:have|has|had|feature|employ))?$"
)


def _cast_size(text: str) -> Read | None:
    match = _HOW_LARGE.match(_ended(text))
    if match is None:
        return None
    if _OF_VOICES.match(match.group("noun")):
        return _people(match, _E.VOICES, (), (_T.ANIME,), "voice actors")
    return _people(match, _E.STAFF_OF, roles_of_noun(match.group("noun")) or (), _WORKS, "people")


def _people(
    match: re.Match[str], edge: EdgeType, roles: tuple[str, ...], hint: tuple[EntityType, ...], noun: str
) -> Read | None:
    """People linked to all the names; a single name only where their number is asked."""
    names = names_in(match)
    is_count = match.group(0).startswith(_COUNTS)
    if len(names) < 2 and not is_count:
        return None
    links = Links()
    links.add(names, hint, edges=(edge,), qualifiers=roles)
    task = SetTask.COUNT if is_count else SetTask.LIST
    question = SetQuestion(task=task, entity_types=(_T.PERSON,), noun=noun, links=tuple(links.found))
    return question, links


_ALL: tuple[tuple[str, EntityType, str, tuple[EdgeType, ...]], ...] = (
    (rf"^{_HOW_MANY} {VOICE_NOUNS}", _T.PERSON, "voice actors", (_E.VOICES,)),
    (rf"^{_HOW_MANY} (?:people|persons)", _T.PERSON, "people", ()),
    (rf"^{_HOW_MANY} {STUDIO_NOUNS}", _T.STUDIO, "studios", ()),
    (rf"^{_HOW_MANY} characters", _T.CHARACTER, "characters", ()),
)


def read_all(text: str) -> Read | None:
    """`How many studios are in the catalogue?`"""
    for pattern, entity_type, plural, edges in _ALL:
        scan = Scan(_ended(text))
        if scan.take(pattern) is None or scan.left:
            continue
        conditions = SetConditions(having=edges)
        question = SetQuestion(task=SetTask.COUNT, entity_types=(entity_type,), noun=plural, conditions=conditions)
        return question, Links()
    return None


_WHICH_STUDIOS = re.compile(
    rf"^(?:{_HOW_MANY}|which|what) {STUDIO_NOUNS} {_HAS}(?:made|produced|animated|created"
    rf"|worked on) {ALL_OF}{NAMES}$"
)


def read_studios(text: str) -> Read | None:
    """`Which studio made both X and Y?`"""
    match = _WHICH_STUDIOS.match(_ended(text))
    if match is None or len(names_in(match)) < 2:
        return None
    links = Links()
    links.add(names_in(match), (_T.ANIME,), edges=(_E.PRODUCED,))
    task = SetTask.COUNT if text.startswith("how many") else SetTask.LIST
    return SetQuestion(task=task, entity_types=(_T.STUDIO,), noun="studios", links=tuple(links.found)), links


_HAVING = rf"(?:does|do|did) {ALL_OF}{NAMES} (?:have|has|feature|include)(?: in common)?"
_IN_WORK = (
    rf"(?:(?:that |who |which )?(?:appear|appears|are(?: there)?|are featured|feature|exist|occur|are shown) in"
    rf"|(?:(?:that |which )?are )?(?:listed|recorded|known|named|credited|given) (?:for|in|of)|from|of|in)"
    rf" {ALL_OF}{NAMES}",
    rf"(?:does|do|did) {NAMES} share",
)
_BY_VOICE = (
    rf"(?:(?:that |who |which )?(?:are|is|were|was) )?(?:voiced|played) by {ALL_OF}{NAMES}",
    rf"(?:does|do|did|has|have) {ALL_OF}{NAMES} (?:both |all )?(?:voiced?|played?)",
    rf"(?:that )?{NAMES} (?:both |all )?(?:voices?|voiced|plays?|played)",
)


def read_characters(text: str) -> Read | None:
    """`How many characters does X voice in Y?`, `Which characters appear in both X and Y?`"""
    scan = Scan(_ended(text))
    if scan.find(r"characters|roles") is None:
        return None
    is_count = scan.take(rf"^(?:{_HOW_MANY}|count(?: up)?(?: all)?(?: the)?)") is not None
    links = Links()
    both = (_E.APPEARS_IN, _E.VOICED_BY)
    for patterns, edges, hint in (
        (_BY_VOICE, (_E.VOICED_BY,), (_T.PERSON,)),
        ((_HAVING,), both, (*_WORKS, _T.PERSON)),
        (_IN_WORK, (_E.APPEARS_IN,), _WORKS),
    ):
        for pattern in patterns:
            while (match := scan.take(pattern)) is not None:
                links.add(names_in(match), hint, edges=edges)
    conditions = take_character_conditions(scan)
    if scan.take(r"characters|(?:voice |character )?roles") is None or scan.left or not links.found:
        return None
    if not is_count and len(links.found) < 2 and conditions.gender is None:
        return None
    return _characters(SetTask.COUNT if is_count else SetTask.LIST, conditions, links), links


def _characters(task: SetTask, conditions: SetConditions, links: Links) -> SetQuestion:
    return SetQuestion(
        task=task, entity_types=(_T.CHARACTER,), noun="characters", conditions=conditions, links=tuple(links.found)
    )


def _ended(text: str) -> str:
    """The text without marks at its end."""
    return text.rstrip(" ?.!")
