"""A model's steps on documents: labels become documents and pieces, days become spans, everything else falls away."""

from datetime import date
from typing import Any, cast
from uuid import UUID, uuid4

import pytest
from agent_core.agents.conversion import to_next_step
from agent_core.agents.wire import DocumentStepWire, NextStepWire, next_step_type
from agent_core.context.labels import Labels
from agent_core.document_contracts import DateSpan, PassageReference, SearchMode
from agent_core.errors import IntentRefused
from agent_core.evidence import ChunkEvidence, EntityRef, EntityRowEvidence
from agent_core.protocols import LoopView
from agent_core.schemas import Action, AgentRequest, NextStep, QueryRewrite
from datastore.vocabulary import EntityType
from pydantic import ValidationError
from references.model import ReferenceType

Values = dict[str, Any]
WORK = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=1), name="Work")
GUIDE = EntityRef(entity_type=EntityType.DOCUMENT, id=UUID(int=2), name="Guide")
PIECE = UUID(int=3)
BOOK = EntityRef(entity_type=EntityType.DOCUMENT, id=UUID(int=4), name="Book")
REFERENCES = (
    PassageReference(document=GUIDE, chunk_id=PIECE, type=ReferenceType.DOCUMENT, name="Book", leads_to=BOOK),
    PassageReference(document=GUIDE, chunk_id=PIECE, type=ReferenceType.SECTION, section="Section 2"),
    PassageReference(document=GUIDE, chunk_id=PIECE, type=ReferenceType.EXTERNAL, name="https://example.org/a"),
    PassageReference(document=GUIDE, chunk_id=UUID(int=9), type=ReferenceType.DOCUMENT, name="Unseen", leads_to=BOOK),
)
LABELS = Labels.of(
    LoopView(
        request=AgentRequest(query="q", request_id=uuid4()),
        rewrite=QueryRewrite(rewritten_query="q", needs_external_context=True, rationale="r"),
        resolved=(),
        evidence=(
            EntityRowEvidence(id="row:1", source="s", title="Work", text="Work", entity=WORK),
            ChunkEvidence(
                id="chunk:3",
                source="s",
                title="Guide",
                text="words",
                document=GUIDE,
                chunk_id=PIECE,
                start_offset=0,
                end_offset=5,
            ),
        ),
        slots=(),
        outcomes=(),
        offered_actions=frozenset(Action),
        turn=1,
        references=REFERENCES,
    )
)
ACTIONS = ("qdrant_search", "pg_graph", "document_search", "document_lookup", "web_search", "plan", "final")
SEARCH: Values = {
    "query": " fox spirits ",
    "mode": "keyword",
    "documents": ["n2"],
    "first_day": "2024-03-01",
    "last_day": None,
    "top_k": 99,
}
LOOKUP: Values = {"document": None, "name": None, "around": None, "section": None}


def step(action: str, **parts: object) -> NextStepWire:
    made = next_step_type(ACTIONS, LABELS.entity_labels, tuple(LABELS.pieces))
    empty: Values = dict.fromkeys(name for name in made.model_fields if name not in ("rationale", "action"))
    return made.model_validate({"rationale": "r", "action": action, **empty, **parts})


def converted(wire: NextStepWire) -> NextStep:
    return to_next_step(wire, LABELS, image_query=None)


def test_a_search_has_its_documents_and_days() -> None:
    made = converted(step("document_search", document_intent=SEARCH, lookup_intent={**LOOKUP, "name": "stray"}))
    assert made.lookup_intent is None
    assert made.document_intent is not None
    assert made.document_intent.model_dump() == {
        "rationale": "r",
        "query": "fox spirits",
        "mode": SearchMode.KEYWORD,
        "documents": (GUIDE.id,),
        "collections": (),
        "dates": DateSpan(first=date(2024, 3, 1)).model_dump(),
        "top_k": 50,
        "expand": True,
    }


@pytest.mark.parametrize("days", [("2024-13-01", None), ("soon", None), ("2024-02-01", "2024-01-01")])
def test_days_that_are_none_are_refused(days: tuple[str, str | None]) -> None:
    wrong = {**SEARCH, "first_day": days[0], "last_day": days[1]}
    with pytest.raises(IntentRefused, match="dates"):
        converted(step("document_search", document_intent=wrong))


