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
from agent_evals.evaluators import Judgement, Outcome, Overlap, judge, kendall_tau
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
    abstains, corrects = match is Match.ABSTAIN, match is Match.CORRECTION
    return Case(
        id="case",
        kind=Kind.NEGATIVE if abstains else Kind.RELATION,
        wordings=("a", "b", "c"),
        gold=GoldSpec(query="entity", parameters={"entity": "enishi:anime:a"}),
        expect=((AnswerStatus.ANSWERED, AnswerStatus.AMBIGUOUS) * (not abstains))
        + ((AnswerStatus.NOT_FOUND,) * (abstains or corrects)),
        match=match,
        denial=denial,
        near_miss_of="twin" if abstains else None,
        units=("episodes",) if match is Match.QUANTITY else (),
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
    right = judge(case(Match.ENTITIES_EXACT), expected, response("bones, MADHOUSE", result_entities=results))
    assert right == Judgement(Outcome.RIGHT, overlap=Overlap(1.0, 1.0))
    silent = judge(case(Match.ENTITIES_EXACT), expected, response("Bones", result_entities=results))
    assert silent == replace(wrong("not named in the answer: Madhouse"), overlap=Overlap(1.0, 1.0))
    other = response("Bones, Madhouse, Shaft", result_entities=(ref("Bones"), ref("Shaft"), ref("Gainax")))
    fault = judge(case(Match.ENTITIES_EXACT), expected, other)
    assert fault == Judgement(Outcome.WRONG, "1 results missing, 2 too many", Overlap(1 / 3, 0.5))


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


def test_a_quantity_is_a_number_of_the_right_unit() -> None:
    counted = replace(gold(row("Trigun"), row("Bleach"), row("Naruto")), units=("anime",))
    assert judge(case(Match.QUANTITY), counted, response("There are three anime [1].")) == RIGHT
    fault = judge(case(Match.QUANTITY), counted, response("There are 4 anime. It took 3 years."))
    assert fault == wrong("not in the answer: 3 anime")
    mean = Gold((GoldRow(None, "25.333"),), frozenset(), units=("episodes",))
    assert judge(case(Match.QUANTITY), mean, response("25.3 episodes on average.")) == RIGHT
    assert judge(case(Match.QUANTITY), mean, response("26 episodes.")) == wrong("not in the answer: 25.333 episodes")


def test_an_order_needs_all_that_is_not_optional_and_nothing_else() -> None:
    expected = gold(row("Dragon Ball"), row("Dragon Ball Z"), row("The Movie", "optional"))
    assert judge(case(Match.ORDER), expected, response("First Dragon Ball, then Dragon Ball Z.")) == RIGHT
    assert judge(case(Match.ORDER), expected, response("1. Dragon Ball\n2. Dragon Ball Z\n3. The Movie")) == RIGHT
    turned = judge(case(Match.ORDER), expected, response("Dragon Ball Z, then Dragon Ball."))
    assert turned == wrong("in another order: Kendall's tau is -1.00")
    short = judge(case(Match.ORDER), expected, response("Dragon Ball, The Movie."))
    assert short == wrong("not named in the answer: Dragon Ball Z")
    more = response("Dragon Ball, Dragon Ball Z, Bleach", result_entities=(ref("Dragon Ball"), ref("Bleach")))
    assert judge(case(Match.ORDER), expected, more) == wrong("1 that don't belong")


def test_kendalls_tau_counts_pairs_in_order() -> None:
    assert kendall_tau([1, 2, 3]) == 1.0
    assert kendall_tau([3, 2, 1]) == -1.0
    assert kendall_tau([2, 1, 3]) == pytest.approx(1 / 3)
    assert kendall_tau([5]) == 1.0


def test_a_recommendation_satisfies_the_conditions_and_says_why() -> None:
    expected = gold(row("Mushishi", "tv|Mystery|Artland"), row("Monster", "tv|Thriller"))
    both = (ref("Mushishi"), ref("Monster"))
    said = "Mushishi: a mystery [1].\nMonster, because it is a thriller [2]."
    assert judge(case(Match.RECOMMENDATION), expected, response(said, result_entities=both)) == RIGHT
    bare = judge(case(Match.RECOMMENDATION), expected, response("Mushishi, a mystery. Monster.", result_entities=both))
    assert bare == wrong("no reason is given for: Monster")
    unfit = response(f"{said} Bleach has tv.", result_entities=(*both, ref("Bleach")))
    assert judge(case(Match.RECOMMENDATION), expected, unfit) == wrong("2 of 3 satisfy the conditions, not: Bleach")
    assert judge(case(Match.RECOMMENDATION), expected, response("Sure.")) == wrong("recommends nothing")
    silent = judge(case(Match.RECOMMENDATION), expected, response("Mushishi, a mystery.", result_entities=both))
    assert silent == wrong("not named in the answer: Monster")


def test_a_false_premise_is_turned_down_or_corrected() -> None:
    director, source = gold(row("Makoto Shinkai")), gold(row("Cowboy Bebop", "original"))
    assert judge(case(Match.CORRECTION), director, response("", AnswerStatus.NOT_FOUND)) == RIGHT
    assert judge(case(Match.CORRECTION), director, response("Makoto Shinkai directed it.")) == RIGHT
    assert judge(case(Match.CORRECTION), source, response("Cowboy Bebop is an original work.")) == RIGHT
    assert judge(case(Match.CORRECTION), source, response("The catalogue doesn't list a source of it.")) == RIGHT
    followed = judge(case(Match.CORRECTION), source, response("Cowboy Bebop follows the manga."))
    assert followed == wrong("goes along with a false premise")


def test_declining_a_question_is_unanswered_not_wrong() -> None:
    declined = judge(case(Match.VALUE), gold(row("Trigun", "26")), response("", AnswerStatus.NOT_FOUND))
    assert declined == Judgement(Outcome.UNANSWERED, "status not_found")


def test_answering_what_has_no_answer_is_wrong() -> None:
    nothing = gold()
    assert judge(case(Match.ABSTAIN), nothing, response("", AnswerStatus.NOT_FOUND)) == RIGHT
    assert judge(case(Match.ABSTAIN), nothing, response("No, it does not.")) == wrong("answered what has no answer")
    assert judge(case(Match.ABSTAIN, denial=True), nothing, response("No, it does not.")) == RIGHT
    unlisted = response("The catalogue doesn't list a sequel [1]. It has 26 episodes [1].")
    assert judge(case(Match.ABSTAIN, denial=True), nothing, unlisted) == RIGHT
    assert judge(case(Match.ABSTAIN, denial=True), nothing, response("Nobody did.")).outcome is Outcome.WRONG
    partial = judge(case(Match.ABSTAIN), nothing, response("", AnswerStatus.PARTIAL))
    assert partial == Judgement(Outcome.UNANSWERED, "status partial")
