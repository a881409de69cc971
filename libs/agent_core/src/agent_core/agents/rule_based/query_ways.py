"""Names that only lead to who is meant: `the director of X`, `the studio behind X`."""

import re

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.query_nouns import ANY_ROLE_NOUN, STUDIO_NOUNS, roles_of_noun
from agent_core.agents.rule_based.text import NAME, name_index
from agent_core.set_question import Way

_NOUN = rf"(?P<noun>{ANY_ROLE_NOUN}|{STUDIO_NOUNS})"
_WAYS = (
    re.compile(
        rf"(?<!\w)(?:the )(?:same )?{_NOUN} (?:of|behind|that made|which made|who made|as) (?P<name>{NAME})(?!\w)"
    ),
    re.compile(rf"(?<!\w)(?P<name>{NAME}) 's {_NOUN}(?!\w)"),
)
_OTHER = re.compile(r"(?<!\w)(?:other|else|another|also)(?!\w) ?")


def without_ways(text: str) -> tuple[str, dict[int, Way]]:
    """The text with the name alone where it led to somebody, and how it did, by name."""
    ways: dict[int, Way] = {}
    leaves_out = _OTHER.search(text) is not None
    for pattern in _WAYS:
        for match in pattern.finditer(text):
            roles = roles_of_noun(match.group("noun"))
            edge = EdgeType.PRODUCED_BY if roles is None else EdgeType.HAS_STAFF
            ways[name_index(match.group("name"))] = Way.model_validate(
                {"edge": edge, "qualifiers": roles or (), "leaves_out": leaves_out}
            )
        text = pattern.sub(lambda match: match.group("name"), text)
    return (_OTHER.sub("", text), ways) if ways else (text, ways)


_KINDS: dict[str, tuple[EntityType, ...]] = {
    "anime": (EntityType.ANIME,),
    "manga": (EntityType.MANGA,),
    "character": (EntityType.CHARACTER,),
    "studio": (EntityType.STUDIO,),
    **dict.fromkeys(("film", "movie", "series", "show", "tv series"), (EntityType.ANIME,)),
}
_KIND = re.compile(
    rf"(?<!\w)(?:the )?(?P<kind>{'|'.join(_KINDS)}) (?P<name>{NAME})(?=(?: (?:,|and|both|share|have|in)\b| ,|$))"
)


def without_kinds(text: str) -> tuple[str, dict[int, tuple[EntityType, ...]]]:
    """The text with the name alone where its kind was said, `both the anime X and Y`, and what was said, by name."""
    found = {name_index(match.group("name")): _KINDS[match.group("kind")] for match in _KIND.finditer(text)}
    return _KIND.sub(lambda match: match.group("name"), text), found
