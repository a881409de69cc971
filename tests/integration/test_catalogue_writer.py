"""The catalogue's writer on a real PostgreSQL: what it stores, what it leaves alone, and what it refuses."""

import asyncio
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.identity import entity_id
from datastore.postgres.catalogue import (
    anime,
    entities,
    episodes,
    external_ids,
    names,
    pending_links,
    redirects,
    source_records,
)
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import outbox
from datastore.postgres.projection import rebuild_edges
from datastore.top_lists import LISTED
from fixtures.catalogue_imports import (
    changed_rows,
    count,
    dump_tables,
    entity,
    fetch,
    import_records,
    kept,
    record,
    refusals,
)
from fixtures.statements import StatementCounter
from ingestion.catalogue import CatalogueWriter
from ingestion.formats.protocol import Located
from ingestion.records import AnyEntity, AnyLink
from ingestion.report import ReportBuilder
from sqlalchemy.exc import ProgrammingError

MOON, SUN = "first:anime:moon", "first:anime:sun"

OUTBOX = sa.select(outbox.c.entity_id, outbox.c.version, outbox.c.operation).order_by(outbox.c.id)
VERSIONS = sa.select(entities.c.name, entities.c.version).order_by(entities.c.name)


def catalogue() -> list[AnyEntity | AnyLink]:
    """Two works with everything around them."""
    return [
        entity(
            "anime",
            MOON,
            "Moon Gate",
            external_ids=["mal:anime:1"],
            names=[
                {"name": "Moon Gate", "kind": "main", "language": "en"},
                {"name": "Tsuki no Mon", "kind": "romaji", "language": "ja-Latn"},
            ],
            popularity=10,
            start="2016-05",
            episodes=12,
            genres=["Drama"],
            extra={"site": "x"},
        ),
        entity("anime", SUN, "Sun Gate", popularity=20),
        entity("character", "first:character:ann", "Ann"),
        entity("person", "first:person:aoi", "Aoi"),
        entity("studio", "first:studio:mad", "Mad"),
        record("relation", from_=MOON, to=SUN, relation="sequel"),
        record("appearance", character="first:character:ann", work=MOON, role="main"),
        record("voice", person="first:person:aoi", character="first:character:ann", work=MOON),
        record("staff", person="first:person:aoi", work=SUN, role="director", raw_role="Director"),
        record("studio_credit", studio="first:studio:mad", work=MOON),
    ]


async def test_an_import_stores_every_part(read_write: ReadWriteEngine) -> None:
    report = await import_records(read_write, *catalogue())
    assert kept(report) == {
        "anime": (2, 0, 0),
        "appearance": (1, 0, 0),
        "character": (1, 0, 0),
        "person": (1, 0, 0),
        "relation": (1, 0, 0),
        "staff": (1, 0, 0),
        "studio": (1, 0, 0),
        "studio_credit": (1, 0, 0),
        "voice": (1, 0, 0),
    }
    moon = entity_id("first", "anime", "moon")
    columns = anime.c
    work = sa.select(columns.start_year, columns.start_month, columns.start_day, columns.start_raw, columns.year)
    assert await fetch(read_write, work.where(columns.id == moon)) == [(2016, 5, None, "2016-05", 2016)]
    stored_names = sa.select(names.c.name, names.c.kind, names.c.folded).where(names.c.entity_id == moon)
    assert sorted(await fetch(read_write, stored_names)) == [
        ("Moon Gate", "main", "mon gate"),
        ("Tsuki no Mon", "romaji", "tsuki no mon"),
    ]
    refs = sa.select(external_ids.c.source, external_ids.c.external_id).where(external_ids.c.entity_id == moon)
    assert sorted(await fetch(read_write, refs)) == [("first", "moon"), ("mal", "1")]
    popularity = sa.select(entities.c.name, entities.c.popularity).where(entities.c.entity_type == "anime")
    assert sorted(await fetch(read_write, popularity)) == [("Moon Gate", 0.5), ("Sun Gate", 1.0)]
    # Both directions of each of the five links.
    dump = await dump_tables(read_write)
    assert len(dump["edges"]) == 10
    # One outbox row an entity: the links came in the same transaction.
    assert sorted(version for _, version, _ in await fetch(read_write, OUTBOX)) == [1, 1, 1, 1, 1]


