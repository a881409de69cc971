"""Recommendations over a small invented catalogue: what they leave out, their order, the reasons they give."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.orchestrator import Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from fixtures.postgres import seeded
from ingestion.importing import import_path

type Record = dict[str, object]


def _named(kind: str, name: str, popularity: int, **fields: object) -> Record:
    ref = f"test:{kind}:{name.casefold().replace(' ', '-')}"
    names = [{"name": name, "kind": "main", "language": "en"}]
    return {"record": kind, "ref": ref, "names": names, "popularity": popularity, **fields}


def _anime(name: str, popularity: int, genres: str, tags: str = "", **fields: object) -> Record:
    given = {"format": "tv", "status": "finished", "start": "2010", "episodes": 24, **fields}
    return _named("anime", name, popularity, genres=genres.split(), tags=tags.split(), **given)


def _link(record: str, **ends: str) -> Record:
    return {"record": record, **{key: value if ":" not in value else f"test:{value}" for key, value in ends.items()}}


RECORDS: tuple[Record, ...] = (
    _anime("Zorblax", 900, "Drama Mystery Psychological Thriller", "Crime Detective"),
    _anime("Zorblax Nights", 800, "Drama Mystery Psychological Thriller", "Crime Detective", start="2012"),
    _anime("Quindle", 500, "Mystery Thriller", "Crime", start="2012", episodes=12),
    _anime("Quindle Returns", 950, "Mystery Thriller", "Crime Detective", start="2014", episodes=12),
    _anime("Lantern", 300, "Comedy", start="2015", format="movie", episodes=1, duration_minutes=95),
    _anime("Mosswater", 200, "Mystery", "Crime Detective", start="2005", format="movie", episodes=1),
    _anime("Tavrik Road", 400, "Drama Mystery Romance", start="2008"),
    _anime("Hollow Grin", 450, "Mystery Thriller", "Gore", start="2011"),
    _anime("Grimwald", 600, "Mystery Thriller", "Gore", start="2013"),
    _anime("Faraway Tune", 700, "Mystery Comedy Music"),
    _anime("Plimf Tomorrow", 990, "Mystery Thriller", "Crime Detective", status="not_yet_released", start="2031"),
    _named("manga", "Zorblax Origin", 100, format="manga", status="finished", genres=["Drama", "Mystery"]),
    _named(
        "manga", "Quiet Verdict", 90, format="manga", status="finished", genres=["Mystery", "Thriller"], chapters=40
    ),
    _named("person", "Mirelle Ostrander", 50),
    _named("character", "Nemmi Vale", 50, gender="Female"),
    _named("character", "Ossa Kern", 40, gender="Male"),
    _link("staff", person="person:mirelle-ostrander", work="anime:zorblax", role="director"),
    _link("staff", person="person:mirelle-ostrander", work="anime:lantern", role="writer"),
    _link("staff", person="person:mirelle-ostrander", work="anime:faraway-tune", role="composer"),
    _link("relation", **{"from": "anime:zorblax", "to": "anime:zorblax-nights", "relation": "sequel"}),
    _link("relation", **{"from": "anime:quindle", "to": "anime:quindle-returns", "relation": "sequel"}),
    _link("relation", **{"from": "anime:zorblax", "to": "manga:zorblax-origin", "relation": "adaptation_of"}),
    _link("appearance", character="character:nemmi-vale", work="anime:quindle", role="main"),
    _link("appearance", character="character:nemmi-vale", work="anime:grimwald", role="supporting"),
    _link("appearance", character="character:ossa-kern", work="anime:tavrik-road", role="main"),
)


async def write_world(read_write: ReadWriteEngine) -> None:
    lines = "".join(f"{json.dumps(record)}\n" for record in RECORDS)
    with TemporaryDirectory() as folder:
        (Path(folder) / "catalogue.jsonl").write_text(lines, encoding="utf-8")
        await import_path("interchange", Path(folder), read_write)


template, _ = seeded(write_world)


@pytest.fixture
async def loop(read_only: ReadOnlyEngine) -> AsyncGenerator[Orchestrator]:
    built = build_orchestrator(read_only=read_only, vector_store=None, embedder=None)
    yield built
    await built.close()


async def _ask(loop: Orchestrator, question: str) -> AgentResponse:
    response = await loop.run(AgentRequest(query=question, request_id=uuid4()))
    assert violations(response) == [], question
    return response


async def _recommended(loop: Orchestrator, question: str) -> list[str | None]:
    response = await _ask(loop, question)
    assert response.status is AnswerStatus.ANSWERED, f"{question} {response.answer}"
    return [ref.name for ref in response.result_entities]


async def test_likeness_orders_first_entries_before_later_ones(loop: Orchestrator) -> None:
    response = await _ask(loop, "Recommend something like Zorblax")
    assert response.answer == (
        "Of the anime in the catalogue, these are most like Zorblax [1]."
        " Mosswater (movie, 2005) shares the genre Mystery and the tags Crime and Detective with Zorblax [1]."
        " Quindle (TV series, 2012) shares the genres Mystery and Thriller and the tag Crime with Zorblax [1]."
        " Lantern (movie, 2015) shares the creator Mirelle Ostrander with Zorblax [1]."
        " Grimwald (TV series, 2013) shares the genres Mystery and Thriller with Zorblax [1]."
        " Hollow Grin (TV series, 2011) shares the genres Mystery and Thriller with Zorblax [1]."
    )
    everything = await _recommended(loop, "Recommend 10 anime like Zorblax")
    # The sequel comes last however alike it is; neither the family, nor what is too unlike, nor what is yet to come.
    assert everything[5:] == ["Tavrik Road", "Quindle Returns"]


async def test_disliked_works_and_what_is_like_them_step_back(loop: Orchestrator) -> None:
    found = await _recommended(loop, "I liked Zorblax but hated Grimwald. What else would you recommend?")
    assert found == ["Mosswater", "Quindle", "Lantern", "Tavrik Road", "Hollow Grin"]
    both = await _ask(loop, "If I loved Zorblax and Tavrik Road, what next?")
    assert (
        "Quindle (TV series, 2012) shares the genres Mystery and Thriller and the tag Crime with Zorblax" in both.answer
    )
    assert "Tavrik Road" not in [ref.name for ref in both.result_entities]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What film should I watch if I loved Zorblax?", ["Mosswater", "Lantern"]),
        ("Give me one movie like Zorblax", ["Mosswater"]),
        ("Recommend a short finished mystery that is not a sequel", ["Quindle", "Mosswater"]),
        ("Something like Zorblax, but without thrillers", ["Mosswater", "Lantern", "Tavrik Road"]),
        (
            "Good mystery series from before 2012 for a beginner",
            ["Zorblax", "Faraway Tune", "Hollow Grin", "Tavrik Road"],
        ),
        ("Recommend a mystery series with a female lead", ["Quindle"]),
        ("Recommend an anime directed by Mirelle Ostrander", ["Zorblax"]),
        ("Recommend a manga like Zorblax", ["Quiet Verdict"]),
        ("Zorblaxと似たアニメのおすすめは？", ["Mosswater", "Quindle", "Lantern", "Grimwald", "Hollow Grin"]),
        ("Empfiehl mir einen Film wie Zorblax", ["Mosswater", "Lantern"]),
        ("Recomiéndame una película como Zorblax", ["Mosswater", "Lantern"]),
    ],
)
async def test_conditions_hold_for_every_work(loop: Orchestrator, question: str, expected: list[str]) -> None:
    assert await _recommended(loop, question) == expected


async def test_reasons_without_a_liked_work_are_facts(loop: Orchestrator) -> None:
    response = await _ask(loop, "Can you recommend a short mystery series with a female lead and an English dub?")
    assert response.answer == (
        "Of the mystery series with at most 13 episodes with a female main character in the catalogue, this one fits"
        " [1]. Quindle is a finished TV series from 2012 with 12 episodes; it has the genres Mystery and Thriller and"
        " the tag Crime; Nemmi Vale is a main character [1]."
        " The catalogue doesn't record dubs, so none of them was chosen for that [1]."
    )


async def test_nothing_that_fits_is_not_found(loop: Orchestrator) -> None:
    decade = await _ask(loop, "Recommend a sports anime from the 1950s")
    assert decade.status is AnswerStatus.NOT_FOUND
    assert decade.answer == "The catalogue holds no sports anime from the 1950s to recommend [1]."
    romance = await _ask(loop, "Recommend a romance movie like Zorblax")
    assert romance.status is AnswerStatus.NOT_FOUND
    assert romance.answer == "The catalogue holds no romance movies that have enough in common with Zorblax [1]."
    unknown = await _ask(loop, "Recommend something like Vrellmarsh")
    assert unknown.status is AnswerStatus.NOT_FOUND
    assert "Vrellmarsh" in unknown.answer
    person = await _ask(loop, "Recommend something like Mirelle Ostrander")
    assert [ref.name for ref in person.result_entities] == ["Mirelle Ostrander"]


async def test_what_to_watch_after_a_work_begins_with_its_sequel(loop: Orchestrator) -> None:
    response = await _ask(loop, "What should I watch after Zorblax?")
    assert response.answer.startswith("Zorblax goes on in its sequel Zorblax Nights [1]. Of the anime in the catalogue")
    assert response.result_entities[0].name == "Zorblax Nights"
    plain = await _ask(loop, "Recommend something like Zorblax")
    assert "sequel" not in plain.answer
    printed = await _ask(loop, "What manga should I read after Zorblax?")
    assert "sequel" not in printed.answer
    last = await _ask(loop, "What should I watch after Zorblax Nights?")
    assert "sequel" not in last.answer
