"""The weights of likely answers, fitted on the questions of the demo documents.

Each question chooses among its sentences and no answer at all, whose odds are 0: a conditional logistic model.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

import numpy as np
from agent_core.agents.rule_based.document_reading import read_document_question
from agent_core.document_contracts import DocumentHit, DocumentQuestion
from agent_core.passages import weigh_passages
from agent_core.passages.weights import FEATURES, FittedWeights, Judged
from agent_core.protocols import DocumentExecutor
from agent_core.schemas import AgentRequest, Strategy
from embeddings.languages import DEFAULT
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.readers.markdown import read_markdown
from numpy.typing import NDArray

from agent_evals.calibration import search_documents
from agent_evals.document_questions import DocumentCase, DocumentWording
from agent_evals.shipped import DocumentDataset

SETS = (DocumentDataset.DOCUMENTS, DocumentDataset.DOCUMENTS_MORE, DocumentDataset.DOCUMENTS_WIDE)
"""The held-out questions are for judging the outcome, never for fitting it."""

FITTED_ON = "the questions of the demo documents"

PENALTY = 0.3
"""What half the square of a weight costs in log-likelihood."""

UNCERTAIN_COUNTS = 5
"""How many times a question counts that no sentence answers for certain: only they are weighed, and few of them have
an answer."""

_BIAS_COSTS = 0.01
"""The penalty on the bias as a share of the others': how rare answers are is no sign of one."""

_STEPS, _NEAR = 100, 1e-9
_DIGITS, _SHARE_DIGITS = 2, 3

type Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """A wording, and the words one of which its right sentence holds; none where nothing answers it.

    Without `documents` those answer that hold these words.
    """

    text: str
    is_odd: bool
    quotes: tuple[str, ...] = ()
    documents: frozenset[str] = frozenset()


class Kind(StrEnum):
    """Whether a document answers a question; *withheld* are those asked without the documents that do."""

    ANSWERABLE = "answerable"
    WITHHELD = "withheld"
    UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The sentences of a question: a row of `FEATURES` each, and which of them are right.

    `is_certain` where a sentence answers without being weighed.
    """

    kind: Kind
    rows: Matrix
    right: NDArray[np.bool_]
    is_certain: bool
    is_odd: bool


def questions_of(sets: Iterable[Sequence[DocumentCase]], wordings: Sequence[DocumentWording]) -> tuple[Question, ...]:
    """The questions of all sets, odd or even by their places in their files."""
    cases = (
        Question(wording, place % 2 == 1, case.quotes, frozenset(case.documents))
        for each in sets
        for place, case in enumerate(each)
        for wording in case.wordings
    )
    single = (
        Question(each.question, place % 2 == 1, (each.quote,) if each.quote is not None else ())
        for place, each in enumerate(wordings)
    )
    return (*cases, *single)


def editions_of(texts: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The other editions of documents by their titles, as their texts in Markdown say what they supersede."""
    found: dict[str, frozenset[str]] = {}
    for text in texts:
        parsed = read_markdown(text.encode(), DocumentLimits())
        for old in parsed.fields.get("supersedes", ()):
            for one, other in ((parsed.title or "", old), (old, parsed.title or "")):
                found[one] = found.get(one, frozenset()) | {other}
    return found


async def weighed_samples(
    questions: Sequence[Question], editions: Mapping[str, frozenset[str]], executor: DocumentExecutor
) -> tuple[Sample, ...]:
    """Samples of each question, part by part, and where it has an answer, of it without the documents that hold it.

    Other editions of these are never among them: dates and edges tell editions apart, not words. No samples are
    questions in another language than English, whose words the documents don't share. Raises SourceUnavailable.
    """
    found: list[Sample] = []
    for question in questions:
        request = AgentRequest(query=question.text, request_id=UUID(int=0), strategy=Strategy.DOCUMENTS)
        read = read_document_question(question.text, request)
        for part in read.parts if read is not None and read.language == DEFAULT else ():
            hits = await search_documents(part.query, executor)
            found += _samples(question, part, hits, editions)
    return tuple(found)


def _samples(
    question: Question, part: DocumentQuestion, hits: Sequence[DocumentHit], editions: Mapping[str, frozenset[str]]
) -> Iterator[Sample]:
    answering = question.documents or {
        hit.evidence.title for hit in hits if any(quote in hit.evidence.text for quote in question.quotes)
    }
    others = frozenset[str]().union(*(editions.get(title, frozenset()) for title in answering)) - answering
    kind = Kind.ANSWERABLE if question.quotes else Kind.UNANSWERABLE
    yield _sample(question, part, _without(hits, others), kind)
    if kind is Kind.ANSWERABLE:
        yield _sample(question, part, _without(hits, answering | others), Kind.WITHHELD)


def _without(hits: Sequence[DocumentHit], titles: Collection[str]) -> list[DocumentHit]:
    return [hit for hit in hits if hit.evidence.title not in titles]


