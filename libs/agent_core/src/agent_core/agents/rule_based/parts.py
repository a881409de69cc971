"""Several questions in one sentence, told apart: `who directed X and who wrote Y?`, `and what else did he direct?`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent_core.agents.rule_based.clauses import ASKING_WORDS, ASKS, YES_NO_WORDS
from agent_core.agents.rule_based.document_reading import speaks_of_documents
from agent_core.agents.rule_based.glossary import language_of
from agent_core.agents.rule_based.shapes import POLITE
from agent_core.agents.rule_based.text import NAME, Reading

_ON = r"(?:and|or|but|plus|&|also|then|so|now|as well as)"
_MARK = r"[.!?;,()–—-]"
_SOURCE = r"according to\b"
_CUT = re.compile(rf" (?:{_ON}|{_MARK})(?: (?:{_ON}|{_MARK}|\d+ [.)]))* (?:¿ )?")
"""Where a part may end: marks, and words that lead on."""

_OPENS = re.compile(rf"{ASKING_WORDS}|{YES_NO_WORDS}|{_SOURCE}")
_ASKED_LAST = re.compile(r"^[^?]*\b(?:who|what|which|when|where|how)(?: [?.!]|$)")
"""`X's director is who?`, which is the order of words where questions end in what they ask."""

_PREAMBLE = re.compile(rf"^(?:¿ |\d+ [.)] |(?!{ASKING_WORDS})[^:{NAME[1:-1]}]* : (?={ASKING_WORDS}))")
"""`two questions:`, `1.`: what only says that questions follow."""

_DEMANDS = re.compile(r"\b(?:recommend|suggest|list|name)\b")
_LEANS = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|this|those|these|same|other|others|both|one|ones)\b"
    rf"|\bthat\b(?! {NAME})"
)
_WORK = r"(?:anime|manga|movies?|films?|series|shows?|novels?|sequels?|prequels?|spin-offs?|source(?: material)?)"
_ANTECEDENTS = (
    # The person or character who is asked for, or of whom it is asked.
    (
        re.compile(rf"(?:by )?(?:who|whom|whose|which)\b(?! (?:is|was) {NAME}$)"),
        re.compile(r"\b(?:he|him|his|she|her)\b"),
    ),
    (
        re.compile(r"which (?:\w+ )?(?:studio|company)\b|who (?:made|produced|animated)\b"),
        re.compile(r"\b(?:they|their)\b"),
    ),
    (re.compile(rf"(?:what|which) (?:(?:is|was|'s) the )?(?:\w+ )?{_WORK}\b"), re.compile(r"\b(?:it|its)\b")),
)
"""What an answer names, by how its question begins, and the words that a later question has for that."""

_COUNTED = re.compile(r"how many \w+(?: \w+)?(?= (?:do|does|did|are|were|has|have)\b)", re.IGNORECASE)
_COUNTS_NOTHING = re.compile(r"^how many(?= (?:do|does|did|are|were|has|have)\b)", re.IGNORECASE)
"""`how many does Y have`, which goes on about what was counted before."""

_ASKING = re.compile(
    rf"{ASKS.pattern}|[.!?;:,)] {ASKING_WORDS}|^{YES_NO_WORDS}|{_DEMANDS.pattern}"
    rf"|^{_SOURCE} .*\b(?:{ASKING_WORDS}|{YES_NO_WORDS})"
)
_IS_NAMED = re.compile(rf"(?:(?:is|are|was|were|has|does) {NAME}(?! 's)|did {NAME} [a-z])")
_RELATIVE = re.compile(r"\w(?<!\bme)(?<!\bknow)(?<!\band) (?P<word>who|whose|whom|which|where|when)\b")
_RELATIVE_OF_NAME = re.compile(rf"(?:who|whom|which) {NAME}")
"""`and which X composed` asks nothing: it goes on about a work `that Y directed`."""


_ROLES = re.compile(
    rf"^(?:(?P<asks>who|what) (?P<be>is|are|was|were|'s) )?(?P<first>(?!both )(?:the )?(?:[a-z]+ ){{1,3}}of {NAME})"
    rf" and (?P<second>(?:the )?(?:[a-z]+ ){{1,3}}of {NAME})(?: [?.!])?$"
)
"""`the director of X and the author of Y`, whoever they are."""

_OF_ONE = {"are": "is", "were": "was"}


class Part(NamedTuple):
    """A question as it was written; whether it is about what the one before it asks for."""

    text: str
    leans: bool = False


def parts_of(reading: Reading) -> tuple[Part, ...]:
    """The questions that each stand alone, as they were written; none where all of it is one.

    A part names something, or documents as its source; or it leans on what is asked right before it.
    """
    roles = _ROLES.match(reading.text)
    if roles is not None and language_of(reading.question) == "en":
        asks = f"{roles['asks']} {_OF_ONE.get(roles['be'], roles['be'])} " if roles["asks"] else ""
        return tuple(Part(f"{asks}{reading.original(*roles.span(each))}?") for each in ("first", "second"))
    preamble = _PREAMBLE.match(reading.text)
    begin = preamble.end() if preamble is not None else 0
    starts = list(_starts(reading, begin))
    if not starts:
        return ()
    ends = [start for start, _, _ in starts] + [len(reading.text)]
    begins = [begin] + [end for _, end, _ in starts]
    written = [reading.original(*span) for span in zip(begins, ends, strict=True)]
    counted = _COUNTED.search(written[0])
    if counted is not None:
        written[1:] = [_COUNTS_NOTHING.sub(counted.group(), part) for part in written[1:]]
    leaning = [False] + [leans for _, _, leans in starts]
    return tuple(map(Part, written, leaning))


def _starts(reading: Reading, begin: int) -> Iterator[tuple[int, int, bool]]:
    """Where a part ends, where the next one begins, and whether that leans on it."""
    text = reading.text
    cuts = [cut for cut in _CUT.finditer(text, begin) if _may_open(cut, text)]
    untils = [*(match.start() for match in cuts), len(text)][1:]
    leans_on_asked = False
    for cut, until in zip(cuts, untils, strict=True):
        head, tail = text[begin : cut.start()], text[cut.end() : until]
        if not (leans_on_asked or _has_subject(reading, begin, cut.start())) or not _asks(head):
            continue
        leans_on_asked = _asks_about(head, tail)
        if not leans_on_asked:
            is_own = _has_subject(reading, cut.end(), until) and _LEANS.search(tail) is None
            if not is_own or _goes_on(head, tail, cut.group()):
                continue
        yield cut.start(), cut.end(), leans_on_asked
        begin = cut.end()


def _asks_about(head: str, tail: str) -> bool:
    """Whether a tail asks about what the head asks for: `who is the hero of X, and who voices him`."""
    if re.match(ASKING_WORDS, _without_politeness(tail)) is None:
        return False
    head = _without_politeness(head)
    return any(asked.match(head) and meant.search(tail) for asked, meant in _ANTECEDENTS)


def _has_subject(reading: Reading, start: int, end: int) -> bool:
    """Whether a part says what it is about: it names something, or documents as its source."""
    return bool(reading.name_indexes(start, end)) or speaks_of_documents(reading.original(start, end))


def _may_open(cut: re.Match[str], text: str) -> bool:
    """Whether what follows a cut begins as a question, after any politeness, or ends as one."""
    rest = _without_politeness(text[cut.end() :])
    return _OPENS.match(rest) is not None or ("?" in cut.group() and _ASKED_LAST.match(rest) is not None)


def _asks(head: str) -> bool:
    return _ASKING.search(head) is not None or _ASKED_LAST.match(head) is not None


def _goes_on(head: str, tail: str, cut: str) -> bool:
    """Whether a tail goes on about what the head asks."""
    begins = _without_politeness(tail)
    if begins == tail and re.match(YES_NO_WORDS, tail):
        # `is X good or is Y better` holds two against each other, `who wrote X and did the art of Y` is one person.
        is_own = re.search(rf" {_MARK}", cut) is not None or _IS_NAMED.match(tail) is not None
        if not is_own or " or " in cut:
            return True
    # `the director who made X and who wrote Y` is one person.
    is_relative = any(tail.startswith(found["word"]) for found in _RELATIVE.finditer(head))
    return is_relative or _RELATIVE_OF_NAME.match(tail) is not None


def _without_politeness(text: str) -> str:
    while (polite := POLITE.match(text)) is not None and polite.end():
        text = text[polite.end() :]
    return text
