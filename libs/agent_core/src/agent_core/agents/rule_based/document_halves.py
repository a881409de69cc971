"""A question of two parts, `how long may cels be borrowed, and by whom?`, as questions that each stand alone."""

import re

from agent_core.passages.words import words_in

_ASKS = (
    r"(?:(?:in|under|for|by|at|on|from|with|to|of|until|since) )?"
    r"(?:who|whom|whose|what|which|when|where|why|how|wer|wann|wo|warum|wie|welche[rsmn]?)\b"
)
_CUT = re.compile(rf"(?:\s*[,;?!.])?\s+(?:and|und)\s+(?:also\s+)?(?={_ASKS})|\s*[?;,]\s+(?={_ASKS})", re.IGNORECASE)
_OPENING = re.compile(rf"{_ASKS}|^(?:is|are|was|were|did|does|do|has|have|can|may|must)\b", re.IGNORECASE)
_LEANS = re.compile(r"\b(?:it|its|they|them|their|he|him|his|she|her|there|that|those|these|one)\b", re.IGNORECASE)

MOST = 3
"""How many parts of a question are told apart."""


def halves_of(question: str) -> tuple[str, ...]:
    """The parts of a question that each ask something; the question alone where it is one."""
    places = [match for match in _CUT.finditer(question) if _OPENING.search(question[: match.start()])]
    places = [match for match in places if not _is_quoted(question, match.start())][: MOST - 1]
    starts = [0, *(match.end() for match in places)]
    ends = [*(match.start() for match in places), len(question)]
    return tuple(question[start:end].strip(" ,;?!.") for start, end in zip(starts, ends, strict=True))


def leans(half: str, own: tuple[str, ...]) -> bool:
    """Whether a part that has these content words speaks of what the first one names."""
    return not own or _LEANS.search(half) is not None or len(words_in(half)) <= len(own) + 1


def _is_quoted(question: str, place: int) -> bool:
    """Whether a place lies inside of a title in quotation marks."""
    before = question[:place]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1
