"""Watch orders over a small franchise: longer than one query reads, with a recap, a side story, a retelling, a loop."""

from collections.abc import AsyncGenerator
from uuid import uuid4

import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.orchestrator import Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus, WarningCode
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from fixtures.catalogue_imports import entity, import_records, record
from fixtures.postgres import seeded
from ingestion.records import AnyEntity, AnyLink

_SEASONS = 7


def relation(start: str, name: str, end: str) -> AnyEntity | AnyLink:
    return record("relation", from_=f"demo:anime:{start}", to=f"demo:anime:{end}", relation=name)


async def write_world(read_write: ReadWriteEngine) -> None:
    seasons = [
        entity("anime", f"demo:anime:moon-{n}", f"Moon Gate {n}" if n > 1 else "Moon Gate", start=f"{2000 + n}-04-01")
        for n in range(1, _SEASONS + 1)
    ]
    await import_records(
        read_write,
        *seasons,
        *(relation(f"moon-{n}", "sequel", f"moon-{n + 1}") for n in range(1, _SEASONS)),
        entity("anime", "demo:anime:origin", "Moon Gate Origin", start="2010-01-01"),
        relation("moon-1", "prequel", "origin"),
        entity("anime", "demo:anime:digest", "Moon Gate Digest", start="2001-12-30"),
        relation("digest", "full_story", "moon-1"),
        entity("anime", "demo:anime:beach", "Moon Gate at the Beach", start="2002-08-01"),
        relation("moon-2", "side_story", "beach"),
        entity("anime", "demo:anime:anew", "Moon Gate Anew", start="2012-01-01"),
        relation("anew", "alternative", "moon-1"),
        entity("manga", "demo:manga:moon", "Moon Gate"),
        record("relation", from_="demo:anime:moon-1", to="demo:manga:moon", relation="adaptation_of"),
        entity("anime", "demo:anime:sun", "Sun Gate", start="2003-01"),
        entity("anime", "demo:anime:dusk", "Dusk Gate", start="2004-01"),
        relation("sun", "sequel", "dusk"),
        relation("dusk", "sequel", "sun"),
        entity("anime", "demo:anime:lone", "Lone Gate", start="1999-01"),
        entity("anime", "demo:anime:tide", "Tide Gate", start="2005-01-02"),
        entity("anime", "demo:anime:ebb", "Ebb Gate", start="2005-01-02"),
        relation("tide", "side_story", "ebb"),
        relation("ebb", "side_story", "tide"),
        entity("anime", "demo:anime:dawn", "Dawn Gate", start="2004"),
        entity("anime", "demo:anime:noon", "Noon Gate", start="2004-05"),
        entity("anime", "demo:anime:night", "Night Gate"),
        relation("dawn", "sequel", "noon"),
        relation("noon", "sequel", "night"),
        source="demo",
    )


template, _ = seeded(write_world)


@pytest.fixture
async def loop(read_only: ReadOnlyEngine) -> AsyncGenerator[Orchestrator]:
    built = build_orchestrator(read_only=read_only, vector_store=None, embedder=None)
    yield built
    await built.close()


async def ask(loop: Orchestrator, query: str) -> AgentResponse:
    response = await loop.run(AgentRequest(query=query, request_id=uuid4()))
    assert violations(response) == []
    return response


def found(response: AgentResponse) -> list[str]:
    return [ref.name or "" for ref in response.result_entities]


async def test_a_franchise_is_told_by_release_and_by_story(loop: Orchestrator) -> None:
    by_release = await ask(loop, "In what order should I watch Moon Gate?")
    seasons = [f"Moon Gate {n}" for n in range(2, _SEASONS + 1)]
    released = ["Moon Gate", "Moon Gate Digest", "Moon Gate 2", "Moon Gate at the Beach", *seasons[1:]]
    assert found(by_release) == [*released, "Moon Gate Origin", "Moon Gate Anew"]
    assert by_release.answer.startswith(
        "In order of release: Moon Gate (2001), Moon Gate Digest (2001; optional, a recap), Moon Gate 2 (2002), "
        "Moon Gate at the Beach (2002; optional, beside the main story), "
    )
    assert "Moon Gate Anew (2012; optional, an alternative telling)" in by_release.answer
    assert "In the order of the story: Moon Gate Origin (2010), Moon Gate (2001)" in by_release.answer
    assert by_release.status is AnswerStatus.ANSWERED
    by_story = await ask(loop, "Moon Gate chronological order")
    assert found(by_story)[:3] == ["Moon Gate Origin", "Moon Gate", "Moon Gate Digest"]
    assert by_story.answer.startswith("In the order of the story: Moon Gate Origin (2010)")
    assert sorted(found(by_story)) == sorted(found(by_release))


