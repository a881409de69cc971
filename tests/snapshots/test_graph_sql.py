"""The SQL of every graph read, reviewed as SQL."""

from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.postgres.entity_reads import EntityCursor, EntityFilters, EntityOrder, listing_statement
from datastore.postgres.graph_meeting import ways_between
from datastore.postgres.graph_shortest import shortest_way
from datastore.postgres.graph_spread import counted_onward, onward, onward_from_one
from datastore.postgres.graph_statements import (
    NODES_BY_ID,
    NODES_BY_KEY,
    STEPS,
    EdgeConditions,
    edges_between,
    expansion,
    joining_edges,
    links_of_entities,
    links_of_node,
)
from datastore.postgres.shared_links import OWN_FAR_ENDS, SHARED_CAST, SHARED_FAR_ENDS
from datastore.vocabulary import EntityType, Season
from sqlalchemy.dialects import postgresql
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

STATEMENTS: dict[str, sa.Select[*tuple[Any, ...]]] = {
    "expansion": expansion(EdgeConditions()),
    "expansion_restricted": expansion(EdgeConditions(qualified=True, typed=True, dated=True)),
    "expansion_backward": expansion(EdgeConditions(qualified=True, mirrors=True)),
    "joining_edges": joining_edges(qualified=False),
    "joining_edges_qualified": joining_edges(qualified=True),
    "edges_between": edges_between(qualified=False),
    "edges_between_qualified": edges_between(qualified=True),
    "links_of_node": links_of_node(EdgeConditions()).statement,
    "links_of_entities": links_of_entities(EdgeConditions(qualified=True, typed=True)),
    "steps": STEPS,
    "shortest_way": shortest_way(max_hops=4, every_edge=True).statement,
    "shortest_way_restricted": shortest_way(max_hops=4, every_edge=False).statement,
    "shortest_way_of_two_hops": shortest_way(max_hops=2, every_edge=True).statement,
    "ways_of_two_hops": ways_between(length=2, every_edge=True).statement,
    "ways_of_three_hops": ways_between(length=3, every_edge=True).statement,
    "ways_of_four_hops": ways_between(length=4, every_edge=True).statement,
    "ways_of_four_hops_restricted": ways_between(length=4, every_edge=False).statement,
    "onward_from_one": onward_from_one(every_edge=True).statement,
    "onward_from_one_restricted": onward_from_one(every_edge=False).statement,
    "onward": onward(every_edge=True).statement,
    "onward_restricted": onward(every_edge=False).statement,
    "counted_onward": counted_onward(every_edge=True).statement,
    "counted_onward_restricted": counted_onward(every_edge=False).statement,
    "nodes_by_key": NODES_BY_KEY,
    "nodes_by_id": NODES_BY_ID,
    "shared_far_ends": SHARED_FAR_ENDS.statement,
    "shared_cast": SHARED_CAST.statement,
    "own_far_ends": OWN_FAR_ENDS.statement,
    "anime_page": listing_statement(
        EntityType.ANIME,
        filters=EntityFilters(first_year=2000, season=Season.SPRING, genres_none=("Horror",)),
        order=EntityOrder.POPULARITY,
        after=EntityCursor(0.5, UUID(int=1)),
    ).limit(11),
}


class SqlFile(SingleFileSnapshotExtension):
    """One `.sql` file for each snapshot."""

    _write_mode = WriteMode.TEXT
    file_extension = "sql"


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement_is_the_reviewed_one(name: str, snapshot: SnapshotAssertion) -> None:
    compiled = STATEMENTS[name].compile(dialect=postgresql.asyncpg.dialect())
    assert f"{compiled}\n" == snapshot(extension_class=SqlFile)
