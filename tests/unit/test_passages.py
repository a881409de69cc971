"""Passages cut into sentences, words by their stems, values that are wanted."""

from itertools import pairwise

import pytest
from agent_core.document_contracts import Wanted
from agent_core.passages import sentences_of, successors
from agent_core.passages.values import values_of
from agent_core.passages.words import asked_as, meanings, senses
from agent_core.schemas import GraphIntent, GraphQueryType
from agent_core.testing import MemoryCatalogue
from agent_core.testing.memory import MemoryGraph
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from hypothesis import given
from hypothesis import strategies as st


@given(st.text(alphabet="aB .!?\n“”#-12", max_size=80))
def test_sentences_are_stretches_of_the_text_in_order_that_hold_all_its_words(text: str) -> None:
    spans = sentences_of(text)
    assert all(text[span.start : span.end] == text[span.start : span.end].strip() != "" for span in spans)
    assert all(before.end <= after.start for before, after in pairwise(spans))
    kept = "".join(text[span.start : span.end] for span in spans)
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Mrs. Amsel lent it. She was glad.", ["Mrs. Amsel lent it.", "She was glad."]),
        ("The U.S. economy grew 5.2 percent. Prices rose!", ["The U.S. economy grew 5.2 percent.", "Prices rose!"]),
        ("One line\nthat goes on.\n\n- a point\n- another", ["One line\nthat goes on.", "- a point", "- another"]),
        ("彼は来た。彼女は見た。", ["彼は来た。", "彼女は見た。"]),
    ],
)
def test_where_sentences_end(text: str, sentences: list[str]) -> None:
    assert [text[span.start : span.end] for span in sentences_of(text)] == sentences


def test_words_of_one_stem_or_nearly_one_meaning_are_the_same() -> None:
    assert meanings("borrowing lamps") == meanings("a lamp was lent") - meanings("a was")
    assert meanings("visitors, spectators; Audience") == {"spectator"}
    assert meanings("1,240") == meanings("1240")


def test_who_does_a_thing_is_not_who_does_nearly_that() -> None:
    assert asked_as("producer") not in senses("Pupils built a motorcycle")
    assert asked_as("producers") in senses("It was produced by two brothers")
    assert asked_as("produced") in senses("Pupils built a motorcycle")
    assert asked_as("winner") in senses("She won the prize")


def test_whoever_a_sentence_begins_with_did_what_its_verb_says() -> None:
    assert values_of("Keepers lit it.", Wanted.NAME, relation="lit") == {"keepers"}
    assert values_of("The lamp was lit by noon.", Wanted.NAME, relation="lit") == set()
    assert values_of("The lens was replaced; the lamp was lit by the crew.", Wanted.NAME, relation="replaced") == set()
    assert values_of("The lamp was carried by two people.", Wanted.NAME, relation="carries") == {"people"}


def test_irregular_forms_and_stems_meet_and_names_are_meant_as_they_are() -> None:
    assert meanings("spend glue") == meanings("spent glued")
    assert asked_as("Projection") not in senses("a screening")
    assert asked_as("projection") in senses("a screening")


def test_words_of_a_german_question_meet_by_german_endings() -> None:
    assert meanings("Zuschauern der Häuser", "de") == meanings("der Zuschauer Haus", "de")
    assert meanings("Zuschauern") != meanings("Zuschauer")
    # The short list of near synonyms is English.
    assert meanings("visitors", "de") != meanings("spectators", "de")


@pytest.mark.parametrize(
    ("sentence", "wanted", "counted", "values"),
    [
        ("It has 1,240 red lamps and two doors.", Wanted.NUMBER, ("lamp",), {"1240"}),
        ("It has 1,240 red lamps and two doors.", Wanted.NUMBER, (), {"1240", "two"}),
        ("It stood twenty-two nights in 2019.", Wanted.NUMBER, ("nights",), {"twenty-two"}),
        ("It costs 27 crowns.", Wanted.NUMBER, ("crowns", "dollars"), {"27"}),
        ("It took most people two hours.", Wanted.NUMBER, ("people",), set[str]()),
        ("He changed lamps seven times.", Wanted.NUMBER, ("lamps",), set[str]()),
        ("It printed nine kinds of lamps.", Wanted.NUMBER, ("lamps",), set[str]()),
        ("It costs $5 a night.", Wanted.NUMBER, ("$",), {"5"}),
        ("Of the lamps, 61 still burnt.", Wanted.NUMBER, ("lamps",), {"61"}),
        ("It was lit in March 1931 at noon.", Wanted.DATE, (), {"march", "1931", "noon"}),
        ("It is lit from four to six in the afternoon.", Wanted.DATE, (), {"four", "afternoon"}),
        ("It burns every evening at six, on Mondays too.", Wanted.DATE, (), {"six", "evening", "mondays"}),
        ("Seen from two towers at a scale of one to forty.", Wanted.DATE, (), set[str]()),
        ("It was lit because the fog came.", Wanted.REASON, (), {"because"}),
        ("It was lit by Ossa in the autumn.", Wanted.REASON, (), set[str]()),
        ("It stood in the old tower.", Wanted.PLACE, (), {"old tower"}),
        ("Nobody lit it.", Wanted.PLACE, (), set[str]()),
        ("The boat was called the grey duck.", Wanted.NAME, (), {"grey"}),
        ("The lamp was lit by Ossa in May.", Wanted.NAME, (), {"Ossa"}),
        ("Ossa Brask lit it.", Wanted.NAME, (), {"Ossa", "Brask"}),
        ("The lamp was painted by the pottery class, and sold by noon.", Wanted.NAME, (), {"pottery class"}),
        ("Im Oktober, am Dienstag.", Wanted.DATE, (), {"oktober", "dienstag"}),
        ("Keepers lit it.", Wanted.NAME, (), set[str]()),
    ],
)
def test_values_of_the_wanted_kind(sentence: str, wanted: Wanted, counted: tuple[str, ...], values: set[str]) -> None:
    assert values_of(sentence, wanted, counted) == values


async def test_the_newest_successor_counts_and_a_ring_replaces_nothing() -> None:
    catalogue = MemoryCatalogue()
    first, second, third, left, right = (catalogue.add(EntityType.DOCUMENT, name) for name in ("A", "B", "C", "L", "R"))
    catalogue.link(second, EdgeType.SUPERSEDES, first)
    catalogue.link(third, EdgeType.SUPERSEDES, second)
    catalogue.link(left, EdgeType.SUPERSEDES, right)
    catalogue.link(right, EdgeType.SUPERSEDES, left)
    evidence = [
        item
        for start in (first, second, left)
        for item in (
            await MemoryGraph(catalogue).execute(
                GraphIntent(rationale="r", query_type=GraphQueryType.NEIGHBORS, start=start), timeout=1
            )
        ).evidence
    ]
    assert successors(evidence) == {first.id: third, second.id: third}
