"""Rare ways of asking, put into the words that the readers know: `X and Y sound alike, who is behind both?`

A rule replaces what its pattern matches; pieces keep their places, so names stay as they were written.
"""

import re
from collections.abc import Iterator

from agent_core.agents.rule_based.beginnings import Sieve
from agent_core.agents.rule_based.rewording_origins import ORIGINS
from agent_core.agents.rule_based.rewording_people import NAMED, PATHS, VOICES
from agent_core.agents.rule_based.rewording_roles import HOPS, MEASURED, PLAIN, ROLES, ROUTES
from agent_core.agents.rule_based.rewording_rule import YEAR, T, rules
from agent_core.agents.rule_based.rewording_works import COMPARED, MAKERS, SOURCES
from agent_core.agents.rule_based.text import NAME, Piece, Reading

_TERMS = rules(
    (r"\bwhich chars? (?=is|are|was|were)", "which character"),
    (r"\bbrothers? (?:and|or|&) sisters?\b", "siblings"),
    (
        rf"(?:\bthe )?(?:\b(?:old|older|new|newer|original|first) )?(?P<n>{NAME})"
        rf" (?P<k>anime|manga|series|show|movie|film) (?:of|from) (?:the year )?(?P<y>{YEAR})(?= |$)",
        "the {k} {n} ( {y} )",
    ),
    (rf"\bthe (?:old|older|original) (?P<n>{NAME}) (?:of|from) (?P<y>{YEAR})(?= |$)", "{n} ( {y} )"),
    (rf"\b(?P<o>in what order should i) (?P<n>{T}) watch\b", "{o} watch {n}"),
    (
        rf"\b(?P<v>adapts?|adapting|based on|adaptations? of) the (?P<n>{NAME}) (?P<k>manga|novel|light novel)\b",
        "{v} the {k} {n}",
    ),
    (
        rf"\b(?P<v>is|was|did) the (?P<n>{NAME}) (?P<k>anime|film|movie|series|show) (?=based|adapted|taken|come"
        rf"|made from)",
        "{v} the {k} {n}",
    ),
    (rf"\b(?:by the name of|that goes by(?: the name(?: of)?)?|going by) (?P<n>{NAME})", "named {n}"),
    (r"\b(?:that |which )?(?:goes|go|going|went) back to\b", "based on"),
    (r"\bwhose (?:source|origin)(?: material| work)? (?:is|was) (?=an? )", "based on"),
    (
        r"\b(?:with|having|that has|which has) (?P<s>(?:an? )?(?:video game|light novel|visual novel|web novel|novel"
        r"|manga"
        r"|game|book)) as (?:its |their |the |an? )?(?:source|basis|origin|original)(?: material| work)?\b",
        "based on {s}",
    ),
    (
        r"\b(?:films|movies) (?:and|or) (?:series|shows|tv series|tv shows)\b"
        r"|\b(?:series|shows) (?:and|or) (?:films|movies)\b",
        "works",
    ),
    (r"\b(?:filmography|list) of (?:all )?(?:the )?(?:voice |acting )?roles\b", "roles"),
    (
        rf"(?P<o>\b(?:comes?|came|goes|follows) after (?:the )?(?:\w+ )?{NAME}) as (?:its|the|a) (?:sequel"
        rf"|continuation)\b",
        "{o}",
    ),
)
"""Replaced wherever they stand."""

_WHOLE = (*VOICES, *PATHS, *NAMED, *SOURCES, *COMPARED, *MAKERS, *ROUTES, *ROLES, *ORIGINS, *PLAIN, *MEASURED)
_LIKELY = Sieve(rule.pattern.pattern for rule in _WHOLE)


def reworded(reading: Reading) -> Reading:
    """The reading in the words of the first rule that its whole text follows; terms are replaced in any text."""
    topic = _TOPIC.match(reading.text)
    if topic is not None:
        reading = _replaced(reading, topic, ("{rest}", "{a}", "{tail}"))
    for rule in (*_TERMS, *HOPS):
        match = rule.pattern.search(reading.text)
        if match is not None:
            reading = _replaced(reading, match, rule.words)
    for place in _LIKELY.of(reading.text):
        match = _WHOLE[place].pattern.match(reading.text)
        if match is not None:
            return _replaced(reading, match, _WHOLE[place].words)
    return reading


_TOPIC = re.compile(
    rf"^i mean (?P<a>[^.]*?{NAME}[^.]*?)(?: [.,;:])+ (?P<rest>(?:how|who|when|which|what|where)\b[^.]*?)"
    r" (?:it|he|she|they)(?P<tail>(?: .*)?)$"
)


def _replaced(reading: Reading, match: re.Match[str], words: tuple[str, ...]) -> Reading:
    ids = {id(piece) for piece in reading.pieces_in(*match.span())}
    found = [piece for piece in reading.pieces if id(piece) in ids]
    first = reading.pieces.index(found[0])
    pieces = tuple(piece for word in words for piece in _pieces(reading, match, word, found[0]))
    return Reading(
        reading.question, reading.names, (*reading.pieces[:first], *pieces, *reading.pieces[first + len(found) :])
    )


def _pieces(reading: Reading, match: re.Match[str], word: str, at: Piece) -> Iterator[Piece]:
    if not word.startswith("{"):
        yield Piece(word, at.start, at.end)
        return
    start, end = match.span(word.strip("{}"))
    if end > start:
        yield from reading.pieces_in(start, end)
