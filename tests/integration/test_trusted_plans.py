"""The statements of the shipped operations read by index, as prepared statements, and no more than they show."""

from typing import Any

import pytest
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vocabulary import AppearanceRole
from factories import CatalogueFactory
from fixtures.sql import generic_plan, measured_plan
from fixtures.trusted_documents import page_parameters, shipped_trees
from sqlalchemy import text

TREES = shipped_trees()
CAST = 300


@pytest.mark.parametrize("name", TREES)
async def test_no_table_is_read_whole(name: str, read_only: ReadOnlyEngine, read_write: ReadWriteEngine) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn)
        work = await make.make_anime("Work")
    async with read_only.connect() as conn:
        await conn.execute(text("SET LOCAL enable_seqscan = off"))
        plan = await generic_plan(conn, TREES[name].statement.statement, page_parameters(TREES[name], ids=[work]))

    assert [node["Relation Name"] for node in plan if node["Node Type"] == "Seq Scan"] == []


async def test_the_top_of_a_hub_does_not_cost_the_whole_hub(
    read_only: ReadOnlyEngine, read_write: ReadWriteEngine
) -> None:
    async with read_write.begin(timeout=60) as conn:
        make = CatalogueFactory(conn, searchable=False)
        work = await make.make_anime("Hub")
        for number in range(CAST):
            character = await make.make_character(f"Character {number}", popularity=number / CAST)
            await make.appears(character, work, AppearanceRole.MAIN)
        await conn.execute(text("ANALYZE edges"))
        await conn.execute(text("ANALYZE entities"))
    tree = TREES["WorksWithCasts_entities"]
    async with read_only.connect() as conn:
        plan = await measured_plan(conn, tree.statement.statement, page_parameters(tree, ids=[work]))

    read = [rows_of(node) for node in plan if node.get("Relation Name") == "edges"]
    assert read
    # One more than the page, to see that the last far end has no further edge.
    assert max(read) == 6


def rows_of(node: dict[str, Any]) -> float:
    """How many rows a node of a plan gave in all."""
    return node["Actual Rows"] * node["Actual Loops"]
