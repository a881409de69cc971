"""What the scripted model says at each stage, made of the prompt and of a grammar, never of a known answer."""

import re
import time
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from agent_core.agents.rule_based.rewrite import RuleBasedRewrite
from agent_core.budget import Budget, Limits
from agent_core.schemas import AgentRequest, AnswerKind, AskedRelation, QueryRewrite, SearchFilters
from datastore.edges import EDGES, EdgeType
from datastore.folding import fold

from agent_evals.scripted_model.names import KnownNames
from agent_evals.scripted_model.prompt import Card, Entity, Shown, read_part, read_prompt

_NO_ID = UUID(int=0)
_MAX_SENTENCES = 12
_FIELD_LINE = re.compile(r"^([a-z][a-z_ ]*): (.+)$")
_ROW_LINE = re.compile(r"^id: .+?; name: (.+?)(?:; |$)")
_PLANNED = 4
_LINK = " – "
_COMPARED = {"episodes", "format", "start_date", "score"}


class PromptModel:
    """Reads questions by the rules' grammar with names that it knows, and answers with what the cards say."""

    def __init__(self, names: Iterable[str]) -> None:
        self._rewrite = RuleBasedRewrite(KnownNames(names))

    async def reply(self, name: str, system: str, user: str) -> dict[str, Any]:
        """The values of the asked type."""
        shown = read_prompt(system, user)
        question = str(shown.input["question"])
        rewrite = await self._read(question)
        match name:
            case "QueryRewriteWire":
                return rewrite_values(rewrite, shown.input.get("language"))
            case "NextStepWire":
                return _step(shown, rewrite)
            case "DocumentStepWire":
                return _without_documents(_step(shown, rewrite))
            case "DraftAnswerWire":
                return _draft(shown, rewrite)
            case _:
                return _judgement(shown)

    async def _read(self, question: str) -> QueryRewrite:
        request = AgentRequest(query=question[:2_000], request_id=_NO_ID)
        return await self._rewrite.run(request, Budget.start(Limits(), time.monotonic))


# --- rewrite ---------------------------------------------------------------------------------------------------


def rewrite_values(rewrite: QueryRewrite, language: object = None) -> dict[str, Any]:
    """A rewrite in the words of the wire."""
    return {
        "rationale": rewrite.rationale,
        "rewritten_query": rewrite.rewritten_query,
        "needs_external_context": rewrite.needs_external_context,
        "fixed_answer": rewrite.fixed_answer,
        "answer_kind": rewrite.answer_kind,
        "mentions": [
            {"text": each.text, "entity_types": list(each.entity_types), "year": each.year, "within": each.within}
            for each in rewrite.mentions
        ],
        "concepts": list(rewrite.concepts),
        "asked_fields": list(rewrite.asked_fields),
        "relations": [
            {"edge": each.edge, "qualifier": each.qualifier, "entity_type": each.entity_type}
            for each in rewrite.relations
        ],
        "entity_types": list(rewrite.entity_types),
        "filters": _filters(rewrite.filters),
        "top_k": rewrite.top_k,
        "language": str(language or rewrite.language),
    }


def _filters(filters: SearchFilters) -> list[dict[str, str]]:
    found: list[tuple[str, str, object]] = []
    if filters.years is not None:
        found += [("year", "at_least", filters.years.first_year), ("year", "at_most", filters.years.last_year)]
    found += [
        ("genre", op, ", ".join(values))
        for op, values in (("is", filters.genres_all), ("any_of", filters.genres_any), ("is_not", filters.genres_none))
        if values
    ]
    found += [(name, "is", getattr(filters, name)) for name in ("season", "format", "status", "studio", "source")]
    found.append(("score", "at_least", filters.min_score))
    return [{"field": name, "op": op, "value": str(value)} for name, op, value in found if value is not None]


# --- next step -------------------------------------------------------------------------------------------------


def _step(shown: Shown, rewrite: QueryRewrite) -> dict[str, Any]:
    actions: Sequence[str] = shown.input["actions"]
    named = _named(shown, rewrite)
    if shown.input["last_step_status"] in ("empty", "refused") and len(shown.steps) > 1:
        return _filled("final", final={"outcome": "not_found", "missing": list(shown.input["missing"])})
    if "pg_graph" in actions and len(named) > 1 and rewrite.answer_kind in (AnswerKind.PATH, AnswerKind.COMPARISON):
        kind = "path" if rewrite.answer_kind is AnswerKind.PATH else "compare"
        return _filled("pg_graph", graph_intent=_walk(kind, named[0].label, end=named[1].label))
    missing = next(filter(None, (read_part(str(part)) for part in shown.input["missing"])), None)
    if "pg_graph" in actions and missing is not None:
        walks = [_walk("neighbors", each, edges=[missing.edge]) for each in missing.starts[:_PLANNED]]
        if len(walks) == 1:
            return _filled("pg_graph", graph_intent=walks[0])
        if walks:
            return _filled(
                "plan", plan=[{"action": "pg_graph", "search_intent": None, "graph_intent": walk} for walk in walks]
            )
    if "qdrant_search" in actions:
        return _filled("qdrant_search", search_intent=_search(rewrite))
    return _filled("final", final={"outcome": "not_found", "missing": list(shown.input["missing"])})


def _filled(action: str, **parts: object) -> dict[str, Any]:
    names = ("search_intent", "graph_intent", "graph_query_intent", "plan", "final")
    return {"rationale": f"{action} for what is missing", "action": action, **dict.fromkeys(names), **parts}


