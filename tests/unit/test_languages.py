"""Answers of the rules in other languages, with names, numbers and markers as they were."""

import re
import time
from uuid import UUID

import pytest
from agent_core.languages import language_code, localized
from agent_core.languages.catalogue import NOUNS, OPENINGS, SHAPES, TEXTS
from agent_core.languages.comparisons import COMPARISONS
from agent_core.languages.hops import HOPS
from agent_core.languages.set_shapes import EXTREMES, FIGURES, GROUPS, NOTES, SET_SHAPES
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


COMPARED = [
    (
        "What do Zorblax and Zorblax Nights have in common?",
        {
            "de": "Zorblax und Zorblax Nights haben die Genres gemeinsam: Drama und Fantasy [1].",
            "es": "Zorblax y Zorblax Nights comparten los géneros Drama y Fantasy [1].",
            "ja": "ZorblaxとZorblax Nightsの共通ジャンルはDrama、Fantasyです [1]。",
        },
    ),
    (
        "Which has the higher score, Zorblax or Zorblax Nights?",
        {
            "de": "Zorblax hat eine höhere Bewertung als Zorblax Nights [1][2].",
            "es": "Zorblax tiene una puntuación más alta que Zorblax Nights [1][2].",
            "ja": "ZorblaxはZorblax Nightsより評価が高いです [1][2]。",
        },
    ),
    (
        "Does Zorblax Nights have more episodes than Zorblax?",
        {
            "de": "Nein, Zorblax hat mehr Folgen als Zorblax Nights [1][2]. Zorblax Nights hat 1 Folge [1]. "
            "Zorblax hat 64 Folgen [2].",
            "es": "No, Zorblax tiene más episodios que Zorblax Nights [1][2]. Zorblax Nights tiene 1 episodio [1]. "
            "Zorblax tiene 64 episodios [2].",
            "ja": "いいえ、ZorblaxはZorblax Nightsよりエピソードが多いです [1][2]。Zorblax Nightsは全1話です [1]。"
            "Zorblaxは全64話です [2]。",
        },
    ),
    (
        "What is the connection between Mirelle Ostrander and Nemmi?",
        {
            "de": "Mirelle Ostrander führte bei Zorblax Regie und in Zorblax kommt Nemmi vor [1].",
            "es": "Mirelle Ostrander dirigió Zorblax y en Zorblax aparece Nemmi [1].",
            "ja": "Mirelle OstranderはZorblaxの監督です [1]。ZorblaxにはNemmiが登場します [1]。",
        },
    ),
    (
        "What is the connection between Quindle Vortex and Yuna Brask?",
        {
            "de": "Zorblax ist eine Adaption von Quindle Vortex, in Zorblax kommt Tavrik vor und Tavrik wird von Yuna "
            "Brask gesprochen [1]. Außerdem: Zorblax ist eine Adaption von Quindle Vortex, in Zorblax kommt Ossa vor "
            "und Ossa wird von Yuna Brask gesprochen [2].",
            "es": "Zorblax es una adaptación de Quindle Vortex, en Zorblax aparece Tavrik y la voz de Tavrik es de "
            "Yuna Brask [1]. Además, Zorblax es una adaptación de Quindle Vortex, en Zorblax aparece Ossa y la voz de "
            "Ossa es de Yuna Brask [2].",
            "ja": "Zorblaxの原作はQuindle Vortexです [1]。ZorblaxにはTavrikが登場します [1]。"
            "Tavrikの声優はYuna Braskです [1]。また、Zorblaxの原作はQuindle Vortexです [2]。"
            "ZorblaxにはOssaが登場します [2]。Ossaの声優はYuna Braskです [2]。",
        },
    ),
]


@pytest.mark.parametrize("language", ["de", "es", "ja"])
@pytest.mark.parametrize(("question", "answers"), COMPARED, ids=[question for question, _ in COMPARED])
async def test_comparisons_and_paths(question: str, answers: dict[str, str], language: str) -> None:
    response = await ask(question, language)
    assert response.answer == answers[language]


