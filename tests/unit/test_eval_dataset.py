"""Question files: loading, places for names, typos."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_evals.dataset import Case, DatasetError, Kind, NameBook, load_cases
from agent_evals.typos import doubled, dropped, plain, swapped
from datastore.vocabulary import NameKind
from ingestion.demo import demo_catalogue_files
from ingestion.records import CharacterRecord, NameRecord, parse_record

DATASETS = Path(__file__).parents[2] / "libs/agent_evals/datasets"
DEMO = DATASETS / "demo.jsonl"
HELD_OUT = DATASETS / "demo_held_out.jsonl"


@pytest.fixture
def names() -> NameBook:
    given = (
        NameRecord(name="Monkey D. Luffy", kind=NameKind.MAIN),
        NameRecord(name="Luffy", kind=NameKind.ALIAS),
        NameRecord(name="Straw Hat", kind=NameKind.ALIAS),
    )
    return NameBook([CharacterRecord(ref="enishi:character:luffy", names=given)])


def test_demo_questions_load_and_every_wording_fills() -> None:
    records = [parse_record(line) for file in demo_catalogue_files() for line in file.read_bytes().splitlines()]
    book = NameBook(records)
    cases = load_cases(DEMO)
    assert {case.kind for case in cases} == set(Kind)
    filled = [book.fill(wording) for case in cases for wording in case.wordings]
    assert len(filled) == 3 * len(cases)
    assert len(set(filled)) == len(filled)


def test_held_out_questions_fill_and_ask_nothing_in_the_words_of_the_demo_questions() -> None:
    records = [parse_record(line) for file in demo_catalogue_files() for line in file.read_bytes().splitlines()]
    book = NameBook(records)
    held_out = load_cases(HELD_OUT, at_least=4)
    filled = [book.fill(wording).casefold() for case in held_out for wording in case.wordings]
    known = {book.fill(wording).casefold() for case in load_cases(DEMO) for wording in case.wordings}
    assert {case.kind for case in held_out} == set(Kind)
    assert len(set(filled)) == len(filled) == 3 * len(held_out)
    assert known.isdisjoint(filled)


def test_places_become_names(names: NameBook) -> None:
    assert names.fill("Who is {name:enishi:character:luffy:main}?") == "Who is Monkey D. Luffy?"
    assert names.fill("{name:enishi:character:luffy:alias.2:lower}") == "straw hat"
    assert names.fill("{name:enishi:character:luffy:main:plain:upper}") == "MONKEY D LUFFY"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{name:enishi:character:luffy:alias.3}", r"no name alias\.3"),
        ("{name:enishi:character:nami:main}", r"no name main\.1"),
        ("{name:enishi:character:luffy:nickname}", "not a kind of name: nickname"),
        ("{name:enishi:character:luffy:main:reverse}", "not a transform: reverse"),
        ("{title:enishi:character:luffy}", "not a place"),
    ],
)
def test_a_wrong_place_is_refused(names: NameBook, text: str, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        names.fill(text)


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (swapped, "Samurai Champloo", "Samurai Chamlpoo"),
        (dropped, "Samurai Champloo", "Samurai Chamloo"),
        (doubled, "Samurai Champloo", "Samurai Champploo"),
        (swapped, "Aaaaa", "Aaaaa"),
        (dropped, "12", "12"),
        (plain, "Howl's Moving Castle", "Howls Moving Castle"),
        (plain, "Steins;Gate", "Steins Gate"),
    ],
)
def test_typos(change: Callable[[str], str], before: str, after: str) -> None:
    assert change(before) == after


def lines() -> list[dict[str, object]]:
    return [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]


def refused(tmp_path: Path, cases: list[dict[str, object]]) -> str:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(f"{json.dumps(case)}\n" for case in cases), encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        load_cases(path)
    return str(caught.value)


def test_two_cases_of_one_id_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, [*lines(), lines()[0]]) == "ids that occur twice: ['lookup-01']"


def test_a_negative_without_its_twin_is_refused(tmp_path: Path) -> None:
    kept = [case for case in lines() if case["id"] != "negative-04-twin"]
    assert refused(tmp_path, kept) == "negative-04: a negative case needs a twin that has an answer"


def test_too_few_cases_of_a_kind_are_refused(tmp_path: Path) -> None:
    kept = [case for case in lines() if case["kind"] != "vague" or str(case["id"]) < "vague-06"]
    assert refused(tmp_path, kept) == "kinds with fewer than 6 cases: ['vague']"


def test_an_unknown_gold_query_is_refused(tmp_path: Path) -> None:
    gold: dict[str, object] = {"query": "guess", "parameters": {}}
    assert "cases.jsonl:1" in refused(tmp_path, [lines()[0] | {"gold": gold}])


def test_a_positive_may_not_expect_an_abstention_only() -> None:
    with pytest.raises(ValueError, match="only a case that matches 'abstain'"):
        Case.model_validate(lines()[0] | {"expect": ["not_found"]})
