"""Proposed steps on documents: inside the request's collections, from what the run has read, alone or in a plan."""

from uuid import UUID, uuid4

import pytest
from agent_core.document_contracts import DocumentIntent, FollowIntent, LookupIntent
from agent_core.evidence import EntityRef
from agent_core.orchestrator.proposals import StepRefused, checked, digest, single_steps, subject
from agent_core.schemas import Action, AgentRequest, NextStep, PlannedStep, SearchIntent, WebIntent
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

GUIDE = EntityRef(entity_type=EntityType.DOCUMENT, id=UUID(int=1))
PIECE = UUID(int=2)
SEARCH = DocumentIntent(rationale="r", query="fox spirits")


def check(step: NextStep, *, collections: tuple[str, ...] = ()) -> NextStep:
    request = AgentRequest(query="q", request_id=uuid4(), collections=collections)
    return checked(step, offered=frozenset(Action), request=request, known=[GUIDE], known_chunks=frozenset({PIECE}))


def search(intent: DocumentIntent = SEARCH) -> NextStep:
    return NextStep(action=Action.DOCUMENT_SEARCH, rationale="r", document_intent=intent)


def look_up(**fields: object) -> NextStep:
    intent = LookupIntent.model_validate({"rationale": "r"} | fields)
    return NextStep(action=Action.DOCUMENT_LOOKUP, rationale="r", lookup_intent=intent)


@pytest.mark.parametrize(
    ("proposed", "asked", "allowed"),
    [
        ((), (), ()),
        (("press",), (), ("press",)),
        ((), ("press", "laws"), ("press", "laws")),
        (("laws", "x"), ("press", "laws"), ("laws",)),
    ],
)
def test_a_search_stays_inside_the_request_s_collections(
    proposed: tuple[str, ...], asked: tuple[str, ...], allowed: tuple[str, ...]
) -> None:
    made = check(search(SEARCH.model_copy(update={"collections": proposed})), collections=asked)
    assert made.document_intent is not None
    assert made.document_intent.collections == allowed


def test_a_search_outside_the_request_s_collections_is_refused() -> None:
    with pytest.raises(StepRefused, match="collections"):
        check(search(SEARCH.model_copy(update={"collections": ("laws",)})), collections=("press",))


def test_only_what_the_run_has_read_can_be_named_by_id() -> None:
    assert check(search(SEARCH.model_copy(update={"documents": (GUIDE.id,)}))).document_intent is not None
    assert check(look_up(document=GUIDE)).lookup_intent is not None
    assert check(look_up(chunk_id=PIECE)).lookup_intent is not None
    unknown = EntityRef(entity_type=EntityType.DOCUMENT, id=uuid4())
    for step in (
        search(SEARCH.model_copy(update={"documents": (unknown.id,)})),
        look_up(document=unknown),
        look_up(chunk_id=uuid4()),
    ):
        with pytest.raises(StepRefused, match="has not seen"):
            check(step)


def test_a_plan_of_documents_is_checked_part_by_part_and_run_as_single_steps() -> None:
    parts = (
        PlannedStep(
            action=Action.DOCUMENT_SEARCH,
            document_intent=SEARCH,
            search_intent=SearchIntent(rationale="stray", query="stray"),
        ),
        PlannedStep(
            action=Action.DOCUMENT_LOOKUP, lookup_intent=LookupIntent(rationale="r", document=GUIDE, section="2")
        ),
    )
    plan = check(NextStep(action=Action.PLAN, rationale="r", plan=parts), collections=("press",))
    first, second = single_steps(plan)
    assert first == search(SEARCH.model_copy(update={"collections": ("press",)}))
    assert second == look_up(document=GUIDE, section="2")
    stray = PlannedStep(action=Action.DOCUMENT_LOOKUP, lookup_intent=LookupIntent(rationale="r", chunk_id=uuid4()))
    with pytest.raises(StepRefused, match="has not seen"):
        check(NextStep(action=Action.PLAN, rationale="r", plan=(parts[0], stray)))


def test_references_are_followed_from_passages_that_the_run_has_read() -> None:
    def following(**fields: object) -> NextStep:
        intent = FollowIntent.model_validate({"rationale": "r", "query": "q"} | fields)
        return NextStep(action=Action.FOLLOW_REFERENCES, rationale="r", follow_intent=intent)

    edges = (EdgeType.REQUIRES,)
    for step in (following(chunks=(PIECE,)), following(documents=(GUIDE.id,), edges=edges)):
        made = check(step, collections=("press",)).follow_intent
        assert made is not None
        assert made.collections == ("press",)
    for step in (following(chunks=(uuid4(),)), following(documents=(uuid4(),), edges=edges)):
        with pytest.raises(StepRefused, match="has not seen"):
            check(step)


def test_the_same_search_in_other_words_is_the_same_step() -> None:
    other = SEARCH.model_copy(update={"query": "  Fox  SPIRITS ", "rationale": "other"})
    assert digest(search(other)) == digest(search())
    assert digest(search(SEARCH.model_copy(update={"expand": True}))) != digest(search())


def test_two_documents_looked_up_by_name_are_two_steps_and_the_same_name_is_one() -> None:
    assert digest(look_up(name="House Rules")) == digest(look_up(name="house  rules", rationale="other"))
    assert digest(look_up(name="House Rules")) != digest(look_up(name="Field Guide"))
    renamed = GUIDE.model_copy(update={"name": "another wording"})
    assert digest(look_up(document=GUIDE)) == digest(look_up(document=renamed))


def test_a_search_on_the_web_is_told_in_words() -> None:
    step = check(NextStep(action=Action.WEB_SEARCH, rationale="r", web_intent=WebIntent(query="foxes")))
    assert subject(step, asked="Where do foxes live?") == "the web: 'foxes'"