def test_a_look_up_is_by_label_by_name_or_around_a_piece() -> None:
    by_label = converted(step("document_lookup", lookup_intent={**LOOKUP, "document": "n2", "section": " 4.2 "}))
    assert by_label.lookup_intent is not None
    assert (by_label.lookup_intent.document, by_label.lookup_intent.section) == (GUIDE, "4.2")
    by_name = converted(step("document_lookup", lookup_intent={**LOOKUP, "name": " The Guide "}))
    assert by_name.lookup_intent is not None
    assert by_name.lookup_intent.name == "The Guide"
    around = converted(step("document_lookup", lookup_intent={**LOOKUP, "around": "e2"}))
    assert around.lookup_intent is not None
    assert (around.lookup_intent.chunk_id, around.lookup_intent.neighbours) == (PIECE, 2)
    assert converted(step("document_lookup", lookup_intent=LOOKUP)).lookup_intent is None


def test_only_pieces_of_documents_can_be_read_around() -> None:
    with pytest.raises(ValidationError):
        step("document_lookup", lookup_intent={**LOOKUP, "around": "e1"})


def test_the_web_is_asked_with_a_phrase() -> None:
    made = converted(step("web_search", web_intent={"query": " foxes "}))
    assert made.web_intent is not None
    assert made.web_intent.query == "foxes"
    assert converted(step("web_search", web_intent={"query": " "})).web_intent is None


def follow(**fields: object) -> NextStepWire:
    made = next_step_type(
        (*ACTIONS, "follow_references"),
        LABELS.entity_labels,
        tuple(LABELS.pieces),
        references=tuple((label, each.type.value) for label, each in LABELS.targets.items()),
    )
    empty: Values = dict.fromkeys(name for name in made.model_fields if name not in ("rationale", "action"))
    intent: Values = {"query": " how ", "references": [], "types": [], **fields}
    return made.model_validate({"rationale": "r", "action": "follow_references", **empty, "follow_intent": intent})


@pytest.mark.parametrize(
    ("fields", "targets"),
    [
        ({"references": ["r2"]}, ("Section 2",)),
        ({"types": ["document"]}, ("Book",)),
        ({}, ("Book", "Section 2")),
    ],
)
def test_references_are_followed_by_label_or_type(fields: Values, targets: tuple[str, ...]) -> None:
    made = converted(follow(**fields)).follow_intent
    assert made is not None
    assert (made.query, made.chunks, made.targets, made.depth) == ("how", (PIECE,), targets, 2)
    assert converted(follow(query=" ", **fields)).follow_intent is None


def test_only_references_that_were_read_and_can_be_followed_have_a_label() -> None:
    assert list(LABELS.targets) == ["r1", "r2"]
    for wrong in ({"references": ["r3"]}, {"types": ["external"]}):
        with pytest.raises(ValidationError):
            follow(**wrong)
    assert "follow_intent" not in next_step_type((*ACTIONS, "follow_references"), ()).model_fields


def test_a_plan_may_hold_steps_on_documents() -> None:
    planned: Values = {"search_intent": None, "graph_intent": None, "document_intent": None, "lookup_intent": None}
    made = converted(
        step(
            "plan",
            plan=[
                {**planned, "action": "document_search", "document_intent": SEARCH},
                {**planned, "action": "document_lookup", "lookup_intent": {**LOOKUP, "name": "Guide"}},
            ],
        )
    )
    assert [part.action for part in made.plan] == [Action.DOCUMENT_SEARCH, Action.DOCUMENT_LOOKUP]
    with pytest.raises(ValidationError):
        step("plan", plan=[{**planned, "action": "web_search"}])


def test_without_documents_a_step_speaks_of_none() -> None:
    plain = next_step_type(("qdrant_search", "final"), LABELS.entity_labels)
    assert not issubclass(plain, DocumentStepWire)
    only_search = next_step_type(("document_search", "final"), ())
    schema = cast("Any", only_search).model_json_schema()["properties"]
    assert (schema["lookup_intent"]["type"], schema["web_intent"]["type"]) == ("null", "null")
