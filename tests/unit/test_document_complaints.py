"""What users of such systems complain about, where documents answer: citations, stale text, filters, counts."""

from collections.abc import Callable
from datetime import date

from agent_core.document_contracts import DateSpan
from agent_core.protocols import LoopView
from agent_core.schemas import AnswerStatus, DraftAnswer, WarningCode
from agent_core.testing.scripted import ScriptedAnswer
from agent_service.converters import response_to_proto
from agent_service.message_size import fit_message
from fixtures.document_world import DocumentWorld, documents
from fixtures.loop_world import codes

__all__ = ["documents"]

_LIGHTHOUSE = """The lighthouse of Vrell was lit in 1911 by Ossa Brask.

## Height

It is 31 metres high. The stairs have 142 steps.

## Keepers

Nobody has kept it since the storm, because the bridge fell.
"""


async def test_complaint_a_a_model_s_figure_that_no_cited_passage_says_is_taken_out(documents: DocumentWorld) -> None:
    documents.add("The Lighthouse", _LIGHTHOUSE)
    model = ScriptedAnswer(_drafted("It is 31 metres high [1]. The stairs have 150 steps [1]."))
    response = await documents.ask("How high is the lighthouse in metres?", model=model)
    assert response.answer == "It is 31 metres high [1]."
    assert WarningCode.CITATION_REMOVED in codes(response)


async def test_complaint_a_a_right_sentence_under_the_wrong_document_is_taken_out(documents: DocumentWorld) -> None:
    documents.add("The Lighthouse", "It is 31 metres high.")
    documents.add("The Windmill", "It is 12 metres high.")
    model = ScriptedAnswer(_crossed)
    response = await documents.ask("How high are the lighthouse and the windmill in metres?", model=model)
    assert "“The Windmill” is 31 metres high" not in response.answer


async def test_complaint_a_without_a_passage_nothing_is_drafted(documents: DocumentWorld) -> None:
    model = ScriptedAnswer(_drafted("It is 31 metres high [1]."))
    response = await documents.ask("How high is the lighthouse in metres?", model=model)
    assert (response.status, response.sources, model.script.calls) == (AnswerStatus.NOT_FOUND, (), 0)


async def test_bug_kind_g13_markers_of_passages_that_don_t_exist_never_reach_the_caller(
    documents: DocumentWorld,
) -> None:
    documents.add("The Lighthouse", _LIGHTHOUSE)
    model = ScriptedAnswer(_drafted("It is 31 metres high [1][5][7]."))
    response = await documents.ask("How high is the lighthouse in metres?", model=model)
    assert response.answer == "It is 31 metres high [1]."
    assert [source.marker for source in response.sources] == [1]
    assert WarningCode.CITATION_REMOVED in codes(response)


async def test_bug_kind_g10_a_passage_of_five_megabytes_is_cut_and_flagged(documents: DocumentWorld) -> None:
    documents.add("The Lighthouse", "It is 31 metres high. " + "Nothing else is known of it. " * 180_000)
    response = await documents.ask("How high is the lighthouse in metres?")
    message = fit_message(response_to_proto(response), 4 * 1024 * 1024)
    assert message.ByteSize() < 4 * 1024 * 1024
    assert message.evidence_truncated
    assert message.answer == "“The Lighthouse”: “It is 31 metres high” [1]."


async def test_complaint_f_a_deleted_document_is_in_no_answer(documents: DocumentWorld) -> None:
    ref = documents.add("The Lighthouse", _LIGHTHOUSE)
    assert (await documents.ask("How many steps do the stairs have?")).status is AnswerStatus.ANSWERED
    documents.documents.remove(ref)
    for question in ("How many steps do the stairs have?", "What number of steps is there on the stairs?"):
        response = await documents.ask(question)
        assert (response.status, response.evidence) == (AnswerStatus.NOT_FOUND, ())


async def test_complaint_g_days_that_no_answering_document_is_of_are_relaxed_with_a_warning(
    documents: DocumentWorld,
) -> None:
    documents.add("The Lighthouse", _LIGHTHOUSE, dated="2019-05")
    response = await documents.ask("In 2021, how many steps did the stairs of the lighthouse have?")
    assert codes(response) == {WarningCode.FILTER_RELAXED}
    assert documents.searches[0].dates == DateSpan(first=date(2021, 1, 1), last=date(2021, 12, 31))


async def test_complaint_g_the_document_of_the_asked_days_goes_before_a_better_one_of_others(
    documents: DocumentWorld,
) -> None:
    documents.add("Survey 2019", "The tower of Vrell has 12 lamps, as many as there are towers.", dated="2019-05")
    documents.add("Survey 2021", "The tower of Vrell has 14 lamps.", dated="2021-05")
    response = await documents.ask("In 2021, how many lamps has the tower of Vrell?")
    assert "“The tower of Vrell has 14 lamps” [1]." in response.answer
    assert codes(response) == set()


async def test_complaint_f_an_edited_document_answers_by_what_it_says_now(documents: DocumentWorld) -> None:
    documents.documents.remove(documents.add("The Lighthouse", "It is 31 metres high."))
    documents.add("The Lighthouse", "It is 33 metres high.")
    response = await documents.ask("How high is the lighthouse in metres?")
    assert response.answer == "“The Lighthouse”: “It is 33 metres high” [1]."


async def test_complaint_g_a_collection_without_an_answer_is_not_left_for_another(documents: DocumentWorld) -> None:
    documents.add("The Lighthouse", _LIGHTHOUSE, collection="towers")
    response = await documents.ask("How many steps do the stairs have?", collections=("mills",))
    assert (response.status, response.evidence) == (AnswerStatus.NOT_FOUND, ())


async def test_complaint_h_how_many_documents_there_are_is_not_counted_from_what_a_search_found(
    documents: DocumentWorld,
) -> None:
    for number in range(30):
        documents.add(f"Article {number}", f"The lamp of tower {number} has 4 panes.")
    response = await documents.ask("How many articles mention the lamp?")
    assert response.status is AnswerStatus.NOT_FOUND
    response = await documents.ask("How many documents are there about the tower?")
    assert response.status is AnswerStatus.NOT_FOUND


def _drafted(text: str) -> Callable[[LoopView], DraftAnswer]:
    def draft(view: LoopView) -> DraftAnswer:
        said = next(item.id for item in view.evidence if "31 metres" in item.text)
        return DraftAnswer(answer=text, evidence_ids=(said,), confidence=0.9)

    return draft


def _crossed(view: LoopView) -> DraftAnswer:
    ids = {item.title: item.id for item in view.evidence}
    return DraftAnswer(
        answer="“The Windmill” is 31 metres high [1].", evidence_ids=(ids["The Windmill"],), confidence=0.9
    )
