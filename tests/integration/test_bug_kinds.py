"""Kinds of faults that other projects were told of, each shown on inputs of our own: imported, searched and asked."""

import json
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_core.bootstrap import build_orchestrator
from agent_core.orchestrator import Orchestrator
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus
from datastore.identity import entity_id
from datastore.postgres.catalogue import anime, entities, episodes, external_ids
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.entity_reads import read_cards
from datastore.vectors.collections import alias_of
from datastore.vectors.edge import EdgeVectorStore
from datastore.vocabulary import EntityType
from embeddings.bundled import BundledEmbedder
from fixtures.catalogue_imports import counted, fetch, kept
from fixtures.graphql import GraphqlClient, serving_graphql
from fixtures.statements import StatementCounter
from ingestion.importing import import_path
from ingestion.index_sync import IndexRelay
from ingestion.report import ImportReport

pytestmark = [pytest.mark.timeout(300)]

SECONDS = 120.0
SEARCH = "query($query: String!) { search(query: $query, first: 5) { name } }"
SYNOPSES = (
    sa.select(entities.c.name, anime.c.synopsis).join(anime, anime.c.id == entities.c.id).order_by(entities.c.name)
)


@pytest.fixture
async def graphql(database_url: str) -> AsyncGenerator[GraphqlClient]:
    async with serving_graphql(database_url) as client:
        yield client


@pytest.fixture
async def loop(read_only: ReadOnlyEngine) -> AsyncGenerator[Orchestrator]:
    built = build_orchestrator(read_only=read_only, vector_store=None, embedder=None)
    yield built
    await built.close()


async def ask(loop: Orchestrator, query: str) -> AgentResponse:
    return await loop.run(AgentRequest(query=query, request_id=uuid4()))


def entity(kind: str, ref: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"record": kind, "ref": ref, "names": [{"name": name, "kind": "main"}], **fields}


def anime_titled(*titles: str) -> list[dict[str, Any]]:
    return [entity("anime", f"x:anime:{number}", title) for number, title in enumerate(titles)]


async def import_raw(engine: ReadWriteEngine, folder: Path, *records: Mapping[str, Any]) -> ImportReport:
    """Import records as a file would hold them: escapes, broken values and all."""
    path = folder / "works.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return await import_path("interchange", path, engine)


async def titles_found(graphql: GraphqlClient, query: str) -> list[str]:
    return [hit["name"] for hit in (await graphql.data(SEARCH, query=query))["search"]]


async def test_g1_a_lone_surrogate_costs_one_character_in_both_stores(
    read_write: ReadWriteEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder, tmp_path: Path
) -> None:
    report = await import_raw(
        read_write,
        tmp_path,
        entity("anime", "x:anime:1", "One", synopsis="one"),
        entity("anime", "x:anime:2", "Tw\udcb0o", synopsis="Moon \udcb0 Gate", genres=["Sci\ud800"]),
        entity("anime", "x:anime:3", "Two", synopsis="three"),
    )
    relay = IndexRelay(read_write, edge_store, embedder)
    carried = await relay.drain(timeout=SECONDS)

    stored = {("One", "one"), ("Tw\ufffdo", "Moon \ufffd Gate"), ("Two", "three")}
    assert set(await fetch(read_write, SYNOPSES)) == stored
    assert (carried.upserted, carried.failed, carried.dead) == (3, 0, 0)
    [point] = await edge_store.retrieve(alias_of(EntityType.ANIME), [entity_id("x", "anime", "2")], timeout=SECONDS)
    assert point.payload["name"] == "Tw\ufffdo"
    assert [(each.subject, each.kind, each.count) for each in report.repairs] == [
        ("x:anime:2", "lone_surrogate_replaced", 3)
    ]
    assert report.exit_status.code == 1


