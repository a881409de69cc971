"""The graph executor: results, sentences, ids, caps, refusals, time-outs; and whether evidence still stands."""

from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.evidence import ComparisonEvidence, EntityRef, FieldDifference, PathEvidence
from agent_core.retrieval.catalogue import PostgresCatalogue
from agent_core.retrieval.postgres_graph_executor import PostgresGraphExecutor
from agent_core.schemas import (
    MAX_RESULTS,
    DateRange,
    GraphFilters,
    GraphIntent,
    GraphLimits,
    GraphQueryType,
    GraphResult,
    StepStatus,
    WarningCode,
)
from datastore.edges import EdgeType
from datastore.postgres.catalogue import appearances, edges, voices
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_only
from datastore.postgres.hot import HotPool
from datastore.postgres.projection import project_edges
from datastore.vocabulary import AppearanceRole, CharacterRelationKind, EntityType, Season, StaffRole, WorkSource
from factories import CatalogueFactory
from fixtures.postgres import seeded
from fixtures.statements import StatementCounter


class World:
    """References and row ids of the test catalogue."""

    def __init__(self) -> None:
        self.refs: dict[str, EntityRef] = {}
        self.rows: dict[str, int] = {}

    def add(self, key: str, entity_type: EntityType, entity_id: UUID, name: str) -> UUID:
        """Remember an entity."""
        self.refs[key] = EntityRef(entity_type=entity_type, id=entity_id, name=name)
        return entity_id

    def __getitem__(self, key: str) -> EntityRef:
        return self.refs[key]


async def write_world(read_write: ReadWriteEngine) -> World:
    """A crew, its show, the people behind it, and a show apart."""
    async with read_write.begin() as conn:
        make, world = CatalogueFactory(conn), World()
        show = world.add("show", EntityType.ANIME, await make.make_anime(
            "One Piece", start="1999-10-20", episode_count=1000, score=88, genres=["Action", "Comedy"], popularity=0.9,
            season=Season.FALL, source=WorkSource.MANGA, synopsis="Pirates look for a treasure.", duration=24,
        ), "One Piece")  # fmt: skip
        film = world.add("film", EntityType.ANIME, await make.make_anime(
            "One Piece Film", start="2012-12", genres=["Action"], popularity=0.6, episode_count=1,
        ), "One Piece Film")  # fmt: skip
        world.add("apart", EntityType.ANIME, await make.make_anime("Apart", start="2020", popularity=0.1), "Apart")
        luffy = world.add("luffy", EntityType.CHARACTER, await make.make_character("Luffy", popularity=0.95), "Luffy")
        nami = world.add("nami", EntityType.CHARACTER, await make.make_character("Nami", popularity=0.8), "Nami")
        usopp = world.add("usopp", EntityType.CHARACTER, await make.make_character("Usopp", popularity=0.7), "Usopp")
        tanaka = world.add("tanaka", EntityType.PERSON, await make.make_person("Mayumi Tanaka"), "Mayumi Tanaka")
        uda = world.add("uda", EntityType.PERSON, await make.make_person("Konosuke Uda"), "Konosuke Uda")
        toei = world.add("toei", EntityType.STUDIO, await make.make_studio("Toei Animation"), "Toei Animation")
        rows = world.rows
        rows["film"] = await make.relates(show, EdgeType.SIDE_STORY, film)
        rows["luffy in show"] = await make.appears(luffy, show, AppearanceRole.MAIN)
        rows["nami in show"] = await make.appears(nami, show, AppearanceRole.MAIN)
        rows["usopp in show"] = await make.appears(usopp, show)
        rows["luffy in film"] = await make.appears(luffy, film, AppearanceRole.MAIN)
        rows["captain"] = await make.knows(nami, CharacterRelationKind.CAPTAIN, luffy, note="Nami navigates his ship.")
        rows["voice"] = await make.voices(tanaka, luffy, work=show)
        rows["film voice"] = await make.voices(tanaka, luffy, work=film)
        rows["director"] = await make.worked(uda, show, StaffRole.DIRECTOR, raw="Series Director")
        rows["film staff"] = await make.worked(uda, film, StaffRole.DIRECTOR)
        rows["storyboard"] = await make.worked(uda, film, StaffRole.STORYBOARD)
        rows["studio"] = await make.produced(toei, show)
        await make.produced(toei, film)
        await make.make_episode(show, 1, "I'm Luffy!", aired="1999-10-20")
    return world


