"""Asks every wording of a dataset and judges the answers."""

import time
from collections.abc import Sequence
from typing import Protocol

from agent_core.errors import AgentCoreError
from agent_core.schemas import AgentResponse

from agent_evals.checker import Checker
from agent_evals.dataset import Case, NameBook
from agent_evals.evaluators import Outcome, judge
from agent_evals.gold import Connection, Gold, GoldSource
from agent_evals.report import EvalReport, Result


class Answering(Protocol):
    """Answers one question, as a caller of the product would ask it."""

    async def __call__(self, question: str, /) -> AgentResponse: ...


async def evaluate(
    dataset: Sequence[Case], answer: Answering, connection: Connection, *, names: NameBook
) -> EvalReport:
    """The report of asking each wording once, one after the other.

    `connection` reads the same catalogue that `answer` answers from, and `names` are that catalogue's names. A question
    that ends in a typed error of the product counts as unanswered.

    Raises:
        DatasetError: a case names something that the catalogue or `names` lacks.
    """
    source = GoldSource(connection, names)
    checker = await Checker.open(connection)
    results: list[Result] = []
    for case in dataset:
        gold = await source.gold(case)
        for wording in case.wordings:
            results.append(await _ask(case, names.fill(wording), gold, answer, checker))
    return EvalReport(tuple(results))


async def _ask(case: Case, question: str, gold: Gold, answer: Answering, checker: Checker) -> Result:
    started = time.perf_counter()
    try:
        response = await answer(question)
    except AgentCoreError as error:
        return _result(case, question, gold, started, reason=f"{type(error).__name__}: {error}")
    judgement = judge(case, gold, response)
    check = await checker.check(question, response)
    return Result(
        case_id=case.id,
        kind=case.kind,
        question=question,
        outcome=judgement.outcome,
        reason=judgement.reason,
        expected=_expected(gold),
        status=response.status.value,
        answer=response.answer,
        invented=check.invented,
        violations=tuple(str(violation) for violation in check.violations),
        ms=_elapsed_ms(started),
    )


def _result(case: Case, question: str, gold: Gold, started: float, *, reason: str) -> Result:
    return Result(
        case_id=case.id,
        kind=case.kind,
        question=question,
        outcome=Outcome.UNANSWERED,
        reason=reason,
        expected=_expected(gold),
        status="",
        answer="",
        invented=0,
        violations=(),
        ms=_elapsed_ms(started),
    )


def _expected(gold: Gold) -> str:
    parts = [" = ".join(filter(None, (row.names[0] if row.names else "", row.value or ""))) for row in gold.rows]
    return "; ".join(sorted(parts))


def _elapsed_ms(started: float) -> float:
    return 1000 * (time.perf_counter() - started)
