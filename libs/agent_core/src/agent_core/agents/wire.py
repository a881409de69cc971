"""What models fill: flat types whose docstrings and descriptions are prompt text, kept apart from the public schemas.

Every field is required and nullable instead of optional, there are no defaults, and the reason comes before the
choice: all providers' strict modes and llama.cpp's grammar take these, and small models fill them best. What a request
may refer to is a closed list of labels made for that call.
"""

from functools import lru_cache
from typing import Any, Literal

from atomic_agents import BaseIOSchema
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from pydantic import Field, create_model
from references.model import ReferenceType

from agent_core.document_contracts import SearchMode
from agent_core.schemas import AnswerKind, AskedField, FinalOutcome, GraphQueryType

FilterField = Literal["year", "season", "format", "status", "genre", "studio", "score", "source"]
FilterOp = Literal["is", "is_not", "any_of", "at_least", "at_most"]


# --- inputs ----------------------------------------------------------------------------------------------------


class QuestionInput(BaseIOSchema):
    """A question as a person asked it."""

    question: str = Field(description="The question, word for word.")
    language: str | None = Field(description="The language the answer should be in, when the caller named one.")


class SelectorInput(BaseIOSchema):
    """A question whose answer is still missing parts."""

    question: str = Field(description="The question in normal form.")
    answer_kind: str = Field(description="The shape of the answer.")
    actions: list[str] = Field(description="The actions that may be chosen now.")
    missing: list[str] = Field(description="Parts of the answer that nothing retrieved so far gives.")
    last_step_status: str | None = Field(description="How the step before this one ended.")
    retry_rationale: str | None = Field(description="Why another step is needed.")


class AnswerInput(BaseIOSchema):
    """A question to answer from the evidence."""

    question: str = Field(description="The question in normal form.")
    answer_kind: str = Field(description="The shape of the answer.")
    language: str = Field(description="The language to answer in.")


class JudgeInput(BaseIOSchema):
    """A question with a drafted answer."""

    question: str = Field(description="The question in normal form.")
    draft: str = Field(description="The drafted answer with its markers.")


# --- rewrite ---------------------------------------------------------------------------------------------------


class MentionWire(BaseIOSchema):
    """A name that stands in the question, or in an earlier turn that it leans on."""

    text: str = Field(description="The name exactly as it is written there, without added or corrected words.")
    entity_types: list[EntityType] = Field(description="What it can be, judged by the words around it; empty if open.")
    year: int | None = Field(description="A year that the question gives to tell namesakes apart.")
    within: str | None = Field(description="The work that the question says it belongs to.")


class RelationWire(BaseIOSchema):
    """One step from what is known to what is wanted."""

    edge: EdgeType = Field(description="The relation, read from the known side to the wanted side.")
    qualifier: str | None = Field(description="Role, kind or language that the relation must have, e.g. director.")
    entity_type: EntityType | None = Field(description="What the wanted side must be.")


class FilterWire(BaseIOSchema):
    """One condition that wanted entities must meet."""

    field: FilterField = Field(description="What is restricted.")
    op: FilterOp = Field(description="How; any_of takes several values with commas between them.")
    value: str = Field(description="The value, e.g. 2009, spring, movie, Action, 85.")


class QueryRewriteWire(BaseIOSchema):
    """The question in normal form, and what its answer must contain."""

    rationale: str = Field(description="One short sentence for the log. No chain of thought.")
    rewritten_query: str = Field(description="The question as one full sentence, in its own language.")
    needs_external_context: bool = Field(description="False only for a greeting or a question about this assistant.")
    fixed_answer: Literal["greeting", "abilities", "limits"] | None = Field(
        description="Only when nothing has to be looked up: a greeting, what this assistant can do, what it can't do."
    )
    answer_kind: AnswerKind = Field(description="The shape of the answer.")
    mentions: list[MentionWire] = Field(description="All names in the question, in order; empty if there are none.")
    concepts: list[str] = Field(description="Content words for a search by meaning, when the question describes.")
    asked_fields: list[AskedField] = Field(description="Properties of the named entities that are asked for.")
    relations: list[RelationWire] = Field(description="Steps from the first name to what is wanted, in order.")
    entity_types: list[EntityType] = Field(description="What the wanted entities must be; empty if open.")
    filters: list[FilterWire] = Field(description="Conditions that the wanted entities must meet.")
    top_k: int | None = Field(description="How many results are asked for, if the question says.")
    language: str = Field(description="Two-letter code of the language the question is in.")


# --- next step -------------------------------------------------------------------------------------------------


class SearchWire(BaseIOSchema):
    """A search by meaning in the index of descriptions."""

    entity_types: list[EntityType] = Field(description="What to look for; empty searches everything.")
    query: str | None = Field(description="What to search for, as a phrase; null to fetch exactly the given entities.")
    entities: list[str] = Field(description="Labels of entities to fetch; empty to search.")
    filters: list[FilterWire] = Field(description="Conditions that results must meet.")
    use_image: bool = Field(description="Whether to search with the image that came with the question.")
    top_k: int | None = Field(description="How many results to fetch, 1 to 50.")