NAMES = ("Zorblax", "Zorblax Nights", "Studio Plimf", "Mirelle Ostrander", "Action", "Salt and Pepper")
OF_SETS = [
    (
        "Of the movies in the catalogue, these are most like Zorblax [1].",
        "Am ähnlichsten zu Zorblax sind im Katalog (Filme) [1].",
        "Lo más parecido a Zorblax en el catálogo (películas) [1].",
        "カタログでZorblaxに最も近いもの（映画） [1]。",
    ),
    (
        "Zorblax Nights (movie, 2011) shares the genres Drama and Fantasy, the tags Sea and Love, and the creator "
        "Mirelle Ostrander with Zorblax; Salt and Pepper is a main character [1].",
        "Zorblax Nights: Film, 2011; gemeinsam mit Zorblax: Genre Drama, Fantasy; Thema Sea, Love; gemacht von "
        "Mirelle Ostrander; Hauptfigur Salt and Pepper [1].",
        "Zorblax Nights: película, 2011; en común con Zorblax: género Drama, Fantasy; tema Sea, Love; creado por "
        "Mirelle Ostrander; protagonista Salt and Pepper [1].",
        "Zorblax Nights：映画、2011；Zorblaxとの共通点：ジャンル Drama、Fantasy；タグ Sea、Love；"
        "制作者 Mirelle Ostrander；主人公 Salt and Pepper [1]。",
    ),
    (
        "Zorblax is a finished TV series from 2009 with 64 episodes; it has the genres Drama and Fantasy and the tag "
        "Sea; Zorblax Nights and Salt and Pepper are main characters [1].",
        "Zorblax: TV-Serie, abgeschlossen, 2009, Folgen: 64; Genre Drama, Fantasy; Thema Sea; Hauptfigur Zorblax "
        "Nights, Salt and Pepper [1].",
        "Zorblax: serie de TV, terminada, 2009, episodios: 64; género Drama, Fantasy; tema Sea; protagonista Zorblax "
        "Nights, Salt and Pepper [1].",
        "Zorblax：TVシリーズ、完結、2009、全64話；ジャンル Drama、Fantasy；タグ Sea；"
        "主人公 Zorblax Nights、Salt and Pepper [1]。",
    ),
    (
        "The catalogue holds 3 finished action movies by Studio Plimf from 2001 on with at least 2 episodes: Zorblax "
        "(2009), Zorblax Nights (2011), and Salt and Pepper [1].",
        "Anzahl im Katalog (Filme, abgeschlossen, Genre action, von Studio Plimf, ab 2001, mindestens 2 Folgen): 3, "
        "nämlich Zorblax (2009), Zorblax Nights (2011) und Salt and Pepper [1].",
        "Número en el catálogo (películas, terminadas, género action, de Studio Plimf, desde 2001, al menos 2 "
        "episodios): 3, que son Zorblax (2009), Zorblax Nights (2011) y Salt and Pepper [1].",
        "カタログにある数（映画、完結、ジャンル action、Studio Plimfの作品、2001年以降、話数2以上）：3、"
        "Zorblax (2009)、Zorblax Nights (2011)、Salt and Pepper [1]。",
    ),
    (
        "The catalogue holds no movies with the director Mirelle Ostrander from 2001 to 2005: the count is 0 [1].",
        "Im Katalog steht nichts davon (Filme, Regie Mirelle Ostrander, von 2001 bis 2005): die Anzahl ist 0 [1].",
        "El catálogo no contiene nada de eso (películas, dirección de Mirelle Ostrander, de 2001 a 2005): el total es "
        "0 [1].",
        "カタログに該当するものはありません（映画、監督：Mirelle Ostrander、2001年〜2005年）：0件です [1]。",
    ),
    (
        "Of the anime by Studio Plimf whose score is known, Zorblax has the highest score: 91 [1].",
        "Zorblax hat die höchste Bewertung (Anime, von Studio Plimf; soweit bekannt): 91 [1].",
        "Zorblax tiene la puntuación más alta (anime, de Studio Plimf; según lo conocido): 91 [1].",
        "最も評価が高いのはZorblaxです（アニメ、Studio Plimfの作品、判明分）：91 [1]。",
    ),
    (
        "Of the movies, those with the longest running time are Zorblax (105 minutes) and Salt and Pepper (105 "
        "minutes) [1].",
        "Es haben die längste Laufzeit (Filme): Zorblax (105 Minuten) und Salt and Pepper (105 Minuten) [1].",
        "Tienen la mayor duración (películas): Zorblax (105 minutos) y Salt and Pepper (105 minutos) [1].",
        "最も上映時間が長いもの（映画）：Zorblax (105分)、Salt and Pepper (105分) [1]。",
    ),
    (
        "In the order of the story: Zorblax (2009) and Zorblax Nights (2011; optional, a recap) [1].",
        "In der Reihenfolge der Geschichte: Zorblax (2009) und Zorblax Nights (2011; optional, ein Rückblick) [1].",
        "En el orden de la historia: Zorblax (2009) y Zorblax Nights (2011; opcional, un resumen) [1].",
        "物語の順：Zorblax (2009)、Zorblax Nights (2011; 任意、総集編) [1]。",
    ),
]


