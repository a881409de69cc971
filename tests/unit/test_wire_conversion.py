"""Wire types to public schemas: labels become ids, stray parts fall away, numbers are brought into range."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from agent_core.agents.conversion import build_filters, to_draft, to_next_step, to_report, to_rewrite
from agent_core.agents.wire import (
    DraftAnswerWire,
    FilterWire,
    NextStepWire,
    QueryRewriteWire,
    SufficiencyReportWire,
    draft_answer_type,
    next_step_type,
)
from agent_core.context.labels import Labels
from agent_core.errors import IntentRefused
from agent_core.evidence import EntityRef, EntityRowEvidence
from agent_core.protocols import LoopView
from agent_core.schemas import (
    Action,
    AgentRequest,
    FinalOutcome,
    GraphQueryType,
    NextStep,
    QueryRewrite,
    SearchFilters,
)
from datastore.vocabulary import EntityType, Season, WorkFormat
from pydantic import ValidationError

Values = dict[str, Any]
REFS = [EntityRef(entity_type=EntityType.ANIME, id=UUID(int=number), name=f"Work {number}") for number in (1, 2)]
EVIDENCE = tuple(
    EntityRowEvidence(id=f"row:{ref.id.int}", source="s", title=str(ref.name), text=str(ref.name), entity=ref)
    for ref in REFS
)
LABELS = Labels.of(
    LoopView(
        request=AgentRequest(query="q", request_id=uuid4()),
        rewrite=QueryRewrite(rewritten_query="q", needs_external_context=True, rationale="r"),
        resolved=(),
        evidence=EVIDENCE,
        slots=(),
        outcomes=(),
        offered_actions=frozenset(Action),
        turn=1,
    )
)
SEARCH: Values = {"entity_types": [], "query": "q", "entities": [], "filters": [], "use_image": False, "top_k": None}
GRAPH: Values = {
    "query_type": "neighbors",
    "start": "n1",
    "end": None,
    "max_hops": None,
    "edge_types": [],
    "entity_types": [],
    "qualifier": None,
}


def step(action: str, **parts: object) -> NextStepWire:
    made = next_step_type(("qdrant_search", "pg_graph", "graph_query", "plan", "final"), LABELS.entity_labels)
    empty: Values = dict.fromkeys(("search_intent", "graph_intent", "graph_query_intent", "plan", "final"))
    return made.model_validate({"rationale": "r", "action": action, **empty, **parts})


def converted(wire: NextStepWire, image: str | None = None) -> NextStep:
    return to_next_step(wire, LABELS, image_query=image)


def rewrite(**changes: object) -> QueryRewrite:
    values: Values = {
        "rationale": "r",
        "rewritten_query": "A question?",
        "needs_external_context": True,
        "fixed_answer": None,
        "answer_kind": "entity",
        "mentions": [],
        "concepts": [],
        "asked_fields": [],
        "relations": [],
        "entity_types": [],
        "filters": [],
        "top_k": None,
        "language": "en",
    }
    return to_rewrite(QueryRewriteWire.model_validate({**values, **changes}), question="q")


def draft(*sentences: tuple[str, list[str]], confidence: float = 0.5) -> DraftAnswerWire:
    made = draft_answer_type(LABELS.evidence_labels, LABELS.entity_labels)
    parts = [{"text": text, "evidence": evidence} for text, evidence in sentences]
    return made.model_validate(
        {"rationale": "r", "sentences": parts, "result_entities": ["n2", "n2"], "confidence": confidence}
    )


# --- rewrite ---------------------------------------------------------------------------------------------------


def test_a_rewrite_needs_a_fixed_text_to_skip_retrieval() -> None:
    assert rewrite(needs_external_context=False).needs_external_context
    greeting = rewrite(needs_external_context=False, fixed_answer="greeting")
    assert (greeting.needs_external_context, greeting.fixed_answer) == (False, "greeting")
    assert rewrite(fixed_answer="greeting").fixed_answer is None


def test_mentions_are_unique_and_few() -> None:
    mentions: list[Values] = [
        {"text": f"Name {n % 9}", "entity_types": [], "year": None, "within": ""} for n in range(30)
    ]
    blank: Values = {"text": " ", "entity_types": [], "year": None, "within": None}
    found = rewrite(mentions=[blank, *mentions]).mentions
    assert [mention.text for mention in found] == [f"Name {n}" for n in range(8)]
    assert found[0].within is None


@pytest.mark.parametrize(("asked", "given"), [(None, 10), (0, 1), (-5, 1), (7, 7), (999, 50)])
def test_top_k_is_brought_into_range(asked: int | None, given: int) -> None:
    assert rewrite(top_k=asked).top_k == given


def test_years_of_filters_are_the_date_range() -> None:
    found = rewrite(filters=[{"field": "year", "op": "at_least", "value": "2010"}])
    assert found.date_range is not None
    assert (found.date_range.first_year, found.date_range.last_year) == (2010, None)


# --- filters ---------------------------------------------------------------------------------------------------


def filters(*wires: tuple[str, str, str]) -> SearchFilters:
    return build_filters([FilterWire.model_validate({"field": f, "op": op, "value": v}) for f, op, v in wires])


def test_filters_are_typed() -> None:
    found = filters(
        ("year", "at_least", "2000"),
        ("year", "at_most", "2009"),
        ("season", "is", "Spring"),
        ("format", "is", "TV Short"),
        ("genre", "is", "Action"),
        ("genre", "is", "Drama"),
        ("genre", "any_of", "Horror, Mystery"),
        ("genre", "is_not", "Ecchi"),
        ("studio", "is", "Bones"),
        ("score", "at_least", "8.5"),
    )
    assert found.years is not None
    assert (found.years.first_year, found.years.last_year) == (2000, 2009)
    assert (found.season, found.format, found.studio, found.min_score) == (
        Season.SPRING,
        WorkFormat.TV_SHORT,
        "Bones",
        85.0,
    )
    assert (found.genres_all, found.genres_any, found.genres_none) == (
        ("Action", "Drama"),
        ("Horror", "Mystery"),
        ("Ecchi",),
    )


@pytest.mark.parametrize(
    ("field", "op", "value"),
    [
        ("year", "is", "soon"),
        ("year", "is_not", "2000"),
        ("year", "is", "1200"),
        ("season", "is", "monsoon"),
        ("format", "is_not", "tv"),
        ("genre", "at_least", "Action"),
        ("studio", "is", ""),
        ("score", "at_most", "80"),
        ("score", "at_least", "many"),
        ("score", "at_least", "900"),
    ],
)
def test_a_filter_that_cannot_be_built_is_an_error(field: str, op: str, value: str) -> None:
    with pytest.raises(IntentRefused) as caught:
        filters((field, op, value))
    assert caught.value.field.startswith("filters")


# --- steps -----------------------------------------------------------------------------------------------------


def test_stray_intents_fall_away() -> None:
    made = converted(
        step("pg_graph", search_intent=SEARCH, graph_intent=GRAPH, final={"outcome": "enough", "missing": []})
    )
    assert made.search_intent is None
    assert made.final is None
    assert made.graph_intent is not None
    assert made.graph_intent.start == REFS[0]


@pytest.mark.parametrize(
    ("action", "parts"),
    [
        ("qdrant_search", {}),
        ("pg_graph", {}),
        ("final", {}),
        ("qdrant_search", {"search_intent": {**SEARCH, "query": "  "}}),
        ("pg_graph", {"graph_intent": {**GRAPH, "query_type": "path"}}),
    ],
)
def test_an_intent_that_is_missing_stays_missing(action: str, parts: Values) -> None:
    made = converted(step(action, **parts))
    assert (made.search_intent, made.graph_intent, made.final) == (None, None, None)


def test_labels_become_entities() -> None:
    path = converted(step("pg_graph", graph_intent={**GRAPH, "query_type": "path", "end": "n2", "max_hops": 99}))
    assert path.graph_intent is not None
    assert (path.graph_intent.start, path.graph_intent.end, path.graph_intent.max_hops) == (REFS[0], REFS[1], 4)
    fetch = converted(step("qdrant_search", search_intent={**SEARCH, "query": None, "entities": ["n2", "n2"]}))
    assert fetch.search_intent is not None
    assert fetch.search_intent.filters.ids == (REFS[1].id,)


def test_an_end_without_use_is_dropped() -> None:
    made = converted(step("pg_graph", graph_intent={**GRAPH, "end": "n2"}))
    assert made.graph_intent is not None
    assert (made.graph_intent.query_type, made.graph_intent.end) == (GraphQueryType.NEIGHBORS, None)


@pytest.mark.parametrize("label", ["n3", "e1", "", "row:1", str(UUID(int=1))])
def test_a_label_that_was_not_shown_does_not_validate(label: str) -> None:
    with pytest.raises(ValidationError):
        step("pg_graph", graph_intent={**GRAPH, "start": label})


def test_an_action_that_was_not_offered_does_not_validate() -> None:
    with pytest.raises(ValidationError):
        step("web_search")


def test_only_the_image_of_the_question_is_searched_with() -> None:
    made = converted(step("qdrant_search", search_intent={**SEARCH, "query": None, "use_image": True}), image="data:x")
    assert made.search_intent is not None
    assert made.search_intent.image_query == "data:x"
    assert (
        converted(step("qdrant_search", search_intent={**SEARCH, "query": None, "use_image": True})).search_intent
        is None
    )


def test_plan_steps_without_their_intent_fall_away() -> None:
    plan = [
        {"action": "qdrant_search", "search_intent": SEARCH, "graph_intent": GRAPH},
        {"action": "pg_graph", "search_intent": SEARCH, "graph_intent": None},
        {"action": "pg_graph", "search_intent": None, "graph_intent": GRAPH},
    ]
    made = converted(step("plan", plan=plan))
    assert [(part.action, part.search_intent is None, part.graph_intent is None) for part in made.plan] == [
        (Action.QDRANT_SEARCH, False, True),
        (Action.PG_GRAPH, True, False),
    ]


def test_a_final_word_is_kept() -> None:
    made = converted(step("final", final={"outcome": "not_found", "missing": ["x"]}))
    assert made.final is not None
    assert (made.final.outcome, made.final.missing) == (FinalOutcome.NOT_FOUND, ("x",))


# --- drafts and reports ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Work 1 is here.", "Work 1 is here [1]."),
        ("Work 1 is here", "Work 1 is here [1]."),
        ("Work 1 is Haikyuu!!", "Work 1 is Haikyuu!! [1]."),
        ("Is it Work 1?", "Is it Work 1? [1]."),
        ("Work 1 is here [7][e2] [3, 4].", "Work 1 is here [1]."),
        ("Work 1 is here. It is good.", "Work 1 is here [1]. It is good [1]."),
        ("作品です。", "作品です [1]。"),
        ("  \n ", ""),
    ],
)
def test_every_sentence_ends_with_its_markers(text: str, expected: str) -> None:
    made = to_draft(draft((text, ["e1"])), LABELS, ["Haikyuu!!"])
    assert made.answer == expected
    assert made.evidence_ids == ("row:1",)


def test_markers_count_in_the_order_of_first_use() -> None:
    made = to_draft(draft(("One.", ["e2"]), ("Two.", ["e1", "e2"])), LABELS, ())
    assert made.answer == "One [1]. Two [2][1]."
    assert made.evidence_ids == ("row:2", "row:1")
    assert made.result_entities == (REFS[1],)


def test_a_sentence_without_evidence_gets_no_marker() -> None:
    assert to_draft(draft(("Nothing backs this.", [])), LABELS, ()).answer == "Nothing backs this."


@pytest.mark.parametrize(("said", "kept"), [(0.4, 0.4), (7.0, 1.0), (-1.0, 0.0), (float("nan"), 0.0)])
def test_confidence_is_brought_into_range(said: float, kept: float) -> None:
    assert to_draft(draft(confidence=said), LABELS, ()).confidence == kept


@pytest.mark.parametrize(("said", "missing", "kept"), [(True, [], True), (True, ["x"], False), (False, [], False)])
def test_a_report_with_missing_parts_is_not_sufficient(*, said: bool, missing: list[str], kept: bool) -> None:
    wire = SufficiencyReportWire(rationale="r", sufficient=said, missing=missing, suggested_next_action=None)
    assert to_report(wire).sufficient is kept


def test_labels_in_a_query_become_ids_and_nothing_else_is_bound() -> None:
    text = "MATCH (a {id: $n2})--(b {id: $n1}) WHERE b.name <> $name RETURN a.id AS id, $n9 AS x"
    intent = converted(step("graph_query", graph_query_intent={"text": text})).graph_query_intent
    assert intent is not None
    assert (intent.text, intent.by_model) == (text, True)
    assert intent.parameters == {"n2": str(REFS[1].id), "n1": str(REFS[0].id)}


def test_a_query_beyond_the_limit_is_cut() -> None:
    intent = converted(step("graph_query", graph_query_intent={"text": "x" * 9_000})).graph_query_intent
    assert intent is not None
    assert len(intent.text) == 8_000
