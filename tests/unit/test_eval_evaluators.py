"""Right, wrong and unanswered."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from uuid import UUID, uuid5

import pytest
from agent_core.evidence import EntityRef, GraphPath, PathEvidence, PathStep
from agent_core.schemas import (
    AgentResponse,
    AnswerStatus,
    Candidate,
    ConfidenceBand,
    MatchKind,
    SourceCitation,
    TerminationReason,
    Warning,
    WarningCode,
)
from agent_evals.dataset import Case, GoldSpec, Kind, Match
from agent_evals.evaluators import Judgement, Outcome, is_stated, judge
from agent_evals.gold import Gold, GoldRow
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

ROOT = UUID(int=7)
RIGHT = Judgement(Outcome.RIGHT)


def ref(name: str, entity_type: EntityType = EntityType.ANIME) -> EntityRef:
    return EntityRef(entity_type=entity_type, id=uuid5(ROOT, name), name=name)


def row(name: str, value: str | None = None) -> GoldRow:
    return GoldRow(ref(name).id, value, (name,))


def gold(*rows: GoldRow, subjects: Sequence[str] = ()) -> Gold:
    return Gold(rows, frozenset(ref(name).id for name in subjects))


def case(match: Match, *, denial: bool = False) -> Case:
    abstains = match is Match.ABSTAIN
    return Case(
        id="case",
        kind=Kind.NEGATIVE if abstains else Kind.RELATION,
        wordings=("a", "b", "c"),
        gold=GoldSpec(query="entity", parameters={"entity": "enishi:anime:a"}),
        expect=(AnswerStatus.NOT_FOUND,) if abstains else (AnswerStatus.ANSWERED, AnswerStatus.AMBIGUOUS),
        match=match,
        denial=denial,
        near_miss_of="twin" if abstains else None,
    )


def response(answer: str, status: AnswerStatus = AnswerStatus.ANSWERED, **changes: object) -> AgentResponse:
    fixed = {
        "answer": answer,
        "status": status,
        "confidence": 0.5,
        "confidence_band": ConfidenceBand.MEDIUM,
        "trace_id": UUID(int=1),
        "termination_reason": TerminationReason.SUFFICIENT,
    }
    return AgentResponse.model_validate(fixed | changes)


def wrong(reason: str) -> Judgement:
    return Judgement(Outcome.WRONG, reason)


def test_exact_entities_ignore_the_subject_and_need_their_names() -> None:
    expected = gold(row("Bones"), row("Madhouse"), subjects=["Trigun"])
    results = (ref("Trigun"), ref("Bones"), ref("Madhouse"))
    assert judge(case(Match.ENTITIES_EXACT), expected, response("bones, MADHOUSE", result_entities=results)) == RIGHT
    silent = judge(case(Match.ENTITIES_EXACT), expected, response("Bones", result_entities=results))
    assert silent == wrong("not named in the answer: Madhouse")
    other = response("Bones, Madhouse, Shaft", result_entities=(ref("Bones"), ref("Shaft")))
    assert judge(case(Match.ENTITIES_EXACT), expected, other) == wrong("1 results missing, 1 too many")


def test_any_entity_means_the_first_result() -> None:
    expected = gold(row("Trigun"))
    assert judge(case(Match.ENTITIES_ANY), expected, response("", result_entities=(ref("Trigun"), ref("X")))) == RIGHT
    late = response("", result_entities=(ref("X"), ref("Trigun")))
    assert judge(case(Match.ENTITIES_ANY), expected, late) == wrong("another entity comes first")
    assert judge(case(Match.ENTITIES_ANY), expected, response("")) == wrong("no result")


def test_a_subset_must_be_named_and_not_denied() -> None:
    expected = gold(row("Kurama"))
    assert judge(case(Match.ENTITIES_SUBSET), expected, response("Yes, Kurama does.")) == RIGHT
    assert judge(case(Match.ENTITIES_SUBSET), expected, response("No, Kurama is not.")) == wrong("denied what is so")


def test_candidates_must_all_be_offered_and_the_name_called_ambiguous() -> None:
    expected = gold(row("Lin"), row("Rin"))
    other = (Candidate(entity=ref("Rin"), matched_name="Lin", match=MatchKind.EXACT, score=1.0),)
    one = response("Lin …", result_entities=(ref("Lin"),))
    assert judge(case(Match.CANDIDATES), expected, one) == wrong("1 namesakes not offered")
    quiet = response("Lin …", result_entities=(ref("Lin"),), alternatives=other)
    assert judge(case(Match.CANDIDATES), expected, quiet) == wrong("does not say that the name is ambiguous")
    warning = Warning(code=WarningCode.AMBIGUOUS_ENTITY, message="two")
    said = response("Lin …", result_entities=(ref("Lin"),), alternatives=other, warnings=(warning,))
    assert judge(case(Match.CANDIDATES), expected, said) == RIGHT
    voiced = response(
        "Lin …", source_entities=(ref("Lin"),), result_entities=(ref("X"),), alternatives=other, warnings=(warning,)
    )
    assert judge(case(Match.CANDIDATES), expected, voiced) == RIGHT
    both = response("Lin; Rin", result_entities=(ref("Lin"), ref("Rin")))
    assert judge(case(Match.CANDIDATES), expected, both) == RIGHT


def test_a_value_must_be_about_the_right_entity() -> None:
    expected = gold(row("Trigun", "26"))
    assert judge(case(Match.VALUE), expected, response("It has 26.", source_entities=(ref("Trigun"),))) == RIGHT
    other = response("It has 26.", source_entities=(ref("Bleach"),))
    assert judge(case(Match.VALUE), expected, other) == wrong("about another entity")
    off = response("It has 126.", source_entities=(ref("Trigun"),))
    assert judge(case(Match.VALUE), expected, off) == wrong("not in the answer: 26")


def test_a_comparison_may_not_call_equal_what_differs() -> None:
    expected = gold(row("Trigun", "26"), row("Bleach", "366"))
    both = (ref("Trigun"), ref("Bleach"))
    right = response("Trigun has 26, Bleach has 366.", source_entities=both)
    assert judge(case(Match.COMPARISON), expected, right) == RIGHT
    equal = response("They are equal. Trigun has 26, Bleach has 366.", source_entities=both)
    assert judge(case(Match.COMPARISON), expected, equal) == wrong("calls equal what differs")
    elsewhere = response("They are equal in volumes. Trigun has 26, Bleach has 366.", source_entities=both)
    assert judge(case(Match.COMPARISON), replace(expected, field="episodes"), elsewhere) == RIGHT
    there = response("They are equal in episodes. Trigun has 26, Bleach has 366.", source_entities=both)
    fault = judge(case(Match.COMPARISON), replace(expected, field="episodes"), there)
    assert fault == wrong("calls equal what differs")
    half = response("Trigun has 26.", source_entities=both)
    assert judge(case(Match.COMPARISON), expected, half) == wrong("not in the answer: 366")


@pytest.mark.parametrize(
    ("value", "text", "stated"),
    [
        ("26", "26 episodes", True),
        ("26", "26.", True),
        ("26", "2026-04-26", False),
        ("26", "26.5 points", False),
        ("26", "126", False),
        ("2009-04-05", "on 2009-04-05", True),
        ("2009-04-05", "on April 5, 2009", True),
        ("2009-04-05", "on 5 April 2009", True),
        ("2009-04-05", "in April 2009", False),
        ("2009-04", "in April 2009", True),
        ("2009-04", "2009-04-05", False),
        ("light_novel", "a light novel", True),
        ("tv", "TV series", True),
        ("tv", "ITV", False),
    ],
)
def test_values_are_recognised_as_people_write_them(value: str, text: str, stated: bool) -> None:
    assert is_stated(value, text) is stated


def path(*names: str, rel: EdgeType = EdgeType.HAS_STAFF) -> PathEvidence:
    steps = [PathStep(from_=ref(a), rel=rel, to=ref(b), evidence_id="p") for a, b in pairwise(names)]
    return PathEvidence(id="p", source="test", title="path", text="path", path=GraphPath(steps=tuple(steps)))


def cited(evidence_id: str) -> tuple[SourceCitation, ...]:
    return (SourceCitation(marker=1, evidence_id=evidence_id, title="t", locator="", quote=""),)


def test_a_path_must_be_cited_and_no_longer_than_needed() -> None:
    expected = Gold((GoldRow(None, "2"),), frozenset({ref("A").id, ref("C").id}))
    evidence = (path("C", "B", "A"),)
    assert judge(case(Match.PATH), expected, response("", evidence=evidence, sources=cited("p"))) == RIGHT
    uncited = judge(case(Match.PATH), expected, response("", evidence=evidence))
    assert uncited == wrong("no cited chain joins the two")
    longer = response("", evidence=(path("A", "X", "Y", "C"),), sources=cited("p"))
    assert judge(case(Match.PATH), expected, longer) == wrong("a chain of 3 hops where 2 are enough")
    derived = response("", evidence=(path("A", "C", rel=EdgeType.SHARED_STAFF),), sources=cited("p"))
    assert judge(case(Match.PATH), expected, derived) == RIGHT


def test_declining_a_question_is_unanswered_not_wrong() -> None:
    declined = judge(case(Match.VALUE), gold(row("Trigun", "26")), response("", AnswerStatus.NOT_FOUND))
    assert declined == Judgement(Outcome.UNANSWERED, "status not_found")


def test_answering_what_has_no_answer_is_wrong() -> None:
    nothing = gold()
    assert judge(case(Match.ABSTAIN), nothing, response("", AnswerStatus.NOT_FOUND)) == RIGHT
    assert judge(case(Match.ABSTAIN), nothing, response("No, it does not.")) == wrong("answered what has no answer")
    assert judge(case(Match.ABSTAIN, denial=True), nothing, response("No, it does not.")) == RIGHT
    assert judge(case(Match.ABSTAIN, denial=True), nothing, response("Nobody did.")).outcome is Outcome.WRONG
    partial = judge(case(Match.ABSTAIN), nothing, response("", AnswerStatus.PARTIAL))
    assert partial == Judgement(Outcome.UNANSWERED, "status partial")
