"""Question files: loading, places for names, typos."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from agent_evals.dataset import Case, DatasetError, GoldSpec, Kind, NameBook, load_cases
from agent_evals.shipped import Dataset, demo_records, load_shipped
from agent_evals.typos import doubled, dropped, plain, swapped
from datastore.vocabulary import NameKind
from ingestion.records import CharacterRecord, NameRecord

DEMO = Path(__file__).parents[2] / "libs/agent_evals/datasets/demo.jsonl"
DEMO_KINDS = tuple(Kind)[:10]
OTHER_KINDS = {Kind.DOCUMENT, Kind.SEVERAL}
SET_KINDS = set(tuple(Kind)[16:]) - OTHER_KINDS
HELD_OUT_OF = {
    Dataset.HELD_OUT: {Dataset.DEMO},
    Dataset.KINDS_HELD_OUT: set(Dataset) - {Dataset.KINDS_HELD_OUT},
}


@pytest.fixture(scope="module")
def demo_names() -> NameBook:
    return NameBook(demo_records())


def questions(cases: Sequence[Case], names: NameBook) -> list[str]:
    return [" | ".join(map(names.fill, (*case.before, wording))) for case in cases for wording in case.wordings]


@pytest.fixture
def names() -> NameBook:
    given = (
        NameRecord(name="Monkey D. Luffy", kind=NameKind.MAIN),
        NameRecord(name="Luffy", kind=NameKind.ALIAS),
        NameRecord(name="Straw Hat", kind=NameKind.ALIAS),
    )
    return NameBook([CharacterRecord(ref="enishi:character:luffy", names=given)])


@pytest.mark.parametrize("dataset", Dataset)
def test_shipped_questions_load_and_every_wording_fills(dataset: Dataset, demo_names: NameBook) -> None:
    cases = load_shipped(dataset)
    filled = [question.casefold() for question in questions(cases, demo_names)]
    assert len(filled) == 3 * len(cases)
    assert len(set(filled)) == len(filled)


@pytest.mark.parametrize(("held_out", "all_known"), HELD_OUT_OF.items())
def test_held_out_questions_ask_nothing_in_known_words(
    held_out: Dataset, all_known: set[Dataset], demo_names: NameBook
) -> None:
    asked = {question.casefold() for question in questions(load_shipped(held_out), demo_names)}
    for known in all_known:
        assert asked.isdisjoint(question.casefold() for question in questions(load_shipped(known), demo_names)), known


def test_the_held_out_kinds_are_asked_in_sentences_of_their_own_whatever_the_names() -> None:
    def sentences(dataset: Dataset) -> set[str]:
        texts = (wording for case in load_shipped(dataset) for wording in case.wordings)
        return {re.sub(r"[^\w#]", "", re.sub(r"\{name:[^}]*\}", "#", text.casefold())) for text in texts}

    for known in HELD_OUT_OF[Dataset.KINDS_HELD_OUT]:
        assert sentences(Dataset.KINDS_HELD_OUT) & sentences(known) == set(), known


def test_held_out_questions_of_every_kind_have_one_without_an_answer_and_name_through_places() -> None:
    cases = load_shipped(Dataset.KINDS_HELD_OUT)
    kinds = set(Kind) - SET_KINDS - OTHER_KINDS
    assert len(cases) == 137
    assert {case.kind for case in cases if case.is_negative} == kinds
    assert min(Counter(case.kind for case in cases if not case.is_negative).values()) >= 6
    unnamed = [case.id for case in cases if not any("{name:" in text for text in (*case.before, *case.wordings))]
    assert {case_id.split("-")[0] for case_id in unnamed} <= {"nk2", "nk3", "nk7", "nk8", "nk9", "nk10", "nk15"}


def test_every_kind_has_a_near_miss_and_a_question_without_an_answer() -> None:
    cases = load_shipped(Dataset.KINDS)
    kinds = set(Kind) - SET_KINDS - OTHER_KINDS
    assert {case.kind for case in cases if case.is_negative} == kinds
    near = {case.kind for case in cases if case.near_miss_of is not None and not case.is_negative}
    assert near >= kinds - {Kind.NEGATIVE}


def test_the_wide_questions_are_eight_of_each_kind_and_fourteen_of_the_hard_ones() -> None:
    cases = load_shipped(Dataset.KINDS_WIDE)
    hard = {Kind.PATH, Kind.AGGREGATION, Kind.ADAPTATION, Kind.VOICE_ACTOR, Kind.MULTI_HOP}
    kinds = set(Kind) - SET_KINDS - OTHER_KINDS
    assert Counter(case.kind for case in cases) == {kind: 14 if kind in hard else 8 for kind in kinds}
    assert {case.kind for case in cases if case.is_negative} == kinds


def test_questions_about_sets_are_of_eight_kinds_with_eight_cases_each() -> None:
    counted = Counter(case.kind for case in load_shipped(Dataset.SETS))
    assert set(counted) == SET_KINDS | {Kind.WATCH_ORDER, Kind.RECOMMENDATION}
    assert min(counted.values()) >= 8


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
        load_cases(path, kinds=DEMO_KINDS, at_least=6)
    return str(caught.value)


def test_two_cases_of_one_id_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, [*lines(), lines()[0]]) == "ids that occur twice: ['lookup-01']"


def test_a_negative_without_its_twin_is_refused(tmp_path: Path) -> None:
    kept = [case for case in lines() if case["id"] != "negative-04-twin"]
    assert refused(tmp_path, kept) == "negative-04: a negative case needs a twin that has an answer"


def test_too_few_cases_of_a_kind_are_refused(tmp_path: Path) -> None:
    kept = [case for case in lines() if case["kind"] != "vague" or str(case["id"]) < "vague-06"]
    assert refused(tmp_path, kept) == "kinds with fewer than 6 cases: ['vague']"


def test_a_kind_that_was_not_asked_for_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, [*lines(), lines()[0] | {"id": "x", "kind": "follow_up"}]) == (
        "kinds that don't belong here: ['follow_up']"
    )


def test_a_condition_may_be_left_out_and_a_parameter_may_not() -> None:
    chosen = GoldSpec(query="adaptations_of_author", parameters={"person": "enishi:person:a"})
    assert chosen.parameters == {"person": "enishi:person:a"}
    with pytest.raises(ValueError, match="takes"):
        GoldSpec(query="adaptations_of_author", parameters={"format": "novel"})


def test_only_a_quantity_has_units() -> None:
    with pytest.raises(ValueError, match="a quantity needs them"):
        Case.model_validate(lines()[0] | {"units": ["episodes"]})
    with pytest.raises(ValueError, match="a quantity needs them"):
        Case.model_validate(lines()[0] | {"match": "quantity"})


def test_an_unknown_gold_query_is_refused(tmp_path: Path) -> None:
    gold: dict[str, object] = {"query": "guess", "parameters": {}}
    assert "cases.jsonl:1" in refused(tmp_path, [lines()[0] | {"gold": gold}])


def test_a_positive_may_not_expect_an_abstention_only() -> None:
    with pytest.raises(ValueError, match="only a case that matches 'abstain'"):
        Case.model_validate(lines()[0] | {"expect": ["not_found"]})
