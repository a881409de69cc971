"""The reader of the Bangumi archive on lines of our own: relations from either side, dates, names, what is left out."""

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.catalogue_imports import counted, refusals
from ingestion.formats.bangumi import BangumiFormat
from ingestion.formats.bangumi_infobox import InfoboxItem, parse_infobox
from ingestion.formats.bangumi_works import release_date
from ingestion.records import (
    AnimeRecord,
    AnyEntity,
    AnyLink,
    AppearanceRecord,
    CharacterRecord,
    EpisodeRecord,
    RelationRecord,
    StaffRecord,
    StudioCreditRecord,
    VoiceRecord,
)
from ingestion.report import ImportReport, ReportBuilder

BOOK, ANIME, MUSIC, GAME = 1, 2, 3, 4


def read(folder: Path, **files: list[dict[str, Any]]) -> tuple[list[AnyEntity | AnyLink], ImportReport]:
    """The records of an archive; `_` in the name of a file stands for `-`."""
    for name, lines in files.items():
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name.replace('_', '-')}.jsonlines").write_text(text, encoding="utf-8")
    builder = ReportBuilder(format_name="bangumi", source="bangumi")
    return [located.record for located in BangumiFormat().read(folder, builder)], builder.build()


def subject(number: int, kind: int = ANIME, **fields: Any) -> dict[str, Any]:
    """A subject's line."""
    return {"id": number, "type": kind, "name": f"work {number}", **fields}


def related(one: int, code: int, other: int) -> dict[str, Any]:
    """A relation's line: `other` is to `one` what the code says."""
    return {"subject_id": one, "relation_type": code, "related_subject_id": other, "order": 0}


def relations(records: list[AnyEntity | AnyLink]) -> list[tuple[int, str, int]]:
    """The relations, by the numbers of their subjects."""
    found = [record for record in records if isinstance(record, RelationRecord)]
    return [(_number(each.from_), str(each.relation), _number(each.to)) for each in found]


def _number(ref: str) -> int:
    return int(ref.rpartition(":")[2])


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        ((2, 3), (2, "sequel", 1)),
        ((3, 2), (1, "sequel", 2)),
        ((4, 5), (1, "summary", 2)),
        ((5, 4), (2, "summary", 1)),
        ((6, 12), (1, "side_story", 2)),
        ((12, 6), (2, "side_story", 1)),
        ((11, 12), (1, "spin_off", 2)),
        ((12, 11), (2, "spin_off", 1)),
        ((7, 7), (1, "shares_character", 2)),
        ((10, 10), (1, "alternative", 2)),
        ((1, 1), (1, "other_relation", 2)),
    ],
)
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_relation_told_from_both_sides_is_one_fact(
    codes: tuple[int, int], told: tuple[int, str, int], order: tuple[int, int], tmp_path: Path
) -> None:
    lines = [related(1, codes[0], 2), related(2, codes[1], 1)]
    works = [subject(1), subject(2)]
    records, report = read(tmp_path, subject=works, subject_relations=[lines[number] for number in order])
    assert relations(records) == [told]
    totals = {"subjects": 2, "subject_relations": 2, "relations_told_twice": 1}
    assert counted(report.input_totals) == totals


def test_a_parent_story_that_only_the_child_tells_of_is_kept(tmp_path: Path) -> None:
    records, _ = read(tmp_path, subject=[subject(1), subject(2)], subject_relations=[related(2, 12, 1)])
    assert relations(records) == [(2, "parent_story", 1)]


@pytest.mark.parametrize(
    ("anime", "book", "told"),
    [
        ("2002-04-02", "2000-09-01", (1, "adaptation_of", 2)),
        ("2002-04-02", None, (1, "adaptation_of", 2)),
        ("2002-04-02", "2002", (1, "adaptation_of", 2)),
        ("2002-04-02", "2002-05-01", (2, "adaptation_of", 1)),
        ("2000", "2001", (2, "adaptation_of", 1)),
        ("2002-04", "2002-04-02", (1, "adaptation_of", 2)),
    ],
)
def test_the_anime_adapts_the_book_unless_that_came_later(
    anime: str, book: str | None, told: tuple[int, str, int], tmp_path: Path
) -> None:
    works = [subject(1, date=anime), subject(2, BOOK, date=book)]
    records, _ = read(tmp_path, subject=works, subject_relations=[related(2, 1, 1), related(1, 1, 2)])
    assert relations(records) == [told]


def test_relations_to_what_is_no_work_are_counted_and_others_wait(tmp_path: Path) -> None:
    works = [subject(1), subject(3, MUSIC), subject(4, GAME)]
    lines = [related(1, 3001, 3), related(1, 1, 4), related(1, 3007, 90), related(1, 4003, 91), related(1, 3, 92)]
    records, report = read(tmp_path, subject=works, subject_relations=lines)
    assert relations(records) == [(1, "sequel", 92)]
    assert counted(report.not_imported) == {
        "music_subjects": 1,
        "game_subjects": 1,
        "music_relations": 2,
        "game_relations": 2,
    }
    assert counted(report.input_totals)["dangling_subject_relations"] == 3


