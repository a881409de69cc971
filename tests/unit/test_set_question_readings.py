"""Questions about whole sets: each gets its reading, whatever the names in it; what is no such question gets none."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.query_patterns import pattern_of
from agent_core.agents.rule_based.query_texts import intent_of
from agent_core.agents.rule_based.query_words import set_in_words
from agent_core.evidence import EntityRef
from agent_core.schemas import GraphQueryIntent
from cypher_sql import parse
from datastore.vocabulary import EntityType
from fixtures.readings import read
from fixtures.set_readings import brief_set, set_phrasings

PHRASINGS = set_phrasings()


def test_set_questions_are_read_as_meant() -> None:
    assert {each.question: brief_set(read(each.question)) for each in PHRASINGS} == {
        each.question: each.reading for each in PHRASINGS
    }


def test_there_are_many_set_phrasings_and_none_twice() -> None:
    assert len(PHRASINGS) >= 200
    assert len({phrasing.question for phrasing in PHRASINGS}) == len(PHRASINGS)


def test_readings_have_queries_that_parse() -> None:
    for phrasing in PHRASINGS[::5]:
        rewrite = read(phrasing.question)
        if rewrite.set_question is None:
            continue
        refs = [_ref(mention.entity_types[0], number) for number, mention in enumerate(rewrite.set_mentions, 1)]
        intent = intent_of(rewrite.set_question, refs, "a test")
        assert intent is not None, phrasing.question
        assert parse(intent.text).parts, phrasing.question


def test_names_and_values_are_parameters() -> None:
    intent = _intent("Which horror movies by Plimf from 2011 have a score above 80?", EntityType.STUDIO)
    assert intent.text == (
        "MATCH (m:Anime), (m)-[r0:PRODUCED_BY]->(n0:Studio {id: $studio}) WHERE m.year = $year"
        " AND m.format = $format AND $genre IN m.themes AND m.score > $score"
        " RETURN DISTINCT m.id AS id, m.name AS name, m.year AS year ORDER BY year, name"
    )
    assert intent.parameters == {
        "studio": "00000000-0000-0000-0000-000000000001",
        "year": 2011,
        "format": "movie",
        "genre": "Horror",
        "score": 80,
    }


def test_by_somebody_means_the_roles_of_a_maker_or_any_where_there_is_none() -> None:
    intent = _intent("How many movies did Mirelle Ostrander make?", EntityType.PERSON)
    assert (
        "(r0.role IN $roles OR NOT EXISTS { MATCH (n0)-[x0:STAFF_OF]->(:Work) WHERE x0.role IN $roles })" in intent.text
    )
    assert intent.parameters["roles"] == ["director", "author", "illustrator"]


def test_a_name_that_no_link_leads_to_has_no_query() -> None:
    rewrite = read("How many movies did Zorblax make?")
    assert rewrite.set_question is not None
    assert pattern_of(rewrite.set_question, [_ref(EntityType.ANIME, 1)]) is None


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many movies did Plimf make in the 1980s?", "movies by Plimf from the 1980s"),
        (
            "Finished action series under 26 episodes without horror",
            "finished action series with fewer than 26 episodes without horror",
        ),
        ("Who composed for both Zorblax and Air?", "people credited as composer of Zorblax and Air"),
        ("Which movies from 2016 are not sequels?", "movies from 2016 without a prequel"),
        ("Which anime feature both Yuna Brask and Tavrik?", "anime with Yuna Brask and Tavrik"),
    ],
)
def test_a_set_is_put_into_words(question: str, words: str) -> None:
    rewrite = read(question)
    assert rewrite.set_question is not None
    assert set_in_words(rewrite.set_question, [mention.text for mention in rewrite.set_mentions]) == words


def _intent(question: str, entity_type: EntityType) -> GraphQueryIntent:
    rewrite = read(question)
    assert rewrite.set_question is not None
    intent = intent_of(rewrite.set_question, [_ref(entity_type, 1)], "a test")
    assert intent is not None
    return intent


def _ref(entity_type: EntityType, number: int) -> EntityRef:
    return EntityRef(entity_type=entity_type, id=UUID(int=number))
