"""The source selection stage on a model."""

from datastore.edges import DERIVED_EDGES, EdgeType

from agent_core.agents.conversion import to_next_step
from agent_core.agents.prompts import SELECT
from agent_core.agents.wire import SelectorInput, next_step_type
from agent_core.budget import Budget
from agent_core.context.graph_card import graph_card
from agent_core.context.labels import Labels
from agent_core.context.parts import Parts
from agent_core.context.retrieved_context import RetrievedContextProvider, view_cards
from agent_core.protocols import LoopView, StageCall, StageRunner, StepOutcome
from agent_core.schemas import Action, NextStep, StepStatus

_REFERENCE_CHARACTERS = 120


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
            context=RetrievedContextProvider(
                (*_graph_cards(view), *view_cards(view, labels), *_reference_cards(labels))
            ),
            input=SelectorInput(
                question=view.rewrite.rewritten_query,
                answer_kind=view.rewrite.answer_kind,
                actions=list(actions),
                missing=list(Parts(view, labels).missing),
                last_step_status=last.status if last else None,
                retry_rationale=view.retry_rationale or (_refusal(last) if last else None),
            ),
            output=next_step_type(
                actions, labels.entity_labels, tuple(labels.pieces), _edges(view), _references(labels)
            ),
        )
        wire = await self._runner.run(call, budget)
        return to_next_step(wire, labels, image_query=view.request.image_query)


def _actions(view: LoopView, labels: Labels) -> tuple[str, ...]:
    """The offered actions a model can fill, in a fixed order."""
    follow = (Action.FOLLOW_REFERENCES,) if labels.references else ()
    documents = (Action.DOCUMENT_SEARCH, Action.DOCUMENT_LOOKUP, *follow, Action.WEB_SEARCH)
    fillable = [Action.QDRANT_SEARCH, *documents, Action.PLAN, Action.FINAL]
    if view.graph is not None:
        fillable.insert(1, Action.GRAPH_QUERY)
    if labels.entities:
        fillable.insert(1, Action.PG_GRAPH)
    return tuple(action.value for action in fillable if action in view.offered_actions)


def _edges(view: LoopView) -> tuple[str, ...]:
    """The relations that the catalogue has, and those derived from them; all while it isn't known which it has."""
    if view.graph is None:
        return tuple(EdgeType)
    there = {each.name.casefold() for each in view.graph.relationships if each.count}
    return tuple(edge for edge in EdgeType if edge in there or edge in DERIVED_EDGES)


def _graph_cards(view: LoopView) -> tuple[str, ...]:
    if view.graph is None or Action.GRAPH_QUERY not in view.offered_actions:
        return ()
    types = [*view.rewrite.entity_types, *(each.chosen.entity.entity_type for each in view.resolved if each.chosen)]
    asked = " ".join((view.request.query, view.rewrite.rewritten_query, *types))
    return (f"GRAPH\n{graph_card(view.graph, asked, view.graph_tokens)}",)


def _references(labels: Labels) -> tuple[tuple[str, str], ...]:
    return tuple((label, each.type.value) for label, each in labels.targets.items())


def _reference_cards(labels: Labels) -> tuple[str, ...]:
    """What the evidence refers to, each with where it stands."""
    if not labels.references:
        return ()
    pieces = {chunk: label for label, chunk in labels.pieces.items()}
    lines = [
        f"{label} = {each.target[:_REFERENCE_CHARACTERS]} ({each.type}, in {pieces[each.chunk_id]})"
        for label, each in labels.targets.items()
        if each.chunk_id is not None
    ]
    return ("REFERENCES\n" + "\n".join(lines),)


def _refusal(last: StepOutcome) -> str | None:
    """Why the step before was refused, for the next one to do better."""
    return last.summary if last.status is StepStatus.REFUSED else None
