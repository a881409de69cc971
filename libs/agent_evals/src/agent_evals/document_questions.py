"""Questions of the demo documents: what must be quoted of which of them, or that none of them says it."""

import re
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Protocol

from agent_core.errors import AgentCoreError
from agent_core.evidence import ChunkEvidence
from agent_core.schemas import AgentResponse, AnswerStatus, WarningCode
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent_evals.dataset import WORDINGS_PER_CASE, DatasetError, Kind
from agent_evals.evaluators import Judgement, Outcome
from agent_evals.quotes import quotations
from agent_evals.report import EvalReport, Result
from agent_evals.runner import NoAnswer

_MARKERS = re.compile(r"(?:\[\d+\])+[.!?]*")
_SENTENCE_END = re.compile(r"[.!?]\s")
_ANSWERING = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})
_ABSTAINING = frozenset({AnswerStatus.NOT_FOUND, AnswerStatus.UNANSWERABLE})


class DocumentCase(BaseModel):
    """One question in several wordings. Without `documents` the right answer is that none of them says it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    wordings: tuple[str, ...] = Field(min_length=WORDINGS_PER_CASE)
    documents: tuple[str, ...] = Field(description="Titles, each of which must be cited.")
    quotes: tuple[str, ...] = Field(description="Words of the documents, each of which must be in the answer.")
    warning: WarningCode | None = None

    @property
    def is_negative(self) -> bool:
        """Whether nothing answers it."""
        return not self.documents


class DocumentWording(BaseModel):
    """One question in one wording, and the words of a document that answer it; None where nothing does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1)
    quote: str | None


class Asking(Protocol):
    """Answers one question. Raises NoAnswer, AgentCoreError."""

    async def __call__(self, question: str, /) -> AgentResponse: ...


type Checking = Callable[[str, AgentResponse], Awaitable[Sequence[str]]]
"""Says which promises an answer to a question breaks."""


def load_document_cases(path: Path) -> tuple[DocumentCase, ...]:
    """The cases of a JSONL file. Raises DatasetError."""
    cases = _load(path, DocumentCase)
    if len({case.id for case in cases}) != len(cases):
        raise DatasetError(f"{path.name}: an id occurs twice")
    return cases


def load_document_wordings(path: Path) -> tuple[DocumentWording, ...]:
    """The wordings of a JSONL file. Raises DatasetError."""
    return _load(path, DocumentWording)


def _load[T: BaseModel](path: Path, kind: type[T]) -> tuple[T, ...]:
    if not path.is_file():
        raise DatasetError(f"{path.name} is not there: question files come with the source only")
    found: list[T] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            found.append(kind.model_validate_json(line))
        except ValidationError as error:
            raise DatasetError(f"{path.name}:{number}: {error}") from error
    return tuple(found)


def judge_document_answer(case: DocumentCase, response: AgentResponse) -> Judgement:
    """What `response` is worth as an answer to `case`."""
    if case.is_negative:
        if response.status in _ABSTAINING:
            return Judgement(Outcome.RIGHT)
        answered = response.status in _ANSWERING
        return Judgement(Outcome.WRONG if answered else Outcome.UNANSWERED, "answered what no document says")
    if response.status not in _ANSWERING:
        return Judgement(Outcome.UNANSWERED, f"status {response.status}")
    unsaid = [quote for quote in case.quotes if quote not in response.answer]
    if unsaid:
        return Judgement(Outcome.WRONG, f"not quoted: {unsaid[0]}")
    cited = {item.title for item in response.evidence if isinstance(item, ChunkEvidence)}
    missing = [title for title in case.documents if title not in cited]
    if missing:
        return Judgement(Outcome.WRONG, f"not cited: {missing[0]}")
    if case.warning is not None and all(warning.code is not case.warning for warning in response.warnings):
        return Judgement(Outcome.WRONG, f"does not warn of {case.warning}")
    return Judgement(Outcome.RIGHT)


def unsourced(response: AgentResponse) -> list[str]:
    """The sentences of an answer that no marker follows, where it answers."""
    if response.status not in _ANSWERING:
        return []
    *marked, rest = _MARKERS.split(response.answer)
    claims = [rest, *(" ".join(_SENTENCE_END.split(_unquoted(part))[:-1]) for part in marked)]
    return [f"no source: {claim.strip()}" for claim in claims if any(map(str.isalnum, claim))]


def _unquoted(text: str) -> str:
    for quotation in list(quotations(text)):
        text = text.replace(f"“{quotation}”", " ")
    return text


async def evaluate_documents(
    asked: Sequence[tuple[DocumentCase, str]],
    answer: Asking,
    check: Checking,
    *,
    on_result: Callable[[Result], None] | None = None,
) -> EvalReport:
    """The report of asking cases in these wordings, one after the other.

    What the product fails to answer counts as unanswered.
    """
    results: list[Result] = []
    for case, wording in asked:
        results.append(await _ask(case, wording, answer, check))
        if on_result is not None:
            on_result(results[-1])
    return EvalReport(tuple(results))


async def _ask(case: DocumentCase, wording: str, answer: Asking, check: Checking) -> Result:
    started = time.perf_counter()
    response: AgentResponse | None = None
    faults: list[str] = []
    try:
        response = await answer(wording)
        judgement = judge_document_answer(case, response)
        faults = [*await check(wording, response), *unsourced(response)]
    except (AgentCoreError, NoAnswer) as error:
        judgement = Judgement(Outcome.UNANSWERED, f"{type(error).__name__}: {error}")
    return Result(
        case_id=case.id,
        kind=Kind.DOCUMENT,
        question=wording,
        is_negative=case.is_negative,
        outcome=judgement.outcome,
        reason=judgement.reason,
        overlap=None,
        expected="; ".join(case.quotes),
        status=response.status.value if response is not None else "",
        answer=response.answer if response is not None else "",
        invented=0,
        violations=tuple(faults),
        ms=1000 * (time.perf_counter() - started),
    )
