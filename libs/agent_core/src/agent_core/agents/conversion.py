"""Wire types to public schemas: labels become ids, stray parts fall away, numbers are brought into range."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from datastore.edges import EdgeType
from datastore.folding import fold
from datastore.vocabulary import EntityType, Season, WorkFormat, WorkSource, WorkStatus
from pydantic import ValidationError

from agent_core.agents.wire import (
    DocumentStepWire,
    DocumentWire,
    DraftAnswerWire,
    FilterWire,
    FollowWire,
    GraphQueryWire,
    GraphWire,
    LookupWire,
    NextStepWire,
    PlannedDocumentStepWire,
    PlannedStepWire,
    QueryRewriteWire,
    ReferenceStepWire,
    SearchWire,
    SentenceWire,
    SufficiencyReportWire,
)
from agent_core.context.labels import Labels
from agent_core.document_contracts import DateSpan, DocumentIntent, FollowIntent, LookupIntent
from agent_core.errors import IntentRefused
from agent_core.evidence import EntityRef
from agent_core.grounding.links import without_links
from agent_core.grounding.sentences import NameFinder, sentences
from agent_core.schemas import (
    MAX_HOPS,
    MAX_TOP_K,
    Action,
    AskedRelation,
    DateRange,
    DraftAnswer,
    FinalIntent,
    GraphFilters,
    GraphIntent,
    GraphQueryIntent,
    GraphQueryType,
    Mention,
    NextStep,
    PlannedStep,
    QueryRewrite,
    SearchFilters,
    SearchIntent,
    SufficiencyReport,
    WebIntent,
)

_MAX_MENTIONS = 8
_MAX_LIST = 16
_DEFAULT_TOP_K = 10
_DEFAULT_HOPS = 3
_MAX_QUERY = 8_000
_NEIGHBOURS = 2
_FOLLOW_DEPTH = 2
_LABEL_PARAMETER = re.compile(r"\$(n\d+)\b")
_BRACKETED = re.compile(r"\s*[\[［【]\s*[en]?\d[\d\s,;–-]*[\]］】]")


def to_rewrite(wire: QueryRewriteWire, *, question: str, earlier: Sequence[EntityRef] = ()) -> QueryRewrite:
    """The public rewrite; a name of `earlier` that the question doesn't say means that entity, the first of that name.

    Raises IntentRefused for a filter that can't be built.
    """
    filters = build_filters(wire.filters)
    is_fixed = not wire.needs_external_context and wire.fixed_answer is not None
    rewritten = without_links(wire.rewritten_query.strip(), is_allowed=question.__contains__)
    return QueryRewrite(
        rewritten_query=rewritten[:2_000] or question,
        needs_external_context=not is_fixed,
        rationale=_reason(wire.rationale),
        answer_kind=wire.answer_kind,
        mentions=tuple(_mentions(wire, question, earlier)),
        concepts=tuple(concept.strip()[:100] for concept in wire.concepts if concept.strip())[:_MAX_LIST],
        asked_fields=tuple(dict.fromkeys(wire.asked_fields)),
        relations=tuple(
            AskedRelation(edge=relation.edge, qualifier=relation.qualifier or None, entity_type=relation.entity_type)
            for relation in wire.relations[:MAX_HOPS]
        ),
        entity_types=tuple(dict.fromkeys(wire.entity_types)),
        filters=filters,
        date_range=filters.years,
        top_k=_clamp(wire.top_k, _DEFAULT_TOP_K, MAX_TOP_K),
        language=wire.language.strip()[:16] or "en",
        fixed_answer=wire.fixed_answer if is_fixed else None,
    )


def to_next_step(wire: NextStepWire, labels: Labels, *, image_query: str | None) -> NextStep:
    """The public step with the intent that its action names and no other. Raises IntentRefused for a bad filter.

    An intent that is missing or has no end stays missing: the orchestrator refuses such a step.
    """
    action = Action(wire.action)
    search = wire.search_intent if action is Action.QDRANT_SEARCH else None
    graph = wire.graph_intent if action is Action.PG_GRAPH else None
    query = wire.graph_query_intent if action is Action.GRAPH_QUERY else None
    of_documents = wire if isinstance(wire, DocumentStepWire) else None
    documents = of_documents.document_intent if of_documents and action is Action.DOCUMENT_SEARCH else None
    lookup = of_documents.lookup_intent if of_documents and action is Action.DOCUMENT_LOOKUP else None
    follow = wire.follow_intent if isinstance(wire, ReferenceStepWire) and action is Action.FOLLOW_REFERENCES else None
    web = of_documents.web_intent if of_documents and action is Action.WEB_SEARCH else None
    final = wire.final if action is Action.FINAL else None
    return NextStep(
        action=action,
        rationale=_reason(wire.rationale),
        search_intent=_search(search, labels, image_query, wire.rationale) if search else None,
        graph_intent=_graph(graph, labels, wire.rationale) if graph else None,
        graph_query_intent=_graph_query(query, labels, wire.rationale) if query else None,
        document_intent=_documents(documents, labels, wire.rationale) if documents else None,
        lookup_intent=_lookup(lookup, labels, wire.rationale) if lookup else None,
        follow_intent=_follow(follow, labels, wire.rationale) if follow else None,
        web_intent=WebIntent(query=web.query.strip()[:400]) if web and web.query.strip() else None,
        plan=_plan(wire, labels, image_query) if action is Action.PLAN else (),
        final=FinalIntent(outcome=final.outcome, missing=_parts(final.missing)) if final else None,
    )


def to_draft(wire: DraftAnswerWire, labels: Labels, names: Iterable[str]) -> DraftAnswer:
    """The public draft: every sentence ends with the markers of its evidence, numbered in the order of first use."""
    evidence_ids: dict[str, None] = {}
    for sentence in wire.sentences:
        evidence_ids.update((labels.evidence_ids[label], None) for label in sentence.evidence)
    order = list(evidence_ids)
    finder = NameFinder(names)
    parts = [part for sentence in wire.sentences for part in _marked(sentence, labels, order, finder)]
    return DraftAnswer(
        answer=" ".join(parts),
        evidence_ids=tuple(order),
        result_entities=tuple(labels.refs[label] for label in dict.fromkeys(wire.result_entities)),
        confidence=min(1.0, max(0.0, wire.confidence)) if wire.confidence == wire.confidence else 0.0,
    )


def to_report(wire: SufficiencyReportWire) -> SufficiencyReport:
    """The public report. A report that names missing parts is not sufficient, whatever else it says."""
    missing = _parts(wire.missing)
    suggested = Action(wire.suggested_next_action) if wire.suggested_next_action else None
    return SufficiencyReport(
        sufficient=wire.sufficient and not missing,
        rationale=_reason(wire.rationale),
        missing=missing,
        suggested_next_action=suggested,  # pyright: ignore[reportArgumentType] - narrowed by the wire's own Literal
    )


def build_filters(wires: Sequence[FilterWire]) -> SearchFilters:
    """Typed filters. Raises IntentRefused naming the filter that can't be built; nothing is dropped in silence."""
    values: dict[str, Any] = {}
    years: dict[str, int] = {}
    for wire in wires:
        if wire.field == "year":
            years.update(_years(wire))
        elif wire.field == "genre":
            key = {"is": "genres_all", "any_of": "genres_any", "is_not": "genres_none"}.get(wire.op)
            if key is None:
                raise _refused(wire)
            values[key] = (*values.get(key, ()), *_list(wire.value))
        else:
            values.update(_single(wire))
    try:
        return SearchFilters(years=DateRange(**years) if years else None, **values)
    except ValidationError:
        raise IntentRefused("filters", "a value is out of range") from None


