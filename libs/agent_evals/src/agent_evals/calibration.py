"""The bands of passages' scores, fitted for one embedding model on the questions of the demo documents."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import median
from uuid import UUID

from agent_core.agents.rule_based.document_reading import read_document_question
from agent_core.document_contracts import Bands, DocumentHit, DocumentIntent
from agent_core.passages import read_passages
from agent_core.passages.weights import FITTED, FittedWeights
from agent_core.protocols import DocumentExecutor
from agent_core.retrieval.bands import FittedBands
from agent_core.schemas import AgentRequest, Strategy
from pydantic import BaseModel

from agent_evals.document_questions import DocumentCase

FITTED_ON = "the documents questions"

STRAY_COSTS = 0.05
"""How many right answers that are held back one stray question is worth that is searched for in other words: it costs
time, its words give it away."""

_SEARCHED = 20
_SECONDS = 30.0
_DIGITS = 3
_NO_BANDS = Bands(high=0, medium=0, low=0)


class Kind(StrEnum):
    """What the best passages of a question are: what must be quoted, something else, or about nothing asked."""

    RIGHT = "right"
    WRONG = "wrong"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class Sample:
    """A question's average score."""

    average: float
    kind: Kind


async def samples(
    cases: Sequence[DocumentCase], stray: Sequence[str], executor: DocumentExecutor, weights: FittedWeights = FITTED
) -> tuple[Sample, ...]:
    """Samples of each wording that has an answer, with all documents and without those that hold it, and of each
    question that no document is about.

    Without them, all that is answered is wrong. Questions that passages are alike to and that nothing is
    quoted for are no samples: no score tells them from the others, their words do. `weights` are those of likely
    answers. Raises SourceUnavailable.
    """
    found: list[Sample] = []
    for case in cases:
        for wording in case.wordings if not case.is_negative else ():
            average, said = await _read(wording, executor, weights)
            if said:
                is_right = any(quote in said for quote in case.quotes)
                found.append(Sample(average, Kind.RIGHT if is_right else Kind.WRONG))
            average, said = await _read(wording, executor, weights, without=case.documents)
            if said:
                found.append(Sample(average, Kind.WRONG))
    for question in stray:
        average, _ = await _read(question, executor, weights)
        found.append(Sample(average, Kind.STRAY))
    return tuple(found)


async def search_documents(query: str, executor: DocumentExecutor) -> tuple[DocumentHit, ...]:
    """The passages that the product reads for a question. Raises SourceUnavailable."""
    intent = DocumentIntent(rationale="calibration", query=query, top_k=_SEARCHED)
    return tuple((await executor.search(intent, timeout=_SECONDS)).hits)


async def _read(
    question: str, executor: DocumentExecutor, weights: FittedWeights, *, without: Sequence[str] = ()
) -> tuple[float, str]:
    """The average score of the passages behind what a question would quote, and that; of the best ones without it.

    Documents of the titles `without` are not read.
    """
    request = AgentRequest(query=question, request_id=UUID(int=0), strategy=Strategy.DOCUMENTS)
    read = read_document_question(question, request)
    if read is None:
        return 0.0, ""
    hits = [hit for hit in await search_documents(read.query, executor) if hit.evidence.title not in without]
    passages = read_passages(read, hits, _NO_BANDS, weights=weights)
    return passages.average, "\n".join(quote.text for quote in passages.quotes)


def fit(found: Sequence[Sample]) -> Bands:
    """The bands that cost least. Rounded to three digits.

    Stray questions lie below them. Half of what is right is high, the rest is medium, nothing is low: right and wrong
    answers score alike, their words tell them apart (`agent_core.passages`).
    """
    right, _, stray = (_averages(found, kind) for kind in Kind)
    if not right:
        return Bands()
    low = _threshold(keep=right, drop=stray, costs=STRAY_COSTS)
    return Bands(high=max(low, round(median(right), _DIGITS)), medium=low, low=low)


def _averages(found: Iterable[Sample], kind: Kind) -> list[float]:
    return [sample.average for sample in found if sample.kind is kind]


def _threshold(*, keep: Sequence[float], drop: Sequence[float], costs: float) -> float:
    """The least costly value between two kinds, of equally good ones the lowest; to keep one to drop costs `costs`."""
    levels = sorted({*keep, *drop})
    tried = [0.0, *(round((low + high) / 2, _DIGITS) for low, high in pairwise(levels))]

    def cost(threshold: float) -> float:
        return sum(each < threshold for each in keep) + costs * sum(each >= threshold for each in drop)

    return min(tried, key=lambda threshold: (cost(threshold), threshold))


def fitted(found: Sequence[Sample], cases: Sequence[DocumentCase], texts: Sequence[str]) -> FittedBands:
    """The fit with its data, as the product keeps it."""
    bands = fit(found)
    right, wrong, stray = (_averages(found, kind) for kind in Kind)
    answers = [*((average, True) for average in right), *((average, False) for average in wrong)]
    high = [is_right for average, is_right in answers if average >= bands.high]
    medium = [is_right for average, is_right in answers if bands.medium <= average < bands.high]
    return FittedBands(
        bands=bands,
        fitted_on=FITTED_ON,
        digest=digest_of(cases, texts),
        high=len(high),
        high_right=_share(high),
        medium=len(medium),
        medium_right=_share(medium),
        stray=len(stray),
        stray_refused=_share([average < bands.low for average in stray]),
    )


def digest_of(cases: Sequence[BaseModel], texts: Sequence[str]) -> str:
    """The SHA-256 of what is fitted on."""
    lines = [*(case.model_dump_json() for case in cases), *texts]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _share(held: Sequence[bool]) -> float:
    return round(sum(held) / len(held), _DIGITS) if held else 1.0
