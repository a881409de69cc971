"""Answers of the rules in other languages, with names, numbers and markers as they were."""

import re
from uuid import UUID

import pytest
from agent_core.languages import language_code, localized
from agent_core.languages.catalogue import NOUNS, SHAPES, TEXTS
from agent_core.orchestrator import Orchestrator, Sources
from agent_core.schemas import AgentRequest, AgentResponse
from agent_core.testing import FakeClock
from fixtures.rule_based_world import RuleWorld


async def ask(question: str, language: str | None = None) -> AgentResponse:
    world = RuleWorld()
    loop = Orchestrator(
        stages=(stages := world.stages),
        rule_based=stages,
        sources=Sources(world.catalogue, world.catalogue, world.catalogue.search, world.catalogue.graph),
        clock=FakeClock(),
    )
    return await loop.run(AgentRequest(query=question, request_id=UUID(int=1), language=language))


@pytest.mark.parametrize(
    ("question", "language", "answer"),
    [
        ("How many episodes does Zorblax have?", "de", "Zorblax hat 64 Folgen [1]."),
        ("Wie viele Folgen hat Zorblax?", None, "Zorblax hat 64 Folgen [1]."),
        ("¿Cuántos episodios tiene Zorblax?", None, "Zorblax tiene 64 episodios [1]."),
        ("Zorblaxは全何話ですか？", None, "Zorblaxは全64話です [1]。"),
        ("When did Zorblax start?", "de", "Zorblax startete am 5. April 2009 [1]."),
        ("When did Zorblax start?", "es", "Zorblax empezó el 5 de abril de 2009 [1]."),
        ("When did Zorblax start?", "ja", "Zorblaxは2009年4月5日に始まりました [1]。"),
        ("Wer führte bei Zorblax Regie?", None, "Bei Zorblax führte Mirelle Ostrander [1] Regie."),
        ("Who directed Zorblax?", "ja", "Zorblaxの監督はMirelle Ostrander [1]です。"),
        (
            "Who are the main characters of Zorblax?",
            "de-AT",
            "Hauptfiguren von Zorblax: Tavrik [1] und Nemmi [2].",
        ),
        ("Which genres has Zorblax?", "es", "Los géneros de Zorblax son Action, Drama y Fantasy [1]."),
        ("Who directed Zorblax?", "fr", "Zorblax was directed by Mirelle Ostrander [1]."),
        (
            "Hello!",
            "de",
            "Hallo! Frag mich nach einem Anime, einem Manga, einer Figur oder den Menschen und Studios dahinter.",
        ),
    ],
)
async def test_the_question_or_the_caller_says_the_language(question: str, language: str | None, answer: str) -> None:
    response = await ask(question, language)
    assert response.answer == answer
    assert [source.marker for source in response.sources] == list(range(1, len(response.sources) + 1))


async def test_what_is_not_found_is_said_in_the_language_too() -> None:
    response = await ask("Who directed Quizzlewump?", "de")
    assert response.answer.startswith("Im Katalog habe ich dazu keine Antwort gefunden. Gesucht: ")


def test_a_sentence_without_a_shape_stays_english_beside_those_that_have_one() -> None:
    answer = "Zorblax has 64 episodes [1]. It rains in Zorblax [2]."
    assert localized(answer, "de", ("Zorblax",)) == "Zorblax hat 64 Folgen [1]. It rains in Zorblax [2]."


@pytest.mark.parametrize("name", ["Salt and Pepper", "No. 6", "A is voiced by B", "K [2013]", "{a}"])
def test_names_stay_whole(name: str) -> None:
    answer = f"{name} was produced by Plimf & Sons [1] and Bones and Co. [2]."
    expected = f"{name} wurde von Plimf & Sons [1] und Bones and Co. [2] produziert."
    assert localized(answer, "de", (name, "Plimf & Sons", "Bones and Co.")) == expected


def test_english_comes_back_as_it_is() -> None:
    assert localized("Zorblax has 64 episodes  [1].", "en", ()) == "Zorblax has 64 episodes  [1]."
    assert [language_code(tag) for tag in ("de", "DE-at", "pt_BR", "", "klingon")] == ["de", "de", "en", "en", "en"]


def test_every_shape_has_the_same_places_in_all_languages() -> None:
    for english, *others in SHAPES:
        for other in others:
            assert sorted(re.findall(r"\{\w\}", other)) == sorted(re.findall(r"\{\w\}", english)), other
    assert all(len(row) == 4 and all(row) for row in (*TEXTS, *NOUNS))
