"""The renamed twin: no old name anywhere, the same graph."""

import re
from collections.abc import Iterable

import pytest
from agent_evals.nonsense import Nonsense
from agent_evals.renamed import AnyCatalogueRecord, rename, to_jsonl
from ingestion.demo import demo_catalogue_files
from ingestion.records import EntityRecord, parse_record


@pytest.fixture(scope="module")
def originals() -> list[AnyCatalogueRecord]:
    return [parse_record(line) for file in demo_catalogue_files() for line in file.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def twins(originals: list[AnyCatalogueRecord]) -> tuple[AnyCatalogueRecord, ...]:
    return rename(originals)


def names_of(records: Iterable[AnyCatalogueRecord]) -> dict[str, tuple[str, ...]]:
    return {r.ref: tuple(name.name for name in r.names) for r in records if isinstance(r, EntityRecord)}


def texts_of(records: Iterable[AnyCatalogueRecord]) -> str:
    fields = ("synopsis", "description", "note")
    return "\n".join(text for r in records for field in fields if isinstance(text := getattr(r, field, None), str))


def test_no_old_name_is_left(originals: list[AnyCatalogueRecord], twins: tuple[AnyCatalogueRecord, ...]) -> None:
    everything = {name for names in names_of(originals).values() for name in names}
    old = {name for name in everything if any(sign.isalpha() for sign in name)}
    assert len(everything - old) < 5
    new = {name.casefold() for names in names_of(twins).values() for name in names}
    assert {name for name in old if name.casefold() in new} == set()
    text = texts_of(twins)
    said = [name for name in old if name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    assert said == []


def test_renaming_is_injective_and_keeps_the_shape(
    originals: list[AnyCatalogueRecord], twins: tuple[AnyCatalogueRecord, ...]
) -> None:
    old, new = names_of(originals), names_of(twins)
    pairs = {(a, b) for ref in old for a, b in zip(old[ref], new[ref], strict=True)}
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    assert all(len(a) == len(b) and len(a.split()) == len(b.split()) for a, b in pairs)
    assert all(x.isupper() == y.isupper() for a, b in pairs for x, y in zip(a, b, strict=True) if x.isascii())


def test_only_names_and_texts_change(
    originals: list[AnyCatalogueRecord], twins: tuple[AnyCatalogueRecord, ...]
) -> None:
    changing = {"names", "synopsis", "description", "note"}
    assert [r.model_dump(exclude=changing) for r in originals] == [r.model_dump(exclude=changing) for r in twins]
    assert texts_of(originals) != texts_of(twins)


def test_shared_words_stay_shared(twins: tuple[AnyCatalogueRecord, ...]) -> None:
    new = names_of(twins)
    edward, alphonse = new["enishi:character:edward-elric"][0], new["enishi:character:alphonse-elric"][0]
    assert edward.split()[1] == alphonse.split()[1]
    assert new["enishi:character:lin-spirited-away"][0] == new["enishi:character:lin-cowboy-bebop"][0]
    first, second = new["enishi:anime:frieren"], new["enishi:anime:frieren-season-2"]
    assert second[0] == f"{first[0]} Season 2"


def test_the_same_seed_gives_the_same_twin(originals: list[AnyCatalogueRecord]) -> None:
    some = originals[:40]
    assert to_jsonl(rename(some, seed=3)) == to_jsonl(rename(some, seed=3))
    assert to_jsonl(rename(some, seed=3)) != to_jsonl(rename(some, seed=4))


def test_interchange_text_reads_back(twins: tuple[AnyCatalogueRecord, ...]) -> None:
    assert tuple(parse_record(line) for line in to_jsonl(twins).splitlines()) == twins


def test_scripts_stay_what_they_are() -> None:
    nonsense = Nonsense(1, vocabulary=["FMA", "Naruto", "NARUTO"], reserved=[], ideographs="鋼千")
    assert nonsense.word("NARUTO") == nonsense.word("Naruto").upper()
    assert nonsense.word("FMAB").startswith(nonsense.word("FMA"))
    assert chr(ord(nonsense.sign("な")) + 0x60) == nonsense.sign("ナ")
    assert nonsense.sign("ー") == "ー"
    assert nonsense.sign("鋼") not in "鋼千"
    assert nonsense.sign("鋼") != nonsense.sign("千")
