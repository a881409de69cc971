"""Links of a set's members to named entities: by whom, with whom, from what."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType, StaffRole

from agent_core.agents.rule_based.query_nouns import ANY_ROLE_NOUN, ANY_WORK, ROLE_NOUNS, ROLE_VERBS
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.agents.rule_based.text import NAME, name_index
from agent_core.set_question import SetLink

_E = EdgeType
_T = EntityType
NAMES = rf"(?P<names>{NAME}(?:(?: ,| and| , and| &| as well as| also)+(?: in| of| for| on| at)? {NAME})*)"
ALL_OF = r"(?:(?:both|all(?: of)?|each(?: of)?|all (?:three|four|five|\d)(?: of)?|each one of|the) )*"
_BY_MAKERS = (_E.PRODUCED_BY, _E.HAS_STAFF)
_MAKERS = (_T.STUDIO, _T.PERSON)
MAKER_ROLES = (StaffRole.DIRECTOR, StaffRole.AUTHOR, StaffRole.ILLUSTRATOR)
"""Whose a work is said to be: `films by X`, `X's manga`."""

_CAST = (_E.FEATURES, _E.VOICED_BY)
_PLAYERS = (_T.CHARACTER, _T.PERSON)
_NOT = (
    r"(?P<neg>(?:(?:but|and) )?(?:(?:that|which) )?(?:(?:is|are|was|were) )?(?:not|never|excluding"
    r"|except(?: for)?|other than)(?: (?:those|the ones|any|ones))* )?"
)
_MADE = (
    r"(?:animat(?:ed|ing|es?)|produc(?:ed|ing|es?)|mak(?:e|es|ing)|made|creat(?:ed|es?)|develop(?:ed)?|did|done"
    r"|release[sd]?)"
)
_HAVE = r"(?:have|has|had|ever|also|both|all|each|together|already|been|jointly)"
_ACT = (
    r"(?:appear(?:s|ed|ing)?|act(?:s|ed|ing)?|star(?:s|red|ring)?|perform(?:s|ed)?|voice act(?:s|ed)?"
    r"|voice(?:s|d)?(?: (?:a |any )?(?:characters?|someone|somebody|roles?))?"
    r"|(?:have|has|had|play(?:s|ed)?|got) (?:an? |any )?(?:voice |voice acting |acting )?(?:roles?|parts?)"
    r"|(?:do(?:es|ne)?|did|lends?|lent) (?:an? |the |any |some |(?:his|her) )?(?:voices?|voice acting|voice work))"
)


_ADAPTED = (
    r"(?:(?:that|which) )?(?:adapt(?:s|ed|ing)?|(?:(?:are|is|were|was) )?(?:based on|adapted from|adaptations? of))"
    r" (?:an? |the |any )?(?:mangas?|light novels?|novels?|books?|works?|stor(?:y|ies)|comics?) (?:(?:written"
    r"|drawn|created) )?"
    rf"by {ALL_OF}{NAMES}"
)


_EXCEPT = (
    r"(?:, ?)?(?:but |and )?(?:other than|besides|beside|apart from|aside from|except(?:ing)?(?: for)?|not counting"
    r"|not including|excluding|without|leaving out|leaving aside|minus|not)"
    rf"(?: the (?:film|movie|series|show|anime|manga))? {ALL_OF}{NAMES}"
)


@dataclass(slots=True)
class Links:
    """Links as they are found, and what each name's place says of its type. `is_explicit`: a role was said as one."""

    found: list[SetLink] = field(default_factory=list[SetLink])
    hints: dict[int, tuple[EntityType, ...]] = field(default_factory=dict[int, tuple[EntityType, ...]])
    is_explicit: bool = False

    def add(self, names: Sequence[int], hint: tuple[EntityType, ...], **link: object) -> None:
        """One link for each name."""
        for name in names:
            self.found.append(SetLink.model_validate({**link, "mention": name}))
            self.hints[name] = hint


def names_in(match: re.Match[str]) -> tuple[int, ...]:
    """The names that a match holds, in order."""
    return tuple(name_index(found) for found in re.findall(NAME, match.group("names")))


def take_work_links(scan: Scan) -> Links:
    """Every link of works to named makers, cast and characters, taken out of the text."""
    links = Links()
    for match in _each(scan, _ADAPTED):
        links.add(
            names_in(match),
            (_T.PERSON,),
            edges=(_E.HAS_STAFF,),
            qualifiers=MAKER_ROLES,
            through=_E.ADAPTATION_OF,
        )
    for match in _each(scan, _EXCEPT):
        links.add(names_in(match), (_T.ANIME, _T.MANGA), edges=(), is_absent=True, is_itself=True)
    _take_roles(scan, links)
    for pattern in _cast_patterns():
        for match in _each(scan, pattern):
            links.add(names_in(match), _PLAYERS, edges=_CAST, is_absent=_is_absent(match))
    for pattern in _maker_patterns():
        for match in _each(scan, pattern):
            links.add(
                names_in(match),
                _MAKERS,
                edges=_BY_MAKERS,
                qualifiers=MAKER_ROLES,
                or_any_role=True,
                is_absent=_is_absent(match),
            )
    return links


def _each(scan: Scan, pattern: str) -> Iterator[re.Match[str]]:
    """Every match of a pattern that holds a name, taken out of the text."""
    while scan.has_name and (match := scan.take(pattern)) is not None:
        yield match


def _is_absent(match: re.Match[str]) -> bool:
    return bool(match.groupdict().get("neg"))


