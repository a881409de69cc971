"""Which end of a relation is which: a sentence that puts both ends the other way round says something else.

A reading is a row of words between the two ends, with `1` for the one that does, makes or comes later and `2` for the
one that it is done to: `1 directed 2`, `2 directed by 1`. Ends may have other words between them, no other clause.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from datastore.edges import EdgeType

from agent_core.evidence import EntityRef, GraphPath, PathStep

_E = EdgeType
_FIRST, _SECOND = "\x01", "\x02"
_GAP = r"[^\x01\x02;:!?。]{0,60}?"
_CLOSING = r"[」』”\"\s]*"
_ENDS = {"1": _FIRST, "2": _SECOND}
_LEAST_LETTERS = 3
_LATIN = re.compile("[0-9A-Za-zÀ-ɏ]")
_REACH = 160
"""Characters between the ends, two rows of other words and what stands between them."""

_DIRECTED, _WROTE, _COMPOSED, _VOICED, _PRODUCED, _SHOWN, _LATER, _ADAPTED, _PARENT, _TAUGHT, _LED, _DOCUMENT = (
    "directed",
    "wrote",
    "composed",
    "voiced",
    "produced",
    "appears",
    "later",
    "adapted",
    "parent",
    "taught",
    "led",
    "document",
)

_READINGS: dict[str, tuple[str, ...]] = {
    _DIRECTED: (
        *("1 directed(?! by) 2", "2 directed by 1", "1 director of 2", "director of 2 (?:is|was) 1"),
        *("1 führte Regie 2", "bei 2 führte 1 Regie", "2 unter der Regie von 1"),
        *("1 dirigió 2", "2 dirigid[oa]s? por 1", "1 director(?:a)? de 2"),
        *("1[はが] 2を 監督", "2は 1が 監督", "2の監督は 1", "1は 2の監督(?!作品)"),
    ),
    _WROTE: (
        *("1 wrote 2", "2 written by 1", "1 author of 2", "1 writer of 2", "author of 2 (?:is|was) 1"),
        *("1 schrieb 2", "2 von 1 geschrieben", "1 Autor(?:in)? von 2"),
        *("1 escribió 2", "2 escrit[oa] por 1", "1 autor(?:a)? de 2"),
        *("1は 2の作者", "2の作者は 1", "1は 2を 書"),
    ),
    _COMPOSED: (
        *("1 composed(?! by) 2", "2 composed by 1", "1 composer of 2"),
        *("1 komponierte 2", "2 von 1 komponiert", "1 compuso 2", "2 compuesta por 1", "1は 2の音楽", "2の音楽は 1"),
    ),
    _VOICED: (
        *("1 voices 2", "1 voiced(?! by) 2", "2 voiced by 1", "1 (?:is|was) the voice(?: actor| actress)? of 2"),
        *("voice(?: actor| actress)? of 2 (?:is|was) 1", "1 spricht 2", "2 von 1 gesprochen", "1 leiht 2"),
        *("1 da voz a 2", "voz de 2 es de 1", "2 doblad[oa] por 1"),
        *("2の声優は 1", "1は 2の声", "1は 2の声優"),
    ),
    _PRODUCED: (
        *("1 (?:produced|animated)(?! by) 2", "2 (?:produced|animated) by 1", "1 produzierte 2"),
        *("2 von 1 produziert", "1 produjo 2", "2 producid[oa] por 1", "1は 2を 制作", "2は 1が 制作", "2の制作は 1"),
    ),
    _SHOWN: (
        *("1 appears in 2", "1 appears as a? main character in 2", "2 features 1", "1 features in 2", "1 kommt in 2"),
        *(
            "in 2 komm(?:t|en) 1",
            "1 ist Hauptfigur in 2",
            "1 aparece en 2",
            "en 2 aparecen? 1",
            "1は 2に登場",
            "2には 1が登場",
        ),
    ),
    _LATER: (
        *("1 sequel (?:of|to) 2", "sequel (?:of|to) 2 is 1", "2 prequel (?:of|to) 1", "prequel (?:of|to) 1 is 2"),
        *("2 followed by 1", "1 follows 2", "1 Fortsetzung von 2", "2 Vorgeschichte (?:von|zu) 1"),
        *("1 secuela de 2", "2 precuela de 1", "1は 2の続編", "2の続編は 1", "2は 1の前日譚"),
    ),
    _ADAPTED: (
        *("1 adaptation of 2", "1 adapts 2", "1 based on 2", "1 Adaption von 2", "1 basiert auf 2"),
        *("1 adaptación de 2", "1 se basa en 2", "1の原作は 2", "2は 1の原作"),
    ),
    _PARENT: (
        *("1 (?:parent|father|mother) of 2", "2 (?:child|son|daughter) of 1", "1 (?:Vater|Mutter|Elternteil) von 2"),
        *("2 (?:Kind|Sohn|Tochter) von 1", "1 (?:padre|madre) de 2", "2 hij[oa] de 1"),
        *("1は 2の(?:父|母|親)", "2は 1の(?:息子|娘|子)"),
    ),
    _TAUGHT: (
        *(
            "1 (?:mentor|teacher|master) of 2",
            "1 (?:taught|trained)(?! by) 2",
            "2 (?:taught|trained) by 1",
            "2 (?:student|pupil|servant) of 1",
        ),
        *("1 (?:Mentor|Lehrer|Meister)(?:in)? von 2", "2 (?:Schüler|Diener)(?:in)? von 1"),
        *("1 (?:mentor|maestr[oa]) de 2", "2 alumn[oa] de 1", "1は 2の師匠", "2は 1の弟子"),
    ),
    _LED: (
        *("1 (?:captain|leader|commander) of 2", "2 subordinate of 1", "1 (?:Kapitän|Anführer)(?:in)? von 2"),
        *("1 capit[aá]na? de 2", "1は 2の船長"),
    ),
    _DOCUMENT: (
        *("1 (?:supersedes|replaces) 2", "2 (?:superseded|replaced) by 1", "1 references 2", "2 referenced by 1"),
        *("1 requires 2", "2 required by 1", "1 ersetzt 2", "2 von 1 ersetzt", "1 reemplaza 2", "1は 2に代わる"),
    ),
}

# Whether the edge leads from the first end to the second.
_BY_EDGE: dict[EdgeType, tuple[str, bool]] = {
    _E.VOICES: (_VOICED, True),
    _E.VOICED_BY: (_VOICED, False),
    _E.PRODUCED: (_PRODUCED, True),
    _E.PRODUCED_BY: (_PRODUCED, False),
    _E.APPEARS_IN: (_SHOWN, True),
    _E.FEATURES: (_SHOWN, False),
    _E.PREQUEL: (_LATER, True),
    _E.SEQUEL: (_LATER, False),
    _E.ADAPTATION_OF: (_ADAPTED, True),
    _E.HAS_ADAPTATION: (_ADAPTED, False),
    _E.SUPERSEDES: (_DOCUMENT, True),
    _E.SUPERSEDED_BY: (_DOCUMENT, False),
    _E.REFERENCES: (_DOCUMENT, True),
    _E.REFERENCED_BY: (_DOCUMENT, False),
    _E.REQUIRES: (_DOCUMENT, True),
    _E.REQUIRED_BY: (_DOCUMENT, False),
}
_BY_ROLE: dict[str, str] = {
    "director": _DIRECTED,
    "author": _WROTE,
    "writer": _WROTE,
    "series_composer": _WROTE,
    "composer": _COMPOSED,
    "producer": _PRODUCED,
}
_BY_KIND: dict[str, tuple[str, bool]] = {
    "child": (_PARENT, True),
    "parent": (_PARENT, False),
    "student": (_TAUGHT, True),
    "mentor": (_TAUGHT, False),
    "servant": (_TAUGHT, True),
    "master": (_TAUGHT, False),
    "subordinate": (_LED, True),
    "captain": (_LED, False),
}


@dataclass(frozen=True, slots=True)
class _Fact:
    """One edge as a relation from a first end to a second one."""

    relation: str
    first: EntityRef
    second: EntityRef

    @property
    def turned(self) -> tuple[str, object, object]:
        """What a sentence says that has the ends the other way round."""
        return (self.relation, self.second.key, self.first.key)

    @property
    def said(self) -> tuple[str, object, object]:
        """What a sentence says that has it right."""
        return (self.relation, self.first.key, self.second.key)


def says_other_direction(sentence: str, paths: Sequence[GraphPath]) -> bool:
    """Whether a sentence names both ends of one of these edges, and its relation the other way round.

    Where the edges themselves say it both ways, as of two who mentor each other, nothing is wrong.
    """
    facts = [fact for path in paths for step in path.steps for fact in _facts(step)]
    said = {fact.said for fact in facts}
    return any(_is_turned(sentence, fact) for fact in facts if fact.turned not in said)


def _facts(step: PathStep) -> Iterator[_Fact]:
    near, far = step.from_, step.to
    found: tuple[str, bool] | None = _BY_EDGE.get(step.rel)
    if step.rel in (_E.STAFF_OF, _E.HAS_STAFF) and step.qualifier in _BY_ROLE:
        found = (_BY_ROLE[step.qualifier], step.rel is _E.STAFF_OF)
    elif step.rel is _E.CHARACTER_RELATION:
        found = _BY_KIND.get(step.qualifier)
    if found is not None:
        relation, is_forward = found
        yield _Fact(relation, near, far) if is_forward else _Fact(relation, far, near)


def _is_turned(sentence: str, fact: _Fact) -> bool:
    masked = _near(_masked(sentence, fact.first, fact.second))
    if not masked:
        return False
    right, turned = _readings(fact.relation)
    return right.search(masked) is None and turned.search(masked) is not None


def _near(masked: str) -> str:
    """The part in which a reading may stand; nothing where an end is missing, or both are too far apart."""
    first, second = masked.find(_FIRST), masked.find(_SECOND)
    if first < 0 or second < 0:
        return ""
    if masked.find(_FIRST, first + 1) >= 0 or masked.find(_SECOND, second + 1) >= 0:
        return masked
    low, high = min(first, second), max(first, second)
    return masked[max(0, low - _REACH) : high + _REACH] if high - low <= _REACH else ""


@cache
def _readings(relation: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The readings with the ends in their places, and with the ends changed over."""
    right = "|".join(map(_reading, _READINGS[relation]))
    turned = right.translate({ord(_FIRST): _SECOND, ord(_SECOND): _FIRST})
    return re.compile(right, re.IGNORECASE), re.compile(turned, re.IGNORECASE)


