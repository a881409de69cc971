"""What is kept of a run, with its texts and without, and where two runs part."""

import json
from uuid import uuid4

import pytest
from agent_core.errors import ModelErrorKind, StageFailed
from agent_core.recording import RunRecord, first_difference
from agent_core.recording.text import digest_of, without_text
from agent_core.replay import NotReplayable, replay
from agent_core.schemas import AgentRequest, FinalOutcome, GraphQueryType
from agent_core.testing import ScriptedStages, scripted
from fixtures.loop_world import (
    ENOUGH,
    NOT_ENOUGH,
    World,
    cite_everything,
    concept_rewrite,
    final,
    list_everything,
    luffy_rewrite,
    search,
    walk,
)
from fixtures.recorded_runs import recorded_loop, run_recorded
from pydantic import JsonValue
from structlog.testing import capture_logs

QUESTION = "Which anime is Luffy in?"
SECONDS = 10.0


def answering(world: World) -> ScriptedStages:
    return scripted(
        luffy_rewrite(),
        steps=[final(FinalOutcome.ENOUGH)],
        drafts=[cite_everything("Monkey D. Luffy appears in One Piece", world.one_piece)],
        reports=[ENOUGH],
    )


def asking(query: str = QUESTION) -> AgentRequest:
    return AgentRequest(query=query, request_id=uuid4())


async def recorded(world: World, *, keep_text: bool = True, rules: ScriptedStages | None = None) -> RunRecord:
    loop = recorded_loop(world, answering(world), rules)
    _, record = await run_recorded(loop, asking())
    return record(keep_text)


async def test_a_record_tells_what_was_called_and_how_it_ended(world: World) -> None:
    response, record = await run_recorded(recorded_loop(world, answering(world)), request := asking())
    kept = record(True)
    assert (kept.id, kept.request_id, kept.principal) == (response.trace_id, request.request_id, "local")
    assert (kept.status, kept.reason, kept.usage) == ("answered", "sufficient", response.usage)
    assert [(call.name, call.by) for call in kept.calls] == [
        ("rewrite", "rules"),
        ("resolve", "source"),
        ("rows", "source"),
        ("pg_graph", "source"),
        ("answer", "rules"),
        ("judge", "rules"),
        ("rows", "source"),
        ("existing_edges", "source"),
        ("response", "rules"),
    ]
    assert [event.sequence for event in kept.events] == list(range(1, len(kept.events) + 1))
    assert (kept.events[0].kind, kept.events[-1].kind) == ("run_started", "run_finished")
    finished = [event for event in kept.events if event.kind == "stage_finished"]
    assert len(finished) == len(response.steps)
    assert all(event.ms is not None for event in finished)
    assert RunRecord.model_validate_json(kept.model_dump_json()) == kept


async def test_without_texts_nothing_of_question_evidence_or_answer_is_kept(world: World) -> None:
    response, record = await run_recorded(recorded_loop(world, answering(world)), asking())
    said = record(False).model_dump_json()
    for text in ("Luffy", "One Piece", "Pirates", "anime is", response.answer):
        assert text not in said
    assert "Luffy" in record(True).model_dump_json()
    kept = record(False)
    assert kept.query is None
    assert kept.request is None
    assert all(call.output is None for call in kept.calls)
    assert [call.digest for call in kept.calls] == [call.digest for call in record(True).calls]
    (added, *_) = [event.data for event in kept.events if event.kind == "evidence_added"]
    assert json.dumps(added).count(f"row:character:{world.luffy.id}") == 1


def test_texts_of_unknown_fields_are_hidden() -> None:
    document: dict[str, JsonValue] = {
        "status": "ok",
        "id": "x" * 201,
        "invented": "text",
        "rows": [{"any key": 1}],
        "parameters": {"name": "Luffy"},
        "hits": [1, True, None, 2.5],
    }
    hidden = without_text(document)
    assert isinstance(hidden, dict)
    assert hidden["status"] == "ok"
    assert hidden["hits"] == [1, True, None, 2.5]
    for name, characters in (("id", 201), ("invented", 4), ("rows", 16), ("parameters", 17)):
        assert isinstance(part := hidden[name], dict)
        assert part["characters"] == characters
        assert sorted(part) == ["characters", "digest"]


def test_times_versions_and_the_date_of_the_data_make_no_difference() -> None:
    one: JsonValue = {"text": "12 rows; data of 2026-11-28", "ms": 1.5, "row_version": 1, "score": 0.123411}
    other: JsonValue = {"text": "12 rows; data of 2027-01-02", "ms": 9.5, "row_version": 2, "score": 0.123399}
    assert digest_of(one) == digest_of(other)
    assert digest_of(one) != digest_of({**one, "score": 0.1239})
    assert digest_of(one) != digest_of({**one, "text": "13 rows; data of 2026-11-28"})