async def test_g2_a_nul_is_removed_everywhere_and_no_question_with_one_fails(
    read_write: ReadWriteEngine, graphql: GraphqlClient, loop: Orchestrator, tmp_path: Path
) -> None:
    raw = entity("anime", "x:anime:1", "Moon\x00 Gate", synopsis="act one\x00act two", extra={"no\x00te": "a\x00"})
    report = await import_raw(read_write, tmp_path, {**raw, "episodes": 12})
    again = await import_raw(
        read_write,
        tmp_path,
        entity("anime", "x:anime:1", "Moon Gate", synopsis="act oneact two", extra={"note": "a"}, episodes=12),
    )

    assert await fetch(read_write, SYNOPSES) == [("Moon Gate", "act oneact two")]
    assert (counted(report.repaired), report.exit_status.code) == ({"nul_removed": 4}, 0)
    assert kept(again) == {"anime": (0, 0, 1)}
    refused = await graphql.error(SEARCH, query="moon\x00 gate")
    assert (refused["code"], refused["field"]) == ("BAD_INPUT", "query")
    response = await ask(loop, "How many episodes does Moon\x00 Gate have?")
    assert response.status is AnswerStatus.ANSWERED
    assert "12" in response.answer


async def test_g3_any_id_of_a_source_has_a_stable_point(
    read_write: ReadWriteEngine, edge_store: EdgeVectorStore, embedder: BundledEmbedder, tmp_path: Path
) -> None:
    given = ["mal:5114", "5114", "B07YSTB5HX", "-1", "18446744073709551616"]
    records = [entity("anime", f"x:anime:{each}", f"Work {each}") for each in given]
    relay = IndexRelay(read_write, edge_store, embedder)
    await import_raw(read_write, tmp_path, *records)
    first = await relay.drain(timeout=SECONDS)
    again = await import_raw(read_write, tmp_path, *records)
    second = await relay.drain(timeout=SECONDS)

    assert (first.upserted, second.claimed) == (5, 0)
    assert kept(again) == {"anime": (0, 0, 5)}
    ids = {entity_id("x", "anime", each): each for each in given}
    assert len(ids) == 5
    points = await edge_store.retrieve(alias_of(EntityType.ANIME), list(ids), timeout=SECONDS)
    assert {(point.id, point.payload["name"]) for point in points} == {
        (entity, f"Work {each}") for entity, each in ids.items()
    }
    kept_ids = sa.select(external_ids.c.entity_id, external_ids.c.external_id)
    assert dict(await fetch(read_write, kept_ids)) == ids


async def test_g4_wildcards_and_backslashes_mean_themselves(
    read_write: ReadWriteEngine, graphql: GraphqlClient, tmp_path: Path
) -> None:
    titles = ["50% Hero", "50 Hero", "Night_Class", "NightXClass", "C:\\Dream", "Plain", "\\", "%%", "_"]
    await import_raw(read_write, tmp_path, *anime_titled(*titles))

    for query, only in (("50%", "50% Hero"), ("Night_", "Night_Class"), ("Night＿", "Night_Class")):
        assert await titles_found(graphql, query) == [only], query
    assert set(await titles_found(graphql, "50")) == {"50% Hero", "50 Hero"}
    assert await titles_found(graphql, "Plain_") == ["Plain"]
    for query, only in (("C:\\D", "C:\\Dream"), ("\\", "\\"), ("%%", "%%"), ("_", "_"), ("C:\\Dream\\", "C:\\Dream")):
        assert await titles_found(graphql, query) == [only], query
    assert await titles_found(graphql, "%") == ["%%"]
    for nothing in ("Pl_in", "P%n", "\\%", "'; --", "*"):
        assert await titles_found(graphql, nothing) == [], nothing


