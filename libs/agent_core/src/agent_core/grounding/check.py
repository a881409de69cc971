"""A draft against the evidence it cites: what is not backed goes, the rest gets its citations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agent_core.evidence import EntityRowEvidence, Evidence, PathEvidence
from agent_core.grounding.citations import cite
from agent_core.grounding.claims import Claim, ClaimKind, claims_of
from agent_core.grounding.directions import says_other_direction
from agent_core.grounding.relations import says_other_relation
from agent_core.grounding.sentences import (
    NameFinder,
    Sentence,
    clean,
    marker_numbers,
    replace_markers,
    sentences,
    without_markers,
)
from agent_core.grounding.support import Support, names_in, support_of
from agent_core.grounding.vocabulary import FACT_FREE_OPENINGS
from agent_core.schemas import SourceCitation

_READING = re.compile(r"\s*Taking “([^”\n]{1,300})” as ")


_WORD = re.compile(r"(?<![\w'’-])[a-z]{4,}(?![\w'’-])")
_SAY_NOTHING_WORDS = """
    also and are been both from has have her his into its that the their there these they this those was were with which
    whose
"""
_SAY_NOTHING = frozenset(_SAY_NOTHING_WORDS.split())


class RemovalReason(StrEnum):
    """Why a sentence or a marker went."""

    UNCITED = "uncited"
    UNKNOWN_MARKER = "unknown_marker"
    UNSUPPORTED_NAME = "unsupported_name"
    UNSUPPORTED_NUMBER = "unsupported_number"
    UNSUPPORTED_DATE = "unsupported_date"
    UNSUPPORTED_LINK = "unsupported_link"
    UNSUPPORTED_ID = "unsupported_id"
    UNSUPPORTED_RELATION = "unsupported_relation"
    OTHER_DIRECTION = "other_direction"
    IDLE_MARKER = "idle_marker"


class CitationVerdict(StrEnum):
    """What became of one marker of a draft."""

    KEPT = "kept"
    REMOVED = "removed"
    MOVED = "moved"


_UNSUPPORTED = {
    "name": RemovalReason.UNSUPPORTED_NAME,
    "number": RemovalReason.UNSUPPORTED_NUMBER,
    "at_least": RemovalReason.UNSUPPORTED_NUMBER,
    "decade": RemovalReason.UNSUPPORTED_NUMBER,
    "date": RemovalReason.UNSUPPORTED_DATE,
    "link": RemovalReason.UNSUPPORTED_LINK,
    "id": RemovalReason.UNSUPPORTED_ID,
}


@dataclass(frozen=True, slots=True)
class RemovedSentence:
    """A sentence that went, or one that lost a marker. The text never leaves the run."""

    text: str
    reason: RemovalReason


@dataclass(frozen=True, slots=True)
class Grounded:
    """What is left of a draft. Markers count from 1 in reading order, and `sources` follows them.

    `verdicts` says what became of each citation of the draft: kept, removed, or moved to the evidence that says it.
    """

    answer: str
    sources: tuple[SourceCitation, ...]
    removed: tuple[RemovedSentence, ...]
    verdicts: tuple[CitationVerdict, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether no cited sentence is left."""
        return not self.sources

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of the sources, unique, in marker order."""
        return tuple(dict.fromkeys(source.title for source in self.sources))


@dataclass(frozen=True, slots=True)
class _Checked:
    """A sentence with what its markers came to: `places` is what each cites now, `moved` what none of them cited."""

    sentence: Sentence
    claims: tuple[Claim, ...]
    places: Mapping[int, str]
    is_kept: bool
    moved: str | None = None

    @property
    def evidence_ids(self) -> tuple[str, ...]:
        """What it cites, each once."""
        return tuple(dict.fromkeys(self.places.values()))


class _Check:
    """One pass over one draft."""

    def __init__(self, evidence_ids: Sequence[str], shown: Mapping[str, Evidence], asked: str) -> None:
        self._asked = Support((asked,))
        self._ids = dict(enumerate(evidence_ids, start=1))
        self._shown = shown
        self._finder = NameFinder(name for item in shown.values() for name in names_in(item))
        self._supports: dict[str, Support] = {}
        self.removed: list[RemovedSentence] = []

    def run(self, answer: str) -> list[_Checked]:
        drafted = sentences(clean(answer), self._finder)
        checked = [self._check(sentence, self._markers(drafted, index)) for index, sentence in enumerate(drafted)]
        return self._without_orphans(checked)

    def text(self, checked: Sequence[_Checked], numbering: dict[str, int]) -> str:
        """The kept sentences in their layout, with new markers."""
        lines: dict[int, list[str]] = {}
        for item in (item for item in checked if item.is_kept):
            new = {number: numbering[cited] for number, cited in item.places.items() if cited in numbering}
            body = replace_markers(item.sentence.text, new, self._finder.find(item.sentence.text))
            lines.setdefault(item.sentence.line, []).append(item.sentence.prefix + body)
        return "\n".join(" ".join(parts) for _, parts in sorted(lines.items()))

    def _markers(self, drafted: Sequence[Sentence], index: int) -> tuple[int, ...]:
        """A sentence's own markers; a heading's are those of the lines it introduces."""
        sentence = drafted[index]
        if not sentence.is_heading:
            return sentence.markers
        below: list[int] = []
        for following in drafted[index + 1 :]:
            if following.is_heading:
                break
            below.extend(following.markers)
        return tuple(dict.fromkeys(below))

    def _check(self, sentence: Sentence, markers: tuple[int, ...]) -> _Checked:
        spans = self._finder.find(sentence.text)
        bare = self._without_reading(without_markers(sentence.text, spans))
        claims = tuple(claims_of(bare, self._finder.find(bare)))
        places = {n: self._ids[n] for n in markers if n in self._ids and self._ids[n] in self._shown}
        if len(places) < len(markers):
            self.removed.append(RemovedSentence(sentence.text, RemovalReason.UNKNOWN_MARKER))
        if not places:
            return _Checked(sentence, claims, {}, self._is_fact_free(sentence, bare, claims))
        failed = self._why_not(bare, claims, tuple(places.values()))
        if failed is None:
            return _Checked(sentence, claims, self._useful(sentence, claims, places), is_kept=True)
        elsewhere = self._elsewhere(bare, claims, places)
        if elsewhere is not None:
            return _Checked(sentence, claims, {min(places): elsewhere}, is_kept=True, moved=elsewhere)
        self.removed.append(RemovedSentence(sentence.text, failed))
        return _Checked(sentence, claims, places, is_kept=False)

    def _why_not(self, bare: str, claims: tuple[Claim, ...], cited: Sequence[str]) -> RemovalReason | None:
        """Why these don't say the sentence; None when they do."""
        supports = tuple(map(self.support, dict.fromkeys(cited)))
        failed = next((claim for claim in claims if not claim.is_backed_by(*supports)), None)
        if failed is not None:
            return _UNSUPPORTED[failed.kind]
        items = [self._shown[each] for each in cited]
        edges = [item.path for item in items if isinstance(item, PathEvidence)]
        if len(edges) == len(items) and says_other_relation(bare, edges):
            return RemovalReason.UNSUPPORTED_RELATION
        is_by_catalogue = all(isinstance(item, PathEvidence | EntityRowEvidence) for item in items)
        return RemovalReason.OTHER_DIRECTION if is_by_catalogue and says_other_direction(bare, edges) else None

    def _elsewhere(self, bare: str, claims: tuple[Claim, ...], places: Mapping[int, str]) -> str | None:
        """The first other evidence that says all of a sentence by itself, its names and its very words."""
        words = _said_words(bare)
        if not words or not any(claim.kind is ClaimKind.NAME for claim in claims):
            return None
        others = (evidence_id for evidence_id in self._shown if evidence_id not in places.values())
        return next(
            (
                each
                for each in others
                if self._why_not(bare, claims, (each,)) is None and all(map(self.support(each).has_name, words))
            ),
            None,
        )

    def _without_reading(self, bare: str) -> str:
        """A sentence may repeat how the question spelt a name, to say how it is read: `Taking “Naruot” as Naruto`."""
        reading = _READING.match(bare)
        if reading is None or not self._asked.has_name(reading.group(1)):
            return bare
        return "\x00" * reading.end() + bare[reading.end() :]

    def _useful(self, sentence: Sentence, claims: tuple[Claim, ...], places: Mapping[int, str]) -> Mapping[int, str]:
        """The markers whose evidence says at least something of the sentence."""
        if not claims:
            return places
        useful = {n: e for n, e in places.items() if any(claim.is_backed_by(self.support(e)) for claim in claims)}
        if len(useful) < len(places) and not sentence.is_heading:
            self.removed.append(RemovedSentence(sentence.text, RemovalReason.IDLE_MARKER))
        return useful

    def _is_fact_free(self, sentence: Sentence, bare: str, claims: tuple[Claim, ...]) -> bool:
        opening = bare.strip(" *_#").casefold().replace("’", "'")
        if not claims and opening.startswith(FACT_FREE_OPENINGS):
            return True
        if not sentence.markers:
            self.removed.append(RemovedSentence(sentence.text, RemovalReason.UNCITED))
        return False

    def support(self, evidence_id: str) -> Support:
        """What an evidence says; read once."""
        if evidence_id not in self._supports:
            self._supports[evidence_id] = support_of(self._shown[evidence_id])
        return self._supports[evidence_id]

    def _without_orphans(self, checked: list[_Checked]) -> list[_Checked]:
        """Headings go when nothing of what they introduced is left."""
        kept: list[_Checked] = []
        for index, item in enumerate(checked):
            below = checked[index + 1 :]
            has_lines = next(
                (follower.is_kept for follower in below if follower.is_kept or follower.sentence.is_heading), False
            )
            if item.is_kept and item.sentence.is_heading and not has_lines:
                continue
            kept.append(item)
        return kept