@pytest.mark.parametrize("batch_size", [500, 3, 1])
async def test_the_second_import_changes_nothing(read_write: ReadWriteEngine, batch_size: int) -> None:
    await import_records(read_write, *catalogue(), batch_size=batch_size)
    before = await dump_tables(read_write)
    report = await import_records(read_write, *catalogue(), batch_size=batch_size)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (report.created, report.changed, report.unchanged) == (0, 0, 10)
    assert (report.waiting, report.refused_count, report.conflict_count) == (0, 0, 0)


async def test_one_edited_title_changes_one_entity_and_one_outbox_row(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, *catalogue())
    before = await dump_tables(read_write)
    report = await import_records(read_write, *catalogue()[2:], entity("anime", SUN, "Sun Gates", popularity=20))
    after = await dump_tables(read_write)
    changes = changed_rows(before, after)
    assert {name: changes[name] for name in ("entities", "outbox", "names", "source_records")} == {
        "entities": (1, 1),
        "outbox": (0, 1),
        "names": (1, 1),
        "source_records": (1, 1),
    }
    # Nothing but search rows of the name changes besides.
    assert changes.keys() - {"entities", "outbox", "names", "source_records"} <= {
        "name_pages",
        "name_starts",
        "name_tops",
        "start_gaps",
    }
    assert (report.created, report.changed) == (0, 1)
    assert (await fetch(read_write, OUTBOX))[-1] == (entity_id("first", "anime", "sun"), 2, "upsert")


async def test_a_new_count_moves_popularity_and_no_version(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, *catalogue())
    sun = entity("anime", SUN, "Sun Gate", popularity=5)
    report = await import_records(read_write, sun)
    assert (report.changed, report.unchanged) == (1, 0)
    popularity = sa.select(entities.c.name, entities.c.popularity, entities.c.version)
    rows = await fetch(read_write, popularity.where(entities.c.entity_type == "anime"))
    assert sorted(rows) == [("Moon Gate", 1.0, 1), ("Sun Gate", 0.5, 1)]
    assert await count(read_write, outbox) == 5


async def test_counts_of_two_sources_are_not_compared(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, *catalogue())
    await import_records(read_write, entity("anime", "second:anime:1", "Star", popularity=800_000), source="second")
    popularity = sa.select(entities.c.name, entities.c.popularity).where(entities.c.entity_type == "anime")
    assert sorted(await fetch(read_write, popularity)) == [("Moon Gate", 0.5), ("Star", 1.0), ("Sun Gate", 1.0)]


async def test_a_link_waits_for_its_other_end_over_imports(read_write: ReadWriteEngine) -> None:
    links = [
        record("relation", from_=MOON, to=SUN, relation="sequel"),
        record("relation", from_=MOON, to="first:anime:x", relation="sequel"),
    ]
    report = await import_records(read_write, entity("anime", MOON, "Moon Gate"), *links)
    assert (report.waiting, report.waiting_for, kept(report)["anime"]) == (
        2,
        ("first:anime:sun", "first:anime:x"),
        (1, 0, 0),
    )
    before = await dump_tables(read_write)
    again = await import_records(read_write, entity("anime", MOON, "Moon Gate"), *links)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert again.waiting == 2

    second = await import_records(
        read_write, entity("anime", "second:anime:9", "Sun Gate", external_ids=[SUN]), source="second"
    )
    assert (second.completed, second.waiting, kept(second)["relation"]) == (1, 0, (1, 0, 0))
    dump = await dump_tables(read_write)
    assert (len(dump["work_relations"]), len(dump["edges"]), len(dump["pending_links"])) == (1, 2, 1)