async def test_g5_dates_outside_the_calendar_stay_text_and_everything_still_answers(
    read_write: ReadWriteEngine, graphql: GraphqlClient, loop: Orchestrator, tmp_path: Path
) -> None:
    dates = ["0000-10-06", "0000-00-00", "99999-01-01", "0001-01-01 BC", "", "infinity"]
    works = [entity("anime", f"x:anime:{n}", f"Work {n}", start=date, end=date) for n, date in enumerate(dates)]
    parts = [
        entity("episode", f"x:episode:{n}", f"Part {n}", anime="x:anime:0", number=n, air_date=date)
        for n, date in enumerate(dates)
    ]
    report = await import_raw(read_write, tmp_path, *works, *parts)

    assert counted(report.repaired) == {"unreadable_date_kept_as_text": 18}
    assert len({(each.subject, each.kind) for each in report.repairs}) == 12
    columns = anime.c
    stored = sa.select(columns.start_raw, columns.start_year, columns.start_month, columns.start_day, columns.end_year)
    assert sorted(await fetch(read_write, stored)) == sorted((date, None, None, None, None) for date in dates)
    aired = sa.select(episodes.c.air_raw, episodes.c.air_year).order_by(episodes.c.number)
    assert await fetch(read_write, aired) == [(date, None) for date in dates]
    ids = [row[0] for row in await fetch(read_write, sa.select(entities.c.id))]
    async with read_write.begin(60) as connection:
        assert len(await read_cards(connection, ids)) == 12
    assert len(await titles_found(graphql, "Work")) == 5
    response = await ask(loop, "When did Work 0 start?")
    assert response.status in {AnswerStatus.NOT_FOUND, AnswerStatus.PARTIAL}
    assert "0000" not in response.answer


@pytest.mark.parametrize(
    ("start", "known", "shown"),
    [
        ("2016", (2016, None, None), "Moon Gate started in 2016 [1]."),
        ("2016-05", (2016, 5, None), "Moon Gate started in May 2016 [1]."),
        ("2016-05-00", (None, None, None), None),
        ("2016-13", (None, None, None), None),
        ("2016-01-10", (2016, 1, 10), "Moon Gate started on 10 January 2016 [1]."),
    ],
)
async def test_g6_no_day_is_made_up(
    read_write: ReadWriteEngine,
    loop: Orchestrator,
    tmp_path: Path,
    start: str,
    known: tuple[int | None, int | None, int | None],
    shown: str | None,
) -> None:
    await import_raw(read_write, tmp_path, entity("anime", "x:anime:1", "Moon Gate", start=start))
    columns = anime.c
    stored = sa.select(columns.start_raw, columns.start_year, columns.start_month, columns.start_day)
    assert await fetch(read_write, stored) == [(start, *known)]
    response = await ask(loop, "When did Moon Gate start?")
    if shown is None:
        assert response.status is not AnswerStatus.ANSWERED
    else:
        assert response.answer == shown
    compared = await ask(loop, "Did Moon Gate start before 10 January 2016?")
    assert known[2] is not None or "10 January" not in compared.answer


@pytest.mark.parametrize(
    ("question", "verdicts"),
    [
        ("Did Moon Gate start after 3 May 2016?", ("", "No", "Yes")),
        ("Did Moon Gate start on May 2, 2016?", ("", "No", "No")),
        ("Did Moon Gate start before 10 May 2016?", ("", "Yes", "Yes")),
        ("Did Moon Gate start in 2016-05?", ("Yes", "Yes", "Yes")),
    ],
)
async def test_g6_a_day_is_held_against_a_date_as_far_as_that_is_known(
    read_write: ReadWriteEngine, loop: Orchestrator, tmp_path: Path, question: str, verdicts: tuple[str, str, str]
) -> None:
    for start, verdict in zip(("2016-05", "2016-05-01", "2016-05-09"), verdicts, strict=True):
        await import_raw(read_write, tmp_path, entity("anime", "x:anime:1", "Moon Gate", start=start))
        response = await ask(loop, question)
        assert response.answer.startswith(verdict or "Moon Gate started in May 2016")
        assert "May 2016" in response.answer


