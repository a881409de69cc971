"""Whether the query of a set question ran, and what its result fills."""

from collections.abc import Sequence

from datastore.vocabulary import WORK_TYPES

from agent_core.chain.watch_order import franchise_of, next_works
from agent_core.evidence import Evidence, QueryResultEvidence
from agent_core.protocols import Slot, StepOutcome
from agent_core.schemas import Action, AnswerKind, QueryRewrite, ResolvedMention, StepStatus
from agent_core.set_question import SetQuestion, SetTask

QUERY_SLOT = "query"
_QUERIED = (QUERY_SLOT, "search", "relation:", "field:")
_RAN = frozenset({StepStatus.OK, StepStatus.TRUNCATED, StepStatus.EMPTY})


def query_slot(question: SetQuestion, evidence: Sequence[Evidence], outcomes: Sequence[StepOutcome]) -> Slot:
    """The slot of a set question. A count of none is an answer; a list, an extreme or an average of none is absent."""
    ran = [outcome for outcome in outcomes if outcome.step.action is Action.GRAPH_QUERY and outcome.status in _RAN]
    found = [item for item in evidence if isinstance(item, QueryResultEvidence)]
    if not ran or not found:
        return Slot(QUERY_SLOT, "empty")
    if question.task is SetTask.WATCH_ORDER and next_works(franchise_of(found), queries=len(ran)):
        return Slot(QUERY_SLOT, "empty", tuple(item.id for item in found))
    holds = question.task is SetTask.COUNT or any(_says_something(question, item) for item in found)
    return Slot(QUERY_SLOT, "filled" if holds else "absent", tuple(item.id for item in found))


def queried(rewrite: QueryRewrite, slots: Sequence[Slot], evidence: Sequence[Evidence]) -> tuple[Slot, ...]:
    """The slots of a question that is none about a set, after the queries that a selector wrote itself.

    A count of what no relation leads to is for a query alone. Rows of a query may say any part that a search, a
    relation or a field was to bring; whether they do is for the judge of the draft. Paths, comparisons and names are
    never filled so.
    """
    is_count = rewrite.answer_kind is AnswerKind.COUNT
    if is_count and all(slot.name.startswith("mention:") for slot in slots):
        slots = (*slots, Slot(QUERY_SLOT, "empty"))
    rows = tuple(item.id for item in evidence if isinstance(item, QueryResultEvidence) and item.sample)
    return tuple(
        Slot(slot.name, "filled", (*slot.evidence_ids, *rows))
        if rows and slot.state == "empty" and slot.name.startswith(_QUERIED)
        else slot
        for slot in slots
    )


def _says_something(question: SetQuestion, item: QueryResultEvidence) -> bool:
    """Whether there is a row; of an average or a sum over everything, one whose figure is known."""
    if question.task not in (SetTask.AVERAGE, SetTask.TOTAL):
        return bool(item.sample)
    counted = item.columns.index("members") if "members" in item.columns else -1
    return any(row[counted] for row in item.sample)


def can_link(question: SetQuestion, resolved: Sequence[ResolvedMention]) -> bool:
    """Whether every name of a set question means an entity that its links can lead to, or fits several entities."""
    for link in question.links:
        mention = resolved[link.mention] if link.mention < len(resolved) else None
        if mention is None or (mention.chosen is None and not mention.is_ambiguous):
            return False
        if mention.chosen is not None and not link.leads_to(mention.chosen.entity.entity_type):
            return False
    return all(_is_work(resolved, index) for index in (*question.taste.liked, *question.taste.disliked))


def _is_work(resolved: Sequence[ResolvedMention], index: int) -> bool:
    """Whether a mention means a work, or nothing that is known: then the answer says so."""
    chosen = resolved[index].chosen if index < len(resolved) else None
    return chosen is None or chosen.entity.entity_type in WORK_TYPES
