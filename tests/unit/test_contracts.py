"""Contracts that code makes without a check, and copies of them, are what pydantic would have made."""

from datetime import date
from uuid import UUID

import pytest
from agent_core.document_contracts import DateSpan
from agent_core.events import EventSink, RunAborted, RunEvent, StageStarted
from agent_core.evidence import EntityRef
from agent_core.orchestrator.proposals import digest
from agent_core.schemas import (
    Action,
    DateRange,
    GraphFilters,
    GraphIntent,
    GraphQueryType,
    NextStep,
    QueryRewrite,
    SearchFilters,
    SearchIntent,
    Stage,
)
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from fixtures.loop_world import World
from pydantic import BaseModel, ValidationError

_WORK = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=1), name="Moon Gate")


def test_a_trusted_value_is_the_checked_one() -> None:
    made = EntityRef.trusted(entity_type=EntityType.ANIME, id=UUID(int=1), name="Moon Gate")
    assert (made, hash(made), made.model_dump_json()) == (_WORK, hash(_WORK), _WORK.model_dump_json())
    assert made.model_fields_set == {"entity_type", "id", "name"}
    with pytest.raises(ValidationError):
        made.name = "other"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("update", [None, {}, {"language": "de", "is_whole": True}])
def test_a_copy_is_the_one_that_pydantic_makes(update: dict[str, object] | None) -> None:
    rewrite = QueryRewrite(rewritten_query="Who?", needs_external_context=True, rationale="test")
    ours, theirs = rewrite.model_copy(update=update), BaseModel.model_copy(rewrite, update=update)
    assert (ours, ours.model_fields_set) == (theirs, theirs.model_fields_set)
    assert (ours is not rewrite, rewrite.language, "language" in rewrite.model_fields_set) == (True, "en", False)


def test_a_deep_copy_shares_nothing() -> None:
    step = NextStep(action=Action.PG_GRAPH, rationale="test", graph_intent=_walk())
    copied = step.model_copy(update={"rationale": "other"}, deep=True)
    assert (copied.graph_intent, copied.rationale) == (step.graph_intent, "other")
    assert copied.graph_intent is not step.graph_intent


def test_an_event_is_made_only_for_who_listens() -> None:
    heard: list[RunEvent] = []
    made: list[str] = []

    def body() -> StageStarted:
        made.append("made")
        return StageStarted(stage=Stage.ANSWER, action="rules")

    now = World().clock.now
    EventSink(now).tell(body)
    assert made == []
    sink = EventSink(now, heard.append)
    sink.tell(body)
    sink.tell(lambda: RunAborted(error="failed"))
    assert ([event.sequence for event in heard], heard[0].body, made) == ([1, 2], body(), ["made", "made"])


def test_a_digest_tells_what_a_step_does() -> None:
    """Digests stand in kept traces: they stay what they are."""
    search = SearchIntent(
        rationale="test",
        query="Sad  Robots",
        filters=SearchFilters(genres_any=("Drama", "Action"), years=DateRange(first_year=1999)),
    )
    assert digest(NextStep(action=Action.PG_GRAPH, rationale="test", graph_intent=_walk())) == "bb09a60cc1ec"
    assert digest(NextStep(action=Action.QDRANT_SEARCH, rationale="test", search_intent=search)) == "58868448ba2c"
    days = [DateSpan(first=date(2004, 1, day)) for day in (1, 2)]
    closer = [search.model_copy(update={"filters": SearchFilters(started=each)}) for each in days]
    told = {digest(NextStep(action=Action.QDRANT_SEARCH, rationale="test", search_intent=each)) for each in closer}
    assert len(told | {"58868448ba2c"}) == 3


def _walk() -> GraphIntent:
    return GraphIntent(
        rationale="test",
        query_type=GraphQueryType.NEIGHBORS,
        start=_WORK,
        max_hops=1,
        edge_types=(EdgeType.SEQUEL, EdgeType.PREQUEL),
        filters=GraphFilters(qualifier="Main"),
    )
