"""What documents say of each other, asked in words and answered from stored edges."""

import pytest
from agent_core.agents.rule_based.question import rewrite_question
from agent_core.agents.rule_based.series import numbered_mentions, without_series
from agent_core.evidence import EntityRef, FieldValue, absent_field
from agent_core.grounding.links import shown_name
from agent_core.retrieval.name_likeness import is_cut_in_a_number
from agent_core.schemas import AgentResponse, AnswerStatus, Mention, Strategy
from agent_core.testing import MemoryCatalogue
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from fixtures.document_world import DocumentWorld

_E = EdgeType


class _Names:
    async def find(self, text: str, *, timeout: float) -> tuple[Mention, ...]:
        return tuple(Mention(text=name) for name in ("PEP 8", "PEP 426", "PEP 566") if name in text)


@pytest.mark.parametrize(
    ("question", "edge"),
    [
        ("What supersedes PEP 426?", _E.SUPERSEDED_BY),
        ("What replaces PEP 426?", _E.SUPERSEDED_BY),
        ("What is PEP 426 superseded by?", _E.SUPERSEDED_BY),
        ("What was PEP 426 replaced by?", _E.SUPERSEDED_BY),
        ("Which document replaced PEP 426?", _E.SUPERSEDED_BY),
        ("What does PEP 426 supersede?", _E.SUPERSEDES),
        ("What does PEP 426 replace?", _E.SUPERSEDES),
        ("What is superseded by PEP 426?", _E.SUPERSEDES),
        ("What is replaced by PEP 426?", _E.SUPERSEDES),
        ("What does PEP 426 require?", _E.REQUIRES),
        ("What is required by PEP 426?", _E.REQUIRES),
        ("What requires PEP 426?", _E.REQUIRED_BY),
        ("Which documents require PEP 426?", _E.REQUIRED_BY),
        ("What depends on PEP 426?", _E.REQUIRED_BY),
        ("What references PEP 426?", _E.REFERENCED_BY),
        ("What does PEP 426 refer to?", _E.REFERENCES),
    ],
)
def test_relations_of_documents_are_read_in_both_directions(question: str, edge: EdgeType) -> None:
    rewrite = rewrite_question(question, (Mention(text="PEP 426"),))
    assert [relation.edge for relation in rewrite.relations] == [edge]
    assert [mention.text for mention in rewrite.mentions] == ["PEP 426"]


@pytest.fixture
def peps() -> DocumentWorld:
    world = DocumentWorld(_Names())
    catalogue = world.catalogue
    old, new, _ = (_add(catalogue, name) for name in ("PEP 426", "PEP 566", "PEP 8"))
    catalogue.link(old, _E.SUPERSEDED_BY, new)
    catalogue.link(new, _E.REQUIRES, old)
    _lacks(catalogue, old, _E.SUPERSEDES, "PEP 345")
    return world


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What supersedes PEP 426?", "PEP 426 is superseded by PEP 566 [1]."),
        ("What is PEP 426 replaced by?", "PEP 426 is superseded by PEP 566 [1]."),
        ("What requires PEP 426?", "PEP 426 is required by PEP 566 [1]."),
    ],
)
async def test_stored_edges_answer(peps: DocumentWorld, question: str, said: str) -> None:
    response = await peps.ask(question, strategy=Strategy.AUTO)
    assert response.status is AnswerStatus.ANSWERED
    assert response.answer == said
    assert [ref.name for ref in response.result_entities] == ["PEP 566"]


async def test_what_no_collection_holds_is_said_not_to_be_in_it(peps: DocumentWorld) -> None:
    response = await peps.ask("What does PEP 426 supersede?", strategy=Strategy.AUTO)
    assert response.answer == "PEP 426 supersedes PEP 345, which is not in the collection [1]."
    assert _is_refused(response)


async def test_what_is_not_stated_is_not_invented(peps: DocumentWorld) -> None:
    response = await peps.ask("What does PEP 8 supersede?", strategy=Strategy.AUTO)
    assert _is_refused(response)
    assert response.answer == "The catalogue doesn't list a replaced document of PEP 8 [1]."


def _is_refused(response: AgentResponse) -> bool:
    return response.status is AnswerStatus.NOT_FOUND


def _add(catalogue: MemoryCatalogue, name: str) -> EntityRef:
    return catalogue.add(EntityType.DOCUMENT, name)


def _lacks(catalogue: MemoryCatalogue, ref: EntityRef, edge: EdgeType, target: str) -> None:
    row = catalogue.entities[ref.id]
    field = FieldValue(name=absent_field(edge), value=target)
    text = f"{row.text}\n{field.name}: {target}"
    catalogue.entities[ref.id] = row.model_copy(update={"fields": (*row.fields, field), "text": text})


async def test_a_number_that_nobody_has_is_not_in_the_collection(peps: DocumentWorld) -> None:
    peps.add("A Note", "PEP 9 requires PEP 8, as everybody says.")
    response = await peps.ask("What does PEP 9 require?", strategy=Strategy.AUTO)
    assert _is_refused(response)
    assert "“PEP 9” is not in the collection." in response.answer
    assert not peps.searches


@pytest.mark.parametrize("question", ["Which PEP supersedes PEP 426?", "Which document replaced PEP 426?"])
async def test_the_edges_answer_although_the_question_speaks_of_documents(peps: DocumentWorld, question: str) -> None:
    response = await peps.ask(question, strategy=Strategy.AUTO)
    assert response.answer == "PEP 426 is superseded by PEP 566 [1]."


@pytest.mark.parametrize(
    ("question", "without", "numbers"),
    [
        ("Which PEPs require PEP 8?", "Which documents require PEP 8?", ["PEP 8"]),
        ("What does the RFC say about RFC 2119?", "What does the document say about RFC 2119?", ["RFC 2119"]),
        ("Who made PEP talk?", "Who made PEP talk?", []),
        ("What requires PEP8 and PEP 8?", "What requires PEP8 and PEP 8?", ["PEP8", "PEP 8"]),
    ],
)
def test_series_are_kinds_of_documents_and_their_numbers_names(question: str, without: str, numbers: list[str]) -> None:
    assert without_series(question) == without
    assert [mention.text for mention in numbered_mentions(question, ())] == numbers


@pytest.mark.parametrize(
    ("text", "name", "is_cut"),
    [
        ("PEP 5", "PEP 544", True),
        ("PEP 5", "pep 5", False),
        ("PEP 5", "PEP 5 and PEP 54", False),
        ("Steins", "Steins 5", False),
    ],
)
def test_a_number_is_never_the_beginning_of_another(text: str, name: str, is_cut: bool) -> None:
    assert is_cut_in_a_number(text, name) is is_cut


def test_a_name_is_said_without_the_addresses_in_it() -> None:
    assert shown_name("Creating forge.example.org") == "Creating …"
    assert shown_name("Akira.com") == "Akira.com"
    assert shown_name("K-On!") == "K-On!"