def _reason(rationale: str) -> str:
    """A model's reason as the trace shows it to people."""
    return without_links(rationale)[:300]


def _parts(missing: Sequence[str]) -> tuple[str, ...]:
    """What a model says is missing, as callers are told."""
    return tuple(without_links(part.strip())[:200] for part in missing if part.strip())[:_MAX_LIST]


def _mentions(wire: QueryRewriteWire, question: str, earlier: Sequence[EntityRef]) -> Iterable[Mention]:
    seen: set[str] = set()
    for mention in wire.mentions:
        text = without_links(mention.text.strip())[:300]
        if text and text.casefold() not in seen and len(seen) < _MAX_MENTIONS:
            seen.add(text.casefold())
            yield Mention(
                text=text,
                entity_types=tuple(dict.fromkeys(mention.entity_types)),
                year=mention.year,
                within=(mention.within or "").strip()[:300] or None,
                entity=None if fold(text) in fold(question) else _of_name(text, mention.entity_types, earlier),
            )


def _of_name(text: str, types: Sequence[EntityType], earlier: Sequence[EntityRef]) -> EntityRef | None:
    bearers = [ref for ref in earlier if ref.name is not None and fold(ref.name) == fold(text)]
    return next((ref for ref in bearers if not types or ref.entity_type in types), next(iter(bearers), None))