async def test_a_link_waits_for_both_ends_one_after_the_other(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, record("appearance", character="first:character:ann", work=MOON))
    await import_records(read_write, entity("anime", MOON, "Moon Gate"))
    assert await fetch(read_write, sa.select(pending_links.c.missing_ref)) == [("first:character:ann",)]
    report = await import_records(read_write, entity("character", "first:character:ann", "Ann"))
    assert (report.completed, report.waiting) == (1, 0)
    assert len((await dump_tables(read_write))["appearances"]) == 1


async def test_episodes_wait_for_their_anime_and_get_edges(read_write: ReadWriteEngine) -> None:
    pilot = entity("episode", "first:episode:1", "Pilot", anime=MOON, number=1, air_date="2016-05-01")
    report = await import_records(read_write, pilot)
    assert (report.waiting, report.waiting_for) == (1, (MOON,))
    report = await import_records(read_write, entity("anime", MOON, "Moon Gate"), pilot)
    assert (report.completed, report.waiting) == (1, 0)
    moon = entity_id("first", "anime", "moon")
    columns = episodes.c
    stored = sa.select(columns.anime_id, columns.number, columns.air_year, columns.air_month, columns.air_day)
    assert await fetch(read_write, stored) == [(moon, 1, 2016, 5, 1)]
    assert len((await dump_tables(read_write))["edges"]) == 2
    again = await import_records(read_write, pilot)
    assert (again.unchanged, again.changed) == (1, 0)


async def test_equal_names_are_never_one_entity(read_write: ReadWriteEngine) -> None:
    sakuras = [
        entity("character", "first:character:1", "Sakura"),
        entity("character", "first:character:2", "Sakura"),
        entity("person", "first:person:1", "Sakura"),
        entity("person", "first:person:2", "Sakura"),
    ]
    report = await import_records(read_write, *sakuras)
    assert kept(report) == {"character": (2, 0, 0), "person": (2, 0, 0)}
    assert await count(read_write, entities) == 4


async def test_awkward_ids_are_stable_and_never_collide(read_write: ReadWriteEngine) -> None:
    ids = ["mal:5114", "5114", "B07YSTB5HX", "-1", "18446744073709551616"]
    works = [entity("anime", f"shop:anime:{external_id}", f"Work {external_id}") for external_id in ids]
    works.append(entity("anime", "mal:anime:5114", "Another"))
    await import_records(read_write, *works)
    before = await dump_tables(read_write)
    await import_records(read_write, *works)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    expected = {entity_id("shop", "anime", external_id) for external_id in ids} | {entity_id("mal", "anime", "5114")}
    assert {row[0] for row in await fetch(read_write, sa.select(entities.c.id))} == expected
    kept_ids = sa.select(external_ids.c.external_id).where(external_ids.c.source == "shop")
    assert {row[0] for row in await fetch(read_write, kept_ids)} == set(ids)


async def test_a_second_source_fills_adds_names_and_never_overwrites(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, *catalogue())
    other = entity(
        "anime", "second:anime:9", "Gate of the Moon", external_ids=["mal:anime:1"], episodes=13, season="spring"
    )
    report = await import_records(read_write, other, source="second")
    assert kept(report) == {"anime": (0, 1, 0)}
    assert [(each.subject, each.field, each.kept, each.other) for each in report.conflicts] == [
        ("second:anime:9", "episodes", "12", "13")
    ]
    moon = entity_id("first", "anime", "moon")
    work = sa.select(anime.c.episodes, anime.c.season).where(anime.c.id == moon)
    assert await fetch(read_write, work) == [(12, "spring")]
    stored = sa.select(names.c.name, names.c.kind).where(names.c.entity_id == moon)
    assert sorted(await fetch(read_write, stored)) == [
        ("Gate of the Moon", "alias"),
        ("Moon Gate", "main"),
        ("Tsuki no Mon", "romaji"),
    ]
    before = await dump_tables(read_write)
    again = await import_records(read_write, other, source="second")
    first_again = await import_records(read_write, *catalogue())
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (again.conflict_count, first_again.conflict_count) == (1, 1)