template, world = seeded(write_world)


@pytest.fixture
def executor(read_only: ReadOnlyEngine) -> PostgresGraphExecutor:
    """The executor over the test's database."""
    return PostgresGraphExecutor(read_only)


async def run(executor: PostgresGraphExecutor, kind: GraphQueryType, start: EntityRef, **more: object) -> GraphResult:
    """One intent, executed."""
    intent = GraphIntent.model_validate({"rationale": "test", "query_type": kind, "start": start, **more})
    return await executor.execute(intent, timeout=5)


async def test_each_neighbour_is_evidence_with_its_row(world: World, executor: PostgresGraphExecutor) -> None:
    result = await run(executor, GraphQueryType.NEIGHBORS, world["luffy"])
    assert (result.status, result.truncated, result.warnings) == (StepStatus.OK, False, ())
    rows = world.rows
    texts = {item.id: item.text for item in result.evidence}
    assert texts == {
        f"edge:appearances:{rows['luffy in show']}:out": "Luffy appears in One Piece (main).",
        f"edge:appearances:{rows['luffy in film']}:out": "Luffy appears in One Piece Film (main).",
        f"edge:character_relations:{rows['captain']}:in": "Nami is a subordinate of Luffy (Nami navigates his ship).",
        f"edge:voices:{rows['voice']}:in": "Luffy is voiced by Mayumi Tanaka (ja) in One Piece.",
        f"edge:voices:{rows['film voice']}:in": "Luffy is voiced by Mayumi Tanaka (ja) in One Piece Film.",
    }
    first = result.evidence[0]
    assert isinstance(first, PathEvidence)
    assert (first.source, first.locator, first.row_version) == (
        "postgresql:appearances",
        f"appearances/{rows['luffy in show']}",
        1,
    )
    assert result.paths == tuple(item.path for item in result.evidence if isinstance(item, PathEvidence))
    assert [node.name for node in result.nodes] == ["One Piece", "Nami", "One Piece Film", "Mayumi Tanaka"]
    again = await run(executor, GraphQueryType.NEIGHBORS, world["luffy"])
    assert again == result


async def test_sentences_say_what_the_edge_says(world: World, executor: PostgresGraphExecutor) -> None:
    featured = ["One Piece features Luffy (main).", "One Piece features Nami (main).", "One Piece features Usopp."]
    for edge, texts in (
        (EdgeType.FEATURES, featured),
        (EdgeType.HAS_STAFF, ["Konosuke Uda worked on One Piece (director: Series Director)."]),
        (EdgeType.PRODUCED_BY, ["One Piece was produced by Toei Animation (main studio)."]),
        (EdgeType.HAS_EPISODE, ["I'm Luffy! is an episode of One Piece (number 1)."]),
        (EdgeType.SIDE_STORY, ["One Piece Film is a side story of One Piece."]),
    ):
        result = await run(executor, GraphQueryType.NEIGHBORS, world["show"], edge_types=(edge,))
        assert [item.text for item in result.evidence] == texts


async def test_a_path_carries_every_hop_and_its_rows(world: World, executor: PostgresGraphExecutor) -> None:
    direct = await run(executor, GraphQueryType.PATH, world["luffy"], end=world["nami"])
    assert [item.text for item in direct.evidence] == ["Nami is a subordinate of Luffy (Nami navigates his ship)."]
    assert direct.evidence[0].id == f"edge:character_relations:{world.rows['captain']}:in"
    result = await run(executor, GraphQueryType.PATH, world["tanaka"], end=world["nami"])
    (evidence,) = result.evidence
    assert isinstance(evidence, PathEvidence)
    assert [node.name for node in evidence.path.nodes] == ["Mayumi Tanaka", "Luffy", "Nami"]
    assert [(step.rel, step.direction, step.qualifier) for step in evidence.path.steps] == [
        (EdgeType.VOICES, "out", "ja"),
        (EdgeType.CHARACTER_RELATION, "in", "subordinate"),
    ]
    assert evidence.id.startswith("path:")
    assert len(evidence.id) == len("path:") + 12
    assert evidence.source == "postgresql:edges"
    assert result.nodes == evidence.path.nodes
    assert result.summary.startswith("paths of at most 3 hops from Mayumi Tanaka to Nami: 1\n")


