"""The reader of Jikan answers on hand-made ones: what is whose, what is known exactly, what is told twice."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.catalogue_imports import counted, refusals
from ingestion.formats.jikan import JikanFormat
from ingestion.formats.jikan_people import given_name_first
from ingestion.merging import source_json
from ingestion.records import AnimeRecord, AnyEntity, AnyLink, EntityRecord, RelationRecord, StaffRecord
from ingestion.report import ImportReport, ReportBuilder

Answer = dict[str, Any]
SITE = "https://myanimelist.net"


def meta(kind: str, number: int, name: str, **fields: Any) -> Answer:
    return {"mal_id": number, "type": kind, "name": name, "url": f"{SITE}/{kind}/{number}/x", **fields}


def anime(number: int, title: str, **fields: Any) -> Answer:
    return {"mal_id": number, "url": f"{SITE}/anime/{number}/x", "title": title, "type": "TV", **fields}


def read(folder: Path, **answers: Any) -> tuple[list[AnyEntity | AnyLink], ImportReport]:
    """The records of answers in files of these names, where `__` stands for a folder."""
    for name, answer in answers.items():
        path = folder / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(answer))
    builder = ReportBuilder(format_name="jikan", source="jikan")
    return [located.record for located in JikanFormat().read(folder, builder)], builder.build()


def said(record: AnyEntity | AnyLink) -> dict[str, Any]:
    """What a record says, in its own words."""
    return record.model_dump(mode="json", by_alias=True, exclude_unset=True)


FULL = anime(
    7,
    "Tsuki no Mon",
    titles=[
        {"type": "Default", "title": "Tsuki no Mon"},
        {"type": "Synonym", "title": "Gate; Moon"},
        {"type": "Japanese", "title": "月のもん"},
        {"type": "English", "title": "Moon Gate"},
        {"type": "German", "title": "Mondtor"},
    ],
    source="Web manga",
    episodes=26,
    status="Currently Airing",
    duration="1 hr 5 min",
    rating="G - All Ages",
    score=8.125,
    members=10,
    synopsis="A <i>gate</i>.",
    season="spring",
    year=2001,
    studios=[meta("anime", 1, "Lantern")],
    producers=[meta("anime", 1, "Lantern"), meta("anime", 2, "Purse")],
    licensors=[meta("anime", 3, "Abroad")],
    genres=[meta("anime", 1, "Drama")],
    themes=[meta("anime", 2, "School")],
    demographics=[meta("anime", 3, "Josei")],
    relations=[
        {"relation": "Adaptation", "entry": [meta("manga", 5, "Tsuki no Mon"), meta("club", 9, "?")]},
        {"relation": "Sequel", "entry": [meta("anime", 8, "Tsuki no Mon 2")]},
        {"relation": "Dream", "entry": [meta("anime", 9, "Yume")]},
    ],
    theme={"openings": ["a", "b"], "endings": ["c"]},
    external=[{"name": "Site", "url": "https://example.org"}],
    streaming=[],
)


def test_a_full_work_says_all_that_its_page_says(tmp_path: Path) -> None:
    records, report = read(tmp_path, full={"data": FULL})
    work = next(record for record in records if isinstance(record, AnimeRecord) and record.ref == "mal:anime:7")
    assert said(work) == {
        "record": "anime",
        "ref": "mal:anime:7",
        "names": [
            {"name": "Moon Gate", "kind": "main", "language": "en"},
            {"name": "Tsuki no Mon", "kind": "romaji", "language": "ja-Latn"},
            {"name": "月のもん", "kind": "native", "language": "ja"},
            {"name": "Gate", "kind": "alias", "language": None},
            {"name": "Moon", "kind": "alias", "language": None},
            {"name": "Mondtor", "kind": "alias", "language": "de"},
        ],
        "format": "tv",
        "status": "releasing",
        "score": 81.25,
        "score_source": "mal",
        "popularity": 10,
        "synopsis": "A gate.",
        "genres": ["Drama"],
        "tags": ["School", "Josei"],
        "episodes": 26,
        "duration_minutes": 65,
        "season": "spring",
        "season_year": 2001,
        "source": "manga",
        "extra": {"site_url": f"{SITE}/anime/7/x", "rating": "G - All Ages", "raw_source": "Web manga"},
    }
    assert counted(report.repaired) == {
        "html_made_plain": 1,
        "list_of_names_split": 1,
        "unknown_value_left_empty": 1,
    }


def test_everything_that_hangs_on_a_full_work_is_read(tmp_path: Path) -> None:
    records, report = read(tmp_path, full={"data": FULL})
    links = [said(record) for record in records if not isinstance(record, EntityRecord)]
    assert links == [
        {"record": "studio_credit", "studio": "mal:studio:1", "work": "mal:anime:7", "is_main": True},
        {"record": "studio_credit", "studio": "mal:studio:2", "work": "mal:anime:7", "is_main": False},
        relation("mal:manga:5", "adaptation_of", "Adaptation"),
        relation("mal:anime:8", "sequel", "Sequel"),
        relation("mal:anime:9", "other_relation", "Dream"),
    ]
    assert counted(report.not_imported) == {
        "external_links": 1,
        "licensors": 1,
        "relations_to_other_things": 1,
        "theme_songs": 3,
    }


def relation(to: str, edge: str, raw_type: str) -> dict[str, Any]:
    return {"record": "relation", "from": "mal:anime:7", "to": to, "relation": edge, "raw_type": raw_type}


@pytest.mark.parametrize(
    ("string", "day", "month", "year", "start"),
    [
        ("Apr 5, 2009 to ?", 5, 4, 2009, "2009-04-05"),
        ("Apr 2009 to ?", 1, 4, 2009, "2009-04"),
        ("2009 to ?", 1, 1, 2009, "2009"),
        ("2009", 1, 1, 2009, "2009"),
        (None, None, 4, 2009, "2009-04"),
        ("?", None, None, None, None),
        ("Feb 30, 2009", 30, 2, 2009, "2009-02"),
        ("Apr 5", 5, 4, None, "?-4-5"),
    ],
)
def test_a_date_is_as_precise_as_the_site_says(
    tmp_path: Path, string: str | None, day: int | None, month: int | None, year: int | None, start: str | None
) -> None:
    parts = {"day": day, "month": month, "year": year}
    nothing = {"day": None, "month": None, "year": None}
    aired = {"from": "2009-01-01T00:00:00+00:00", "to": None, "prop": {"from": parts, "to": nothing}, "string": string}
    [work], _ = read(tmp_path, one={"data": anime(1, "One", aired=aired)})
    assert isinstance(work, AnimeRecord)
    assert (work.start, work.end) == (start, None)


@pytest.mark.parametrize(
    ("duration", "minutes", "unknown"),
    [
        ("23 min per ep", 23, 0),
        ("2 hr", 120, 0),
        ("1 hr 55 min", 115, 0),
        ("45 sec per ep", 1, 0),
        ("Unknown", None, 0),
        ("as long as it takes", None, 1),
    ],
)
def test_durations_are_minutes(tmp_path: Path, duration: str, minutes: int | None, unknown: int) -> None:
    [work], report = read(tmp_path, one={"data": anime(1, "One", duration=duration)})
    assert isinstance(work, AnimeRecord)
    assert work.duration_minutes == minutes
    assert counted(report.repaired).get("unknown_value_left_empty", 0) == unknown


CAST = [
    {
        "character": {"mal_id": 4, "name": "Kirigaya, Kazuto"},
        "role": "Main",
        "voice_actors": [{"person": {"mal_id": 6, "name": "Matsuoka, Yoshitsugu"}, "language": "Japanese"}],
    }
]


@pytest.mark.parametrize(
    ("name", "envelope", "work"),
    [
        ("anime__7__characters", {}, "mal:anime:7"),
        ("dump__manga-7", {}, "mal:manga:7"),
        ("anime_7_characters", {}, "mal:anime:7"),
        ("any", {"request": "https://api.jikan.moe/v4/anime/7/characters"}, "mal:anime:7"),
        ("anime__3", {"request": "https://api.jikan.moe/v4/manga/7/characters?page=2"}, "mal:manga:7"),
    ],
)
def test_the_subject_is_named_by_the_address_or_the_path(
    tmp_path: Path, name: str, envelope: Answer, work: str
) -> None:
    records, report = read(tmp_path, **{name: {**envelope, "data": CAST}})
    assert [said(record) for record in records] == [
        {"record": "character", "ref": "mal:character:4", "names": main_name("Kazuto Kirigaya")},
        {"record": "person", "ref": "mal:person:6", "names": main_name("Yoshitsugu Matsuoka")},
        {"record": "appearance", "character": "mal:character:4", "work": work, "role": "main"},
        {
            "record": "voice",
            "person": "mal:person:6",
            "character": "mal:character:4",
            "work": work,
            "language": "ja",
        },
    ]
    assert (report.files, report.refused_count) == (1, 0)


def main_name(name: str) -> list[Answer]:
    return [{"name": name, "kind": "main", "language": None}]


@pytest.mark.parametrize("name", ["characters", "people__7", "anime__seven", "animes-7"])
def test_links_without_a_subject_are_refused_by_name(tmp_path: Path, name: str) -> None:
    records, report = read(tmp_path, **{name: {"data": CAST * 2}})
    assert records == []
    [refusal] = report.refused
    assert str(refusal.place) == f"{name.replace('__', '/')}.json"
    assert refusal.reason == "2 cast_entries: neither the answer nor its path tells whose they are"


PERSON = {
    "mal_id": 1,
    "url": f"{SITE}/people/1/x",
    "name": "Tomokazu Seki",
    "family_name": "関",
    "given_name": "智一",
    "alternate_names": ["Seki Mondoya"],
    "birthday": "1972-09-08T00:00:00+00:00",
    "favorites": 3,
    "about": None,
    "anime": [{"position": "add Theme Song Performance", "anime": {"mal_id": 7, "title": "Moon"}}],
    "manga": [{"position": "Story & Art", "manga": {"mal_id": 8, "title": "Gate"}}],
    "voices": [{"role": "Main", "anime": {"mal_id": 7, "title": "Moon"}, "character": {"mal_id": 4, "name": "Rabbit"}}],
}


def test_a_full_person_tells_of_works_and_voices(tmp_path: Path) -> None:
    records, report = read(tmp_path, person={"data": PERSON})
    assert [said(record) for record in records if record.record in ("person", "staff", "voice", "appearance")] == [
        {
            "record": "person",
            "ref": "mal:person:1",
            "names": [
                *main_name("Tomokazu Seki"),
                {"name": "関智一", "kind": "native", "language": None},
                {"name": "Seki Mondoya", "kind": "alias", "language": None},
            ],
            "popularity": 3,
            "description": None,
            "extra": {"site_url": f"{SITE}/people/1/x"},
        },
        credit("mal:anime:7", "theme_song", "Theme Song Performance"),
        credit("mal:manga:8", "author", "Story & Art"),
        {"record": "appearance", "character": "mal:character:4", "work": "mal:anime:7", "role": "main"},
        {
            "record": "voice",
            "person": "mal:person:1",
            "character": "mal:character:4",
            "work": "mal:anime:7",
            "language": "und",
        },
    ]
    assert report.refused_count == 0


def credit(work: str, role: str, raw_role: str) -> dict[str, Any]:
    return {"record": "staff", "person": "mal:person:1", "work": work, "role": role, "raw_role": raw_role}


def test_of_two_tellings_the_exact_one_counts(tmp_path: Path) -> None:
    manga = {
        "mal_id": 8,
        "url": f"{SITE}/manga/8/x",
        "title": "Gate",
        "authors": [meta("people", 1, "Seki, Tomokazu"), meta("people", 2, "Other, An")],
    }
    works = [{"position": "Story", "manga": {"mal_id": 8, "title": "Gate"}}]
    voice = {"anime": {"mal_id": 7, "title": "Moon"}, "character": {"mal_id": 4, "name": "Rabbit"}, "role": "Main"}
    cast = {
        "character": {"mal_id": 4, "name": "Rabbit"},
        "role": "Main",
        "voice_actors": [{"person": {"mal_id": 1, "name": "Seki, Tomokazu"}, "language": "German"}],
    }
    records, _ = read(
        tmp_path,
        manga={"data": manga},
        people__1__manga={"data": works},
        people__1__voices={"data": [voice]},
        anime__7__characters={"data": [cast]},
    )
    staff = [(record.person, record.raw_role) for record in records if isinstance(record, StaffRecord)]
    assert staff == [("mal:person:2", None), ("mal:person:1", "Story")]
    assert [said(record)["language"] for record in records if record.record == "voice"] == ["de"]
    assert [record.record for record in records].count("appearance") == 1


def test_the_fuller_of_two_answers_counts_and_mentions_only_add(tmp_path: Path) -> None:
    of_series = {"relation": "Prequel", "entry": [meta("anime", 7, "Moon", url=None)]}
    records, _ = read(
        tmp_path,
        a_relations={"request": "https://api.jikan.moe/v4/anime/8/relations", "data": [of_series]},
        b_work={"data": anime(7, "Moon", title_english="The Moon", episodes=12)},
        c_work={"data": anime(7, "Moon", title_english="The Moon", episodes=13, year=2001)},
    )
    work, link = records
    assert isinstance(work, AnimeRecord)
    assert (work.main_name, work.episodes, work.season_year) == ("The Moon", 13, 2001)
    assert [name.name for name in work.names] == ["The Moon", "Moon"]
    assert isinstance(link, RelationRecord)

    mentioned, _ = read(tmp_path / "later", anime__8__relations={"data": [of_series]})
    assert isinstance(mentioned[0], AnimeRecord)
    stored = source_json(work, None, is_partial=True)
    assert source_json(mentioned[0], stored, is_partial=True) == stored


def test_episodes_belong_to_the_anime_of_their_page(tmp_path: Path) -> None:
    episode = {"mal_id": 2, "url": f"{SITE}/anime/7/Moon/episode/2", "title": "Rise", "title_romanji": "Noboru\xa0"}
    pageless = {"mal_id": 3, "url": None, "title": None, "aired": "2001-04-09T00:00:00+00:00", "filler": True}
    records, report = read(
        tmp_path,
        any={"data": [{**episode, "aired": None}]},
        anime__9__episodes={"data": [{**pageless, "recap": False}]},
        unknown={"data": [{**pageless, "recap": False}]},
    )
    assert [said(record) for record in records] == [
        {
            "record": "episode",
            "ref": "mal:episode:9-3",
            "names": [{"name": "Episode 3", "kind": "main", "language": "en"}],
            "anime": "mal:anime:9",
            "number": 3,
            "air_date": "2001-04-09",
            "extra": {"is_filler": True},
        },
        {
            "record": "episode",
            "ref": "mal:episode:7-2",
            "names": [
                {"name": "Rise", "kind": "main", "language": "en"},
                {"name": "Noboru", "kind": "romaji", "language": "ja-Latn"},
            ],
            "anime": "mal:anime:7",
            "number": 2,
            "air_date": None,
        },
    ]
    assert [str(each.place) for each in report.refused] == ["unknown.json"]


def test_what_cannot_be_read_is_refused_and_takes_nothing_with_it(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "cut.json.gz").write_bytes(gzip.compress(b'{"data": []}')[:-6])
    records, report = read(
        tmp_path,
        answers=[{"data": anime(1, "One")}, 5, {"data": anime(2, "Two", episodes="many")}],
        error={"status": 404, "type": "BadResponseException", "message": "Resource does not exist"},
        nothing={"pagination": {}},
        odd={"data": [{"colour": "red"}]},
    )
    assert [said(record)["ref"] for record in records] == ["mal:anime:1"]
    reasons = {str(each.place): each.reason for each in report.refused}
    assert reasons.pop("broken.json").startswith("not JSON: ")
    assert reasons.pop("cut.json.gz").startswith("the file can't be read: ")
    assert reasons.pop("answers.json#3").startswith("episodes: ")
    assert reasons == {
        "answers.json#2": "not an answer: no JSON object",
        "error.json": "answer 404: Resource does not exist",
        "nothing.json": "data: missing",
        "odd.json": "data.1: looks like nothing that Jikan answers",
    }
    assert ("mal:anime:2", "episodes: ") in [(subject, reason[:10]) for subject, reason in refusals(report)]


def test_works_for_adults_are_counted_and_left_out(tmp_path: Path) -> None:
    rated = anime(1, "One", rating="Rx - Hentai", studios=[meta("anime", 1, "Lantern")])
    sorted_so = anime(2, "Two", explicit_genres=[meta("anime", 12, "Hentai")])
    records, report = read(tmp_path, works={"data": [rated, sorted_so]})
    assert (records, counted(report.not_imported)) == ([], {"adult_works": 2})


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Kirigaya, Kazuto", "Kazuto Kirigaya"),
        ("Panda", "Panda"),
        ("Doe, John, Jr.", "Doe, John, Jr."),
        ("L,", "L,"),
        (None, None),
    ],
)
def test_names_in_passing_are_turned_round(given: str | None, name: str | None) -> None:
    assert given_name_first(given) == name
