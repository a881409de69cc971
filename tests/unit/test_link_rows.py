"""Which rows say the same thing, and loops of sequels."""

from uuid import UUID

import pytest
from ingestion.link_rows import equal_keys, link_row, weaker_keys
from ingestion.records import StaffRecord, VoiceRecord
from ingestion.sequel_loops import loops_in

A, B = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize(
    ("relation", "equal", "weaker"),
    [
        ("sequel", ["prequel"], []),
        ("prequel", ["sequel"], []),
        ("adaptation_of", ["has_adaptation"], []),
        ("alternative", ["alternative"], []),
        ("contains", ["compilation_of"], []),
        ("side_story", ["parent_story"], []),
        ("parent_story", ["side_story", "spin_off"], []),
        ("spin_off", [], ["parent_story"]),
        ("other_relation", ["other_relation"], []),
    ],
)
def test_relations_that_say_the_same_from_the_other_end(relation: str, equal: list[str], weaker: list[str]) -> None:
    assert list(equal_keys("relation", (A, B, relation))) == [(B, A, name) for name in equal]
    assert list(weaker_keys("relation", (A, B, relation))) == [(B, A, name) for name in weaker]


@pytest.mark.parametrize(("kind", "inverse"), [("mentor", "student"), ("friend", "friend"), ("child", "parent")])
def test_character_relations_have_an_inverse(kind: str, inverse: str) -> None:
    assert list(equal_keys("character_relation", (A, B, kind))) == [(B, A, inverse)]
    assert list(weaker_keys("character_relation", (A, B, kind))) == []


def test_missing_parts_of_a_key_are_equal_to_themselves() -> None:
    voice = VoiceRecord(person="a:person:1", character="a:character:1")
    assert link_row(voice, {"person": A, "character": B}).key == (A, B, None, "ja")
    staff = StaffRecord.model_validate({"person": "a:person:1", "work": "a:anime:1", "role": "director"})
    assert link_row(staff, {"person": A, "work": B}).key == (A, B, "director", "")


def test_loops_are_found_whole_and_chains_are_none() -> None:
    following = {1: [2], 2: [3], 3: [1, 4], 4: [5], 5: [], 6: [7], 7: [6]}
    assert sorted(sorted(loop) for loop in loops_in(following)) == [[1, 2, 3], [6, 7]]
    assert list(loops_in({1: [2], 2: [3]})) == []


def test_a_long_chain_ends() -> None:
    length = 20_000
    assert len(next(loops_in({n: [(n + 1) % length] for n in range(length)}))) == length
    assert list(loops_in({n: [n + 1] for n in range(length)})) == []