async def test_what_comes_before_and_which_of_two_comes_first(loop: Orchestrator) -> None:
    before = await ask(loop, "What do I have to watch before Moon Gate 3?")
    assert found(before) == ["Moon Gate Origin", "Moon Gate", "Moon Gate 2"]
    nothing = await ask(loop, "Should I have seen something before I start Moon Gate Origin?")
    assert nothing.answer.startswith("Nothing in the catalogue comes before Moon Gate Origin (2010) in its story [1]")
    two = await ask(loop, "Should I watch Moon Gate Origin or Moon Gate 4 first?")
    assert two.answer.startswith("Moon Gate 4 (2004) came out before Moon Gate Origin (2010) [1]")
    assert "In the order of the story Moon Gate Origin comes first [1]" in two.answer
    strangers = await ask(loop, "Should I watch Lone Gate or Moon Gate Origin first?")
    assert "The catalogue links Lone Gate and Moon Gate Origin by no franchise [1]" in strangers.answer


async def test_a_loop_ends_and_is_said_and_one_work_stands_alone(loop: Orchestrator) -> None:
    looped = await ask(loop, "Sun Gate watch order")
    assert found(looped) == ["Sun Gate", "Dusk Gate"]
    assert "The relations of Sun Gate and Dusk Gate run in a circle, so their order is that of release" in looped.answer
    assert [each.code for each in looped.warnings] == [WarningCode.DATA_CONFLICT]
    alone = await ask(loop, "Lone Gate watch order")
    assert alone.answer.startswith("Lone Gate (1999) stands alone: the catalogue links no other anime to it [1]")


async def test_a_name_that_is_in_no_catalogue_has_no_order(loop: Orchestrator) -> None:
    missing = await ask(loop, "In what order should I watch Zorblax Rising?")
    assert missing.status is AnswerStatus.NOT_FOUND
    assert missing.result_entities == ()


async def test_a_circle_of_other_relations_than_sequels_is_a_conflict_too(loop: Orchestrator) -> None:
    looped = await ask(loop, "Tide Gate watch order")
    assert looped.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert [(each.code, each.message) for each in looped.warnings] == [
        (WarningCode.DATA_CONFLICT, "The relations of these works run in a circle: Ebb Gate, Tide Gate.")
    ]
    two = await ask(loop, "Should I watch Ebb Gate or Tide Gate first?")
    assert "The relations of Ebb Gate and Tide Gate run in a circle, so neither comes first in the story" in two.answer


@pytest.mark.parametrize(
    ("one", "other", "release", "story"),
    [
        ("Ebb Gate", "Tide Gate", "Ebb Gate (2005) and Tide Gate (2005) came out on the same day", "neither"),
        (
            "Dawn Gate",
            "Noon Gate",
            "The catalogue doesn't tell which of Noon Gate (2004) and Dawn Gate (2004) came out first",
            "In the order of the story Dawn Gate comes first [",
        ),
        (
            "Night Gate",
            "Noon Gate",
            "The catalogue doesn't tell which of Noon Gate (2004) and Night Gate came out first",
            "In the order of the story Noon Gate comes first [",
        ),
        (
            "Moon Gate",
            "Moon Gate Anew",
            "Moon Gate (2001) came out before Moon Gate Anew (2012)",
            "The catalogue doesn't tell which of Moon Gate and Moon Gate Anew comes first in the story",
        ),
    ],
)
async def test_nothing_is_first_that_neither_dates_nor_relations_say(
    loop: Orchestrator, one: str, other: str, release: str, story: str
) -> None:
    two = await ask(loop, f"Should I watch {one} or {other} first?")
    assert two.answer.startswith(release)
    assert story in two.answer


async def test_one_work_named_twice_is_not_before_itself(loop: Orchestrator) -> None:
    twice = await ask(loop, "Should I watch Lone Gate or Lone Gate first?")
    assert twice.answer.startswith("Lone Gate (1999) stands alone")


async def test_a_place_in_a_year_that_no_date_tells_is_said_to_be_unknown(loop: Orchestrator) -> None:
    vague = await ask(loop, "Noon Gate watch order")
    assert found(vague) == ["Noon Gate", "Dawn Gate", "Night Gate"]
    of_year = "The catalogue has only the year of Dawn Gate, so its place among the works of that year isn't known"
    assert of_year in vague.answer
    undated = "The catalogue has no release date of Night Gate, so its place in the order of release isn't known"
    assert undated in vague.answer
    assert (vague.status, [each.code for each in vague.warnings]) == (
        AnswerStatus.ANSWERED,
        [WarningCode.DATE_PRECISION],
    )
    for question in ("What do I have to watch before Noon Gate?", "Should I watch Dawn Gate or Noon Gate first?"):
        asked = await ask(loop, question)
        assert "isn't known" not in asked.answer
        assert WarningCode.DATE_PRECISION not in {each.code for each in asked.warnings}
    alone = await ask(loop, "Lone Gate watch order")
    assert alone.warnings == ()
