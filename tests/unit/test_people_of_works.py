"""Whose works are meant by `anime by X`: those made by X, and of a voice those that it is heard in."""

from uuid import UUID

from agent_core.agents.rule_based.query_patterns import pattern_of
from agent_core.chain.steps import effective_chain
from agent_core.evidence import EntityRef
from agent_core.schemas import Candidate, MatchKind, ResolvedMention
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from fixtures.readings import read

_SOMEBODY = EntityRef(entity_type=EntityType.PERSON, id=UUID(int=7))


def test_works_by_a_person_are_those_made_or_heard_in() -> None:
    question = read("mirelle ostrander anime before 2000").set_question
    assert question is not None
    pattern = pattern_of(question, [_SOMEBODY])
    assert pattern is not None
    assert pattern.chains == ["(m)<-[r0:STAFF_OF|ACTS_IN]-(n0:Person {id: $person})"]


def test_who_made_them_is_said() -> None:
    question = read("Which anime before 2000 were directed by Mirelle Ostrander?").set_question
    assert question is not None
    pattern = pattern_of(question, [_SOMEBODY])
    assert pattern is not None
    assert pattern.chains == ["(m)-[r0:HAS_STAFF]->(n0:Person {id: $person})"]


def test_the_manga_that_an_anime_is_from_is_its_source() -> None:
    rewrite = read("Who is the author of the manga that Zorblax is from?")
    anime = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=8))
    candidate = Candidate(entity=anime, matched_name="Zorblax", match=MatchKind.EXACT, score=1)
    mention = ResolvedMention(mention=rewrite.mentions[0], candidates=(candidate,), chosen=candidate)
    chain = effective_chain(rewrite, [mention])
    assert [relation.edge for relation in chain] == [EdgeType.ADAPTATION_OF, EdgeType.HAS_STAFF]
