"""The rewrite stage on a model."""

from collections.abc import Sequence

from agent_core.agents.conversion import to_rewrite
from agent_core.agents.prompts import REWRITE
from agent_core.agents.wire import QueryRewriteWire, QuestionInput
from agent_core.budget import Budget
from agent_core.context.retrieved_context import RetrievedContextProvider
from agent_core.context.session_history import history_card, named_in
from agent_core.errors import IntentRefused, ModelErrorKind, StageFailed
from agent_core.protocols import StageCall, StageRunner
from agent_core.schemas import AgentRequest, QueryRewrite
from agent_core.turns import PastTurn


class ModelRewrite:
    """Turns a question into its normal form with one model call."""

    def __init__(self, runner: StageRunner) -> None:
        self._runner = runner

    async def run(self, request: AgentRequest, budget: Budget, history: Sequence[PastTurn] = ()) -> QueryRewrite:
        """Raises StageFailed, BudgetExhausted. A filter that can't be built is a failure, never a dropped condition.

        A name that only the earlier turns say is bound to what it was there.
        """
        call = StageCall(
            stage="rewrite",
            prompt=REWRITE,
            context=RetrievedContextProvider((history_card(history),) if history else ()),
            input=QuestionInput(question=request.query, language=request.language),
            output=QueryRewriteWire,
        )
        wire = await self._runner.run(call, budget)
        try:
            return to_rewrite(wire, question=request.query, earlier=named_in(history))
        except IntentRefused:
            raise StageFailed("rewrite", ModelErrorKind.BAD_OUTPUT) from None
