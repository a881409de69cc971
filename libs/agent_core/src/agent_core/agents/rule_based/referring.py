"""Questions of what a document refers to: `the article that X mentions`, `the documents required by X`."""

import re
from dataclasses import dataclass

from datastore.edges import EdgeType

_E = EdgeType
_KINDS = r"(?:articles?|documents?|reports?|texts?|rules|handbooks?|PEPs?|RFCs?|essays?|papers?|pages?|laws?|ones?)"
_HEAD = rf"\b(?:the|an?|any|those|all|which|what)\s+(?:other\s+)?{_KINDS}"
_QUOTED = r"“[^”]{2,300}”|\"[^\"]{2,300}\"|„[^“”]{2,300}[“”]|‘[^’]{2,300}’"
_CAPITALS = r"[A-Z§][\w'’.;:!-]*(?:\s+(?:(?:of|the|for|and|in|on|a|to|from|with)\s+){0,2}[A-Z§\d][\w'’.;:!-]*){0,12}"
_NAME = rf"(?:(?:the|our)\s+)?(?P<name>{_QUOTED}|{_CAPITALS})"

_VERBS: tuple[tuple[str, str, tuple[EdgeType, ...]], ...] = (
    (
        r"(?:refers|points|links) to|references|mentions|cites|names",
        r"(?:referred|linked) to|referenced|mentioned|cited|named",
        (_E.REFERENCES, _E.MENTIONS),
    ),
    (r"requires|depends on|builds on", r"required", (_E.REQUIRES,)),
    (r"(?:replaces|supersedes|obsoletes|replaced|superseded)", r"replaced|superseded|obsoleted", (_E.SUPERSEDES,)),
    (r"(?:is|was) (?:replaced|superseded|obsoleted) by", r"", (_E.SUPERSEDED_BY,)),
)
_CUES = tuple(
    (re.compile(rf"(?i:{_HEAD})(?i:{between})\s+{said}"), edges)
    for active, passive, edges in _VERBS
    for between, said in (
        (r"(?:\s+(?:that|which))?", rf"{_NAME}\s+(?i:{active})\b"),
        (r"(?:\s+(?:that|which)\s+(?:is|are|was|were))?", rf"(?i:{passive})\s+(?i:by|in)\s+{_NAME}"),
    )
    if "(?i:)" not in said
)
_BEGINS = re.compile(_HEAD, re.IGNORECASE)
"""What every cue begins with."""


@dataclass(frozen=True, slots=True)
class Referring:
    """The document whose references are meant, by which edges they lead on, and where the question says so."""

    name: str
    edges: tuple[EdgeType, ...]
    start: int
    end: int


def find_referring(question: str) -> Referring | None:
    """What a question says of the documents that it asks; None when it doesn't tell them by what refers to them."""
    if _BEGINS.search(question) is None:
        return None
    for pattern, edges in _CUES:
        match = pattern.search(question)
        if match is not None:
            return Referring(match["name"].strip('“”„"‘’ .,;:'), edges, match.start(), match.end())
    return None
