"""What users of such systems complain about, made impossible: wrong citations, and loops without progress."""

from collections.abc import Callable

import pytest
from agent_core.protocols import LoopView
from agent_core.schemas import AnswerStatus, DraftAnswer, Stage, StepStatus, TerminationReason, Verdict, WarningCode
from agent_core.testing import scripted
from fixtures.loop_world import (
    ENOUGH,
    NOT_ENOUGH,
    World,
    assert_only_own_evidence,
    cite_everything,
    codes,
    concept_rewrite,
    luffy_rewrite,
    search,
    steps_of,
)


def drafting(text: str, *titles: str) -> Callable[[LoopView], DraftAnswer]:
    """A draft of this text; `[n]` in it is the evidence with the n-th title."""

    def draft(view: LoopView) -> DraftAnswer:
        ids = [next(item.id for item in view.evidence if item.title == title) for title in titles]
        return DraftAnswer(answer=text, evidence_ids=tuple(ids), confidence=1.0)

    return draft


LUFFY, APPEARS = "Monkey D. Luffy", "Monkey D. Luffy – One Piece"


@pytest.mark.parametrize(
    ("text", "titles", "answer"),
    [
        # Markers beyond the list of sources.
        ("Luffy is in One Piece [1][5][7].", [APPEARS], "Luffy is in One Piece [1]."),
        # A figure that the cited text doesn't give.
        ("Luffy is in One Piece [1]. It has 9000 episodes [1].", [APPEARS], "Luffy is in One Piece [1]."),
        # The right sentence behind the wrong source.
        ("Luffy appears in One Piece [1].", [LUFFY], "Luffy appears in One Piece [1]."),
        # A name that nothing says, cited all the same.
        ("Zoro is in One Piece [1]. Luffy is in One Piece [1].", [APPEARS], "Luffy is in One Piece [1]."),
        # The right name with another relation.
        ("Luffy directed One Piece [1]. Luffy is in One Piece [1].", [APPEARS], "Luffy is in One Piece [1]."),
    ],
)
async def test_cluster_a_no_citation_is_wrong_or_invented(
    world: World, text: str, titles: list[str], answer: str
) -> None:
    response = await world.ask(scripted(luffy_rewrite(), drafts=[drafting(text, *titles)], reports=[ENOUGH]))
    assert response.answer == answer
    assert_only_own_evidence(response)
    (source,) = response.sources
    assert source.title == APPEARS
    was_moved = titles == [LUFFY]
    assert source.verdict is (Verdict.MOVED if was_moved else Verdict.SUPPORTED)
    assert (WarningCode.CITATION_REMOVED in codes(response)) is not was_moved


async def test_cluster_a_nothing_retrieved_means_nothing_written(world: World) -> None:
    stages = scripted(concept_rewrite(), steps=[search("zeppelins"), search("airships")])
    response = await world.ask(stages)
    assert response.status is AnswerStatus.NOT_FOUND
    assert stages.answer.script.calls == 0
    assert (response.sources, response.citations) == ((), ())


async def test_cluster_b_the_same_step_runs_once_whatever_is_proposed(world: World) -> None:
    stages = scripted(concept_rewrite(), steps=[search("zeppelins")])
    response = await world.ask(stages, scripted(concept_rewrite(), steps=[search("Zeppelins ")]))
    assert [type(intent).__name__ for intent in world.catalogue.intents] == ["SearchIntent"]
    assert response.termination_reason is TerminationReason.NO_PROGRESS
    refused = [step for step in steps_of(response, Stage.SELECT) if step.status is StepStatus.REFUSED]
    assert refused
    assert response.usage.turns <= 3


async def test_cluster_b_steps_without_news_end_the_run_with_what_there_is(world: World) -> None:
    steps = [search(f"pirates {number}") for number in range(9)]
    drafts = [cite_everything("One Piece is the work")]
    stages = scripted(concept_rewrite(), steps=steps, drafts=drafts, reports=[NOT_ENOUGH])
    response = await world.ask(stages)
    assert response.answer == "One Piece is the work [1]."
    assert response.status is AnswerStatus.PARTIAL
    assert response.termination_reason is TerminationReason.NO_PROGRESS
    assert response.usage.turns <= 4
