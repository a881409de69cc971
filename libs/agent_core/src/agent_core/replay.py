"""A recorded run, run again: the model's stages say what they said, everything else is done anew."""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID, uuid4

from pydantic import BaseModel

from agent_core.budget import Budget
from agent_core.errors import AgentCoreError, BudgetExhausted, ModelErrorKind, StageFailed
from agent_core.events import RunEvent
from agent_core.orchestrator import Conversation, Orchestrator
from agent_core.protocols import LoopView, Stages
from agent_core.recording import (
    EndedRun,
    Recording,
    RunRecord,
    record_of,
    recorded_stages,
    recording,
)
from agent_core.recording.seams import ANSWER, FOLLOW_UP, JUDGE, REWRITE, SELECT, RecordedFollowUps
from agent_core.schemas import AgentRequest, DraftAnswer, NextStep, QueryRewrite, SufficiencyReport
from agent_core.turns import CompleteQuestion, PastTurn

_MAX_CALLS = 1_000


class NotReplayable(Exception):
    """The record lacks what a replay needs; the message says what to do about it."""


class NothingRecorded(Exception):
    """The replay asks a stage once more than the recorded run did."""


async def replay(loop: Orchestrator, record: RunRecord, *, seconds: float) -> RunRecord:
    """The record of running a recorded question again within `seconds`, on the sources of `loop` as they are now.

    Nothing is sent to a model and no session is read or written. Raises NotReplayable.
    """
    if record.is_cut:
        raise NotReplayable("the run was too large to be recorded as a whole")
    if record.request is None:
        raise NotReplayable(
            "the run was recorded without its texts; set ENISHI_TRACE_TEXT=true and ask the question again"
        )
    request = record.request.model_copy(update={"request_id": uuid4(), "timeout_seconds": seconds})
    played = loop.with_stages(_played(record), _conversation(record))
    events: list[RunEvent] = []
    calls = Recording(_MAX_CALLS)
    # What ends the run without an answer is told by its record, and is the difference then.
    with recording(calls), suppress(NothingRecorded, AgentCoreError):
        await played.run(request, listener=events.append)
    return record_of(EndedRun(request, events, calls, record.with_model), keep_text=True)


def _played(record: RunRecord) -> Stages | None:
    if not record.with_model:
        return None
    plays = Stages(
        _PlayedRewrite(record, REWRITE, QueryRewrite),
        _PlayedStage(record, SELECT, NextStep),
        _PlayedStage(record, ANSWER, DraftAnswer),
        _PlayedJudge(record, JUDGE, SufficiencyReport),
    )
    return recorded_stages(plays, "model")


def _conversation(record: RunRecord) -> Conversation | None:
    completed = [call for call in record.calls if call.name == FOLLOW_UP]
    if not completed:
        return None
    session = _ClosedSession(deque(CompleteQuestion.model_validate(call.output) for call in completed))
    return Conversation(session, RecordedFollowUps(session))


class _Plays[Out: BaseModel]:
    """The outputs of one model's stage, in order."""

    def __init__(self, record: RunRecord, name: str, output: type[Out]) -> None:
        self._calls = deque(call for call in record.calls if (call.name, call.by) == (name, "model"))
        self._name, self._output = name, output

    def next(self) -> Out:
        """What the stage gave, or how it failed. Raises NothingRecorded."""
        if not self._calls:
            raise NothingRecorded
        call = self._calls.popleft()
        if call.failure is None:
            return self._output.model_validate(call.output)
        kind, _, what = call.failure.partition(":")
        if what:
            raise BudgetExhausted(what)
        raise StageFailed(self._name, ModelErrorKind(kind))


class _PlayedRewrite(_Plays[QueryRewrite]):
    async def run(self, request: AgentRequest, budget: Budget, history: Sequence[PastTurn] = ()) -> QueryRewrite:
        return self.next()


class _PlayedStage[Out: BaseModel](_Plays[Out]):
    async def run(self, view: LoopView, budget: Budget) -> Out:
        return self.next()


class _PlayedJudge(_Plays[SufficiencyReport]):
    async def run(self, view: LoopView, draft: DraftAnswer, budget: Budget) -> SufficiencyReport:
        return self.next()


@dataclass(frozen=True, slots=True)
class _ClosedSession:
    """A session that completes the question, and those parts that lean on others, as it did then; it keeps nothing."""

    completed: deque[CompleteQuestion]

    async def history(self, session_id: UUID, principal: str, *, timeout: float) -> tuple[PastTurn, ...]:
        return (PastTurn(question="recorded"),)

    async def remember(
        self, session_id: UUID, principal: str, turn: PastTurn, *, trace_id: UUID, timeout: float
    ) -> None:
        return None

    async def complete(self, question: str, history: Sequence[PastTurn], budget: Budget) -> CompleteQuestion:
        if not self.completed:
            raise NothingRecorded
        return self.completed.popleft()