class GraphWire(BaseIOSchema):
    """A walk along relations, or a comparison of two entities."""

    query_type: GraphQueryType = Field(description="neighbors: one step; k_hop: several; path and compare: two ends.")
    start: str = Field(description="Label of the entity to start from.")
    end: str | None = Field(description="Label of the other end; only for path and compare.")
    max_hops: int | None = Field(description="How many steps at most, 1 to 4.")
    edge_types: list[EdgeType] = Field(description="Relations to follow; empty follows all.")
    entity_types: list[EntityType] = Field(description="What results must be; empty if open.")
    qualifier: str | None = Field(description="Role, kind or language that the relation must have.")


class GraphQueryWire(BaseIOSchema):
    """A query over the whole catalogue, for lists by conditions, counts, extremes and what things have in common."""

    text: str = Field(
        description="One read-only openCypher query over the labels, properties and relationship types that the "
        "context shows. $n1 stands for the id of the entity labelled n1: MATCH (s:Studio {id: $n1}). Other values are "
        "written in conditions, none in RETURN. Return the id and the name of what is wanted, or its count."
    )


class DocumentWire(BaseIOSchema):
    """A search in the texts of documents."""

    query: str = Field(description="What to search for, as a phrase.")
    mode: SearchMode = Field(description="hybrid: usually; keyword: names and fixed terms; dense: only by meaning.")
    documents: list[str] = Field(description="Labels of documents to search in; empty searches all.")
    first_day: str | None = Field(description="Only documents dated from this day on, e.g. 2024-03-01.")
    last_day: str | None = Field(description="Only documents dated up to this day.")
    top_k: int | None = Field(description="How many pieces to fetch, 1 to 50.")


class LookupWire(BaseIOSchema):
    """A document to read, or one of its sections, or what stands around a piece of evidence. Give exactly one way."""

    document: str | None = Field(description="Label of the document.")
    name: str | None = Field(description="Name of a document that has no label.")
    around: str | None = Field(description="Label of the evidence to read on from, before and after it.")
    section: str | None = Field(description="Number or heading of the section; null reads the whole document.")


class FollowWire(BaseIOSchema):
    """References that stand in the evidence, to read on where they lead."""

    query: str = Field(description="What to look for there, as a phrase.")
    references: list[str] = Field(description="Labels of the references; empty follows all of the given types.")
    types: list[ReferenceType] = Field(description="Types of references to follow; empty follows any.")


class WebWire(BaseIOSchema):
    """A search on the web, for what no document here holds."""

    query: str = Field(description="What to search for, as a phrase.")


class PlannedStepWire(BaseIOSchema):
    """One of several steps that don't depend on each other."""

    action: str = Field(description="What to do.")
    search_intent: SearchWire | None = Field(description="Filled only when action is qdrant_search.")
    graph_intent: GraphWire | None = Field(description="Filled only when action is pg_graph.")


class PlannedDocumentStepWire(PlannedStepWire):
    """One of several steps that don't depend on each other."""

    document_intent: DocumentWire | None = Field(description="Filled only when action is document_search.")
    lookup_intent: LookupWire | None = Field(description="Filled only when action is document_lookup.")


class FinalWire(BaseIOSchema):
    """Why no further step is needed."""

    outcome: FinalOutcome = Field(description="enough: all is there; not_found: it isn't; ambiguous: a name fits many.")
    missing: list[str] = Field(description="What is still missing, in plain words.")


class NextStepWire(BaseIOSchema):
    """The one step to take now. Only the part that the action names is filled; all other parts are null."""

    rationale: str = Field(description="One short sentence for the log. No chain of thought.")
    action: str = Field(description="What to do.")
    search_intent: SearchWire | None = Field(description="Filled only when action is qdrant_search.")
    graph_intent: GraphWire | None = Field(description="Filled only when action is pg_graph.")
    graph_query_intent: GraphQueryWire | None = Field(description="Filled only when action is graph_query.")
    plan: list[PlannedStepWire] | None = Field(description="Two to four steps; filled only when action is plan.")
    final: FinalWire | None = Field(description="Filled only when action is final.")


class DocumentStepWire(NextStepWire):
    """The one step to take now. Only the part that the action names is filled; all other parts are null."""

    document_intent: DocumentWire | None = Field(description="Filled only when action is document_search.")
    lookup_intent: LookupWire | None = Field(description="Filled only when action is document_lookup.")
    web_intent: WebWire | None = Field(description="Filled only when action is web_search.")


class ReferenceStepWire(DocumentStepWire):
    """The one step to take now. Only the part that the action names is filled; all other parts are null."""

    follow_intent: FollowWire | None = Field(description="Filled only when action is follow_references.")


# --- draft and judgement ---------------------------------------------------------------------------------------


class SentenceWire(BaseIOSchema):
    """One sentence of the answer with the evidence that says it."""

    text: str = Field(description="Exactly one sentence, without markers. Names are written as the evidence has them.")
    evidence: list[str] = Field(description="Labels of the evidence that says all of this sentence.")


