"""References, ids and content hashes."""

from datetime import date
from uuid import UUID

import pytest
from datastore.identity import ExternalRef, content_hash, entity_id, parse_ref
from hypothesis import given
from hypothesis import strategies as st


def test_an_id_is_the_same_on_every_machine() -> None:
    assert entity_id("anilist", "anime", "1") == UUID("3bbc22ad-a782-50fc-9150-47cb4159e120")
    assert entity_id("anilist", "anime", "1").version == 5


def test_ids_differ_by_every_part() -> None:
    ids = {entity_id(*parts) for parts in (("a", "b", "c"), ("b", "a", "c"), ("a", "b", "d"), ("a", "c", "b"))}
    assert len(ids) == 4


def test_a_reference_reads_back() -> None:
    assert parse_ref("anilist:anime:1") == ExternalRef("anilist", "anime", "1")
    assert str(parse_ref("web:page:https://x.test/a:b")) == "web:page:https://x.test/a:b"


@pytest.mark.parametrize("text", ["", "a:b", "a:b:", "A:b:c", "a:b:c d", "a::c", ":b:c", "a:b:" + "c" * 201, "a:b:c\n"])
def test_what_is_no_reference_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="source:kind:id"):
        parse_ref(text)


def test_an_id_is_made_of_a_valid_reference_only() -> None:
    with pytest.raises(ValueError, match="source:kind:id"):
        entity_id("anilist:anime", "1", " ")


def test_a_hash_ignores_the_order_of_keys_and_sees_every_value() -> None:
    one = content_hash({"a": 1, "b": ["x", None], "c": {"d": date(2009, 4, 5)}})
    assert one == content_hash({"c": {"d": date(2009, 4, 5)}, "b": ["x", None], "a": 1})
    assert len(one) == 64
    assert one != content_hash({"a": 1, "b": ["x", None], "c": {"d": date(2009, 4, 6)}})
    assert content_hash({"a": "1"}) != content_hash({"a": 1})
    assert content_hash({"a": UUID(int=1)}) == content_hash({"a": str(UUID(int=1))})


def test_what_has_no_single_spelling_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        content_hash({"a": float("nan")})
    with pytest.raises(TypeError, match="set"):
        content_hash({"a": {1}})


@given(st.dictionaries(st.text(max_size=4), st.one_of(st.none(), st.integers(), st.text(max_size=4)), max_size=4))
def test_equal_content_has_equal_hashes(content: dict[str, object]) -> None:
    assert content_hash(content) == content_hash(dict(reversed(content.items())))
