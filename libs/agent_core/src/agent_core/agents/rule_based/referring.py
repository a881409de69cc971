"""Questions of what a document refers to: `the article that X mentions`, `the documents required by X`.

X is a name, or a document that is told by what it is about: `the guideline that the report on X points to`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from datastore.edges import EdgeType

_E = EdgeType
_KINDS = (
    r"(?:articles?|documents?|reports?|texts?|rules|handbooks?|guidelines?|manuals?|letters?|PEPs?|RFCs?|essays?|papers?"
    r"|pages?|laws?|ones?)"
)
_HEAD = rf"\b(?:the|an?|any|those|all|which|what)\s+(?:other\s+)?{_KINDS}"
_QUOTED = r"“[^”]{2,300}”|\"[^\"]{2,300}\"|„[^“”]{2,300}[“”]|‘[^’]{2,300}’"
_CAPITALS = r"[A-Z§][\w'’.;:!-]*(?:\s+(?:(?:of|the|for|and|in|on|a|to|from|with)\s+){0,2}[A-Z§\d][\w'’.;:!-]*){0,12}"
_NAME = rf"(?:(?:the|our)\s+)?(?P<name>{_QUOTED}|{_CAPITALS})"
_DESCRIBED = (
    rf"(?:the|an?|our|that|this)\s+(?P<name>(?:[\w'’-]+\s+){{0,4}}?(?:{_KINDS}|reviews?|interviews?|notes|glossary|minutes)"
    r"(?:\s+(?:about|on|of|for|from|in|by)(?:\s+[\w'’-]+){1,8}?)?)"
)
_ENDS = r"(?=\s+(?i:says?|said|tells?|states?|mentions?|writes?|describes?|explains?|has|have)\b|\s*[,?.!]|\s*$)"

_VERBS: tuple[tuple[str, str, tuple[EdgeType, ...]], ...] = (
    (
        r"(?:refers?|points?|links?) to|references?|mentions?|cites?|names?",
        r"(?:referred|linked) to|referenced|mentioned|cited|named",
        (_E.REFERENCES, _E.MENTIONS),
    ),
    (r"requires?|depends? on|builds? on", r"required", (_E.REQUIRES,)),
    (r"(?:replaces?|supersedes?|obsoletes?|replaced|superseded)", r"replaced|superseded|obsoleted", (_E.SUPERSEDES,)),
    (r"(?:is|was) (?:replaced|superseded|obsoleted) by", r"", (_E.SUPERSEDED_BY,)),
)
_TO_WHICH = r"(?:refers?|points?|links?)\b"
_IS = r"(?:is|are|was|were)"


def _patterns(said: str, active: str, passive: str) -> Iterator[str]:
    """The ways to put one verb, with `said` for the document whose references are meant."""
    ends = _ENDS if said is _DESCRIBED else ""
    yield rf"(?:\s+(?i:that|which))?\s+{said}\s+(?i:{active})\b"
    if passive:
        yield rf"(?:\s+(?i:that|which)\s+(?i:{_IS}))?\s+(?i:{passive})\s+(?i:by|in)\s+{said}{ends}"
    if " to" in active:
        yield rf"\s+(?i:to which)\s+{said}\s+(?i:{_TO_WHICH})"


_CUES = tuple(
    (re.compile(rf"(?i:{_HEAD}){pattern}"), edges, said is _DESCRIBED)
    for said in (_NAME, _DESCRIBED)
    for active, passive, edges in _VERBS
    for pattern in _patterns(said, active, passive)
)
_BEGINS = re.compile(_HEAD, re.IGNORECASE)
"""What every cue begins with."""


@dataclass(frozen=True, slots=True)
class Referring:
    """The document whose references are meant, by which edges they lead on, and where the question says so.

    `is_described` says that it is told by what it is about.
    """

    name: str
    edges: tuple[EdgeType, ...]
    start: int
    end: int
    is_described: bool = False


def find_referring(question: str) -> Referring | None:
    """What a question says of the documents that it asks; None when it doesn't tell them by what refers to them."""
    if _BEGINS.search(question) is None:
        return None
    for pattern, edges, is_described in _CUES:
        match = pattern.search(question)
        if match is not None:
            name = match["name"].strip('“”„"‘’ .,;:')
            return Referring(name, edges, match.start(), match.end(), is_described)
    return None