async def test_a_source_replaces_and_withdraws_its_own_values_only(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, entity("anime", MOON, "Moon Gate", episodes=12, country="JP"))
    second = entity("anime", "second:anime:9", "Moon Gate", external_ids=[MOON], episodes=13, season="spring")
    await import_records(read_write, second, source="second")
    await import_records(read_write, entity("anime", MOON, "Moon Gate", country="KR"))
    work = sa.select(anime.c.episodes, anime.c.season, anime.c.country)
    assert await fetch(read_write, work) == [(13, "spring", "KR")]
    assert await count(read_write, source_records) == 2


async def test_a_partial_record_leaves_alone_what_it_does_not_mention(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, entity("anime", MOON, "Moon Gate", episodes=12))
    partial = Located(entity("anime", MOON, "Moon Gate", duration_minutes=24), is_partial=True)
    await import_records(read_write, partial)
    work = sa.select(anime.c.episodes, anime.c.duration_minutes)
    assert await fetch(read_write, work) == [(12, 24)]


async def test_external_ids_that_name_two_entities_refuse_the_record(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, *catalogue())
    torn = entity("anime", "second:anime:9", "Torn", external_ids=[MOON, SUN])
    report = await import_records(read_write, torn, source="second")
    assert refusals(report) == [("second:anime:9", f"external_ids: {MOON} and {SUN} name different entities")]
    assert await count(read_write, redirects) == 0


async def test_a_disputed_external_id_stays_with_its_owner(read_write: ReadWriteEngine) -> None:
    works = [
        entity("anime", "first:anime:1", "Part 1", external_ids=["mal:anime:7"]),
        entity("anime", "first:anime:2", "Part 2", external_ids=["mal:anime:7"]),
    ]
    report = await import_records(read_write, *works)
    assert kept(report) == {"anime": (2, 0, 0)}
    assert [(each.subject, each.field, each.other) for each in report.conflicts] == [
        ("first:anime:2", "external_ids", "mal:anime:7")
    ]
    before = await dump_tables(read_write)
    await import_records(read_write, *works)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    owner = sa.select(external_ids.c.entity_id).where(external_ids.c.source == "mal")
    assert await fetch(read_write, owner) == [(entity_id("first", "anime", "1"),)]


async def test_records_that_contradict_what_is_known_are_refused_by_name(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, *catalogue())
    report = await import_records(
        read_write,
        entity("manga", MOON, "Moon Gate"),
        entity("anime", SUN, "Sun Gate", popularity=20),
        entity("anime", SUN, "Sun Gate II"),
        entity("episode", "first:episode:1", "Pilot", anime="first:studio:mad", number=1),
        record("appearance", character="first:person:aoi", work=MOON),
        record("relation", from_=MOON, to="mal:anime:1", relation="sequel"),
    )
    assert refusals(report) == [
        (MOON, "ref: it names an entity of type anime"),
        (SUN, "ref: an earlier record of this import describes the same entity"),
        ("first:episode:1", "anime: first:studio:mad names an entity of type studio"),
        (f"first:person:aoi - {MOON}", "character: first:person:aoi names an entity of type person"),
        (f"{MOON} - mal:anime:1", "to: mal:anime:1 names the entity of the other end"),
    ]
    assert (await fetch(read_write, VERSIONS))[3] == ("Moon Gate", 1)


@pytest.mark.parametrize("batch_size", [500, 2])
async def test_a_row_that_the_database_refuses_takes_no_other_with_it(
    read_write: ReadWriteEngine, batch_size: int
) -> None:
    report = await import_records(
        read_write,
        entity("anime", MOON, "Moon Gate"),
        entity("anime", "first:anime:nul", "Nul", synopsis="act one\x00act two"),
        entity("episode", "first:episode:1", "One", anime=MOON, number=1),
        entity("episode", "first:episode:1b", "One again", anime=MOON, number=1),
        entity("anime", SUN, "Sun Gate"),
        batch_size=batch_size,
    )
    assert kept(report) == {"anime": (2, 0, 0), "episode": (1, 0, 0)}
    assert [subject for subject, _ in refusals(report)] == ["first:anime:nul", "first:episode:1b"]
    assert refusals(report)[1][1] == "number: another episode of this anime has it"
    assert report.exit_status.code == 1
    assert await count(read_write, entities) == 3
    assert await count(read_write, outbox) == 3