_NOT_AS = (
    r"(?:, )?(?:and |but )?(?:not|rather than|instead of)(?: just| only| merely)?(?: as)?(?: an?"
    rf"| the)? {ANY_ROLE_NOUN}"
)
_WORKING = (
    rf"(?:(?:did|do|does|has|have|that|which) )*{ALL_OF}{NAMES} (?:{_HAVE} )*work(?:s|ed)?(?: together)? on"
    r"(?: together)?",
    rf"(?:did|do|does|has|have) {ALL_OF}{NAMES} (?:{_HAVE} )*work(?:ed)?(?: together)?",
)


def _take_roles(scan: Scan, links: Links) -> None:
    for noun, roles in ROLE_NOUNS:
        if scan.find(noun) is not None:
            _take_role(scan, links, _role_noun_patterns(noun), roles, is_explicit=True)
    if links.is_explicit:
        # What somebody was not is no condition beside what he was.
        scan.take(_NOT_AS)
    for verb, passive, roles in ROLE_VERBS:
        if scan.find(verb) is not None or scan.find(passive) is not None:
            _take_role(scan, links, _role_verb_patterns(verb, passive), roles, is_explicit=False)
    for pattern in _WORKING:
        for match in _each(scan, pattern):
            links.add(names_in(match), (_T.PERSON, _T.STUDIO), edges=_BY_MAKERS)


def _take_role(scan: Scan, links: Links, patterns: Sequence[str], roles: tuple[str, ...], *, is_explicit: bool) -> None:
    """Links by one role; `is_explicit` where it is said as a noun."""
    for pattern in patterns:
        for match in _each(scan, pattern):
            links.add(
                names_in(match),
                (_T.PERSON,),
                edges=(_E.HAS_STAFF,),
                qualifiers=roles,
                is_absent=_is_absent(match),
                through=_E.ADAPTATION_OF if match.groupdict().get("source") else None,
            )
            links.is_explicit = links.is_explicit or is_explicit


_AS = (
    r"(?:(?:was|is|were|serve|served|works?|worked|acts?|acted|(?:is |was |were )?credited|listed) )?(?:as )?"
    r"(?:the |an? |its |their )?"
)


@lru_cache(maxsize=32)
def _role_noun_patterns(noun: str) -> tuple[str, ...]:
    return (
        rf"(?:where|in which|on which|for which|that have|that had|with|having) {NAMES} {_AS}(?:{noun})",
        rf"(?:did )?{NAMES} {_AS}(?:{noun})(?: (?:of|for|on))?",
        rf"with (?:the )?(?:{noun}) {NAMES}",
        rf"whose (?:{noun}) (?:is|was|are|were) {NAMES}",
    )


@lru_cache(maxsize=16)
def _role_verb_patterns(verb: str, passive: str) -> tuple[str, ...]:
    source = (
        r"(?:(?P<source>(?:(?:that|which) )?(?:adapt(?:s|ing)?|(?:are |were )?(?:based on|adapted from)"
        r"|adaptations? of) (?:an? |the )?(?:mangas?|novels?|light novels?|works?|stories|books?)) )?"
    )
    be = r"(?:(?:(?:that|which) )?(?:is|are|was|were|have been|has been) )?"
    return (
        rf"{source}{_NOT}{be}(?:{passive}) (?:by|from) {ALL_OF}{NAMES}",
        rf"(?:did|has|have|had) {ALL_OF}{NAMES} (?:{_HAVE} )*(?:{verb})",
        rf"(?:(?:that|which) )?{NAMES} (?:{_HAVE} )*(?:{verb})(?! by)",
        # Where verbs come before their subject: `¿Cuántas películas dirigió X?`
        rf"(?:{verb}) {NAMES}$",
    )


@lru_cache(maxsize=1)
def _cast_patterns() -> tuple[str, ...]:
    together = r"(?: in)?(?: together| both)?(?: in)?"
    return (
        rf"(?:do|did|does|have|has|had) {ALL_OF}{NAMES} (?:{_HAVE} )*{_ACT}{together}",
        rf"{_NOT}(?:starring|featuring|feature|features|star|stars|voiced by|with the voices? of) {ALL_OF}"
        rf"(?:the )?(?:voices? of |characters? )?{NAMES}(?: in the (?:voice )?cast| as voice actors| together)?",
        rf"(?:with|having|have|has) {ALL_OF}{NAMES} (?:in (?:the|its|their) (?:voice )?cast|as"
        rf" (?:voice )?(?:actors?|cast))",
        rf"(?:where |in which |that |which )?{ALL_OF}{NAMES} (?:{_HAVE} )*{_ACT}{together}",
        rf"(?:is|was|are|were) {ALL_OF}{NAMES} (?:both |all |heard |featured )*in",
        rf"(?:have|has|had) {ALL_OF}{NAMES} (?:both |all |each |ever )*been in",
        rf"(?:with|have|has|had|featuring) both {NAMES}",
        rf"with (?P<names>{NAME}(?:(?: ,| and| &)+ {NAME})+)",
    )


@lru_cache(maxsize=1)
def _maker_patterns() -> tuple[str, ...]:
    return (
        rf"{_NOT}(?:(?:is|are|was|were|been) )?(?:{_MADE} )?(?:by|from|at|of)(?: the)?"
        rf"(?: (?:studios?|director|animation studio|author))? {ALL_OF}{NAMES}",
        rf"(?:did|do|does|has|have|had)(?: the)?(?: studio)? {ALL_OF}{NAMES} (?:{_HAVE} )*{_MADE}",
        rf"(?:(?:that|which) )?{NAMES} (?:{_HAVE} )*{_MADE}",
        rf"{_MADE} {NAMES}$",
        rf"{NAMES} 's(?: own| first| last)?(?= |$)",
        rf"(?:does|do|did) {NAMES} (?:have|had)(?: (?:made|produced))?",
        rf"(?:studio )?{NAMES}(?= (?:[\w·]+ ){{0,3}}{ANY_WORK})",
    )
