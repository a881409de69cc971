"""Proposed steps, checked before anything runs: coherent, offered, inside the request, and in normal form. Pure."""

import hashlib
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cache
from typing import cast
from uuid import UUID

from datastore.folding import fold
from datastore.vocabulary import EntityType
from pydantic import BaseModel

from agent_core.document_contracts import DocumentIntent, FollowIntent, LookupIntent
from agent_core.evidence import EntityRef
from agent_core.schemas import (
    MAX_FANOUT,
    MAX_HOPS,
    MAX_RESULTS,
    Action,
    AgentRequest,
    GraphIntent,
    GraphLimits,
    GraphQueryType,
    NextStep,
    PlannedStep,
    SearchIntent,
)

MAX_PLANNED, MIN_PLANNED = 4, 2
Keys = frozenset[tuple[EntityType, UUID]]

_INTENT_FIELD: dict[Action, str] = {
    Action.QDRANT_SEARCH: "search_intent",
    Action.PG_GRAPH: "graph_intent",
    Action.GRAPH_QUERY: "graph_query_intent",
    Action.DOCUMENT_SEARCH: "document_intent",
    Action.DOCUMENT_LOOKUP: "lookup_intent",
    Action.FOLLOW_REFERENCES: "follow_intent",
    Action.WEB_SEARCH: "web_intent",
    Action.PLAN: "plan",
    Action.FINAL: "final",
}
_EMPTY: dict[str, object] = {field: () if field == "plan" else None for field in _INTENT_FIELD.values()}


_ADDED = frozenset({"started"})
"""Fields that intents have got since digests were kept: told where they say something, so that they stay."""

_WORDING = frozenset({"rationale", "reason"})
_NAME = frozenset({"name"})


class StepRefused(Exception):
    """A proposal that will not run. `reason` is for the trace and for the next selection."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What a step of this run may ask for."""

    request: AgentRequest
    entities: Keys
    chunks: Set[UUID]


def checked(
    step: NextStep,
    *,
    offered: frozenset[Action],
    request: AgentRequest,
    known: Iterable[EntityRef],
    known_chunks: Set[UUID] = frozenset(),
) -> NextStep:
    """The step with only the intent that its action names, brought inside the request's bounds. Raises StepRefused.

    Stray intents are dropped. `known` are the entities of this run and `known_chunks` its pieces of documents: no step
    may start from others.
    """
    if step.action not in offered:
        raise StepRefused(f"{step.action} is not offered")
    field = _INTENT_FIELD[step.action]
    repaired = step.model_copy(update={**_EMPTY, field: getattr(step, field)})
    if not getattr(repaired, field):
        raise StepRefused(f"{step.action} without its intent")
    bounds = _Bounds(request, frozenset(ref.key for ref in known), known_chunks)
    if repaired.action is Action.PLAN:
        return repaired.model_copy(update={"plan": _checked_plan(repaired, offered, bounds)})
    return repaired.model_copy(update=_checked_intents(repaired, bounds))


def single_steps(step: NextStep) -> tuple[NextStep, ...]:
    """The step itself, or the steps of its plan, each as a step of its own."""
    if step.action is not Action.PLAN:
        return (step,)
    return tuple(
        NextStep(
            action=planned.action,
            rationale=step.rationale,
            search_intent=planned.search_intent,
            graph_intent=planned.graph_intent,
            document_intent=planned.document_intent,
            lookup_intent=planned.lookup_intent,
        )
        for planned in step.plan
    )


def digest(step: NextStep) -> str:
    """A short hash of what the step would do: the same for two steps that differ in wording, order or reason only."""
    intent = getattr(step, _INTENT_FIELD[step.action])
    body = _normal(intent) if isinstance(intent, BaseModel) else repr(intent)
    return hashlib.sha256(f"{step.action}\n{body}".encode()).hexdigest()[:12]


def subject(step: NextStep, start_name: str | None = None, *, asked: str = "") -> str:
    """What a step looks for, in words for the list of what was searched.

    People read that list, so of a search's words it repeats those that `asked`, the question, holds too; of a model's
    query nothing at all.
    """
    if step.search_intent is not None:
        where = ", ".join(step.search_intent.entity_types) or "all types"
        if step.search_intent.image_query is not None:
            return f"pictures of {where}"
        what = _said_in(asked, step.search_intent.query) if step.search_intent.query else "given entities"
        return f"descriptions of {where}: {what}"
    if step.graph_intent is not None:
        edges = ", ".join(step.graph_intent.edge_types) or "all relations"
        start = start_name or f"one {step.graph_intent.start.entity_type}"
        return f"{step.graph_intent.query_type} from {start}: {edges}"
    if step.graph_query_intent is not None:
        is_ours = not step.graph_query_intent.by_model
        return f"the whole catalogue: {step.graph_query_intent.reason if is_ours else 'a query for this question'}"
    if step.document_intent is not None:
        return _document_subject(step.document_intent, asked)
    if step.lookup_intent is not None:
        name = step.lookup_intent.name
        return f"the document {_said_in(asked, name) if name else 'of a passage'}"
    if step.follow_intent is not None:
        return f"what the passages refer to: {_said_in(asked, step.follow_intent.query)}"
    if step.web_intent is not None:
        return f"the web: {_said_in(asked, step.web_intent.query)}"
    return step.action


def _said_in(asked: str, query: str) -> str:
    known = set(fold(asked).split())
    words = [word for word in query.split() if set(fold(word).split()) <= known]
    return f"'{' '.join(words)}'" if words else "words like those of the question"


def _document_subject(intent: DocumentIntent, asked: str) -> str:
    where = ", ".join(intent.collections) or ("given documents" if intent.documents else "all documents")
    days = intent.dates
    when = f", {days.first or '…'} to {days.last or '…'}" if days else ""
    return f"{where}{when}: {_said_in(asked, intent.query)} ({intent.mode})"


