"""One table says which status, reason and warnings can stand together; many runs hold to it."""

from uuid import uuid4

import pytest
from agent_core.errors import ModelErrorKind, SourceUnavailable, StageFailed
from agent_core.orchestrator.outcomes import BUDGET_WARNINGS, ENDINGS, QUIET_WARNINGS, status_of, violations
from agent_core.protocols import Slot
from agent_core.schemas import (
    AgentRequest,
    AgentResponse,
    AnswerStatus,
    ConfidenceBand,
    DraftAnswer,
    FinalOutcome,
    Mention,
    SufficiencyReport,
    TerminationReason,
    Warning,
    WarningCode,
)
from agent_core.testing import scripted
from fixtures.loop_world import World, cite_everything, concept_rewrite, final, luffy_rewrite, search
from hypothesis import given, settings
from hypothesis import strategies as st


def response(status: AnswerStatus, reason: TerminationReason, *codes: WarningCode) -> AgentResponse:
    return AgentResponse(
        answer="",
        status=status,
        confidence=0.0,
        confidence_band=ConfidenceBand.INSUFFICIENT,
        trace_id=uuid4(),
        termination_reason=reason,
        warnings=tuple(Warning(code=code, message="m") for code in codes),
    )


def test_every_reason_has_its_row() -> None:
    assert set(ENDINGS) == set(TerminationReason)


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        ENDINGS[TerminationReason.SUFFICIENT] = ENDINGS[TerminationReason.DEADLINE]  # pyright: ignore[reportIndexIssue]


def test_no_row_needs_what_it_excludes() -> None:
    assert all(
        not ending.needs_one_of & ending.excludes
        for ending in ENDINGS.values()
        if ending.needs_one_of != BUDGET_WARNINGS
    )


@pytest.mark.parametrize(
    ("status", "reason", "codes"),
    [
        (AnswerStatus.ANSWERED, TerminationReason.DEADLINE, [WarningCode.DEADLINE_REACHED]),
        (AnswerStatus.PARTIAL, TerminationReason.DEADLINE, []),
        (AnswerStatus.AMBIGUOUS, TerminationReason.AMBIGUOUS, []),
        (AnswerStatus.ANSWERED, TerminationReason.SUFFICIENT, [WarningCode.LLM_UNAVAILABLE]),
        (AnswerStatus.ANSWERED, TerminationReason.SUFFICIENT, [WarningCode.DEADLINE_REACHED]),
        (AnswerStatus.ANSWERED, TerminationReason.CANCELLED, []),
        (AnswerStatus.PARTIAL, TerminationReason.BUDGET_EXHAUSTED, []),
        (AnswerStatus.PARTIAL, TerminationReason.DEPENDENCY_LOST, [WarningCode.VECTOR_UNAVAILABLE]),
    ],
)
def test_what_cannot_stand_together_is_found(
    status: AnswerStatus, reason: TerminationReason, codes: list[WarningCode]
) -> None:
    assert violations(response(status, reason, *codes)) != []


@given(
    reason=st.sampled_from([reason for reason in TerminationReason if reason is not TerminationReason.CANCELLED]),
    has_answer=st.booleans(),
    states=st.lists(st.sampled_from(["filled", "empty", "absent"]), max_size=4),
    codes=st.frozensets(st.sampled_from(sorted(WarningCode))),
)
def test_the_status_that_follows_is_one_that_the_table_allows(
    *, reason: TerminationReason, has_answer: bool, states: list[str], codes: frozenset[WarningCode]
) -> None:
    ending = ENDINGS[reason]
    fitting = (codes | ending.needs_one_of) - ending.excludes
    slots = [Slot(f"field:{number}", state) for number, state in enumerate(states)]
    status = status_of(reason, has_answer=has_answer, slots=slots, warnings=fitting)
    assert violations(response(status, reason, *fitting)) == []


