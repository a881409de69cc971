"""References between PEPs, found in the documents alone, beside the published list of edges."""

import re
import tarfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from references.detection import Detector
from references.headers import own_number, read_header
from references.model import Relation
from references.registry import KnownDocument, Registry

from agent_evals.cypher.files import DataMissing, json_lines
from agent_evals.peps_report import PepEdge, PepReport

MENTIONS = "mentions"
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


def detected_edges(documents: Mapping[int, str]) -> frozenset[PepEdge]:
    """The edges that the documents state themselves; what one says of itself is none."""
    detector = Detector[int]()
    return frozenset(edge for number, text in documents.items() for edge in _edges_of(detector, number, text))


def evaluate_peps(files: PepFiles, edges: Collection[PepEdge] | None = None) -> PepReport:
    """Compare `edges`, by default those detected in the archive, with the published ones."""
    documents = read_documents(files.archive)
    registry = _registry(documents)
    found = frozenset(detected_edges(documents) if edges is None else edges)
    published = frozenset(_published(files.edges))
    inside = frozenset(edge for edge in published if edge.source in documents)
    outside = frozenset(edge for edge in published - inside if edge.relation != MENTIONS)
    return PepReport(
        documents=len(documents),
        mentions=frozenset(edge for edge in inside if edge.relation == MENTIONS),
        found_mentions=frozenset(edge for edge in found if edge.relation == MENTIONS),
        stated=frozenset(edge for edge in inside if edge.relation != MENTIONS),
        found_stated=frozenset(edge for edge in found if edge.relation != MENTIONS),
        outside=outside,
        known_outside=frozenset(edge for edge in outside if registry.resolve(f"PEP {edge.source}").ids),
        dangling=_dangling(registry, found),
    )


def _edges_of(detector: Detector[int], number: int, text: str) -> Iterator[PepEdge]:
    for reference in detector.detect(text, with_header=True):
        target = _number(reference.document)
        if target is not None and target != number:
            of_header = reference.relation in _OF_HEADERS
            yield PepEdge(number, reference.relation.value if of_header else MENTIONS, target)


def _registry(documents: Mapping[int, str]) -> Registry[int]:
    return Registry(
        KnownDocument(
            number,
            next((field.value for field in read_header(text) if field.key == "title"), f"PEP {number}"),
            numbers=(f"PEP {number}",),
        )
        for number, text in documents.items()
    )


def _dangling(registry: Registry[int], found: Collection[PepEdge]) -> int:
    """How many of the PEPs that are referred to aren't in the collection."""
    return sum(not registry.resolve(f"PEP {target}").ids for target in {edge.target for edge in found})


def _published(path: Path) -> Iterator[PepEdge]:
    for row in json_lines(path):
        yield PepEdge(int(str(row["src"])), _STATED.get(str(row["rel"]), MENTIONS), int(str(row["dst"])))


def _number(name: str) -> int | None:
    found = _PEP.fullmatch(name)
    return int(found[1]) if found else None