async def test_no_path_is_an_empty_result(world: World, executor: PostgresGraphExecutor) -> None:
    result = await run(executor, GraphQueryType.PATH, world["luffy"], end=world["apart"], max_hops=4)
    assert (result.status, result.paths, result.evidence, result.truncated) == (StepStatus.EMPTY, (), (), False)
    assert result.summary == "paths of at most 4 hops from Luffy to Apart: none"


async def test_k_hop_gives_a_chain_to_each_entity(world: World, executor: PostgresGraphExecutor) -> None:
    result = await run(
        executor, GraphQueryType.K_HOP, world["tanaka"], max_hops=2, edge_types=(EdgeType.VOICES, EdgeType.APPEARS_IN)
    )
    assert [node.name for node in result.nodes] == ["Luffy", "One Piece", "One Piece Film"]
    assert [len(path.steps) for path in result.paths] == [1, 2, 2]
    typed = await run(
        executor, GraphQueryType.K_HOP, world["tanaka"], max_hops=2, filters=GraphFilters(
            entity_types=(EntityType.ANIME,), years=DateRange(first_year=2010)
        ),
    )  # fmt: skip
    assert [node.name for node in typed.nodes] == ["One Piece Film"]


async def test_a_derived_edge_names_its_hub(world: World, executor: PostgresGraphExecutor) -> None:
    result = await run(
        executor, GraphQueryType.NEIGHBORS, world["show"], edge_types=(EdgeType.SAME_STUDIO, EdgeType.SHARED_STAFF)
    )
    by_rel = {path.steps[0].rel: path.steps[0] for path in result.paths}
    assert by_rel[EdgeType.SAME_STUDIO].hub == world["toei"]
    assert by_rel[EdgeType.SHARED_STAFF].hub == world["uda"]
    texts = {item.text for item in result.evidence}
    assert (
        "One Piece and One Piece Film were produced by the same studio: One Piece was produced by Toei Animation "
        "(main studio); Toei Animation produced One Piece Film (main studio)."
    ) in texts
    assert all(item.id.startswith("path:") for item in result.evidence)


