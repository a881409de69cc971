"""Which questions need no model: those that the rules read to the last word and whose answer one read brings."""

from agent_core.languages import LANGUAGES
from agent_core.orchestrator.run import WHOLE_NAMES, Run
from agent_core.schemas import AgentRequest, AnswerKind, AskedField, QueryRewrite

_LOOKUPS = frozenset({AnswerKind.ENTITY, AnswerKind.RELATION, AnswerKind.LIST})

OBVIOUS = "an obvious lookup: every word was understood, and names are the catalogue's"
FIXED = "a fixed text answers it"
NOT_SURE = "not as obvious as it was read"


def is_obvious(ruled: QueryRewrite, request: AgentRequest) -> bool:
    """Whether a rule-based reading may stand without a model's: a fixed text, or fields or one relation of names."""
    if not ruled.needs_external_context:
        return ruled.fixed_answer is not None
    asks = bool(ruled.asked_fields or ruled.relations) and AskedField.UNSUPPORTED not in ruled.asked_fields
    return (
        ruled.is_whole
        and asks
        and bool(ruled.mentions)
        and len(ruled.relations) <= 1
        and ruled.answer_kind in _LOOKUPS
        and ruled.set_question is None
        and not (ruled.document_question is not None and ruled.document_question.is_explicit)
        and ruled.filters.is_empty
        and (request.language or ruled.language) in LANGUAGES
    )


def is_sure(run: Run) -> bool:
    """Whether what was read fills every part of the question, under names that are exactly the mentions.

    A name that fits several entities is asked back, which takes no model either.
    """
    names = all(mention.candidates and mention.candidates[0].match in WHOLE_NAMES for mention in run.resolved)
    return names and bool(run.resolved) and (run.is_ambiguous or not run.open_slots)
