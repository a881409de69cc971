"""The sufficiency stage on a model."""

from agent_core.agents.conversion import to_report
from agent_core.agents.prompts import JUDGE
from agent_core.agents.wire import JudgeInput, SufficiencyReportWire
from agent_core.budget import Budget
from agent_core.context.labels import Labels
from agent_core.context.retrieved_context import RetrievedContextProvider, view_cards
from agent_core.protocols import LoopView, StageCall, StageRunner
from agent_core.schemas import DraftAnswer, SufficiencyReport


class ModelSufficiency:
    """Judges a validated draft with one model call."""

    def __init__(self, runner: StageRunner) -> None:
        self._runner = runner

    async def run(self, view: LoopView, draft: DraftAnswer, budget: Budget) -> SufficiencyReport:
        """Raises StageFailed, BudgetExhausted."""
        call = StageCall(
            stage="sufficiency",
            prompt=JUDGE,
            context=RetrievedContextProvider(view_cards(view, Labels.of(view))),
            input=JudgeInput(question=view.rewrite.rewritten_query, draft=draft.answer),
            output=SufficiencyReportWire,
        )
        return to_report(await self._runner.run(call, budget))
