"""References between PEPs, found in the documents alone, beside the published list of edges."""

import re
import tarfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from references.detection import Detector
from references.headers import own_number
from references.model import Relation

from agent_evals.cypher.files import DataMissing, json_lines
from agent_evals.peps_report import MENTIONS, NONE_ASKED, PepEdge, PepQuestions, PepReport

_STATED = {"Requires": "requires", "Replaces": "supersedes", "Superseded-By": "superseded_by"}
_OF_HEADERS = frozenset({Relation.REQUIRES, Relation.SUPERSEDES, Relation.SUPERSEDED_BY})
_PEP = re.compile(r"PEP (\d+)")


@dataclass(frozen=True, slots=True)
class PepFiles:
    """The archive of documents, and the edges between all PEPs, in the archive or not."""

    archive: Path
    edges: Path


def pep_files(data: Path) -> PepFiles:
    """The files in the data folder. Raises DataMissing."""
    folder = data / "docs" / "peps"
    files = PepFiles(folder / "peps_public_domain.tar.xz", folder / "peps_edges.jsonl")
    for path in (files.archive, files.edges):
        if not path.is_file():
            raise DataMissing(str(path))
    return files


@dataclass(frozen=True, slots=True)
class Collected:
    """What a collection has of the archive: PEPs, edges from them, what the graph doesn't show, and what was asked."""

    numbers: frozenset[int]
    edges: frozenset[PepEdge]
    unanswered: frozenset[PepEdge] = frozenset()
    questions: PepQuestions = NONE_ASKED


def read_documents(archive: Path) -> dict[int, str]:
    """The documents by their numbers, as they are in the archive."""
    documents: dict[int, str] = {}
    with tarfile.open(archive, "r:xz") as packed:
        for member in packed:
            content = packed.extractfile(member)
            if content is None:
                continue
            text = content.read().decode()
            number = _number(own_number(text))
            if number is not None:
                documents[number] = text
    return documents


def published_edges(files: PepFiles) -> frozenset[PepEdge]:
    """All edges of the list, whether or not their documents are in the archive."""
    return frozenset(
        PepEdge(int(str(row["src"])), _STATED.get(str(row["rel"]), MENTIONS), int(str(row["dst"])))
        for row in json_lines(files.edges)
    )


def detect_edges(documents: Mapping[int, str]) -> Collected:
    """What the documents state themselves, read without a store; what one says of itself is no edge."""
    detector = Detector[int]()
    edges = (edge for number, text in documents.items() for edge in _edges_of(detector, number, text))
    return Collected(frozenset(documents), frozenset(edges))


def compare(collected: Collected, published: frozenset[PepEdge], archived: Collection[int]) -> PepReport:
    """What was found beside what is published of the documents in the archive."""
    inside = frozenset(edge for edge in published if edge.source in archived)
    outside = frozenset(edge for edge in published - inside if edge.relation != MENTIONS)
    return PepReport(
        documents=len(collected.numbers),
        mentions=frozenset(edge for edge in inside if edge.relation == MENTIONS),
        found_mentions=frozenset(edge for edge in collected.edges if edge.relation == MENTIONS),
        stated=frozenset(edge for edge in inside if edge.relation != MENTIONS),
        found_stated=frozenset(edge for edge in collected.edges if edge.relation != MENTIONS),
        outside=outside,
        known_outside=frozenset(edge for edge in outside if edge.source in collected.numbers),
        unanswered=collected.unanswered,
        dangling=len({edge.target for edge in collected.edges} - collected.numbers),
        questions=collected.questions,
    )


def _edges_of(detector: Detector[int], number: int, text: str) -> Iterator[PepEdge]:
    for reference in detector.detect(text, with_header=True):
        target = _number(reference.document)
        if target is not None and target != number:
            of_header = reference.relation in _OF_HEADERS
            yield PepEdge(number, reference.relation.value if of_header else MENTIONS, target)


def _number(name: str) -> int | None:
    found = _PEP.fullmatch(name)
    return int(found[1]) if found else None
