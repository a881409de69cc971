"""Reading on where references lead: by the words of the question or of passages, and as far as is allowed."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.referring import find_referring
from agent_core.document_contracts import DocumentHit, FollowIntent
from agent_core.evidence import ChunkEvidence, EntityRef
from agent_core.retrieval.reference_executor import FollowingReferences
from agent_core.schemas import Action, AnswerStatus, Stage
from datastore.edges import EdgeType
from fixtures.document_world import DocumentWorld, demo_documents, documents
from references.following import FollowLimits
from references.model import ReferenceType

__all__ = ["demo_documents", "documents"]


def _fill(world: DocumentWorld) -> dict[str, EntityRef]:
    texts = {
        "Lamps": "The lamps are cleaned as the “Cleaning Manual”, Section 2, says. “Tower Book” is on towers.",
        "Cleaning Manual": "## 1 Lenses\n\nA lens is wiped with silk.\n\n## 2 Lamps\n\nA lamp is wiped with 3 sponges. "
        "How sponges are stored stands in “Store Book”.",
        "Store Book": "They stand wiped in 12 jars.",
        "Tower Book": "A tower is wiped with 7 brooms.",
    }
    refs = {title: world.add(title, text) for title, text in texts.items()}
    for start, end in (("Lamps", "Cleaning Manual"), ("Lamps", "Tower Book"), ("Cleaning Manual", "Store Book")):
        edge = EdgeType.REFERENCES if (start, end) == ("Lamps", "Cleaning Manual") else EdgeType.MENTIONS
        world.catalogue.link(refs[start], edge, refs[end])
    return refs


async def test_what_a_document_refers_to_is_asked_in_words(documents: DocumentWorld) -> None:
    _fill(documents)
    response = await documents.ask("According to the document that “Lamps” refers to, how many sponges wipe a lamp?")
    assert response.answer == (
        "“Lamps” refers to “Cleaning Manual” [1]. “Cleaning Manual”: “A lamp is wiped with 3 sponges” [2]."
    )
    assert response.status is AnswerStatus.ANSWERED
    chosen = [step.action for step in response.steps if step.stage is Stage.EXECUTE]
    assert chosen == [Action.DOCUMENT_LOOKUP, Action.FOLLOW_REFERENCES]
    quoted = response.evidence[1]
    assert isinstance(quoted, ChunkEvidence)
    assert quoted.reached_by == "Cleaning Manual Section 2, as “Lamps” refers to it"


async def test_other_documents_that_say_it_are_not_meant(documents: DocumentWorld) -> None:
    _fill(documents)
    documents.add("Sponges", "A lamp is wiped with 99 sponges.")
    response = await documents.ask("According to the document that “Lamps” refers to, how many sponges wipe a lamp?")
    assert "99" not in response.answer
    documents.add("Notes of May", "A tower is wiped with 5 combs. More stands in “Tower Book”.")
    response = await documents.ask(
        "According to the document that “Notes of May” refers to, how many combs wipe a tower?"
    )
    assert response.status is AnswerStatus.NOT_FOUND
    response = await documents.ask(
        "According to the document that “Tower Book” refers to, how many sponges wipe a lamp?"
    )
    assert response.status is AnswerStatus.NOT_FOUND
    assert "No document that “Tower Book” names so is in the collection." in response.answer


async def test_what_a_document_requires_is_told_by_its_front_matter(documents: DocumentWorld) -> None:
    old, new = (documents.add(name, f"{name} has {n} rules.") for name, n in (("PEP 1", 4), ("PEP 2", 9)))
    documents.state(new, EdgeType.REQUIRES, old)
    response = await documents.ask("What do the documents that PEP 2 requires say about rules?")
    assert response.answer == "“PEP 2” requires “PEP 1” [1]. “PEP 1”: “PEP 1 has 4 rules” [2]."
    back = await documents.ask("What do the documents that PEP 1 requires say about rules?")
    assert back.status is AnswerStatus.NOT_FOUND


async def test_a_document_that_is_not_there_refers_to_nothing(documents: DocumentWorld) -> None:
    _fill(documents)
    response = await documents.ask("What does the article that “The Lost Book” mentions say about sponges?")
    assert response.answer.splitlines()[1] == "“The Lost Book” is not in the collection."
    assert not documents.searches


async def test_what_a_passage_refers_to_is_read_where_it_speaks_of_what_is_asked(documents: DocumentWorld) -> None:
    _fill(documents)
    response = await documents.ask("In how many jars are sponges stored?")
    assert (
        response.answer
        == "“Cleaning Manual” mentions “Store Book” [1]. “Store Book”: “They stand wiped in 12 jars” [2]."
    )


async def test_the_demo_documents_lead_to_each_other(demo_documents: DocumentWorld) -> None:
    question = (
        "According to the article that “Akira at the Kurokawa Film Week” refers to, what is the level in decibels?"
    )
    response = await demo_documents.ask(question)
    assert "“The level is 72 decibels at the middle seat for evening screenings”" in response.answer
    response = await demo_documents.ask(
        "How many lamps worked in the model that the article mentioned in “Repairing the Balsa Bathhouse” describes?"
    )
    assert "“There are 94 working lamps in the model”" in response.answer


# --- the executor: how far, how much, how often ------------------------------------------------------------------


async def follow(
    world: DocumentWorld, start: EntityRef, limits: FollowLimits | None = None, **fields: object
) -> list[tuple[str, int, bool]]:
    hits = await _hits(world, start, limits, **fields)
    return [(hit.evidence.title, hit.via.depth, hit.via.is_search) for hit in hits if hit.via is not None]


async def _hits(
    world: DocumentWorld, start: EntityRef, limits: FollowLimits | None = None, **fields: object
) -> tuple[DocumentHit, ...]:
    chunks = tuple(chunk.chunk_id for chunk in world.documents.chunks if chunk.document == start)
    intent = {"rationale": "r", "query": "how is it wiped with sponges", "chunks": chunks, "depth": 2} | fields
    executor = FollowingReferences(world.references, world.documents, limits or FollowLimits())
    return (await executor.follow(FollowIntent.model_validate(intent), timeout=5)).hits


async def test_references_are_followed_by_their_type_and_on_from_there(documents: DocumentWorld) -> None:
    refs = _fill(documents)
    found = await follow(documents, refs["Lamps"])
    assert found == [("Cleaning Manual", 1, False), ("Tower Book", 1, False), ("Store Book", 2, False)]
    assert await follow(documents, refs["Lamps"], FollowLimits(depth=1)) == found[:2]
    assert await follow(documents, refs["Lamps"], depth=1) == found[:2]


async def test_what_is_asked_for_by_type_or_target_alone_is_followed(documents: DocumentWorld) -> None:
    refs = _fill(documents)
    assert await follow(documents, refs["Lamps"], depth=1, types=[ReferenceType.SECTION]) == [
        ("Cleaning Manual", 1, False)
    ]
    assert await follow(documents, refs["Lamps"], depth=1, targets=["Tower Book"]) == [("Tower Book", 1, False)]
    assert await follow(documents, refs["Lamps"], targets=["Nothing"]) == []


async def test_a_limit_of_tokens_references_or_visits_ends_the_reading(documents: DocumentWorld) -> None:
    refs = _fill(documents)
    for limits in (FollowLimits(tokens=1), FollowLimits(references=1), FollowLimits(same_document=1)):
        assert (await follow(documents, refs["Lamps"], limits, depth=1))[:2] == [("Cleaning Manual", 1, False)]


async def test_a_ring_of_references_is_walked_once(documents: DocumentWorld) -> None:
    one = documents.add("Ring One", "A ring is wiped as in “Ring Two”.")
    documents.add("Ring Two", "A ring is wiped as in “Ring One”.")
    found = await follow(documents, one, FollowLimits(depth=9), depth=9)
    assert found == [("Ring Two", 1, False), ("Ring One", 2, False)]


async def test_a_work_is_searched_everywhere_by_the_words_of_its_entry(documents: DocumentWorld) -> None:
    start = documents.add("Essay", "It is wiped twice, as was shown [3].\n\n[3] Brask. Silver sponges of Vrell.")
    documents.add("Review", "Brask wrote of silver sponges in Vrell.")
    found = await follow(documents, start, depth=1)
    assert ("Review", 1, True) in found


async def test_another_part_of_the_same_document_is_looked_up(documents: DocumentWorld) -> None:
    start = documents.add("Law", "## § 1\n\nIt is wiped as § 2 says.\n\n## § 2\n\nWith silk.")
    hits = await _hits(documents, start, depth=1)
    assert [hit.evidence.text for hit in hits] == ["With silk."]


def test_an_intent_starts_somewhere() -> None:
    with pytest.raises(ValueError, match="one is required"):
        FollowIntent(rationale="r", query="q", documents=(UUID(int=1),))


@pytest.mark.parametrize(
    ("question", "name", "is_described"),
    [
        ("What does the article that “Lamps” refers to say about oil?", "Lamps", False),
        ("What does the article to which “Lamps” refers say about oil?", "Lamps", False),
        ("What does the guideline the report about lamps points to say about oil?", "report about lamps", True),
        ("What do the rules mentioned in the article on Vrell say about oil?", "article on Vrell", True),
        ("According to the handbook to which the letters of May refer, who lit it?", "letters of May", True),
    ],
)
def test_whose_references_are_meant(question: str, name: str, is_described: bool) -> None:
    found = find_referring(question)
    assert found is not None
    assert (found.name, found.is_described) == (name, is_described)


async def test_a_document_that_is_described_is_searched_for_and_the_answer_says_which_was_taken(
    documents: DocumentWorld,
) -> None:
    _fill(documents)
    documents.add("Letters on Lamps", "A reader asks about the report on lamps, and about “Tower Book”.")
    response = await documents.ask(
        "According to the manual that the report on cleaned lamps refers to, how many sponges wipe a lamp?"
    )
    assert response.answer == (
        "The document described was taken to be “Lamps” [1]. “Lamps” refers to “Cleaning Manual” [2]. "
        "“Cleaning Manual”: “A lamp is wiped with 3 sponges” [3]."
    )
    chosen = [step.action for step in response.steps if step.stage is Stage.EXECUTE]
    assert chosen == [Action.DOCUMENT_LOOKUP, Action.DOCUMENT_SEARCH, Action.FOLLOW_REFERENCES]


@pytest.mark.parametrize("description", ["report on zeppelins", "report on lamps of Quindle"])
async def test_a_description_that_no_document_fits_is_followed_nowhere(
    documents: DocumentWorld, description: str
) -> None:
    _fill(documents)
    response = await documents.ask(f"What does the manual that the {description} refers to say about sponges?")
    assert response.status is AnswerStatus.NOT_FOUND
    assert f"“{description}” is not in the collection." in response.answer
