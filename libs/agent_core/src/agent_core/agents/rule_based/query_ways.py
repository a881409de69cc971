"""Names that only lead to who is meant: `the director of X`, `the studio behind X`."""

import re

from datastore.edges import EdgeType

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