def _reading(words: str) -> str:
    """One reading as a pattern. Latin words stand whole, with room around them; particles of Japanese at their end."""
    body = ""
    for part in re.split(r"([12])", words):
        text = part.strip()
        if text in _ENDS:
            body += (_GAP if body and not body.endswith(_GAP) else "") + _ENDS[text]
        elif text and re.match(r"[A-Za-z(]", text):
            body += (_GAP if body else "") + rf"\b{text}\b" + _GAP
        elif text:
            body += _CLOSING + _GAP.join(text.split()) + _GAP
    return body.removesuffix(_GAP)


def _masked(sentence: str, first: EntityRef, second: EntityRef) -> str:
    """The sentence with the two ends as marks: under their names, else under words that only one of them has."""
    ends = sorted(((first, second, _FIRST), (second, first, _SECOND)), key=lambda end: -len(end[0].name or ""))
    for ref, other, mark in ends:
        masked = (_marked(sentence, name, mark) for name in _names(ref, other))
        sentence = next((each for each in masked if each != sentence), sentence)
    return sentence


def _marked(sentence: str, name: str, mark: str) -> str:
    """The sentence with a mark wherever the name stands that is no part of a longer Latin word."""
    start = sentence.find(name)
    while start >= 0:
        end = start + len(name)
        if _goes_on(sentence[start - 1 : start], name[0]) or _goes_on(name[-1], sentence[end : end + 1]):
            start = sentence.find(name, start + 1)
        else:
            sentence = sentence[:start] + mark + sentence[end:]
            start = sentence.find(name, start)
    return sentence


def _goes_on(before: str, after: str) -> bool:
    return bool(_LATIN.match(before) and _LATIN.match(after))


def _names(ref: EntityRef, other: EntityRef) -> Iterable[str]:
    if not ref.name:
        return
    yield ref.name
    others = set((other.name or "").split())
    yield from (word for word in ref.name.split() if len(word) >= _LEAST_LETTERS and word not in others)