def ground(answer: str, evidence_ids: Sequence[str], shown: Mapping[str, Evidence], *, asked: str = "") -> Grounded:
    """Check a drafted answer sentence by sentence.

    `[n]` in the draft is the n-th of `evidence_ids`; an id that was not shown makes the marker unknown. A sentence
    stays when all its names, numbers and dates stand in the evidence that its own markers cite. Never raises for what a
    model wrote. `asked` is the question: a sentence may say which of its spellings it takes for which name.
    """
    check = _Check(evidence_ids, shown, asked)
    checked = check.run(answer)
    cited = [item for item in checked if item.is_kept and item.evidence_ids]
    numbering = _numbering(cited)
    text = check.text(checked, numbering)
    sources = tuple(
        cite(
            shown[evidence_id],
            marker,
            check.support(evidence_id),
            [item.claims for item in cited if evidence_id in item.evidence_ids],
            [item.sentence.text for item in cited if evidence_id in item.evidence_ids],
            is_moved=any(item.moved == evidence_id for item in cited),
        )
        for evidence_id, marker in numbering.items()
    )
    verdicts = tuple(verdict for item in checked for verdict in _verdicts(item))
    return Grounded(text if sources else "", sources, tuple(check.removed), verdicts)


def _said_words(bare: str) -> list[str]:
    """The words of a sentence that say something beside its names: `Luffy is voiced by …` says `voiced`."""
    return [word for word in _WORD.findall(bare) if word not in _SAY_NOTHING]


def _verdicts(item: _Checked) -> Iterator[CitationVerdict]:
    """One for each marker that stands in the sentence."""
    for number in item.sentence.markers:
        if not item.is_kept or number not in item.places:
            yield CitationVerdict.REMOVED
        else:
            yield CitationVerdict.MOVED if item.moved else CitationVerdict.KEPT


def _numbering(cited: Sequence[_Checked]) -> dict[str, int]:
    """New marker numbers by evidence id, in the order in which the text shows them."""
    order = [
        item.places[number] for item in cited for number in marker_numbers(item.sentence.text) if number in item.places
    ]
    return {evidence_id: number for number, evidence_id in enumerate(dict.fromkeys(order), start=1)}