async def test_a_broken_schema_is_no_refused_record(read_write: ReadWriteEngine) -> None:
    async with read_write.begin(30) as connection:
        await connection.execute(sa.schema.DropTable(sa.table("source_records")))  # pyright: ignore[reportArgumentType] -- a bare name is all that DROP needs
    with pytest.raises(ProgrammingError):
        await import_records(read_write, *catalogue())


async def test_a_role_that_its_source_corrects_is_updated_with_its_edges(read_write: ReadWriteEngine) -> None:
    await import_records(read_write, *catalogue())
    corrected = record("appearance", character="first:character:ann", work=MOON, role="supporting")
    foreign = await import_records(read_write, corrected, source="second")
    assert (kept(foreign)["appearance"], foreign.conflict_count) == ((0, 0, 1), 1)
    report = await import_records(read_write, corrected)
    assert kept(report)["appearance"] == (0, 1, 0)
    dump = await dump_tables(read_write)
    assert sorted(row[5] for row in dump["edges"] if row[3] == 2) == ["supporting", "supporting"]
    repeated = record("appearance", character="first:character:ann", work=MOON, role="main")
    twice = await import_records(read_write, corrected, repeated)
    assert kept(twice)["appearance"] == (0, 0, 2)


async def test_a_relation_told_from_both_ends_is_stored_once(read_write: ReadWriteEngine) -> None:
    works = [entity("anime", MOON, "Moon Gate"), entity("anime", SUN, "Sun Gate")]
    both = [
        record("relation", from_=MOON, to=SUN, relation="sequel"),
        record("relation", from_=SUN, to=MOON, relation="prequel"),
        record("relation", from_=SUN, to=MOON, relation="parent_story"),
        record("relation", from_=MOON, to=SUN, relation="spin_off"),
    ]
    report = await import_records(read_write, *works, *both)
    assert kept(report)["relation"] == (3, 0, 1)
    dump = await dump_tables(read_write)
    assert {row[3] for row in dump["work_relations"]} == {"sequel", "spin_off"}
    assert len(dump["edges"]) == 4
    again = await import_records(read_write, *both)
    assert kept(again)["relation"] == (0, 0, 4)
    # Later than its weaker form, the stronger one takes its place.
    await import_records(read_write, record("relation", from_=MOON, to=SUN, relation="parent_story"))
    await import_records(read_write, record("relation", from_=SUN, to=MOON, relation="spin_off"))
    dump = await dump_tables(read_write)
    assert sorted(row[3] for row in dump["work_relations"]) == ["sequel", "spin_off", "spin_off"]
    assert len(dump["edges"]) == 6


async def test_sequels_that_run_in_a_circle_are_reported(read_write: ReadWriteEngine) -> None:
    works = [entity("anime", f"first:anime:{letter}", letter.upper()) for letter in "abcd"]
    circle = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
    links = [
        record("relation", from_=f"first:anime:{one}", to=f"first:anime:{next_}", relation="sequel")
        for one, next_ in circle
    ]
    report = await import_records(read_write, *works, *links)
    assert kept(report)["relation"] == (4, 0, 0)
    assert [(each.field, each.kept, each.other) for each in report.conflicts] == [
        ("sequel", "a loop of 3 works", "A -> B -> C -> A")
    ]


async def test_links_that_the_index_shows_give_their_entity_a_new_version(read_write: ReadWriteEngine) -> None:
    whole = catalogue()
    await import_records(read_write, *whole[:5])
    assert await count(read_write, outbox) == 5
    await import_records(read_write, *whole[5:])
    changed = {"Ann", "Moon Gate"}
    assert {name for name, version in await fetch(read_write, VERSIONS) if version == 2} == changed
    assert await count(read_write, outbox) == 7
    await import_records(read_write, entity("studio", "first:studio:mad", "Madder"))
    assert (await fetch(read_write, OUTBOX))[7:] == [
        (entity_id("first", "studio", "mad"), 2, "upsert"),
        (entity_id("first", "anime", "moon"), 3, "upsert"),
    ]