def _search(wire: SearchWire, labels: Labels, image_query: str | None, rationale: str) -> SearchIntent | None:
    ids = tuple(labels.refs[label].id for label in dict.fromkeys(wire.entities))
    query = (wire.query or "").strip()[:2_000] or None
    image = image_query if wire.use_image else None
    if not ids and query is None and image is None:
        return None
    return SearchIntent(
        rationale=_reason(rationale),
        entity_types=tuple(dict.fromkeys(wire.entity_types)),
        query=query,
        image_query=image,
        filters=build_filters(wire.filters).model_copy(update={"ids": ids}),
        top_k=_clamp(wire.top_k, _DEFAULT_TOP_K, MAX_TOP_K),
    )


def _graph(wire: GraphWire, labels: Labels, rationale: str) -> GraphIntent | None:
    needs_end = wire.query_type in (GraphQueryType.PATH, GraphQueryType.COMPARE)
    if needs_end and wire.end is None:
        return None
    return GraphIntent(
        rationale=_reason(rationale),
        query_type=wire.query_type,
        start=labels.refs[wire.start],
        end=labels.refs[wire.end] if needs_end and wire.end else None,
        max_hops=_clamp(wire.max_hops, _DEFAULT_HOPS, MAX_HOPS),
        edge_types=tuple(map(EdgeType, dict.fromkeys(wire.edge_types))),
        filters=GraphFilters(
            entity_types=tuple(dict.fromkeys(wire.entity_types)), qualifier=(wire.qualifier or "").strip() or None
        ),
    )


def _graph_query(wire: GraphQueryWire, labels: Labels, rationale: str) -> GraphQueryIntent:
    """The query with the ids of the entities that it names by label. A text beyond the limit is cut, and so refused."""
    named = dict.fromkeys(_LABEL_PARAMETER.findall(wire.text))
    return GraphQueryIntent(
        text=wire.text[:_MAX_QUERY],
        parameters={label: str(labels.refs[label].id) for label in named if label in labels.refs},
        reason=_reason(rationale),
        by_model=True,
    )


def _documents(wire: DocumentWire, labels: Labels, rationale: str) -> DocumentIntent | None:
    query = wire.query.strip()[:2_000]
    if not query:
        return None
    return DocumentIntent(
        rationale=rationale[:300],
        query=query,
        mode=wire.mode,
        documents=tuple(labels.refs[label].id for label in dict.fromkeys(wire.documents)),
        dates=_span(wire),
        top_k=_clamp(wire.top_k, _DEFAULT_TOP_K, MAX_TOP_K),
        expand=True,
    )


def _span(wire: DocumentWire) -> DateSpan | None:
    """Raises IntentRefused for a day that is none, and for a span that ends before it begins."""
    try:
        first, last = (date.fromisoformat(day) if day else None for day in (wire.first_day, wire.last_day))
        return DateSpan(first=first, last=last) if first or last else None
    except ValueError:
        raise IntentRefused("dates", "two days such as 2024-03-01, in their order") from None


def _lookup(wire: LookupWire, labels: Labels, rationale: str) -> LookupIntent | None:
    """The first way that is given; None where none is."""
    section = (wire.section or "").strip()[:300] or None
    if wire.document is not None:
        return LookupIntent(rationale=rationale[:300], document=labels.refs[wire.document], section=section)
    if wire.name is not None and wire.name.strip():
        return LookupIntent(rationale=rationale[:300], name=wire.name.strip()[:300], section=section)
    chunk = labels.pieces.get(wire.around or "")
    return LookupIntent(rationale=rationale[:300], chunk_id=chunk, neighbours=_NEIGHBOURS) if chunk else None