async def test_caps_are_clamped_and_announced(
    world: World, executor: PostgresGraphExecutor, read_write: ReadWriteEngine
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        for n in range(MAX_RESULTS + 10):
            await make.appears(await make.make_character(f"Extra {n:03}"), world["show"].id)
    result = await run(
        executor,
        GraphQueryType.NEIGHBORS,
        world["show"],
        limits=GraphLimits(max_results=1_000_000, max_fanout_per_hop=1_000_000),
    )
    assert (len(result.paths), result.status, result.truncated) == (MAX_RESULTS, StepStatus.TRUNCATED, True)
    assert [(w.code, w.subject) for w in result.warnings] == [(WarningCode.GRAPH_TRUNCATED, "links of One Piece")]
    assert {path.steps[0].rel for path in result.paths} >= {EdgeType.HAS_STAFF, EdgeType.PRODUCED_BY}
    few = await run(executor, GraphQueryType.NEIGHBORS, world["show"], limits=GraphLimits(max_results=3))
    assert (len(few.paths), few.status) == (3, StepStatus.TRUNCATED)


async def test_filters_restrict_edges_and_far_ends(world: World, executor: PostgresGraphExecutor) -> None:
    async def names(filters: GraphFilters, edge_types: tuple[EdgeType, ...] = ()) -> list[str | None]:
        result = await run(executor, GraphQueryType.NEIGHBORS, world["uda"], filters=filters, edge_types=edge_types)
        return [node.name for node in result.nodes]

    assert await names(GraphFilters()) == ["One Piece", "One Piece Film"]
    assert await names(GraphFilters(qualifier="storyboard")) == ["One Piece Film"]
    assert await names(GraphFilters(qualifier="storyboard|director")) == ["One Piece", "One Piece Film"]
    assert await names(GraphFilters(years=DateRange(last_year=2000))) == ["One Piece"]
    assert await names(GraphFilters(entity_types=(EntityType.MANGA,))) == []
    assert await names(GraphFilters(relations=(EdgeType.STAFF_OF,)), (EdgeType.STAFF_OF, EdgeType.VOICES)) == [
        "One Piece",
        "One Piece Film",
    ]
    with pytest.raises(IntentRefused) as refusal:
        await names(GraphFilters(relations=(EdgeType.VOICES,)), (EdgeType.STAFF_OF,))
    assert refusal.value.field == "filters.relations"


async def test_entities_that_are_not_there_are_refused(world: World, executor: PostgresGraphExecutor) -> None:
    ghost = EntityRef(entity_type=EntityType.ANIME, id=uuid4())
    mistyped = EntityRef(entity_type=EntityType.MANGA, id=world["show"].id)
    cases: list[tuple[str, GraphQueryType, EntityRef, EntityRef | None]] = [
        ("start", GraphQueryType.NEIGHBORS, ghost, None),
        ("start", GraphQueryType.K_HOP, mistyped, None),
        ("end", GraphQueryType.PATH, world["show"], ghost),
        ("end", GraphQueryType.PATH, world["show"], world["show"]),
        ("end", GraphQueryType.COMPARE, world["show"], mistyped),
    ]
    for field, kind, start, end in cases:
        with pytest.raises(IntentRefused) as refusal:
            await run(executor, kind, start, end=end)
        assert refusal.value.field == field


async def test_comparison_puts_rows_side_by_side(world: World, executor: PostgresGraphExecutor) -> None:
    result = await run(executor, GraphQueryType.COMPARE, world["show"], end=world["film"])
    evidence, *paths = result.evidence
    assert isinstance(evidence, ComparisonEvidence)
    assert evidence.id == f"compare:{world['show'].id}:{world['film'].id}"
    assert evidence.fields == (
        FieldDifference(field="format", left="TV", right="TV"),
        FieldDifference(field="start_date", left="1999-10-20", right="2012-12"),
        FieldDifference(field="year", left="1999", right="2012"),
        FieldDifference(field="score", left="88", right=None),
        FieldDifference(field="genres", left="Action, Comedy", right="Action"),
        FieldDifference(field="episodes", left="1000", right="1"),
        FieldDifference(field="duration", left="24", right=None),
        FieldDifference(field="season", left="fall 1999", right=None),
        FieldDifference(field="source", left="manga", right=None),
    )
    assert [(shared.edge, shared.qualifier, shared.entity.name) for shared in evidence.shared] == [
        (EdgeType.FEATURES, "main", "Luffy"),
        (EdgeType.HAS_STAFF, "director", "Konosuke Uda"),
        (EdgeType.PRODUCED_BY, "main", "Toei Animation"),
        (EdgeType.SHARED_VOICE_ACTOR, "ja", "Mayumi Tanaka"),
    ]
    assert evidence.text.splitlines()[0] == "One Piece (anime) compared with One Piece Film (anime)"
    assert "shared genres: Action" in evidence.text.splitlines()
    assert evidence.text.splitlines()[-1] == "only One Piece: characters: Nami; Usopp"
    assert [path.text for path in paths] == ["One Piece Film is a side story of One Piece."]
    assert result.paths == tuple(path.path for path in paths if isinstance(path, PathEvidence))
    between = "paths of at most 3 hops from One Piece to One Piece Film: 1"
    assert (result.status, result.summary) == (StepStatus.OK, "\n".join([evidence.text, between, paths[0].text]))
    nothing = await run(executor, GraphQueryType.COMPARE, world["show"], end=world["apart"])
    assert nothing.evidence[0].text.splitlines()[-7:] == [
        "shared characters: none in the catalogue",
        "shared staff: none in the catalogue",
        "shared studios: none in the catalogue",
        "shared voice actors: none in the catalogue",
        "only One Piece: characters: Luffy; Nami; Usopp",
        "only One Piece: staff: Konosuke Uda",
        "only One Piece: studios: Toei Animation",
    ]
    assert (nothing.paths, nothing.evidence[1:]) == ((), ())
    assert nothing.summary.splitlines()[-1].endswith(": none")


@pytest.mark.parametrize(
    ("filters", "shared"),
    [
        (GraphFilters(entity_types=(EntityType.STUDIO,)), "Toei Animation"),
        (GraphFilters(qualifier="director|author"), "Konosuke Uda"),
        (GraphFilters(entity_types=(EntityType.PERSON,), qualifier="ja"), "Mayumi Tanaka"),
    ],
)
async def test_the_limit_of_a_comparison_counts_what_is_asked_for(
    world: World, executor: PostgresGraphExecutor, filters: GraphFilters, shared: str
) -> None:
    result = await run(
        executor,
        GraphQueryType.COMPARE,
        world["show"],
        end=world["film"],
        filters=filters,
        limits=GraphLimits(max_results=1),
    )
    evidence = result.evidence[0]
    assert isinstance(evidence, ComparisonEvidence)
    assert [each.entity.name for each in evidence.shared] == [shared]
    assert not result.truncated


async def test_a_comparison_says_when_its_ways_are_a_sample(world: World, executor: PostgresGraphExecutor) -> None:
    forth = (EdgeType.FEATURES, EdgeType.HAS_STAFF, EdgeType.PRODUCED_BY)
    edges = (*forth, EdgeType.APPEARS_IN, EdgeType.STAFF_OF, EdgeType.PRODUCED)
    between = "paths of at most 3 hops from One Piece to One Piece Film"

    async def compared(limit: int) -> GraphResult:
        return await run(
            executor,
            GraphQueryType.COMPARE,
            world["show"],
            end=world["film"],
            edge_types=edges,
            filters=GraphFilters(entity_types=(EntityType.STUDIO,)),
            limits=GraphLimits(max_results=limit),
        )

    whole, sample = await compared(3), await compared(2)
    assert (len(whole.paths), whole.status, whole.truncated, whole.warnings) == (3, StepStatus.OK, False, ())
    assert (len(sample.paths), sample.status, sample.truncated) == (2, StepStatus.TRUNCATED, True)
    (warning,) = sample.warnings
    assert (warning.code, warning.subject) == (WarningCode.GRAPH_TRUNCATED, between)
    assert warning.concerns == tuple(item.id for item in sample.evidence[1:])
    assert f"{between}: at least 2" in sample.summary


async def test_people_are_compared_by_what_they_share(world: World, executor: PostgresGraphExecutor) -> None:
    result = await run(
        executor, GraphQueryType.COMPARE, world["luffy"], end=world["nami"], edge_types=(EdgeType.CO_APPEARS,)
    )
    (evidence,) = result.evidence
    assert isinstance(evidence, ComparisonEvidence)
    assert [(shared.edge, shared.entity.name) for shared in evidence.shared] == [(EdgeType.APPEARS_IN, "One Piece")]
    assert evidence.text.splitlines()[-2:] == [
        "shared works both appear in: One Piece (main)",
        "only Luffy: works: One Piece Film",
    ]


async def test_prepared_statements_answer_without_a_transaction(
    world: World, read_only: ReadOnlyEngine, database_url: str, statement_counter: StatementCounter
) -> None:
    pool = HotPool(PostgresOptions(dsn=database_url, pool_max_size=1))
    hot, plain = PostgresGraphExecutor(read_only, hot=pool), PostgresGraphExecutor(read_only)
    film: dict[str, object] = {"end": world["film"]}
    # Keys, the read itself or its levels, and the edges on the way.
    for kind, more, reads in (
        (GraphQueryType.NEIGHBORS, {}, 2),
        (GraphQueryType.K_HOP, {"max_hops": 2}, 4),
        (GraphQueryType.PATH, film, 3),
    ):
        with statement_counter.counting() as count:
            found = await run(hot, kind, world["show"], **more)
        of_truth = [statement for statement in count.statements if "AS row_id" in statement]
        assert (count.total - len(of_truth), len(set(of_truth))) == (reads, len(of_truth))
        assert found == await run(plain, kind, world["show"], **more)
    intent = GraphIntent(rationale="test", query_type=GraphQueryType.NEIGHBORS, start=world["show"])
    with pytest.raises(SourceUnavailable) as too_late:
        await hot.execute(intent, timeout=0)
    assert too_late.value.timed_out
    await pool.close()


async def test_a_time_out_is_a_typed_error(world: World, read_write: ReadWriteEngine, database_url: str) -> None:
    slow = open_read_only(PostgresOptions(dsn=database_url, statement_timeout_ms=50))
    intent = GraphIntent(rationale="test", query_type=GraphQueryType.NEIGHBORS, start=world["show"])
    try:
        async with read_write.begin() as conn:
            # Readers of `edges` wait for this lock until their time is up.
            await conn.execute(sa.text("LOCK TABLE edges IN ACCESS EXCLUSIVE MODE"))
            with pytest.raises(SourceUnavailable) as by_statement:
                await PostgresGraphExecutor(slow).execute(intent, timeout=5)
        assert (by_statement.value.source, by_statement.value.timed_out) == ("postgresql", True)
        with pytest.raises(SourceUnavailable) as by_caller:
            await PostgresGraphExecutor(slow).execute(intent, timeout=0)
        assert by_caller.value.timed_out
    finally:
        await slow.close()


async def test_a_projection_that_says_more_than_the_rows_makes_no_evidence(
    world: World, executor: PostgresGraphExecutor, read_write: ReadWriteEngine
) -> None:
    async with read_write.begin() as conn:
        await conn.execute(sa.update(edges).values(qualifier="fr").where(edges.c.qualifier == "ja"))
    result = await run(executor, GraphQueryType.NEIGHBORS, world["tanaka"])
    assert (result.status, result.evidence) == (StepStatus.EMPTY, ())


async def test_the_catalogue_gives_rows_field_by_field(world: World, read_only: ReadOnlyEngine) -> None:
    catalogue = PostgresCatalogue(read_only)
    mistyped = EntityRef(entity_type=EntityType.MANGA, id=world["film"].id)
    ghost = EntityRef(entity_type=EntityType.ANIME, id=uuid4())
    rows = await catalogue.rows([world["show"], mistyped, ghost, world["toei"]], timeout=5)
    assert list(rows) == [world["show"].id, world["toei"].id]
    row = rows[world["show"].id]
    assert {field.name: field.value for field in row.fields} == {
        "name": "One Piece",
        "format": "TV",
        "start_date": "1999-10-20",
        "year": "1999",
        "score": "88",
        "genres": "Action, Comedy",
        "episodes": "1000",
        "duration": "24",
        "season": "fall 1999",
        "source": "manga",
        "synopsis": "Pirates look for a treasure.",
    }
    assert (row.id, row.source, row.locator, row.row_version, row.title, row.names) == (
        f"row:anime:{row.entity.id}",
        "postgresql:anime",
        f"anime/{row.entity.id}",
        1,
        "One Piece",
        ("One Piece",),
    )
    assert row.text.splitlines() == [
        "One Piece (anime)",
        "format: TV",
        "start date: 1999-10-20",
        "year: 1999",
        "score: 88 of 100",
        "genres: Action, Comedy",
        "episodes: 1000",
        "duration: 24 minutes an episode",
        "season: fall 1999",
        "source: manga",
        "synopsis: Pirates look for a treasure.",
    ]
    assert await catalogue.rows([], timeout=5) == {}


async def test_evidence_stands_only_while_its_rows_do(
    world: World, executor: PostgresGraphExecutor, read_only: ReadOnlyEngine, read_write: ReadWriteEngine
) -> None:
    catalogue = PostgresCatalogue(read_only)
    links = (await run(executor, GraphQueryType.NEIGHBORS, world["luffy"])).evidence
    path = (await run(executor, GraphQueryType.PATH, world["tanaka"], end=world["nami"])).evidence
    derived = (
        await run(executor, GraphQueryType.NEIGHBORS, world["show"], edge_types=(EdgeType.SHARED_STAFF,))
    ).evidence
    comparison = (await run(executor, GraphQueryType.COMPARE, world["show"], end=world["film"])).evidence
    shown = (*links, *path, *derived, *comparison)
    standing = await catalogue.existing_edges(shown, timeout=5)
    assert standing == {item.id for item in shown if isinstance(item, PathEvidence)}
    first = links[0]
    assert isinstance(first, PathEvidence)
    step = first.path.steps[0]
    forged = [
        first.model_copy(update={"path": first.path.model_copy(update={"steps": (changed,)})})
        for changed in (
            step.model_copy(update={"to": world["apart"]}),
            step.model_copy(update={"rel": EdgeType.STAFF_OF}),
            step.model_copy(update={"qualifier": "supporting"}),
            step.model_copy(update={"evidence_id": "edge:appearances:999999:out"}),
            step.model_copy(update={"evidence_id": "edge:no_such_table:1:out"}),
            step.model_copy(update={"evidence_id": "anything"}),
        )
    ]
    for item in forged:
        assert await catalogue.existing_edges([item], timeout=5) == frozenset()
    async with read_write.begin() as conn:
        for table, key in ((voices, "voice"), (voices, "film voice"), (appearances, "luffy in film")):
            await conn.execute(sa.delete(table).where(table.c.id == world.rows[key]))
            await project_edges(conn, table, [world.rows[key]])
    after = await catalogue.existing_edges(shown, timeout=5)
    gone = {
        *(item.id for item in path),
        f"edge:voices:{world.rows['voice']}:in",
        f"edge:voices:{world.rows['film voice']}:in",
        f"edge:appearances:{world.rows['luffy in film']}:out",
    }
    assert standing - after == gone