@pytest.mark.parametrize(
    ("start", "other", "said"),
    [
        ("2016", "2016-05", None),
        ("2016-05", "2016-05-09", None),
        ("2016-05", "2016-05", None),
        ("2016-05-09", "2016-05-09", "Moon Gate and Sun Gate are equal in date"),
        ("2016-05", "2016-06-01", "Moon Gate is earlier than Sun Gate"),
    ],
)
async def test_g6_dates_are_compared_as_far_as_they_are_known(
    read_write: ReadWriteEngine, loop: Orchestrator, tmp_path: Path, start: str, other: str, said: str | None
) -> None:
    works = [entity("anime", f"x:anime:{n}", f"{n} Gate", start=at) for n, at in (("Moon", start), ("Sun", other))]
    await import_raw(read_write, tmp_path, *works)
    response = await ask(loop, "Which came first, Moon Gate or Sun Gate?")
    assert response.answer.startswith(said or "Moon Gate started in")
    assert said is not None or "equal" not in response.answer


async def test_g7_times_with_and_without_a_zone_are_days_in_utc(read_write: ReadWriteEngine, tmp_path: Path) -> None:
    starts = ["2024-03-31T02:30:00", "2024-03-30T18:30:00-07:00", "2024-03-31", "2024-04-01T00:30:00+09:00"]
    starts += ["2024-03-31 23:59:59.999Z", "9999-12-31T23:00:00-05:00", "2024-02-30T00:00:00"]
    works = [entity("anime", f"x:anime:{n}", f"Work {n}", start=start) for n, start in enumerate(starts)]
    report = await import_raw(read_write, tmp_path, *works)

    columns = anime.c
    stored = (
        sa.select(entities.c.name, columns.start_raw, columns.start_year, columns.start_month, columns.start_day)
        .join(entities, entities.c.id == columns.id)
        .order_by(columns.start_year, columns.start_month, columns.start_day, entities.c.name)
    )
    day = ("2024-03-31", 2024, 3, 31)
    assert await fetch(read_write, stored) == [
        *((f"Work {number}", *day) for number in range(5)),
        ("Work 5", starts[5], None, None, None),
        ("Work 6", starts[6], None, None, None),
    ]
    assert counted(report.repaired) == {"instant_made_date": 4, "unreadable_date_kept_as_text": 2}
    assert report.exit_status.code == 0


async def test_g8_every_alias_gets_its_own_entity(
    read_write: ReadWriteEngine, graphql: GraphqlClient, statement_counter: StatementCounter, tmp_path: Path
) -> None:
    await import_raw(
        read_write, tmp_path, *(entity("character", f"x:character:{n}", f"Character {n}") for n in (1, 2, 9))
    )
    one, nine, missing = (str(entity_id("x", "character", each)) for each in ("1", "9", "404"))
    wanted = {"a": nine, "b": one, "c": missing, "d": nine}
    fields = " ".join(f'{alias}: entities(ids: ["{each}"]) {{ id name }}' for alias, each in wanted.items())
    with statement_counter.counting() as of_one:
        await graphql.data("query($id: ID!) { entities(ids: [$id]) { id name } }", id=nine)
    with statement_counter.counting() as of_all:
        data = await graphql.data(f"{{ {fields} }}")
    whole = await graphql.data("query($ids: [ID!]!) { entities(ids: $ids) { name } }", ids=[*wanted.values()])

    assert list(data) == ["a", "b", "c", "d"]
    assert [each and each["name"] for (each,) in data.values()] == ["Character 9", "Character 1", None, "Character 9"]
    assert data["a"] == data["d"]
    assert [each and each["name"] for each in whole["entities"]] == ["Character 9", "Character 1", None, "Character 9"]
    assert of_all.total == of_one.total


