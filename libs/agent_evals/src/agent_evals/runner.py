"""Asks every wording of a dataset and judges the answers."""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Protocol
from uuid import UUID, uuid4

import asyncpg
from agent_core.errors import AgentCoreError
from agent_core.schemas import AgentResponse

from agent_evals.checker import Checker, CheckReport
from agent_evals.dataset import Case, Match, NameBook
from agent_evals.evaluators import Judgement, Outcome, judge
from agent_evals.gold import Connection, Gold, GoldSource
from agent_evals.report import EvalReport, Result


class Answering(Protocol):
    """Answers one question, as a caller of the product would ask it; turns of one conversation share a session.

    Raises:
        NoAnswer: the product failed; the text says how.
        AgentCoreError: the same, where the product is called directly.
    """

    async def __call__(self, question: str, /, *, session_id: UUID) -> AgentResponse: ...


class NoAnswer(Exception):
    """The product gave no answer at all."""


@asynccontextmanager
async def catalogue_connection(dsn: str) -> AsyncGenerator[Connection]:
    """A connection of the evaluation's own to the catalogue's database."""
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()


async def evaluate(
    dataset: Sequence[Case],
    answer: Answering,
    connection: Connection,
    *,
    names: NameBook,
    on_result: Callable[[Result], None] | None = None,
) -> EvalReport:
    """The report of asking each wording once, one after the other, each in a session of its own.

    `connection` reads the same catalogue that `answer` answers from, and `names` are that catalogue's names. A question
    that ends in an error of the product counts as unanswered. `on_result` is told of each result as it comes.

    Raises:
        DatasetError: a case names something that the catalogue or `names` lacks.
    """
    source = GoldSource(connection, names)
    checker = await Checker.open(connection)
    results: list[Result] = []
    for case in dataset:
        gold = await source.gold(case)
        for wording in case.wordings:
            turns = [names.fill(turn) for turn in (*case.before, wording)]
            results.append(await _ask(case, turns, gold, answer, checker))
            if on_result is not None:
                on_result(results[-1])
    return EvalReport(tuple(results))


async def _ask(case: Case, turns: Sequence[str], gold: Gold, answer: Answering, checker: Checker) -> Result:
    started = time.perf_counter()
    session_id = uuid4()
    try:
        responses = [await answer(turn, session_id=session_id) for turn in turns]
    except (AgentCoreError, NoAnswer) as error:
        failed = Judgement(Outcome.UNANSWERED, f"{type(error).__name__}: {error}")
        return _result(case, turns, gold, failed, ms=_elapsed_ms(started))
    ms = _elapsed_ms(started)
    response = responses[-1]
    # What an earlier turn asked may be repeated as well.
    check = await checker.check("\n".join(turns), response)
    result = _result(case, turns, gold, judge(case, gold, response), ms=ms, response=response, check=check)
    usages = [each.usage for each in responses]
    return replace(
        result,
        model_calls=sum(usage.model_calls for usage in usages),
        tokens=sum(usage.prompt_tokens + usage.completion_tokens for usage in usages),
    )


def _result(
    case: Case,
    turns: Sequence[str],
    gold: Gold,
    judgement: Judgement,
    *,
    ms: float,
    response: AgentResponse | None = None,
    check: CheckReport | None = None,
) -> Result:
    return Result(
        case_id=case.id,
        kind=case.kind,
        question=" | ".join(turns),
        is_negative=case.is_negative,
        outcome=judgement.outcome,
        reason=judgement.reason,
        overlap=judgement.overlap,
        expected=_expected(case, gold),
        status=response.status.value if response is not None else "",
        answer=response.answer if response is not None else "",
        invented=check.invented if check is not None else 0,
        violations=tuple(str(violation) for violation in check.violations) if check is not None else (),
        ms=ms,
    )


def _expected(case: Case, gold: Gold) -> str:
    match case.match:
        case Match.QUANTITY if not gold.values:
            return f"{len(gold.rows)} {case.units[0]}"
        case Match.RECOMMENDATION:
            return "any of: " + "; ".join(sorted(row.names[0] for row in gold.rows))
        case Match.ORDER:
            return " → ".join(row.names[0] + (f" ({row.value})" if row.value else "") for row in gold.rows)
        case _:
            parts = (" = ".join(filter(None, (row.names[0] if row.names else "", row.value))) for row in gold.rows)
            return "; ".join(sorted(parts))


def _elapsed_ms(started: float) -> float:
    return 1000 * (time.perf_counter() - started)
