"""Collections of passages with known answers: what a search should find, and how well it did (pure)."""

import csv
import gzip
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any


class CollectionMissing(Exception):
    """The files of a collection are not there, or not as published. The message is for people."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A document of one passage."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question and the passages that answer it. Choices are made on the even ones, and judged on the odd ones."""

    key: str
    question: str
    relevant: frozenset[str]
    is_even: bool


@dataclass(frozen=True, slots=True)
class Collection:
    """Passages and the questions asked of them. `are_named` says that titles are names that passages use of others."""

    name: str
    passages: tuple[Passage, ...]
    questions: tuple[Wanted, ...]
    are_named: bool


def load_scifact(folder: Path) -> Collection:
    """SciFact as in BEIR: claims, and the abstracts that support or contradict them."""
    relevant: dict[str, set[str]] = {}
    with _opened(folder / "qrels.test.tsv") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            if int(row["score"]) > 0:
                relevant.setdefault(row["query-id"], set()).add(row["corpus-id"])
    passages = tuple(Passage(row["_id"], row["title"], row["text"]) for row in _rows(folder / "corpus.jsonl.gz"))
    questions = tuple(
        Wanted(row["_id"], row["text"], frozenset(relevant[row["_id"]]), int(row["_id"]) % 2 == 0)
        for row in _rows(folder / "queries.test.jsonl")
    )
    return Collection("scifact", passages, questions, are_named=False)


def load_hotpot(folder: Path) -> Collection:
    """HotpotQA over the pool of all its questions' paragraphs; even are the questions at even places."""

    def parts(row: dict[str, Any]) -> list[tuple[str, str, bool]]:
        supporting = {title for title, _ in row["supporting_facts"]}
        return [(title, "".join(sentences), title in supporting) for title, sentences in row["context"]]

    return _pooled("hotpot", folder / "hotpot.jsonl.gz", parts)


def load_musique(folder: Path) -> Collection:
    """MuSiQue over the pool of all its questions' paragraphs; even are the questions at even places."""

    def parts(row: dict[str, Any]) -> list[tuple[str, str, bool]]:
        return [(each["title"], each["paragraph_text"], each["is_supporting"]) for each in row["paragraphs"]]

    return _pooled("musique", folder / "musique.jsonl.gz", parts)


def ndcg(ranking: Sequence[str], relevant: frozenset[str], depth: int) -> float:
    """The discounted gain of the first `depth` places as a share of the best possible one."""
    gain = sum(1 / math.log2(place + 2) for place, key in enumerate(ranking[:depth]) if key in relevant)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(depth, len(relevant))))


def recall(ranking: Sequence[str], relevant: frozenset[str], depth: int) -> float:
    """The share of the relevant that is in the first `depth` places."""
    return len(relevant.intersection(ranking[:depth])) / len(relevant)


@dataclass(frozen=True, slots=True)
class Shares:
    """A measure over the even, the odd and all questions."""

    even: float
    odd: float
    all: float

    @classmethod
    def of(cls, questions: Sequence[Wanted], values: Sequence[float]) -> "Shares":
        """The means of values in the order of the questions."""
        even = [value for question, value in zip(questions, values, strict=True) if question.is_even]
        odd = [value for question, value in zip(questions, values, strict=True) if not question.is_even]
        return cls(round(fmean(even), 4), round(fmean(odd), 4), round(fmean(values), 4))


def _pooled(name: str, path: Path, parts: Callable[[dict[str, Any]], list[tuple[str, str, bool]]]) -> Collection:
    passages: dict[str, Passage] = {}
    questions: list[Wanted] = []
    for place, row in enumerate(_rows(path)):
        relevant: set[str] = set()
        for title, text, is_relevant in parts(row):
            key = f"{title}\n{text}"
            passages.setdefault(key, Passage(key, title, text))
            if is_relevant:
                relevant.add(key)
        questions.append(Wanted(str(place), row["question"], frozenset(relevant), place % 2 == 0))
    return Collection(name, tuple(passages.values()), tuple(questions), are_named=True)


def _rows(path: Path) -> list[dict[str, Any]]:
    with _opened(path) as lines:
        return [json.loads(line) for line in lines]


def _opened(path: Path) -> Any:
    if not path.is_file():
        raise CollectionMissing(f"{path.name} is not in {path.parent.name}: give the folder of the data with --data")
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
