"""References by rules: what stands in one document, and which document a reference means. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from datastore.edges import EdgeType
from datastore.folding import fold
from references.detection import Detector
from references.model import Reference, ReferenceType
from references.registry import KnownDocument, Registry
from references.resolution import resolve

RULES_VERSION = "2"
"""Changes when the rules find something else in the same text: then they are applied to all documents again."""

_NUMBERED = re.compile(r"([A-Z]{2,12}) \d{1,6}")


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document by its collection, and by all that it is called."""

    id: UUID
    collection: str
    title: str
    abbreviations: tuple[str, ...]
    synonyms: tuple[str, ...]
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """What references of one type in one collection name."""

    collection: str
    reference_type: str
    text: str


class ReferenceRules:
    """The rules over one state of the names of all documents."""

    def __init__(self, known: Iterable[NamedDocument]) -> None:
        documents = tuple(known)
        self._collections: Mapping[UUID, str] = {each.id: each.collection for each in documents}
        self._registry = Registry(
            (
                KnownDocument(
                    each.id,
                    each.title,
                    abbreviations=each.abbreviations,
                    synonyms=each.synonyms,
                    addresses=each.addresses,
                )
                for each in documents
            ),
            fold=fold,
        )
        names = (name for each in documents for name in each.synonyms)
        series = {match[1] for name in names if (match := _NUMBERED.fullmatch(name))}
        self._detector = Detector(self._registry, series=sorted(series))

    def find(self, own: UUID, text: str, sections: Sequence[int]) -> list[Reference]:
        """Every reference of the document `own`, whose sections begin at these places.

        None stands within a heading, and none is the document's own name; of several with the same place and target
        there is one.
        """
        found = self._detector.detect(text, with_header=True, headings=_headings(text, sections))
        kept = (each for each in found if not self._is_own_name(each, own))
        return list({(each.type, each.start, each.end, each.document, each.section): each for each in kept}.values())

    def resolve(self, target: Target) -> UUID | None:
        """The one document that is meant; of several the one of the same collection, where it is one."""
        reference = Reference(ReferenceType(target.reference_type), target.text, 0, len(target.text), target.text)
        ids = resolve(reference, self._registry).documents
        if len(ids) > 1:
            ids = tuple(each for each in ids if self._collections[each] == target.collection)
        return ids[0] if len(ids) == 1 else None

    def _is_own_name(self, reference: Reference, own: UUID) -> bool:
        is_name = reference.type is ReferenceType.DOCUMENT_MENTION and not reference.section
        return is_name and own in self._registry.resolve(reference.document).ids


def edge_of(reference: Reference) -> EdgeType | None:
    """The edge from the document to the one that is named; none for a part of the document itself."""
    return EdgeType(reference.relation.value) if reference.document else None


def _headings(text: str, sections: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The line of each heading; where it is a rule above the title, that and the next."""
    for start in sections:
        end = _line_end(text, start)
        if not any(map(str.isalnum, text[start:end])):
            end = _line_end(text, end + 1)
        yield start, end


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
