"""Cursors of the name lane: whatever hit they are made for, they are read again."""

from uuid import UUID

import pytest
from datastore.name_hits import NameHit
from datastore.vocabulary import EntityType, NameKind
from graphql_bff.search.cursors import cursor_of, position_of

LONGEST_NAME = 500


@pytest.mark.parametrize(
    "name", ["Naruto", "\N{GRINNING FACE}" * LONGEST_NAME, "\x01" * LONGEST_NAME, '"' * LONGEST_NAME]
)
@pytest.mark.parametrize("number", [1, 100_000, 100_001, 10**9])
def test_every_hit_has_a_cursor_that_leads_behind_it(name: str, number: int) -> None:
    hit = NameHit(UUID(int=1), EntityType.ANIME, name, name, NameKind.MAIN, "word_prefix", 1 / 3, 1)
    place = position_of(cursor_of(hit, number))
    assert (place.match, place.popularity, place.name, place.entity_id) == ("word_prefix", 1 / 3, name, UUID(int=1))
    assert place.number == min(number, 100_000)