def _without_documents(step: dict[str, Any]) -> dict[str, Any]:
    """The step where documents could be asked as well; this model asks none."""
    parts = dict.fromkeys(("document_intent", "lookup_intent"))
    planned = [part | parts for part in step["plan"]] if step["plan"] else None
    return step | parts | {"web_intent": None, "plan": planned}


def _walk(kind: str, start: str, *, end: str | None = None, edges: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "query_type": kind,
        "start": start,
        "end": end,
        "max_hops": 4 if kind == "path" else 1,
        "edge_types": list(edges),
        "entity_types": [],
        "qualifier": None,
    }


def _search(rewrite: QueryRewrite) -> dict[str, Any]:
    return {
        "entity_types": list(rewrite.entity_types),
        "query": " ".join(rewrite.concepts) or rewrite.rewritten_query,
        "entities": [],
        "filters": _filters(rewrite.filters),
        "use_image": False,
        "top_k": rewrite.top_k,
    }


def _named(shown: Shown, rewrite: QueryRewrite) -> list[Entity]:
    """The entities that the question names; those of resolved names stand first in a prompt."""
    texts = {fold(mention.text) for mention in rewrite.mentions}
    exact = [each for each in shown.entities if fold(each.name) in texts]
    return exact if len(exact) >= len(texts) else shown.entities[: len(texts)]


# --- draft and judgement ---------------------------------------------------------------------------------------


def _draft(shown: Shown, rewrite: QueryRewrite) -> dict[str, Any]:
    named = _named(shown, rewrite)
    chosen = (_of_fields(shown, rewrite) or _of_links(shown, rewrite, named) or _of_query(shown) or _of_rows(shown))[
        :_MAX_SENTENCES
    ]
    chosen = chosen if not shown.absent else []
    sentences = [{"text": text, "evidence": [card.label]} for text, card in chosen]
    return {
        "rationale": "the cards that answer it",
        "sentences": sentences,
        "result_entities": _results(shown, named, chosen),
        "confidence": 0.8 if sentences else 0.0,
    }


def _results(shown: Shown, named: Sequence[Entity], chosen: Sequence[tuple[str, Card]]) -> list[str]:
    """What the last relation leads to, else what the cited cards tell of beside the names, else these themselves."""
    if shown.found and {card.label for _, card in chosen}.issubset(shown.found[-1].evidence):
        return list(shown.found[-1].ends)
    titles = {name for text, card in chosen for name in (_ends(card)[1], text)}
    around = {each.label for each in named}
    others = [each.label for each in shown.entities if each.label not in around and each.name in titles]
    return others or [each.label for each in named]


def _of_fields(shown: Shown, rewrite: QueryRewrite) -> list[tuple[str, Card]]:
    asked = {str(field) for field in rewrite.asked_fields}
    if not asked and rewrite.answer_kind is AnswerKind.COMPARISON:
        asked = _COMPARED
    found: list[tuple[str, Card]] = []
    for card in (card for card in shown.cards if _LINK not in card.title):
        for match in filter(None, map(_FIELD_LINE.match, card.lines)):
            if match.group(1).replace(" ", "_") in asked:
                found.append((f"The {match.group(1).replace('_', ' ')} of {card.title}: {match.group(2)}", card))
    return found


def _of_links(shown: Shown, rewrite: QueryRewrite, named: Sequence[Entity]) -> list[tuple[str, Card]]:
    """Cards that tie things together, by their own sentences: a way between both ends, or what is asked for."""
    links = [(" ".join(card.lines), card) for card in shown.cards if _LINK in card.title and card.lines]
    names = {each.name for each in named}
    if rewrite.answer_kind in (AnswerKind.PATH, AnswerKind.COMPARISON):
        ways = [(text, card) for text, card in links if {*_ends(card)} == names]
        return sorted(ways, key=lambda way: way[1].title.count(_LINK))[:1]
    if shown.found:
        return [(text, card) for text, card in links if card.label in shown.found[-1].evidence]
    for relation in reversed(rewrite.relations):
        wanted = [(text, card) for text, card in links if _says(text, relation)]
        if wanted:
            most = max(_named_in(text, names) for text, _ in wanted)
            return [(text, card) for text, card in wanted if _named_in(text, names) == most]
    return []


def _named_in(text: str, names: Iterable[str]) -> int:
    return sum(name in text for name in names)


def _of_query(shown: Shown) -> list[tuple[str, Card]]:
    """The names in the rows that a query brought."""
    rows = ((_ROW_LINE.match(line), card) for card in shown.cards for line in card.lines)
    return [(row.group(1), card) for row, card in rows if row is not None]


def _of_rows(shown: Shown) -> list[tuple[str, Card]]:
    """The things themselves, where nothing more is asked than which they are."""
    return [(card.title, card) for card in shown.cards if _LINK not in card.title]


def _ends(card: Card) -> tuple[str, str]:
    parts = card.title.split(_LINK)
    return parts[0], parts[-1]


def _says(text: str, relation: AskedRelation) -> bool:
    """Whether a sentence is one of that relation, in either direction, with the role or kind that is asked for."""
    edge = EDGES[relation.edge]
    phrases = (EDGES[each].sentence.format(a="", b="").strip() for each in (edge.type, edge.inverse))
    kinds = (relation.qualifier or "").replace("_", " ").split("|")
    if edge.type is EdgeType.CHARACTER_RELATION:
        return any(kind in text for kind in kinds)
    return any(phrase in text for phrase in phrases) and any(kind in text for kind in kinds)


def _judgement(shown: Shown) -> dict[str, Any]:
    is_empty = not str(shown.input["draft"]).strip()
    missing = ["an answer"] if is_empty else []
    return {
        "rationale": "the draft says what the cards say",
        "sufficient": not is_empty,
        "missing": missing,
        "suggested_next_action": None,
    }