class DraftAnswerWire(BaseIOSchema):
    """An answer made of sentences that the evidence says."""

    rationale: str = Field(description="One short sentence for the log. No chain of thought.")
    sentences: list[SentenceWire] = Field(description="The answer, sentence by sentence; empty if evidence is missing.")
    result_entities: list[str] = Field(description="Labels of the entities that are the answer.")
    confidence: float = Field(description="From 0 to 1: how well the evidence covers the question.")


class SufficiencyReportWire(BaseIOSchema):
    """A judgement of a drafted answer."""

    rationale: str = Field(description="One short sentence for the log. No chain of thought.")
    sufficient: bool = Field(description="True only if the draft answers the whole question and the evidence says so.")
    missing: list[str] = Field(description="Parts of the question that the draft leaves open; empty if none.")
    suggested_next_action: Literal["qdrant_search", "pg_graph"] | None = Field(
        description="What might bring the missing parts, if anything."
    )


# --- types made for one call -----------------------------------------------------------------------------------


_PLANNABLE = frozenset({"qdrant_search", "pg_graph", "document_search", "document_lookup"})
_OF_DOCUMENTS = frozenset({"document_search", "document_lookup", "follow_references", "web_search"})


@lru_cache(maxsize=64)
def next_step_type(
    actions: tuple[str, ...],
    entity_labels: tuple[str, ...],
    piece_labels: tuple[str, ...] = (),
    edges: tuple[str, ...] = tuple(EdgeType),
    references: tuple[tuple[str, str], ...] = (),
) -> type[NextStepWire]:
    """NextStepWire that allows these actions, labels and relations only. Without labels nothing can be walked from.

    It is a DocumentStepWire where actions on documents are among them; `piece_labels` are the evidence in documents.
    With `references`, labels with their types, it is a ReferenceStepWire that can follow these.
    """
    search = _narrowed(SearchWire, entities=list[_label(entity_labels)])
    graph: Any = None
    if entity_labels:
        label = _literal(entity_labels)
        graph = _narrowed(GraphWire, start=label, end=label | None, edge_types=list[_literal(edges)])
    intents: dict[str, Any] = {"search_intent": search | None, "graph_intent": graph | None if graph else None}
    whole: dict[str, Any] = {"graph_query_intent": GraphQueryWire | None if "graph_query" in actions else None}
    step, planned = NextStepWire, PlannedStepWire
    if _OF_DOCUMENTS.intersection(actions):
        step, planned = DocumentStepWire, PlannedDocumentStepWire
        documents = _narrowed(DocumentWire, documents=list[_label(entity_labels)])
        lookup = _lookup_type(entity_labels, piece_labels)
        intents["document_intent"] = documents | None if "document_search" in actions else None
        intents["lookup_intent"] = lookup | None if "document_lookup" in actions else None
        whole["web_intent"] = WebWire | None if "web_search" in actions else None
        if "follow_references" in actions and references:
            step, whole["follow_intent"] = ReferenceStepWire, _follow_type(references) | None
    single = tuple(action for action in actions if action in _PLANNABLE)
    part = _narrowed(planned, action=_literal(single or ("final",)), **intents)
    return _narrowed(step, action=_literal(actions), **intents, **whole, plan=list[part] | None)


def _lookup_type(entity_labels: tuple[str, ...], piece_labels: tuple[str, ...]) -> Any:
    return _narrowed(
        LookupWire,
        document=_literal(entity_labels) | None if entity_labels else None,
        around=_literal(piece_labels) | None if piece_labels else None,
    )


def _follow_type(references: tuple[tuple[str, str], ...]) -> Any:
    labels, types = zip(*references, strict=True)
    return _narrowed(FollowWire, references=list[_literal(labels)], types=list[_literal(tuple(dict.fromkeys(types)))])


@lru_cache(maxsize=64)
def draft_answer_type(evidence_labels: tuple[str, ...], entity_labels: tuple[str, ...]) -> type[DraftAnswerWire]:
    """DraftAnswerWire that can cite these labels only."""
    sentence = _narrowed(SentenceWire, evidence=list[_literal(evidence_labels)])
    return _narrowed(DraftAnswerWire, sentences=list[sentence], result_entities=list[_label(entity_labels)])


def _label(values: tuple[str, ...]) -> Any:
    """One of the labels; the empty text where there is none."""
    return _literal(values or ("",))


def _literal(values: tuple[str, ...]) -> Any:
    return Literal[values]


def _narrowed[Wire: BaseIOSchema](wire: type[Wire], **types: Any) -> type[Wire]:
    """A subclass with the same name, prose and field order whose given fields allow less."""
    fields: dict[str, Any] = {
        name: (allowed, Field(description=wire.model_fields[name].description)) for name, allowed in types.items()
    }
    return create_model(wire.__name__, __base__=wire, __doc__=wire.__doc__, __module__=wire.__module__, **fields)
