"""Questions of different names in one sentence, told apart: `who directed X and who wrote Y?`."""

import re
from collections.abc import Iterator

from agent_core.agents.rule_based.clauses import ASKS, CLAUSE
from agent_core.agents.rule_based.text import Reading

MOST = 3
"""How many parts are told apart; what follows stays with the last one."""

_LEANS = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|that|this|those|these|same|other|others|else|both|one|ones)\b"
)
_COUNTED = re.compile(r"how many \w+(?: \w+)?(?= (?:do|does|did|are|were|has|have)\b)", re.IGNORECASE)
_COUNTS_NOTHING = re.compile(r"^how many(?= (?:do|does|did|are|were|has|have)\b)", re.IGNORECASE)
"""`how many does Y have`, which goes on about what was counted before."""

_MARK = re.compile(r" [.!;?,]")
_YES_NO = re.compile(r"(?:is|are|was|were|did|does|do|has|can|may|must|should)\b")
_ASKING = re.compile(rf"{ASKS.pattern}|^{_YES_NO.pattern}")
_RELATIVE = re.compile(r"\w(?<!\bme)(?<!\bknow)(?<!\band) (?P<word>who|whose|whom|which|where|when)\b")


def parts_of(reading: Reading) -> tuple[str, ...]:
    """The questions that each stand alone, as they were written; none where all of it is one.

    A part names something that the one before it does not, and leans on nothing that stands before it.
    """
    starts = list(_starts(reading))[: MOST - 1]
    if not starts:
        return ()
    ends = [start for start, _ in starts] + [len(reading.text)]
    begins = [0] + [end for _, end in starts]
    written = [reading.original(*span) for span in zip(begins, ends, strict=True)]
    counted = _COUNTED.search(written[0])
    if counted is not None:
        written[1:] = [_COUNTS_NOTHING.sub(counted.group(), part) for part in written[1:]]
    return tuple(written)


def _starts(reading: Reading) -> Iterator[tuple[int, int]]:
    """Where a part ends, and where the next one begins."""
    text = reading.text
    begin = 0
    cuts = [*CLAUSE.finditer(text)]
    untils = [*(match.start() for match in cuts), len(text)][1:]
    for cut, until in zip(cuts, untils, strict=True):
        head, tail = text[begin : cut.start()].removeprefix("¿ "), text[cut.end() : until]
        before, behind = _names(reading, begin, cut.start()), _names(reading, cut.end(), until)
        if not before or behind <= before or _LEANS.search(tail) or not _ASKING.search(head):
            continue
        # `who wrote X and did the art of Y` is one person, too.
        if _YES_NO.match(tail) and not _MARK.match(cut.group()):
            continue
        # `the director who made X and who wrote Y` is one person.
        if any(tail.startswith(found["word"]) for found in _RELATIVE.finditer(head)):
            continue
        yield cut.start(), cut.end()
        begin = cut.end()


def _names(reading: Reading, start: int, end: int) -> frozenset[str]:
    return frozenset(reading.names[index].text.casefold() for index in reading.name_indexes(start, end))