@pytest.mark.parametrize(
    ("states", "codes", "status"),
    [
        (["filled", "filled"], [], AnswerStatus.ANSWERED),
        (["filled", "filled"], [WarningCode.SPELLING_CORRECTED], AnswerStatus.ANSWERED),
        (["filled", "filled"], [WarningCode.GRAPH_TRUNCATED], AnswerStatus.ANSWERED_WITH_CAVEATS),
        (["filled", "absent"], [], AnswerStatus.ANSWERED_WITH_CAVEATS),
        (["absent", "absent"], [], AnswerStatus.NOT_FOUND),
    ],
)
def test_a_sufficient_answer_is_called_what_its_slots_say(
    states: list[str], codes: list[WarningCode], status: AnswerStatus
) -> None:
    slots = [Slot("mention:x", "filled"), *(Slot(f"field:{number}", state) for number, state in enumerate(states))]
    found = status_of(TerminationReason.SUFFICIENT, has_answer=True, slots=slots, warnings=frozenset(codes))
    assert found is status


def test_quiet_warnings_are_few() -> None:
    assert len(QUIET_WARNINGS) == 5


REWRITES = [
    luffy_rewrite(),
    concept_rewrite(),
    luffy_rewrite(mentions=(Mention(text="Sakura"),)),
    luffy_rewrite(mentions=(Mention(text="Nobody"),)),
    luffy_rewrite(needs_external_context=False, fixed_answer="limits", mentions=()),
]
STEPS = [
    search("pirates"),
    search("zeppelins"),
    final(FinalOutcome.ENOUGH),
    final(FinalOutcome.NOT_FOUND),
    final(FinalOutcome.AMBIGUOUS),
]
DRAFTS = [
    cite_everything("One Piece is here"),
    DraftAnswer(answer="Zoro is in Bleach [1].", evidence_ids=("x",), confidence=1.0),
    DraftAnswer(answer="", confidence=0.0),
]
REPORTS = [
    SufficiencyReport(sufficient=True, rationale="r"),
    SufficiencyReport(sufficient=False, rationale="r", missing=("m",)),
]
FAULTS = [
    ("search", "qdrant", False),
    ("graph", "postgresql", True),
    ("graph", "postgresql", False),
    ("rows", "postgresql", False),
]


@settings(max_examples=150, deadline=None)
@given(data=st.data())
async def test_every_run_ends_as_the_table_says(data: st.DataObject) -> None:
    draw = data.draw
    world = World()
    for method, source, timed_out in draw(st.lists(st.sampled_from(FAULTS), max_size=3)):
        world.catalogue.fail(method, *[SourceUnavailable(source, timed_out=timed_out)] * draw(st.integers(1, 4)))
    rewrite = draw(st.sampled_from(REWRITES))
    failed = StageFailed("x", draw(st.sampled_from(list(ModelErrorKind))))
    rules = scripted(
        rewrite,
        steps=draw(st.lists(st.sampled_from(STEPS), min_size=1, max_size=4)),
        drafts=draw(st.lists(st.sampled_from(DRAFTS), min_size=1, max_size=2)),
        reports=draw(st.lists(st.sampled_from(REPORTS), min_size=1, max_size=2)),
    )
    model = scripted(
        rewrite,
        steps=draw(st.lists(st.sampled_from([*STEPS, failed]), min_size=1, max_size=4)),
        drafts=draw(st.lists(st.sampled_from([*DRAFTS, failed]), min_size=1, max_size=2)),
        reports=draw(st.lists(st.sampled_from([*REPORTS, failed]), min_size=1, max_size=2)),
    )
    request = AgentRequest(
        query="q",
        request_id=uuid4(),
        max_turns=draw(st.integers(1, 6)),
        max_tool_calls=draw(st.integers(1, 24)),
        max_model_calls=draw(st.integers(0, 12)),
    )
    ended = await world.loop(model, rules).run(request)
    assert violations(ended) == []
    assert ended.usage.tool_calls <= (request.max_tool_calls or 24)
    assert ended.usage.turns <= (request.max_turns or 6)
    assert "Zoro" not in ended.answer
