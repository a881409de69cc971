"""The answer stage on a model."""

from agent_core.agents.conversion import to_draft
from agent_core.agents.prompts import ANSWER
from agent_core.agents.wire import AnswerInput, draft_answer_type
from agent_core.budget import Budget
from agent_core.context.labels import Labels
from agent_core.context.retrieved_context import RetrievedContextProvider, view_cards
from agent_core.protocols import LoopView, StageCall, StageRunner
from agent_core.schemas import DraftAnswer


class ModelAnswer:
    """Drafts an answer with one model call that can cite nothing but what it is shown."""

    def __init__(self, runner: StageRunner) -> None:
        self._runner = runner

    async def run(self, view: LoopView, budget: Budget) -> DraftAnswer:
        """Raises StageFailed, BudgetExhausted; ValueError without evidence, which the loop never lets happen."""
        if not view.evidence:
            raise ValueError("an answer needs evidence")
        labels = Labels.of(view)
        call = StageCall(
            stage="answer",
            prompt=ANSWER,
            context=RetrievedContextProvider(view_cards(view, labels)),
            input=AnswerInput(
                question=view.rewrite.rewritten_query,
                answer_kind=view.rewrite.answer_kind,
                language=view.rewrite.language,
            ),
            output=draft_answer_type(labels.evidence_labels, labels.entity_labels),
        )
        wire = await self._runner.run(call, budget)
        return to_draft(wire, labels, (entity.name for entity in labels.entities))
