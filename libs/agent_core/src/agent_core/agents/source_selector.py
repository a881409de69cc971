"""The source selection stage on a model."""

from agent_core.agents.conversion import to_next_step
from agent_core.agents.prompts import SELECT
from agent_core.agents.wire import SelectorInput, next_step_type
from agent_core.budget import Budget
from agent_core.context.labels import Labels
from agent_core.context.retrieved_context import RetrievedContextProvider, view_cards
from agent_core.protocols import LoopView, StageCall, StageRunner
from agent_core.schemas import Action, NextStep


class ModelSourceSelector:
    """Chooses one bounded step with one model call; what it may name is a closed list made for the call."""

    def __init__(self, runner: StageRunner) -> None:
        self._runner = runner

    async def run(self, view: LoopView, budget: Budget) -> NextStep:
        """Raises StageFailed, BudgetExhausted, IntentRefused for a filter that can't be built."""
        labels = Labels.of(view)
        actions = _actions(view, labels)
        last = view.outcomes[-1] if view.outcomes else None
        call = StageCall(
            stage="source_selector",
            prompt=SELECT,
            context=RetrievedContextProvider(view_cards(view, labels)),
            input=SelectorInput(
                question=view.rewrite.rewritten_query,
                answer_kind=view.rewrite.answer_kind,
                actions=list(actions),
                missing=[slot.name for slot in view.slots if slot.state == "empty"],
                last_step_status=last.status if last else None,
                retry_rationale=view.retry_rationale or None,
            ),
            output=next_step_type(actions, labels.entity_labels),
        )
        wire = await self._runner.run(call, budget)
        return to_next_step(wire, labels, image_query=view.request.image_query)


def _actions(view: LoopView, labels: Labels) -> tuple[str, ...]:
    """The offered actions a model can fill, in a fixed order."""
    fillable = [Action.QDRANT_SEARCH, Action.PLAN, Action.FINAL]
    if labels.entities:
        fillable.insert(1, Action.PG_GRAPH)
    return tuple(action.value for action in fillable if action in view.offered_actions)
