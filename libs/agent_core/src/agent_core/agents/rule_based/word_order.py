"""Questions brought into the one word order that the grammar reads: `who directed X`, not `X: who directed it`."""

import re
from collections.abc import Sequence

from agent_core.agents.rule_based.text import NAME, Piece, Reading

_FILLERS = re.compile(
    r" (?:the (?:heck|hell|devil)|on earth|in the world|in all|exactly|actually|by any chance|perhaps"
    r"|maybe|ever|again|even)(?= )"
)
_FRONTED = re.compile(
    r"^(by|from|on|to|into|in|for|at|with|of|under) (?:which|what|whom|whose) (?!way|order|manner|sense|respect|ways)"
)
_INSERTED = re.compile(
    rf"^(?P<head>who|what|(?:which|what) \w+) (?P<place>(?:in|of|from) (?:the )?(?:anime |manga "
    rf"|series |show |movie )?{NAME}) "
    r"(?P<rest>(?:is|are|was|were|did|does|do|has|have|had) .+)$"
)
_ASKS = r"(?:who|whom|whose|what|which|when|where|how|by whom|in which|from which|for which|on which)\b"
_TOPIC = re.compile(
    rf"^(?:(?:in|for|from|of|about|regarding|concerning|with|on|as for|take|considering) )?(?:the )?"
    rf"(?:(?:anime|manga|movie|film|series|show|character|studio|director|tv series|voice actor) )?(?P<n>{NAME})"
    rf"(?: (?:anime|manga|movie|film|series|show))?(?P<mark>(?: [,:;?!.(-])*) (?P<rest>(?:and )?{_ASKS}.*)$"
)
_PASSIVE_TOPIC = re.compile(
    rf"^(?:the )?{NAME}(?: (?:anime|manga|movie|film|series|show))?(?P<mark>(?: [,:;-])+) (?=\w+(?:ed"
    rf"|en|wn|de) (?:by|from|on)\b)"
)
_OWNERS = frozenset({"its", "his", "their", "her"})
_PRONOUNS = frozenset({"it", "he", "she", "they", "him", "them"})
_POINTERS = frozenset({"that", "this", "these", "those"})
_BRACKETED = re.compile(rf"{NAME} (?P<open>\() {NAME} (?P<close>\))")


def in_order(reading: Reading) -> Reading:
    """The reading without fillers, its prepositions, places and topics where a plain question has them."""
    reading = _without_fillers(reading)
    reading = _with_and(reading)
    reading = _preposition_last(reading)
    reading = _place_last(reading)
    reading = _bracket_as_place(reading)
    return _topic_in_place(reading)


def _with(reading: Reading, pieces: Sequence[Piece]) -> Reading:
    return Reading(reading.question, reading.names, tuple(pieces))


def _without_fillers(reading: Reading) -> Reading:
    while (match := _FILLERS.search(reading.text)) is not None:
        gone = {id(piece) for piece in reading.pieces_in(match.start() + 1, match.end())}
        reading = _with(reading, [piece for piece in reading.pieces if id(piece) not in gone])
    return reading


_JOINED = re.compile(
    r"\b(?:as well as|along with|together with|plus)(?: (?:on|in|for|of|by|from|at))?(?= [\ue000-\ue0ff])"
    r"|(?<=[\ue000-\ue0ff] )\+(?= )"
)
_FIRST_SEASON = re.compile(rf"(?:the )?first (?:\w+ )?season of (?=(?:the )?{NAME})")


def _with_and(reading: Reading) -> Reading:
    """`X as well as Y` as `X and Y`; the first season of a work as the work."""
    match = _JOINED.search(reading.text)
    if match is not None:
        gone = reading.pieces_in(*match.span())
        joined = Piece("and", gone[0].start, gone[-1].end)
        ids = {id(piece) for piece in gone}
        pieces = [
            joined if piece is gone[0] else piece
            for piece in reading.pieces
            if piece is gone[0] or id(piece) not in ids
        ]
        reading = _with(reading, pieces)
    season = _FIRST_SEASON.search(reading.text)
    if season is None:
        return reading
    ids = {id(piece) for piece in reading.pieces_in(*season.span())}
    return _with(reading, [piece for piece in reading.pieces if id(piece) not in ids])


def _preposition_last(reading: Reading) -> Reading:
    """`By whom was X directed` as `whom was X directed by`."""
    if not _FRONTED.match(reading.text):
        return reading
    first, *rest = reading.pieces
    return _with(reading, [*rest, first])


def _place_last(reading: Reading) -> Reading:
    """`Who in X is the hero` as `who is the hero in X`."""
    match = _INSERTED.match(reading.text)
    if match is None:
        return reading
    place = reading.pieces_in(*match.span("place"))
    return _with(reading, [*reading.pieces_in(*match.span("head")), *reading.pieces_in(*match.span("rest")), *place])


def _bracket_as_place(reading: Reading) -> Reading:
    """`X (Y)` as `X in Y`."""
    match = _BRACKETED.search(reading.text)
    if match is None:
        return reading
    opens, closes = reading.pieces_in(*match.span("open"))[0], reading.pieces_in(*match.span("close"))[0]
    pieces = [Piece("in", opens.start, opens.end) if piece is opens else piece for piece in reading.pieces]
    return _with(reading, [piece for piece in pieces if piece is not closes])


def _topic_in_place(reading: Reading) -> Reading:
    """`X: who directed it` as `who directed X`, where no other name is in the question."""
    if len(set(reading.name_indexes())) != 1:
        return reading
    passive = _PASSIVE_TOPIC.match(reading.text)
    if passive is not None:
        gone = {id(piece) for piece in reading.pieces_in(*passive.span("mark"))}
        return _with(reading, [piece for piece in reading.pieces if id(piece) not in gone])
    match = _TOPIC.match(reading.text)
    if match is None or re.search(NAME, match.group("rest")):
        return reading
    topic = next(piece for piece in reading.pieces if piece.text == match.group("n"))
    rest = list(reading.pieces_in(*match.span("rest")))
    if len(rest) < 3 and rest[0].text in ("which", "what"):
        return reading
    kind = [piece for piece in reading.pieces_in(match.start(), match.end("mark")) if piece.text in ("anime", "manga")]
    return _with(reading, with_topic(rest, [*kind[:1], topic]))


def with_topic(rest: list[Piece], topic: list[Piece]) -> list[Piece]:
    """The pieces of a question with its topic at the pronoun that stands for it, else at the end."""
    name = topic[-1]
    for index, piece in enumerate(rest):
        if piece.text in _OWNERS and index + 1 < len(rest):
            return [*rest[:index], *topic, Piece("'s", name.start, name.end), *rest[index + 1 :]]
    for pronouns in (_PRONOUNS, _POINTERS):
        index = next((index for index, piece in enumerate(rest) if piece.text in pronouns), None)
        if index is not None:
            return [*rest[:index], *topic, *rest[index + 1 :]]
    marks = [piece for piece in rest if piece.text in ("?", ".", "!", ")")]
    words = [piece for piece in rest if piece not in marks]
    links = words[-1].text in ("of", "in", "for", "by", "from", "to", "behind", "with", "on", "at") if words else True
    is_verb = (
        bool(words) and re.search(r"(?:ed|s|made|wrote|drew|did)$", words[-1].text) is not None and len(words) == 2
    )
    link = [] if links or is_verb else [Piece("of", name.start, name.end)]
    return [*words, *link, *topic]