def _sample(question: Question, part: DocumentQuestion, hits: Sequence[DocumentHit], kind: Kind) -> Sample:
    weighed = weigh_passages(part, hits)
    texts = [each.hit.evidence.text[each.span.start : each.span.end] for each in weighed.candidates]
    right = [kind is Kind.ANSWERABLE and any(quote in text for quote in question.quotes) for text in texts]
    return Sample(
        kind=kind,
        rows=np.array([each.features for each in weighed.candidates], dtype=np.float64).reshape(-1, len(FEATURES)),
        right=np.array(right, dtype=np.bool_),
        is_certain=weighed.is_certain,
        is_odd=question.is_odd,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    """The rows chosen from, no answer among them as a row of zeros, and the right one."""

    rows: Matrix
    right: Matrix
    counts: float

    def likelihood(self, weights: Matrix) -> float:
        return self.counts * float(self.right @ weights - np.logaddexp.reduce(self.rows @ weights))

    def derivatives(self, weights: Matrix) -> tuple[Matrix, Matrix]:
        """The slope of the log-likelihood, and minus its curvature."""
        odds = self.rows @ weights
        shares = np.exp(odds - np.logaddexp.reduce(odds))
        mean = shares @ self.rows
        spread = (self.rows * shares[:, None]).T @ self.rows - np.outer(mean, mean)
        return self.counts * (self.right - mean), self.counts * spread


def fit(samples: Sequence[Sample]) -> Matrix:
    """The most likely weights by `FEATURES`, large ones being penalized; by Newton's method."""
    choices = [choice for sample in samples for choice in _choices(sample)]
    penalties = np.full(len(FEATURES), PENALTY)
    penalties[FEATURES.index("bias")] *= _BIAS_COSTS

    def value(weights: Matrix) -> float:
        return math.fsum(each.likelihood(weights) for each in choices) - float(penalties @ weights**2) / 2

    weights = np.zeros(len(FEATURES))
    for _ in range(_STEPS):
        slope, spread = -penalties * weights, np.diag(penalties)
        for each in choices:
            own_slope, own_spread = each.derivatives(weights)
            slope, spread = slope + own_slope, spread + own_spread
        step = np.linalg.solve(spread, slope)
        while value(weights + step) < value(weights) and np.abs(step).max() > _NEAR:
            step = step / 2
        weights = weights + step
        if np.abs(step).max() <= _NEAR:
            break
    return weights


def _choices(sample: Sample) -> Iterator[_Choice]:
    """Each right sentence against the wrong ones and no answer; no answer against all where none is right."""
    counts = 1.0 if sample.is_certain else UNCERTAIN_COUNTS
    none = np.zeros((1, len(FEATURES)))
    others = np.vstack((none, sample.rows[~sample.right]))
    right = sample.rows[sample.right]
    for row in right:
        yield _Choice(np.vstack((row, others)), row, counts / len(right))
    if not len(right):
        yield _Choice(others, none[0], counts)


def fitted_weights(samples: Sequence[Sample], digest: str, *, model: str) -> FittedWeights:
    """The fit on the even samples with its data, as the product keeps it; the odd ones judge."""
    even = [sample for sample in samples if not sample.is_odd]
    weights = np.round(fit(even), _DIGITS)
    margin = margin_of(even, weights)
    return FittedWeights(
        weights=dict(zip(FEATURES, map(float, weights), strict=True)),
        margin=margin,
        fitted_on=FITTED_ON,
        model=model,
        digest=digest,
        samples=len(even),
        even=judged(even, weights, margin),
        odd=judged([sample for sample in samples if sample.is_odd], weights, margin),
    )


def margin_of(samples: Iterable[Sample], weights: Matrix) -> float:
    """The least margin by which nothing unanswerable is answered, and never below even odds. Rounded up."""
    strays = (_best(each, weights) for each in samples if each.kind is Kind.UNANSWERABLE and not each.is_certain)
    return math.ceil(max(0.0, *strays, 0.0) * 10**_DIGITS) / 10**_DIGITS


def judged(samples: Sequence[Sample], weights: Matrix, margin: float) -> Judged:
    """How often the rule is right where it is asked."""
    asked = [sample for sample in samples if not sample.is_certain]
    answerable = [sample for sample in asked if sample.kind is Kind.ANSWERABLE]
    others = [sample for sample in asked if sample.kind is not Kind.ANSWERABLE]
    quoted = [sample for sample in answerable if _best(sample, weights) > margin]
    right = sum(bool(sample.right[np.argmax(sample.rows @ weights)]) for sample in quoted)
    return Judged(
        answerable=len(answerable),
        right=_share(right, answerable),
        wrong=_share(len(quoted) - right, answerable),
        unanswerable=len(others),
        refused=_share(sum(_best(sample, weights) <= margin for sample in others), others) if others else 1.0,
    )


def _best(sample: Sample, weights: Matrix) -> float:
    return float(np.max(sample.rows @ weights, initial=-math.inf))


def _share(count: int, of: Sequence[Sample]) -> float:
    return round(count / len(of), _SHARE_DIGITS) if of else 0.0
