"""The question files that come with the source, by name, and the catalogue that they ask about."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ingestion.demo import demo_catalogue_files
from ingestion.records import parse_record

from agent_evals.dataset import Case, DatasetError, Kind, load_cases
from agent_evals.document_questions import (
    DocumentCase,
    DocumentWording,
    load_document_cases,
    load_document_wordings,
)
from agent_evals.renamed import AnyCatalogueRecord
from agent_evals.report import Goals

_FOLDER = Path(__file__).parents[2] / "datasets"
_FIRST_KINDS = (
    Kind.LOOKUP,
    Kind.ALIAS_TYPO,
    Kind.AMBIGUOUS,
    Kind.RELATION,
    Kind.PATH,
    Kind.COMPARISON,
    Kind.VOICE_ACTOR,
    Kind.NEGATIVE,
    Kind.VAGUE,
    Kind.MULTI_HOP,
)


_SET_KINDS = (
    Kind.FILTER,
    Kind.SUPERLATIVE,
    Kind.COUNT,
    Kind.INTERSECTION,
    Kind.EXCLUSION,
    Kind.SAME_STAFF,
)
_BORROWED_KINDS = (Kind.WATCH_ORDER, Kind.RECOMMENDATION)
_DEMO_KINDS = tuple(kind for kind in Kind if kind not in (*_SET_KINDS, Kind.DOCUMENT, Kind.SEVERAL))


class Dataset(StrEnum):
    """A question file. The held-out ones are never looked at by those who make the product answer.

    `sets` asks of whole sets what queries answer; its watch orders and recommendations are those of `kinds`.
    """

    KINDS = "kinds"
    KINDS_MORE = "kinds-more"
    KINDS_WIDE = "kinds-wide"
    KINDS_HELD_OUT = "kinds-held-out"
    SETS = "sets"
    SEVERAL = "several"
    DEMO = "demo"
    HELD_OUT = "held-out"


class DocumentDataset(StrEnum):
    """A file of questions about the demo documents; the held-out ones are for judging only."""

    DOCUMENTS = "documents"
    DOCUMENTS_MORE = "documents-more"
    DOCUMENTS_WIDE = "documents-wide"
    DOCUMENTS_HELD_OUT = "documents-held-out"


@dataclass(frozen=True, slots=True)
class _Shape:
    file: str
    kinds: tuple[Kind, ...]
    at_least: int


_SHAPES: Mapping[Dataset, _Shape] = {
    Dataset.KINDS: _Shape("demo_kinds.jsonl", _DEMO_KINDS, 8),
    Dataset.KINDS_MORE: _Shape("demo_kinds_more.jsonl", _DEMO_KINDS, 3),
    Dataset.KINDS_WIDE: _Shape("demo_kinds_wide.jsonl", _DEMO_KINDS, 8),
    Dataset.KINDS_HELD_OUT: _Shape("demo_kinds_held_out.jsonl", _DEMO_KINDS, 6),
    Dataset.SETS: _Shape("demo_sets.jsonl", _SET_KINDS, 8),
    Dataset.SEVERAL: _Shape("demo_several.jsonl", (Kind.SEVERAL,), 8),
    Dataset.DEMO: _Shape("demo.jsonl", _FIRST_KINDS, 6),
    Dataset.HELD_OUT: _Shape("demo_held_out.jsonl", _FIRST_KINDS, 4),
}


def load_shipped(dataset: Dataset) -> tuple[Case, ...]:
    """The cases of a question file.

    Raises:
        DatasetError: the file is not there, as in an installation without the source, or is not as it should be.
    """
    if dataset is Dataset.SETS:
        borrowed = (case for case in load_shipped(Dataset.KINDS) if case.kind in _BORROWED_KINDS)
        return (*_loaded(dataset), *borrowed)
    return _loaded(dataset)


def load_shipped_documents(dataset: DocumentDataset) -> tuple[DocumentCase, ...]:
    """The cases of a file of questions about documents. Raises DatasetError."""
    return load_document_cases(_FOLDER / f"{dataset.replace('-', '_')}.jsonl")


def load_shipped_wordings() -> tuple[DocumentWording, ...]:
    """Questions about the demo documents, each in one wording. Raises DatasetError."""
    return load_document_wordings(_FOLDER / "document_wordings.jsonl")


def goals_of(dataset: Dataset) -> Goals:
    """What is wanted of the answers to a question file."""
    return Goals(0.90, 0.90) if dataset is Dataset.SETS else Goals()


def _loaded(dataset: Dataset) -> tuple[Case, ...]:
    shape = _SHAPES[dataset]
    path = _FOLDER / shape.file
    if not path.is_file():
        raise DatasetError(f"{shape.file} is not there: question files come with the source only")
    return load_cases(path, kinds=shape.kinds, at_least=shape.at_least)


def demo_records() -> list[AnyCatalogueRecord]:
    """The demo catalogue as its records."""
    return [parse_record(line) for file in demo_catalogue_files() for line in file.read_bytes().splitlines()]