def _follow(wire: FollowWire, labels: Labels, rationale: str) -> FollowIntent | None:
    """The references that are named, else all of the given types."""
    named = [labels.targets[label] for label in dict.fromkeys(wire.references)]
    meant = named or [each for each in labels.references if not wire.types or each.type in wire.types]
    query = wire.query.strip()[:2_000]
    if not query or not meant:
        return None
    return FollowIntent(
        rationale=rationale[:300],
        query=query,
        chunks=tuple(dict.fromkeys(each.chunk_id for each in meant if each.chunk_id is not None)),
        targets=tuple(dict.fromkeys(each.target for each in meant)),
        depth=_FOLLOW_DEPTH,
    )


def _plan(wire: NextStepWire, labels: Labels, image_query: str | None) -> tuple[PlannedStep, ...]:
    steps = (_planned(step, labels, image_query, wire.rationale) for step in wire.plan or ())
    return tuple(step for step in steps if step is not None)


def _planned(wire: PlannedStepWire, labels: Labels, image_query: str | None, rationale: str) -> PlannedStep | None:
    if wire.action == Action.QDRANT_SEARCH and wire.search_intent:
        search = _search(wire.search_intent, labels, image_query, rationale)
        return PlannedStep(action=Action.QDRANT_SEARCH, search_intent=search) if search else None
    if wire.action == Action.PG_GRAPH and wire.graph_intent:
        graph = _graph(wire.graph_intent, labels, rationale)
        return PlannedStep(action=Action.PG_GRAPH, graph_intent=graph) if graph else None
    if not isinstance(wire, PlannedDocumentStepWire):
        return None
    if wire.action == Action.DOCUMENT_SEARCH and wire.document_intent:
        documents = _documents(wire.document_intent, labels, rationale)
        return PlannedStep(action=Action.DOCUMENT_SEARCH, document_intent=documents) if documents else None
    if wire.action == Action.DOCUMENT_LOOKUP and wire.lookup_intent:
        lookup = _lookup(wire.lookup_intent, labels, rationale)
        return PlannedStep(action=Action.DOCUMENT_LOOKUP, lookup_intent=lookup) if lookup else None
    return None


def _marked(wire: SentenceWire, labels: Labels, order: Sequence[str], finder: NameFinder) -> Iterable[str]:
    """The sentences of one item, each with all of the item's markers; bracketed numbers of the model's own are cut."""
    positions = (order.index(labels.evidence_ids[label]) + 1 for label in wire.evidence)
    markers = "".join(f"[{position}]" for position in dict.fromkeys(positions))
    text = _BRACKETED.sub("", " ".join(wire.text.split()))
    for sentence in sentences(text, finder):
        body = sentence.text
        if not markers:
            yield body
        elif body.endswith((".", "。")) and not body.endswith(".."):
            yield f"{body[:-1]} {markers}{body[-1]}"
        else:
            yield f"{body} {markers}."


def _years(wire: FilterWire) -> dict[str, int]:
    if not re.fullmatch(r"\s*\d{4}\s*", wire.value):
        raise _refused(wire)
    year = int(wire.value)
    match wire.op:
        case "is":
            return {"first_year": year, "last_year": year}
        case "at_least":
            return {"first_year": year}
        case "at_most":
            return {"last_year": year}
        case _:
            raise _refused(wire)


def _single(wire: FilterWire) -> dict[str, Any]:
    value = wire.value.strip()
    folded = value.casefold().replace(" ", "_").replace("-", "_")
    try:
        match wire.field, wire.op:
            case "season", "is":
                return {"season": Season(folded)}
            case "format", "is":
                return {"format": WorkFormat(folded)}
            case "status", "is":
                return {"status": WorkStatus(folded)}
            case "source", "is":
                return {"source": WorkSource(folded)}
            case "studio", "is" if value:
                return {"studio": value}
            case "score", "at_least":
                score = float(value)
                return {"min_score": score * 10 if score <= 10 else score}
            case _:
                raise _refused(wire)
    except ValueError:
        raise _refused(wire) from None


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _refused(wire: FilterWire) -> IntentRefused:
    return IntentRefused(f"filters.{wire.field}", f"'{wire.op}' with this value can't be built")


def _clamp(value: int | None, default: int, most: int) -> int:
    return default if value is None else min(most, max(1, value))
