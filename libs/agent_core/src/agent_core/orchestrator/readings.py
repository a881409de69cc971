"""Readings of one question: of documents, of a whole set where it can be asked, of names and descriptions."""

from dataclasses import dataclass

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_core.chain import can_link
from agent_core.document_contracts import DocumentQuestion
from agent_core.orchestrator.run import Accepted, Run
from agent_core.protocols import Slot
from agent_core.schemas import Action, AnswerKind, QueryRewrite, ResolvedMention, SearchFilters
from agent_core.set_question import SetTask

_BETWEEN_DOCUMENTS = frozenset(
    {
        EdgeType.REFERENCES,
        EdgeType.REFERENCED_BY,
        EdgeType.REQUIRES,
        EdgeType.REQUIRED_BY,
        EdgeType.SUPERSEDES,
        EdgeType.SUPERSEDED_BY,
    }
)


def take_reading(run: Run, rewrite: QueryRewrite) -> None:
    """Let the run go by the question of documents if that is explicit, else by the set question, where either can be
    asked. The other readings are kept for `give_up_set` and `turn_to_documents`.
    """
    asked = rewrite.document_question if Action.DOCUMENT_SEARCH in run.offered else None
    if rewrite.document_question is not None:
        rewrite = rewrite.model_copy(update={"document_question": None})
    run.document_reading = _of_documents(rewrite, asked) if asked is not None else None
    is_explicit = asked is not None and asked.is_explicit and not _asks_of_edges(run, rewrite, asked)
    if is_explicit and run.document_reading is not None:
        run.rewrite, run.document_reading = run.document_reading, None
        return
    is_plain = rewrite.set_question is None and not rewrite.set_mentions
    plain = rewrite if is_plain else rewrite.model_copy(update={"set_question": None, "set_mentions": ()})
    run.rewrite, run.other_reading = plain, None
    if rewrite.set_question is None or Action.GRAPH_QUERY not in run.offered:
        return
    run.other_reading = plain
    run.rewrite = rewrite.model_copy(
        update={
            "answer_kind": AnswerKind.RECOMMENDATION
            if rewrite.set_question.task is SetTask.RECOMMENDATION
            else AnswerKind.LIST,
            "mentions": rewrite.set_mentions,
            "set_mentions": (),
            "relations": (),
            "asked_fields": (),
            "concepts": (),
            "filters": SearchFilters(),
            "date_range": None,
            "max_hops": None,
        }
    )


def _asks_of_edges(run: Run, rewrite: QueryRewrite, asked: DocumentQuestion) -> bool:
    """Whether the question is what documents say of each other as wholes, which the catalogue's edges answer first."""
    return (
        Action.PG_GRAPH in run.offered
        and not (run.request.collections or asked.follows or asked.dates)
        and bool(rewrite.mentions and rewrite.relations)
        and all(relation.edge in _BETWEEN_DOCUMENTS for relation in rewrite.relations)
    )


def _of_documents(rewrite: QueryRewrite, asked: DocumentQuestion) -> QueryRewrite:
    return QueryRewrite(
        rewritten_query=rewrite.rewritten_query,
        needs_external_context=True,
        rationale="a question of documents",
        answer_kind=AnswerKind.DOCUMENT,
        concepts=asked.asked[:10],
        language=rewrite.language,
        document_question=asked,
    )


@dataclass(frozen=True, slots=True)
class SetAside:
    """What a run had come to by one reading, to go back to when another brings no answer."""

    rewrite: QueryRewrite
    resolved: tuple[ResolvedMention, ...]
    slots: tuple[Slot, ...]
    accepted: Accepted | None
    retry_rationale: str

    def take_back(self, run: Run) -> None:
        """Let the run stand where it stood."""
        run.rewrite, run.resolved, run.slots = self.rewrite, self.resolved, self.slots
        run.accepted, run.retry_rationale = self.accepted, self.retry_rationale


def turn_to_documents(run: Run) -> SetAside | None:
    """Take the reading of documents for a question whose answer is not in the catalogue; what is set aside by it.

    None where there is no such reading, where the catalogue answers, or where a document is named that isn't there.
    """
    reading, run.document_reading = run.document_reading, None
    # What texts say in passing of a document that isn't there is no word of its own.
    if (
        reading is None
        or absent_documents(run)
        or (run.accepted is not None and run.accepted.is_sufficient and not _is_refusal(run))
    ):
        return None
    aside = SetAside(run.rewrite, run.resolved, run.slots, run.accepted, run.retry_rationale)
    run.rewrite, run.resolved, run.slots, run.accepted = _of_entity(reading, run), (), (), None
    run.idle_turns, run.empty_steps, run.retry_rationale = 0, 0, ""
    run.drafted_from = frozenset(run.evidence)
    return aside


def _of_entity(reading: QueryRewrite, run: Run) -> QueryRewrite:
    """The reading of documents, held to one sentence where a relation of one was asked that the catalogue knows."""
    is_known = bool(run.resolved) and all(each.chosen is not None for each in run.resolved)
    if reading.document_question is None or not is_known or not run.rewrite.relations:
        return reading
    question = reading.document_question.model_copy(update={"is_of_entity": True})
    return reading.model_copy(update={"document_question": question})


def absent_documents(run: Run) -> tuple[str, ...]:
    """The documents that the question names by number and no collection holds."""
    return tuple(
        each.mention.text
        for each in run.resolved
        if each.mention.entity_types == (EntityType.DOCUMENT,) and not each.candidates
    )


def _is_refusal(run: Run) -> bool:
    """Whether what was asked is proven not to be in the catalogue."""
    wanted = [slot for slot in run.slots if not slot.name.startswith("mention:")]
    return bool(wanted) and all(slot.state == "absent" for slot in wanted)


def give_up_set(run: Run) -> bool:
    """Take the other reading when a name is none that the set question can link to; says whether it was taken."""
    question = run.rewrite.set_question
    if question is None or run.other_reading is None or can_link(question, run.resolved):
        return False
    run.rewrite, run.other_reading, run.resolved = run.other_reading, None, ()
    return True