@pytest.mark.parametrize("relations", [[(1, 2), (2, 3), (3, 1)], [(1, 2), (2, 1)], [(1, 2), (2, 3), (3, 2)]])
async def test_g11_a_loop_of_sequels_is_finite_and_said(
    read_write: ReadWriteEngine, loop: Orchestrator, tmp_path: Path, relations: list[tuple[int, int]]
) -> None:
    names = {1: "Aurora Gate", 2: "Borealis Gate", 3: "Cirrus Gate"}
    works = [entity("anime", f"x:anime:{n}", name, start=f"200{n}") for n, name in names.items()]
    links = [
        {"record": "relation", "from": f"x:anime:{one}", "to": f"x:anime:{other}", "relation": "sequel"}
        for one, other in relations
    ]
    report = await import_raw(read_write, tmp_path, *works, *links)
    response = await ask(loop, "List the whole series of Aurora Gate in order")

    loops = [conflict for conflict in report.conflicts if conflict.field == "sequel"]
    assert len(loops) == 1
    assert loops[0].other.split(" -> ")[0] == loops[0].other.split(" -> ")[-1]
    shown = [ref.id for ref in response.result_entities]
    assert len(shown) == len(set(shown))
    assert response.usage.turns <= 10


async def test_g12_namesakes_stay_apart_and_are_told_apart(
    read_write: ReadWriteEngine, loop: Orchestrator, tmp_path: Path
) -> None:
    records = [
        entity("anime", "x:anime:1", "Moon Gate"),
        entity("anime", "x:anime:2", "Star Gate"),
        entity("character", "x:character:1", "Sakura"),
        entity("character", "x:character:2", "Sakura"),
        entity("person", "x:person:1", "Sakura"),
        entity("person", "x:person:2", "Sakura"),
        {"record": "appearance", "character": "x:character:1", "work": "x:anime:1"},
        {"record": "appearance", "character": "x:character:2", "work": "x:anime:2"},
        {"record": "voice", "person": "x:person:1", "character": "x:character:1", "work": "x:anime:1"},
    ]
    for source in ("first", "second"):
        renamed = json.loads(json.dumps(records).replace('"x:', f'"{source}:'))
        (tmp_path / "one.jsonl").write_text("\n".join(map(json.dumps, renamed)), encoding="utf-8")
        await import_path("interchange", tmp_path / "one.jsonl", read_write, source=source)

    sakuras = sa.select(entities.c.id).where(entities.c.name == "Sakura")
    assert len(await fetch(read_write, sakuras)) == 8
    response = await ask(loop, "Who voices Sakura?")
    characters: set[UUID] = {
        entity_id(source, "character", number) for source in ("first", "second") for number in ("1", "2")
    }
    assert response.status is AnswerStatus.AMBIGUOUS
    assert characters & {candidate.entity.id for candidate in response.alternatives} == characters


@pytest.mark.parametrize(
    ("title", "spellings"),
    [
        ("銀河Express", ["銀河Ｅｘｐｒｅｓｓ", "銀河Ex\u200bpress", "銀河EXPRESS", "\ufeff銀河 Express"]),
        ("ハ\u309aレート\u3099", ["パレード", "ﾊﾟﾚｰﾄﾞ", "ぱれーど", "ハ\u309aレート\u3099"]),
        ("Hayate the Combat\ufeff Butler", ["hayate the combat butler", "Ｈａｙａｔｅ the Combat Butler"]),
        ("Étoile\u00a0Ærø", ["e\u0301toile ærø", "Etoile Aero", "étoile\u3000ærø"]),
    ],
)
async def test_g14_equal_looking_titles_are_one_title_and_shown_as_given(
    read_write: ReadWriteEngine, graphql: GraphqlClient, tmp_path: Path, title: str, spellings: list[str]
) -> None:
    await import_raw(read_write, tmp_path, *anime_titled(title, "Another", "パレット", "銀河"))
    for spelling in (title, *spellings):
        assert (await titles_found(graphql, spelling))[:1] == [title], ascii(spelling)
