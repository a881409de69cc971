"""Hits are shown as they are stored, to the byte as if they had been read and written again."""

import json
from uuid import UUID

import orjson
import pytest
from datastore.first_page import WrittenHits
from graphql_bff.trusted.hits import HitWriter
from graphql_bff.trusted.plan import HitPart, TypeNameRoot

PARTS: dict[str, HitPart | TypeNameRoot] = {
    "version": "version",
    "id": "id",
    "of": TypeNameRoot("SearchHit"),
    "entityType": "entity_type",
    "name": "name",
    "called": "matched_name",
    "matchedKind": "matched_kind",
    "match": "match",
    "popularity": "popularity",
}
NAMES = ['", "', '\\", \\"', "{0}", "%s", "a\tb\n\x07\x7f", "ナルト\u2028é𝒳", "\\", ", 1, 2]"]


def _stored(number: int, name: str, popularity: str) -> str:
    """As PostgreSQL writes an array of JSON, numbers as they are."""
    texts = [str(UUID(int=number)), "anime", name, name[::-1], "romaji", "word_prefix"]
    return f"{json.dumps(texts, ensure_ascii=False)[:-1]}, {popularity}, {number}, 5, 77]"


@pytest.mark.parametrize("popularity", ["0.25", "1", "0", "1e-05", "1e-07", "0.30000000000000004", "0.0001"])
def test_what_is_shown_is_what_would_be_read(popularity: str) -> None:
    hits = WrittenHits([_stored(number, name, popularity) for number, name in enumerate(NAMES)], exact=1)
    written = HitWriter(PARTS).write(hits, ())
    assert written == HitWriter(PARTS).write(hits.read(), ())
    assert written.encode() == orjson.dumps(
        [
            {
                "version": number,
                "id": str(UUID(int=number)),
                "of": "SearchHit",
                "entityType": "ANIME",
                "name": name,
                "called": name[::-1],
                "matchedKind": "ROMAJI",
                "match": "EXACT" if number == 0 else "WORD_PREFIX",
                "popularity": float(popularity),
            }
            for number, name in enumerate(NAMES)
        ]
    )


def test_one_member_alone_and_no_hit_at_all() -> None:
    one = WrittenHits([_stored(3, "Naruto", "0.5")], exact=0)
    assert HitWriter({"version": "version"}).write(one, ()) == '[{"version":3}]'
    assert HitWriter({"of": TypeNameRoot("SearchHit")}).write(one, ()) == '[{"of":"SearchHit"}]'
    assert HitWriter(PARTS).write([], ()) == "[]"