def test_an_unknown_relation_is_kept_by_its_number_and_told(tmp_path: Path) -> None:
    records, report = read(tmp_path, subject=[subject(1), subject(2)], subject_relations=[related(1, 77, 2)])
    [relation] = [record for record in records if isinstance(record, RelationRecord)]
    assert (relation.relation, relation.raw_type) == ("other_relation", "77")
    assert counted(report.repaired) == {"unknown_value_left_empty": 1}


def test_links_follow_redirects_and_companies_are_studios(tmp_path: Path) -> None:
    people = [
        {"id": 1, "name": "Old", "type": 1, "redirect": 2},
        {"id": 2, "name": "New", "type": 1, "career": ["seiyu"]},
        {"id": 3, "name": "Lantern", "type": 2},
    ]
    beings = [{"id": 5, "name": "Rin", "role": 1, "infobox": "{{Infobox Crt\n|性别= 女\n}}"}, {"id": 6, "role": 2}]
    staff = [(1, 2), (3, 67), (3, 63), (3, 39), (2, 999)]
    records, report = read(
        tmp_path,
        subject=[subject(8)],
        person=people,
        character=beings,
        subject_persons=[{"person_id": person, "subject_id": 8, "position": position} for person, position in staff],
        subject_characters=[
            {"character_id": 5, "subject_id": 8, "type": 3},
            {"character_id": 6, "subject_id": 8, "type": 1},
        ],
        person_characters=[{"person_id": 1, "subject_id": 8, "character_id": 5}],
    )
    work = "bangumi:subject:8"
    links = [record for record in records if not isinstance(record, AnimeRecord | CharacterRecord)][2:]
    assert links == [
        StaffRecord.model_validate(
            {"person": "bangumi:person:2", "work": work, "role": "director", "raw_role": "Director"}
        ),
        StudioCreditRecord(studio="bangumi:person:3", work=work, is_main=True),
        StudioCreditRecord(studio="bangumi:person:3", work=work, is_main=False),
        StaffRecord.model_validate(
            {"person": "bangumi:person:2", "work": work, "role": "other", "raw_role": "Bangumi position 999"}
        ),
        AppearanceRecord.model_validate({"character": "bangumi:character:5", "work": work, "role": "background"}),
        VoiceRecord(person="bangumi:person:2", character="bangumi:character:5", work=work, language="und"),
    ]
    left_out = ("redirected_persons", "characters_of_no_beings", "other_company_credits", "appearances_of_no_beings")
    assert counted(report.not_imported) == dict.fromkeys(left_out, 1)
    assert [record.gender for record in records if isinstance(record, CharacterRecord)] == ["Female"]


@pytest.mark.parametrize("date", ["", "0000-00-00", "0000-10-06", "99999-01-01"])
def test_dates_that_are_none_stay_text_and_are_told(date: str, tmp_path: Path) -> None:
    episodes = [{"id": 1, "subject_id": 1, "sort": 1, "airdate": date}]
    [work, episode], report = read(tmp_path, subject=[subject(1, date=date)], episode=episodes)
    assert isinstance(work, AnimeRecord)
    assert isinstance(episode, EpisodeRecord)
    assert (work.start, work.start_date, episode.air_date) == (date, None, date)
    told = [(each.kind, each.subject) for each in report.repairs]
    assert told == [
        ("unreadable_date_kept_as_text", "bangumi:subject:1"),
        ("unreadable_date_kept_as_text", "bangumi:episode:1"),
    ]


def test_a_page_without_a_date_has_that_of_its_infobox(tmp_path: Path) -> None:
    infobox = "{{Infobox animanga/TVAnime\r\n|放送开始= 1995年10月4日\r\n|播放结束= 2000年第43号\r\n}}"
    [work], _ = read(tmp_path, subject=[subject(1, infobox=infobox, date=None)])
    assert isinstance(work, AnimeRecord)
    assert (work.start, work.end) == ("1995-10-04", None)


def test_written_dates_are_dates() -> None:
    given = ("2013年9月25日", "2013年09月", "2013年", "2000-10-6", "31.07.2002", None)
    assert [release_date(text) for text in given] == [
        *("2013-09-25", "2013-09", "2013", "2000-10-6", "31.07.2002", None)
    ]


def test_an_infobox_is_read_as_far_as_it_goes() -> None:
    box = parse_infobox("|no head= a\n|empty=\n|list={\n[en|Moon Gate]\n[月の門]\n[x|]\nnoise\n}\n}}\n|after= b= c")
    assert dict(box.fields) == {
        "no head": (InfoboxItem("", "a"),),
        "list": (InfoboxItem("en", "Moon Gate"), InfoboxItem("", "月の門")),
        "after": (InfoboxItem("", "b= c"),),
    }
    assert (box.text("empty", "list"), box.text("missing"), parse_infobox("").fields) == ("Moon Gate", None, {})


def test_lines_and_files_that_are_none_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "person-relations.jsonlines").write_text("{}")
    records, report = read(tmp_path, subject=[{"id": 0, "type": 2}, {"id": 7}, subject(1)])
    assert len(records) == 1
    assert refusals(report) == [
        (None, "not a file of the archive that is read"),
        ("bangumi:subject:0", "id: Input should be greater than 0"),
        ("bangumi:subject:7", "type: Field required"),
    ]
