"""Text to references: every detector over one text, a section joined with the document that is named beside it."""

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from references.citations import find_citations
from references.headers import find_header_references
from references.laws import law_after
from references.links import find_links
from references.mentions import MentionFinder
from references.model import Reference, ReferenceType
from references.numbered import NumberedDocuments
from references.registry import Registry
from references.scanning import LIST_MARK, SOME_SPACE, SPACE
from references.sections import find_sections
from references.shortforms import find_shortforms

type Span = tuple[int, int]

_AFTER = re.compile(
    rf"(?:,?{SOME_SPACE}(?:of|in|von|aus|des|der|dem)(?:{SOME_SPACE}(?:the|der|des|dem))?{SOME_SPACE}|{SOME_SPACE})[\"“„»'*_`(]{{0,3}}"
)
_BEFORE = re.compile(rf",?[\"”“»«*_`)]{{0,3}}(?:['’]s?)?,?{SOME_SPACE}")
_LISTED = re.compile(rf"(?:{LIST_MARK.pattern})?(?:(?:der|des|den|dem|die)\b)?{SPACE}")
_LISTED_ARTICLES = re.compile(
    rf"{_LISTED.pattern}|{SOME_SPACE}(?:in{SOME_SPACE}Verbindung{SOME_SPACE}mit|i\.V\.m\.){SOME_SPACE}"
)
_LONGEST_GAP = 40


class Detector[Id: Hashable]:
    """Finds the references of texts; with a registry also the documents that are named by their titles or synonyms."""

    def __init__(self, registry: Registry[Id] | None = None, *, series: Iterable[str] = ()) -> None:
        """`series` are further names as in `PEP 8`, beside the usual ones."""
        self._numbered = NumberedDocuments(series)
        self._mentions = MentionFinder(registry) if registry else None

    def detect(self, text: str, *, with_header: bool = False, headings: Iterable[Span] = ()) -> list[Reference]:
        """The references of `text` by where they start. Takes time in proportion to its length, whatever is in it.

        `with_header` reads header fields at the start, for a text that is a whole document. No section is found in the
        spans of `headings`: their numbers name the place itself.
        """
        named = _apart([*find_links(text), *self._numbered.find(text), *self._named(text)])
        numbered = _outside(list(find_sections(text)), sorted(headings))
        sections = _joined(text, numbered, named)
        header = list(find_header_references(text)) if with_header else []
        return _apart([*header, *sections, *named, *find_citations(text), *find_shortforms(text)])

    def _named(self, text: str) -> Iterator[Reference]:
        return self._mentions.find(text) if self._mentions else iter(())


def _apart(found: Sequence[Reference]) -> list[Reference]:
    """References by their start, without those that lie in what an earlier or longer one covers.

    Several may share one span: the items of `[1, 4–6]`.
    """
    kept: list[Reference] = []
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or each.start >= kept[-1].end or _are_twins(kept[-1], each):
            kept.append(each)
    return kept


def _are_twins(left: Reference, right: Reference) -> bool:
    return (left.type, left.start, left.end) == (right.type, right.start, right.end) and left.target != right.target


def _outside(found: Sequence[Reference], spans: Sequence[Span]) -> list[Reference]:
    starts = [start for start, _ in spans]

    def is_outside(each: Reference) -> bool:
        before = bisect_left(starts, each.start + 1) - 1
        return before < 0 or spans[before][1] <= each.start

    return [each for each in found if is_outside(each)]


def _joined(text: str, sections: Sequence[Reference], named: Sequence[Reference]) -> list[Reference]:
    """Sections with the document that they are of; a document after the last section of a list is that of all."""
    documents = _Documents(text, named)
    joined: list[Reference] = []
    following: Reference | None = None
    for section in reversed(sections):
        own = documents.beside(section)
        if own is None and following is not None and _are_listed(text, section, following):
            own = replace(section, document=following.document)
        following = own
        joined.append(own or section)
    return joined[::-1]


def _are_listed(text: str, section: Reference, following: Reference) -> bool:
    """Whether two sections are of one document: items of a list, one within the other, or articles read together.

    Paragraphs that are read together (`§ 8b in Verbindung mit § 4 des …`) are mostly of two laws, this one first.
    """
    pattern = _LISTED_ARTICLES if section.section.startswith("Art.") else _LISTED
    return pattern.fullmatch(text, section.end, following.start) is not None


class _Documents:
    """The documents that a text names, by place."""

    def __init__(self, text: str, named: Sequence[Reference]) -> None:
        self._text = text
        self._named = [each for each in named if each.type is not ReferenceType.EXTERNAL and not each.section]
        self._starts = [each.start for each in self._named]

    def beside(self, section: Reference) -> Reference | None:
        """The section with the document that is named directly after it, else before it; None when there is none."""
        place = bisect_left(self._starts, section.end)
        after = self._named[place] if place < len(self._named) else None
        if after and self._is_between(_AFTER, section.end, after.start):
            return self._reaching(section, after.document, after.end)
        law = law_after(self._text, section.end, is_legal=section.type is ReferenceType.LEGAL_SECTION)
        if law is not None:
            return self._reaching(section, law.name, law.end)
        before = self._named[place - 1] if place else None
        if before and self._is_between(_BEFORE, before.end, section.start):
            return replace(section, document=before.document)
        return None

    def _is_between(self, pattern: re.Pattern[str], start: int, end: int) -> bool:
        return 0 <= end - start <= _LONGEST_GAP and pattern.fullmatch(self._text, start, end) is not None

    def _reaching(self, section: Reference, document: str, end: int) -> Reference:
        return replace(section, document=document, end=end, text=self._text[section.start : end])