def _checked_intents(step: NextStep | PlannedStep, bounds: _Bounds) -> dict[str, object]:
    """The step's intent, under the name of its field; none of an action that needs no check."""
    if step.search_intent is not None:
        return {"search_intent": _checked_search(step.search_intent, bounds.request)}
    if step.graph_intent is not None:
        return {"graph_intent": _checked_graph(step.graph_intent, bounds.entities)}
    if step.document_intent is not None:
        return {"document_intent": _checked_documents(step.document_intent, bounds)}
    if step.lookup_intent is not None:
        return {"lookup_intent": _checked_lookup(step.lookup_intent, bounds)}
    if isinstance(step, NextStep) and step.follow_intent is not None:
        return {"follow_intent": _checked_following(step.follow_intent, bounds)}
    return {}


def _checked_plan(step: NextStep, offered: frozenset[Action], bounds: _Bounds) -> tuple[PlannedStep, ...]:
    if not MIN_PLANNED <= len(step.plan) <= MAX_PLANNED:
        raise StepRefused(f"a plan has {MIN_PLANNED} to {MAX_PLANNED} steps")
    planned: list[PlannedStep] = []
    for part in step.plan:
        if part.action not in offered:
            raise StepRefused(f"{part.action} is not offered")
        field = _INTENT_FIELD[part.action]
        alone = PlannedStep.model_validate({"action": part.action, field: getattr(part, field)})
        intents = _checked_intents(alone, bounds)
        if not intents:
            raise StepRefused(f"{part.action} without its intent")
        planned.append(alone.model_copy(update=intents))
    return tuple(planned)


def _checked_search(intent: SearchIntent, request: AgentRequest) -> SearchIntent:
    has_image = intent.image_query is not None
    if has_image and intent.image_query != request.image_query:
        raise StepRefused("an image that did not come with the question")
    if not intent.query and not has_image and intent.filters.is_empty:
        raise StepRefused("a search for nothing")
    if not request.entity_types:
        return intent
    allowed = tuple(t for t in request.entity_types if not intent.entity_types or t in intent.entity_types)
    if not allowed:
        raise StepRefused("entity types that the request leaves out")
    return intent.model_copy(update={"entity_types": allowed})


def _checked_graph(intent: GraphIntent, keys: Keys) -> GraphIntent:
    if any(ref is not None and ref.key not in keys for ref in (intent.start, intent.end)):
        raise StepRefused("an entity that this run has not seen")
    limits = GraphLimits(
        max_results=min(intent.limits.max_results, MAX_RESULTS),
        max_fanout_per_hop=min(intent.limits.max_fanout_per_hop, MAX_FANOUT),
    )
    needs_end = intent.query_type in (GraphQueryType.PATH, GraphQueryType.COMPARE)
    return intent.model_copy(
        update={
            "max_hops": min(intent.max_hops, MAX_HOPS),
            "limits": limits,
            "end": intent.end if needs_end else None,
        }
    )


def _checked_documents[T: (DocumentIntent, FollowIntent)](intent: T, bounds: _Bounds) -> T:
    if any((EntityType.DOCUMENT, each) not in bounds.entities for each in intent.documents):
        raise StepRefused("a document that this run has not seen")
    asked = bounds.request.collections
    if not asked:
        return intent
    allowed = tuple(each for each in asked if not intent.collections or each in intent.collections)
    if not allowed:
        raise StepRefused("collections that the request leaves out")
    return intent.model_copy(update={"collections": allowed})


def _checked_following(intent: FollowIntent, bounds: _Bounds) -> FollowIntent:
    if not bounds.chunks >= set(intent.chunks):
        raise StepRefused("a passage that this run has not seen")
    return _checked_documents(intent, bounds)


def _checked_lookup(intent: LookupIntent, bounds: _Bounds) -> LookupIntent:
    is_unseen = intent.document is not None and intent.document.key not in bounds.entities
    if is_unseen or (intent.chunk_id is not None and intent.chunk_id not in bounds.chunks):
        raise StepRefused("a document that this run has not seen")
    return intent


def _normal(intent: BaseModel) -> str:
    return _fields_text(intent, _WORDING)


def _fields_text(value: BaseModel, left_out: frozenset[str]) -> str:
    """The fields of a value in the order of their names, without those that are left out."""
    fields: Mapping[str, object] = vars(value)
    told = _told_fields(type(value), left_out)
    return repr(
        [
            (name, text if fields[name] is default else _text_of(fields[name]))
            for name, default, text in told
            if name not in _ADDED or fields[name] is not default
        ]
    )


@cache
def _told_fields(contract: type[BaseModel], left_out: frozenset[str]) -> tuple[tuple[str, object, str], ...]:
    """The fields of a contract in the order of their names, each with its default and the text of that.

    Most fields of a step hold their default, and a field without one holds nothing that is this one.
    """
    defaults = {name: field.default for name, field in contract.model_fields.items() if name not in left_out}
    return tuple((name, default, _text_of(default)) for name, default in sorted(defaults.items()))


def _text_of(value: object) -> str:
    """A value whose order and wording no longer matter: keys and lists sorted, text folded, names of entities gone."""
    match value:
        case None | bool() | int() | float():
            return repr(value)
        case str():
            return repr(" ".join(value.casefold().split()))
        case BaseModel():
            return _fields_text(value, _NAME)
        case tuple() | list():
            return repr(sorted(map(_text_of, cast(Iterable[object], value))))
        case dict():
            parts = cast(dict[str, object], value)
            return repr(sorted((key, _text_of(part)) for key, part in parts.items() if key != "name"))
        case _:
            return repr(str(value))