@pytest.mark.parametrize("by_model", [False, True])
async def test_a_replay_of_the_same_does_the_same(world: World, by_model: bool) -> None:
    rules = answering(world) if by_model else None
    record = await recorded(world, rules=rules)
    silent = scripted(AssertionError("a model was asked"))
    loop = recorded_loop(world, silent, answering(world))
    assert first_difference(record, await replay(loop, record, seconds=SECONDS)) is None


async def test_a_replay_shows_what_the_catalogue_lost(world: World) -> None:
    record = await recorded(world)
    world.catalogue.edges = [edge for edge in world.catalogue.edges if edge.to != world.one_piece]
    replayed = await replay(recorded_loop(world, answering(world)), record, seconds=SECONDS)
    found = first_difference(record, replayed)
    assert found is not None
    assert (found.n, found.name, found.where) == (4, "pg_graph", "evidence")
    assert found.recorded == "edge:memory:1:out"


async def test_a_replay_shows_what_a_rule_now_says_else(world: World) -> None:
    record = await recorded(world)
    changed = scripted(luffy_rewrite(top_k=11), drafts=[list_everything], reports=[ENOUGH])
    found = first_difference(record, await replay(recorded_loop(world, changed), record, seconds=SECONDS))
    assert found is not None
    assert found.model_dump() == {"n": 1, "name": "rewrite", "where": "top_k", "recorded": "unset", "replayed": "11"}


async def test_failures_of_a_model_are_replayed(world: World) -> None:
    failing = scripted(
        StageFailed("rewrite", ModelErrorKind.TRUNCATED),
        steps=[final(FinalOutcome.ENOUGH)],
        drafts=[list_everything],
        reports=[ENOUGH],
    )
    _, kept = await run_recorded(recorded_loop(world, failing, answering(world)), asking())
    record = kept(True)
    assert (record.calls[0].by, record.calls[0].failure) == ("model", "truncated")
    replayed = await replay(recorded_loop(world, failing, answering(world)), record, seconds=SECONDS)
    assert first_difference(record, replayed) is None


async def test_a_model_asked_once_more_than_recorded_is_a_difference(world: World) -> None:
    record = await recorded(world, rules=answering(world))
    cut = [call for call in record.calls if call.name != "judge"]
    replayed = await replay(
        recorded_loop(world, answering(world), answering(world)),
        shorter := record.model_copy(update={"calls": tuple(cut)}),
        seconds=SECONDS,
    )
    found = first_difference(shorter, replayed)
    assert found is not None
    assert (found.recorded, found.replayed) == ("rows by source", "judge by model")


async def test_what_can_not_be_replayed_says_why(world: World) -> None:
    loop = recorded_loop(world, answering(world))
    with pytest.raises(NotReplayable, match="ENISHI_TRACE_TEXT=true"):
        await replay(loop, await recorded(world, keep_text=False), seconds=SECONDS)
    _, kept = await run_recorded(loop, asking(), limit=2)
    assert kept(True).is_cut
    with pytest.raises(NotReplayable, match="too large"):
        await replay(loop, kept(True), seconds=SECONDS)


async def test_choices_and_judgements_are_logged_without_text(world: World) -> None:
    stages = scripted(
        concept_rewrite(),
        steps=[search("pirate"), walk(GraphQueryType.NEIGHBORS, world.luffy)],
        drafts=[cite_everything("Monkey D. Luffy is a pirate captain")],
        reports=[NOT_ENOUGH, ENOUGH],
    )
    request = asking()
    with capture_logs() as logs:
        await world.ask(stages, request=request)
    chosen = [entry for entry in logs if entry["event"] == "step_selected"]
    judged = [entry for entry in logs if entry["event"] == "sufficiency_judged"]
    assert [(entry["turn"], entry["action"], entry["by"], entry["entities"]) for entry in chosen] == [
        (1, "qdrant_search", "rules", []),
        (2, "pg_graph", "rules", [str(world.luffy.id)]),
    ]
    assert [(entry["sufficient"], entry["by_code"], entry["missing"]) for entry in judged] == [
        (False, False, 1),
        (True, False, 0),
    ]
    assert judged[0]["evidence_ids"][0] == f"row:character:{world.luffy.id}"
    assert {entry["request_id"] for entry in (*chosen, *judged)} == {str(request.request_id)}
    assert "Luffy" not in str(logs)
