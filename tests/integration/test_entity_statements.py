"""Entities, their parts, edges of pairs and the facts behind them: what the hot statements read, and what they give."""

import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.edges import EDGES, STORED_EDGES, EdgeType
from datastore.postgres.catalogue import entities
from datastore.postgres.documents import document_references, documents
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.entity_rows import EXTERNAL_IDS, LINKS, LIVING, NAMES, ROWS_OF_TYPE
from datastore.postgres.graph_facts import READS
from datastore.postgres.graph_statements import NODES_BY_ID, NODES_BY_KEY, edges_between
from datastore.postgres.graph_values import ranked
from datastore.postgres.hot import HotPool, HotStatement
from datastore.vocabulary import AppearanceRole, CharacterRelationKind, EntityType, Season, StaffRole
from factories import CatalogueFactory, aliases
from fixtures.postgres import READER_ROLE
from fixtures.sql import generic_plan
from fixtures.trusted_documents import page_parameters, shipped_trees
from syrupy.assertion import SnapshotAssertion

# Times of writing differ from run to run.
WRITTEN = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:[\d:.+]+")
MERGED, DOCUMENT, OLDER = UUID(int=5), UUID(int=7), UUID(int=8)
RELS = [EDGES[edge].code for edge in ranked(STORED_EDGES)]


@dataclass(frozen=True)
class Small:
    """A pool over a small catalogue: its ids with their keys, and the ids of facts by table."""

    pool: HotPool
    nodes: Mapping[UUID, int]
    facts: Mapping[str, list[int]]


@pytest.fixture
async def small(read_write: ReadWriteEngine, database_url: str) -> AsyncGenerator[Small]:
    """Two works, who is in them and who made them."""
    async with read_write.begin() as conn:
        facts = await write_catalogue(CatalogueFactory(conn))
        rows = (
            await conn.execute(
                sa.select(entities.c.id, entities.c.node, entities.c.entity_type).order_by(entities.c.node)
            )
        ).all()
    nodes = {row.id: row.node for row in rows}
    episodes = [row.node for row in rows if row.entity_type == EntityType.EPISODE]
    pool = HotPool(PostgresOptions(dsn=database_url, pool_max_size=1, role=READER_ROLE))
    yield Small(pool, nodes, facts | {"episodes": episodes})
    await pool.close()


async def write_catalogue(make: CatalogueFactory) -> dict[str, list[int]]:
    """The ids of the rows that hold facts, by table; MERGED leads to the first work."""
    work = await make.make_anime(
        "Zorblax", names=aliases("Zorb", "Blax"), start="2009-04-05", season=Season.SPRING, genres=("Drama",)
    )
    book = await make.make_manga("Quindle Vortex", start="2001")
    hero = await make.make_character("Tavrik", popularity=0.9, gender="male")
    sister = await make.make_character("Nemmi", popularity=0.4)
    director = await make.make_person("Mirelle Ostrander", occupations=("director",))
    studio = await make.make_studio("Studio Plimf")
    facts = {
        "work_relations": [await make.relates(work, EdgeType.ADAPTATION_OF, book, raw="source")],
        "appearances": [
            await make.appears(hero, work, AppearanceRole.MAIN),
            await make.appears(sister, work, AppearanceRole.SUPPORTING),
        ],
        "character_relations": [await make.knows(hero, CharacterRelationKind.SIBLING, sister, note="twins")],
        "voices": [await make.voices(director, hero, work=work)],
        "staff_credits": [await make.worked(director, work, StaffRole.DIRECTOR, raw="Chief director")],
        "studio_credits": [await make.produced(studio, work)],
    }
    await make.identify(work, "plimfdb", "anime", "17")
    await make.redirect(MERGED, work)
    await make.make_episode(work, 1, "The Beginning", aired="2009-04-05")
    for new_id, name in ((DOCUMENT, "Notes"), (OLDER, "Old notes")):
        await make.conn.execute(
            sa.insert(entities).values(id=new_id, entity_type=EntityType.DOCUMENT, name=name, content_hash="")
        )
        parts = {"collection": "notes", "media_type": "text/plain", "text": "On Zorblax.", "text_hash": ""}
        await make.conn.execute(sa.insert(documents).values(id=new_id, **parts))
    reference = sa.insert(document_references).values(
        document_id=DOCUMENT, start_offset=0, end_offset=2, reference_type="document", method="rules",
        edge=EdgeType.SUPERSEDES, target_text="Old notes", target_id=OLDER,
    )  # fmt: skip
    (reference_id,) = (await make.conn.execute(reference.returning(document_references.c.id))).one()
    return facts | {"document_references": [reference_id]}


def statements(small: Small) -> dict[str, tuple[HotStatement, dict[str, Any]]]:
    """Every statement with parameters that make it say something."""
    ids, nodes = list(small.nodes), list(small.nodes.values())
    asked = {"ids": ids}
    page: dict[str, Any] = {**asked, "rels": RELS, "row_limit": 2, "row_offset": 0}
    pairs = {"nodes": nodes[:1] * len(nodes), "other_nodes": nodes, "rels": RELS}
    return {
        "living": (LIVING, {"ids": [MERGED, ids[1], UUID(int=6)]}),
        "names": (NAMES, asked),
        "external_ids": (EXTERNAL_IDS, asked),
        "links": (LINKS[False], page),
        "links_qualified": (LINKS[True], page | {"qualifiers": ["main"]}),
        "nodes_by_id": (HotStatement(NODES_BY_ID), asked),
        "nodes_by_key": (HotStatement(NODES_BY_KEY), {"nodes": nodes}),
        "edges_between": (HotStatement(edges_between(qualified=False)), pairs),
        "edges_between_qualified": (HotStatement(edges_between(qualified=True)), pairs | {"qualifiers": ["main"]}),
        **{f"rows_of_{entity_type}": (ROWS_OF_TYPE[entity_type], asked) for entity_type in EntityType},
        **{f"facts_of_{table}": (statement, {"ids": small.facts[table]}) for table, (statement, _) in READS.items()},
        **{name: (tree.statement, page_parameters(tree, ids=ids)) for name, tree in shipped_trees().items()},
    }


async def test_rows_are_the_reviewed_ones(small: Small, snapshot: SnapshotAssertion) -> None:
    found: dict[str, list[str]] = {}
    for name, (statement, parameters) in statements(small).items():
        rows: list[Any] = list(await small.pool.fetch(statement, parameters))
        texts = [", ".join(f"{column}={value}" for column, value in row.items()) for row in rows]
        found[name] = [WRITTEN.sub("a time", text) for text in texts]
    assert [name for name, rows in found.items() if not rows] == []
    assert found == snapshot


async def test_no_table_is_read_whole(small: Small, read_only: ReadOnlyEngine) -> None:
    async with read_only.connect() as conn:
        await conn.execute(sa.text("SET LOCAL enable_seqscan = off"))
        for name, (statement, parameters) in statements(small).items():
            plan = await generic_plan(conn, statement.statement, parameters)
            assert [node["Relation Name"] for node in plan if node["Node Type"] == "Seq Scan"] == [], name