async def test_deleting_leaves_tombstones_and_re_reads_the_neighbours(read_write: ReadWriteEngine) -> None:
    pilot = entity("episode", "first:episode:1", "Pilot", anime=MOON, number=1)
    await import_records(read_write, *catalogue(), pilot)
    seen = len(await fetch(read_write, OUTBOX))
    removed = await CatalogueWriter(read_write).delete([MOON, "mal:anime:1", "first:anime:unknown"])
    assert removed == 2
    new = (await fetch(read_write, OUTBOX))[seen:]
    moon, episode = entity_id("first", "anime", "moon"), entity_id("first", "episode", "1")
    assert sorted(new[:2]) == sorted([(moon, 2, "delete"), (episode, 2, "delete")])
    assert new[2:] == [(entity_id("first", "character", "ann"), 2, "upsert")]
    dump = await dump_tables(read_write)
    for table in ("anime", "names", "edges", "external_ids", "source_records"):
        assert not any(moon in row for row in dump[table]), table
    assert {row[3] for row in dump["entities"]} == {"Sun Gate", "Ann", "Aoi", "Mad"}
    assert await CatalogueWriter(read_write).delete([MOON]) == 0
    await import_records(read_write, *catalogue(), pilot)
    assert {moon, episode} <= {row[0] for row in await fetch(read_write, sa.select(entities.c.id))}


async def test_two_imports_at_once_end_like_one_after_the_other(read_write: ReadWriteEngine) -> None:
    reports = await asyncio.gather(
        *(import_records(read_write, *catalogue(), batch_size=2, source=source) for source in ("first", "first"))
    )
    assert sum(report.created for report in reports) == 10
    assert sum(report.refused_count for report in reports) == 0
    assert await count(read_write, entities) == 5
    ids = {row[0] for row in await fetch(read_write, sa.select(entities.c.id))}
    assert all(isinstance(each, UUID) for each in ids)
    before = await dump_tables(read_write)
    await import_records(read_write, *catalogue())
    assert changed_rows(before, await dump_tables(read_write)) == {}


async def test_the_edges_of_an_import_equal_a_rebuild(read_write: ReadWriteEngine) -> None:
    pilot = entity("episode", "first:episode:1", "Pilot", anime=MOON, number=1)
    await import_records(read_write, *catalogue(), pilot)
    before = await dump_tables(read_write)
    async with read_write.begin(30) as connection:
        assert await rebuild_edges(connection) == 12
    assert changed_rows(before, await dump_tables(read_write)) == {}


async def test_a_batch_takes_the_same_number_of_statements_whatever_its_size(
    read_write: ReadWriteEngine, statement_counter: StatementCounter
) -> None:
    totals: list[int] = []
    # Of more works that begin alike, the lists of their beginnings are followed, too, a letter at a time.
    for size in (2, LISTED - 2):
        works = [entity("anime", f"first:anime:{size}-{n}", f"Work {size} {n}", popularity=n) for n in range(size)]
        links = [
            record("relation", from_=works[0].model_dump()["ref"], to=work.model_dump()["ref"], relation="alternative")
            for work in works[1:]
        ]
        with statement_counter.counting() as counting:
            await import_records(read_write, *works, *links)
        totals.append(counting.total)
    assert totals[0] == totals[1]


async def test_progress_is_told_batch_by_batch(read_write: ReadWriteEngine) -> None:
    batches: list[int] = []
    builder = ReportBuilder(format_name="test", source="first")
    writer = CatalogueWriter(read_write, batch_size=4)
    await writer.write(catalogue(), source="first", report_builder=builder, on_batch=batches.append)
    assert batches == [4, 4, 2]