@pytest.mark.parametrize(("english", "german", "spanish", "japanese"), OF_SETS, ids=[row[0][:40] for row in OF_SETS])
def test_sets_and_recommendations(english: str, german: str, spanish: str, japanese: str) -> None:
    said = tuple(localized(english, language, NAMES) for language in ("de", "es", "ja"))
    assert said == (german, spanish, japanese)


def test_a_set_with_a_phrase_that_is_not_known_stays_english() -> None:
    english = "The catalogue holds 3 anime starring Zorblax [1]."
    assert [localized(english, language, NAMES) for language in ("de", "es", "ja")] == [english] * 3


@pytest.mark.parametrize("part", [" with a", " from 2009 with a", " in the catalogue by a", "; it has the genre a"])
def test_a_text_made_to_fit_nearly_takes_no_long(part: str) -> None:
    answer = f"Zorblax is a film{part * (3_900 // len(part))} [1]."
    started = time.process_time()
    assert localized(answer, "de", NAMES) == answer
    assert time.process_time() - started < 2.0


def test_no_clause_is_taken_for_a_name() -> None:
    answer = "Mirelle Ostrander worked on Zorblax as gaffer and Zorblax features Salt and Pepper [1]."
    assert localized(answer, "de", NAMES) == answer


def test_every_shape_has_the_same_places_in_all_languages() -> None:
    for english, *others in (*SHAPES, *COMPARISONS, *HOPS):
        for other in others:
            assert sorted(re.findall(r"\{\w\}", other)) == sorted(re.findall(r"\{\w\}", english)), other
    for english, *others in SET_SHAPES:
        assert all(set(re.findall(r"\{\w\}", other)) <= set(re.findall(r"\{\w\}", english)) for other in others)
    tables = (*TEXTS, *NOUNS, *OPENINGS, *EXTREMES, *FIGURES, *GROUPS, *NOTES)
    assert all(len(row) == 4 and all(row) for row in tables)


_MEANT = "This is about Tavrik of Zorblax [1][2]. Also of this name is Tavrik (character) [3]."
_CLOSEST = "The closest match found is Zorblax [1]. Other matches found are Plimf [2] and Nemmi [3]."


@pytest.mark.parametrize(
    ("english", "german", "spanish", "japanese"),
    [
        (
            _MEANT,
            "Gemeint ist Tavrik aus Zorblax [1][2]. Ebenso heißt Tavrik (Figur) [3].",
            "Se trata de Tavrik de Zorblax [1][2]. Con este nombre está también Tavrik (personaje) [3].",
            "ZorblaxのTavrikについてです [1][2]。同じ名前にはTavrik (キャラクター) [3]もあります。",
        ),
        (
            _CLOSEST,
            "Am besten passt Zorblax [1]. Außerdem passen Plimf [2] und Nemmi [3].",
            "Lo que mejor encaja es Zorblax [1]. También encajan Plimf [2] y Nemmi [3].",
            "最も近いのはZorblaxです [1]。ほかにPlimf [2]、Nemmi [3]も見つかりました。",
        ),
        (
            "This is about Zorblax (1998, tv) [1].",
            "Gemeint ist Zorblax (1998, tv) [1].",
            "Se trata de Zorblax (1998, tv) [1].",
            "Zorblax (1998, tv)についてです [1]。",
        ),
        (
            "The catalogue doesn't record a budget for Zorblax [1].",
            "Der Katalog nennt zu Zorblax nichts über „a budget“ [1].",
            "El catálogo no registra «a budget» de Zorblax [1].",
            "カタログにはZorblaxの「a budget」が記録されていません [1]。",
        ),
        (
            "Zorblax (1988) came out before Plimf (2002) [1][2].",
            "Zorblax (1988) erschien vor Plimf (2002) [1][2].",
            "Zorblax (1988) salió antes que Plimf (2002) [1][2].",
            "Zorblax (1988)はPlimf (2002)より先に出ました [1][2]。",
        ),
        (
            "The catalogue links Zorblax and Plimf by no franchise [1].",
            "Der Katalog verbindet Zorblax und Plimf durch keine Reihe [1].",
            "El catálogo no une Zorblax y Plimf en ninguna franquicia [1].",
            "カタログにはZorblaxとPlimfをつなぐシリーズがありません [1]。",
        ),
    ],
)
def test_what_is_meant_missing_or_alike_is_said_in_each_language(
    english: str, german: str, spanish: str, japanese: str
) -> None:
    names = ("Zorblax", "Tavrik", "Plimf", "Nemmi")
    assert [localized(english, code, names) for code in ("de", "es", "ja")] == [german, spanish, japanese]
