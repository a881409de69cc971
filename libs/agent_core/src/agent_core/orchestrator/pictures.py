"""A picture that came with the question: what it shows, and what a question that asks for that comes to. Pure."""

from collections.abc import Iterable

from agent_core.evidence import ALIKE, PICTURES_SOURCE, EntityRef, Evidence, RankedListEvidence
from agent_core.orchestrator.run import Run
from agent_core.schemas import AgentRequest, AnswerKind, QueryRewrite, StepStatus


def picture_rewrite(request: AgentRequest) -> QueryRewrite:
    """The rewrite of a question that asks what its picture shows."""
    return QueryRewrite(
        rewritten_query=request.query,
        needs_external_context=True,
        rationale="what the picture shows",
        answer_kind=AnswerKind.ENTITY,
        entity_types=request.entity_types,
        language=request.language or "en",
    )


def shown_in(run: Run) -> EntityRef | None:
    """What the picture shows, as far as one entity's picture is the likest."""
    entries = [entry for item in _seen(run.evidence.values()) for entry in item.entries]
    if not entries:
        return None
    entity = entries[0].entity
    return entity.model_copy(update={"name": run.name_of(entity) or entity.name})


def has_only_a_picture(run: Run) -> bool:
    """Whether the question names nothing and is answered by its picture: no step of a model can add to that."""
    return run.request.image_query is not None and not run.rewrite.mentions


def is_only_alike(evidence: Iterable[Evidence]) -> bool:
    """Whether evidence of an answer is a picture that is no more than similar."""
    return any(item.entries[0].reason == ALIKE for item in _seen(evidence))


def nothing_alike(run: Run) -> str:
    """The sentence for a picture that was looked for and is like none; empty otherwise."""
    looked = (each for each in run.outcomes if each.step.search_intent and each.step.search_intent.image_query)
    if all(each.status is not StepStatus.EMPTY for each in looked):
        return ""
    return "No picture in the catalogue looks like it."


def _seen(evidence: Iterable[Evidence]) -> list[RankedListEvidence]:
    lists = (item for item in evidence if isinstance(item, RankedListEvidence))
    return [item for item in lists if item.source == PICTURES_SOURCE and item.entries]
