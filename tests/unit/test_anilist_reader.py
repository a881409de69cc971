"""The AniList reader on hand-made answers in every shape that recordings have."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from ingestion.formats.anilist import AniListFormat
from ingestion.records import AnimeRecord, AnyEntity, AnyLink, EntityRecord, MangaRecord, RelationRecord, VoiceRecord
from ingestion.report import ImportReport, Place, ReportBuilder

Answer = dict[str, Any]


def media(number: int, title: str, **fields: Any) -> Answer:
    return {"id": number, "type": "ANIME", "title": {"romaji": title, "english": None, "native": None}, **fields}


def exchange(data: Any, *, status: int = 200, errors: Any = None, **variables: Any) -> Answer:
    response = {"data": data} if errors is None else {"data": data, "errors": errors}
    return {"status": {"code": status}, "request": {"variables": variables}, "response": response}


def read(folder: Path, **files: Any) -> tuple[list[AnyEntity | AnyLink], ImportReport]:
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    builder = ReportBuilder(format_name="anilist", source="anilist")
    records = [located.record for located in AniListFormat().read(folder, builder)]
    return records, builder.build()


def refs(records: list[AnyEntity | AnyLink]) -> list[str]:
    return [record.ref for record in records if isinstance(record, EntityRecord)]


def reasons(report: ImportReport) -> list[tuple[str, str]]:
    return [(str(refusal.place), refusal.reason) for refusal in report.refused]


def test_aliased_pages_and_bare_answers_are_read(tmp_path: Path) -> None:
    pages: Answer = {
        "page1": {"pageInfo": {"hasNextPage": True}, "media": [media(1, "One"), media(2, "Two")]},
        "page2": {"pageInfo": {"hasNextPage": False}, "media": [media(3, "Three", type="MANGA")]},
        "page3": {"pageInfo": {"hasNextPage": False}, "media": []},
    }
    records, report = read(tmp_path, recorded=[exchange(pages)], bare={"data": {"Media": media(4, "Four")}})
    assert refs(records) == ["anilist:anime:4", "anilist:anime:1", "anilist:anime:2", "anilist:manga:3"]
    assert (report.files, report.refused_count) == (2, 0)


def test_the_subject_may_stand_in_the_variables_only(tmp_path: Path) -> None:
    studios = {"edges": [{"isMain": True, "node": {"id": 11, "name": "Mad", "isAnimationStudio": True}}]}
    records, report = read(tmp_path, studios=[exchange({"Media": {"studios": studios}}, mediaId=99)])
    assert [record.record for record in records] == ["studio", "studio_credit"]
    assert records[1].model_dump(by_alias=True) == {
        "record": "studio_credit",
        "studio": "anilist:studio:11",
        "work": "anilist:anime:99",
        "is_main": True,
    }
    assert report.refused_count == 0


def test_the_type_of_a_subject_is_learnt_from_another_file(tmp_path: Path) -> None:
    character = {"role": "MAIN", "node": {"id": 5, "name": {"full": "Ann"}}}
    about = [exchange({"Media": {"characters": {"edges": [character]}}}, mediaId=99)]
    records, _ = read(tmp_path, a_characters=about, z_work=[exchange({"Media": media(99, "Later", type="MANGA")})])
    assert [record.model_dump()["work"] for record in records if record.record == "appearance"] == ["anilist:manga:99"]


def test_a_subject_whose_type_nothing_tells_is_refused_by_name(tmp_path: Path) -> None:
    character = {"role": "MAIN", "node": {"id": 5, "name": {"full": "Ann"}}}
    records, report = read(tmp_path, about=[exchange({"Media": {"characters": {"edges": [character]}}}, mediaId=99)])
    assert records == []
    assert reasons(report) == [("about.json", "type: missing, and nothing here tells it")]
    assert report.refused[0].subject == "anilist:media:99"


def test_a_sequel_tells_the_type_of_its_prequel(tmp_path: Path) -> None:
    edges = [
        {"relationType": "ADAPTATION", "node": media(2, "Book", type="MANGA")},
        {"relationType": "SEQUEL", "node": media(3, "Next")},
    ]
    records, _ = read(tmp_path, about=[exchange({"Media": {"relations": {"edges": edges}}}, mediaId=1)])
    relations = [record for record in records if isinstance(record, RelationRecord)]
    assert [(each.from_, each.relation, each.to) for each in relations] == [
        ("anilist:anime:1", "adaptation_of", "anilist:manga:2"),
        ("anilist:anime:1", "sequel", "anilist:anime:3"),
    ]
    assert refs(records) == ["anilist:manga:2", "anilist:anime:3"]


def test_errors_are_refused_by_file_and_message(tmp_path: Path) -> None:
    not_found = exchange({"Media": None}, status=404, errors=[{"message": "Not Found.", "status": 404}])
    limited = exchange(None, status=429, errors=[{"message": "Too Many Requests."}])
    records, report = read(
        tmp_path,
        a_missing=[not_found],
        b_mixed=[exchange({"Media": media(1, "One")}), limited],
        c_bare={"data": {"Media": None}},
        d_html=[{"status": {"code": 502}, "request": {}, "response": "<html>"}],
        e_status=[{"status": {"code": 500}, "request": {}, "response": {}}],
        f_other=[{"Media": media(2, "Two")}],
        g_user=[exchange({"User": {"id": 3, "name": "someone"}})],
        h_null=None,
    )
    assert refs(records) == ["anilist:anime:1"]
    assert reasons(report) == [
        ("a_missing.json", "answer 404: Not Found."),
        ("b_mixed.json#2", "answer 429: Too Many Requests."),
        ("c_bare.json", "data.Media: null"),
        ("d_html.json", "answer 502: no JSON object"),
        ("e_status.json", "answer 500: no message"),
        ("f_other.json", "neither recorded exchanges nor GraphQL answers"),
        ("g_user.json", "data.User: neither a page of media nor one media"),
        ("h_null.json", "neither recorded exchanges nor GraphQL answers"),
    ]


def test_schedules_and_recommendations_are_counted_and_adult_works_left_out(tmp_path: Path) -> None:
    schedule = exchange(
        {"Media": {"airingSchedule": {"nodes": [{"id": 1, "episode": 1}, {"id": 2, "episode": 2}]}}}, mediaId=1
    )
    recommended = {"nodes": [{"mediaRecommendation": media(8, "Other")}, {"mediaRecommendation": None}]}
    relations = {"edges": [{"relationType": "OTHER", "node": media(9, "Adult", isAdult=True)}]}
    records, report = read(
        tmp_path,
        a=[schedule],
        b=[exchange({"Media": {"recommendations": recommended}}, mediaId=1)],
        c=[exchange({"Media": media(1, "One", relations=relations)}), exchange({"Media": media(7, "A", isAdult=True)})],
        d=[exchange({"Page": {"airingSchedules": [{"id": 3}]}})],
    )
    assert refs(records) == ["anilist:anime:1"]
    assert len(records) == 1
    assert report.refused_count == 0
    assert [(each.kind, each.count) for each in report.not_imported] == [
        ("adult_works", 2),
        ("airing_schedule_entries", 3),
        ("recommendations", 2),
    ]


def test_an_entity_comes_once_with_the_fields_of_all_its_answers(tmp_path: Path) -> None:
    node = media(2, "Two", synonyms=["Zwei"])
    full = media(2, "Two", episodes=12, popularity=10, siteUrl="https://example.org/2")
    relations = {"edges": [{"relationType": "SEQUEL", "node": node}]}
    records, report = read(
        tmp_path, a=[exchange({"Media": media(1, "One", relations=relations)})], b=[exchange({"Media": full})]
    )
    assert refs(records) == ["anilist:anime:1", "anilist:anime:2"]
    two = records[1]
    assert isinstance(two, AnimeRecord)
    assert [name.name for name in two.names] == ["Two", "Zwei"]
    assert (two.episodes, two.popularity, two.extra) == (12, 10, {"site_url": "https://example.org/2"})
    assert [(each.kind, each.count) for each in report.read] == [("anime", 2), ("relation", 1)]


def test_voices_have_a_language_and_a_work(tmp_path: Path) -> None:
    actors = [
        {"id": 1, "name": {"full": "Aoi", "native": "葵"}, "languageV2": "Japanese"},
        {"id": 2, "name": {"full": "Eva"}, "languageV2": "Klingon"},
    ]
    edge = {"role": "MAIN", "node": {"id": 5, "name": {"full": "Ann", "native": "アン"}}, "voiceActors": actors}
    records, report = read(tmp_path, a=[exchange({"Media": {"characters": {"edges": [edge]}}}, mediaId=9)])
    voices = [record for record in records if isinstance(record, VoiceRecord)]
    assert [(each.person, each.character, each.work, each.language) for each in voices] == [
        ("anilist:person:1", "anilist:character:5", "anilist:anime:9", "ja"),
        ("anilist:person:2", "anilist:character:5", "anilist:anime:9", "und"),
    ]
    assert [(each.kind, each.subject) for each in report.repairs] == [("unknown_value_left_empty", "anilist:person:2")]


def test_a_broken_edge_or_work_takes_no_other_with_it(tmp_path: Path) -> None:
    edges = [
        {"role": "Director", "node": {"id": "x", "name": {"full": "A"}}},
        {"role": "Music", "node": {"id": 2, "name": {"full": "B"}}},
    ]
    page: Answer = {"media": [media(1, "One", staff={"edges": edges}), media(2, "Two", episodes="many"), media(3, "")]}
    records, report = read(tmp_path, a=[exchange({"Page": page})])
    assert refs(records) == ["anilist:anime:1", "anilist:person:2"]
    assert reasons(report) == [
        ("a.json", "staff: node.id: Input should be a valid integer, unable to parse string as an integer"),
        ("a.json", "episodes: Input should be a valid integer, unable to parse string as an integer"),
        ("a.json", "names: Tuple should have at least 1 item after validation, not 0"),
    ]


def test_packed_files_are_unpacked_and_unsafe_text_is_repaired(tmp_path: Path) -> None:
    answer = {"data": {"Media": media(1, "Moon \udcb0 Gate", description="a\x00b")}}
    (tmp_path / "one.json.gz").write_bytes(gzip.compress(json.dumps(answer).encode()))
    records, report = read(tmp_path)
    record = records[0]
    assert isinstance(record, AnimeRecord)
    assert (record.main_name, record.synopsis) == ("Moon \ufffd Gate", "ab")
    assert [(each.kind, str(each.place)) for each in report.repairs] == [
        ("nul_removed", "one.json.gz"),
        ("lone_surrogate_replaced", "one.json.gz"),
    ]


@pytest.mark.parametrize(("work_type", "record_class"), [("ANIME", AnimeRecord), ("MANGA", MangaRecord)])
def test_the_type_decides_the_record(tmp_path: Path, work_type: str, record_class: type[EntityRecord]) -> None:
    records, _ = read(tmp_path, a={"data": {"Media": media(1, "One", type=work_type)}})
    assert isinstance(records[0], record_class)


def test_one_file_can_be_read_alone(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"data": {"Media": media(1, "One")}}))
    builder = ReportBuilder(format_name="anilist", source="anilist")
    located = list(AniListFormat().read(path, builder))
    assert [each.place for each in located] == [Place(file="one.json")]
    assert located[0].is_partial
