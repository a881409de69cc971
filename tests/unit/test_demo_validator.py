"""Each rule of the catalogue validator refuses its broken row, and the shipped catalogue has none."""

import json
from pathlib import Path

import pytest
from ingestion.demo import demo_catalogue_files
from ingestion.demo.validator import LocatedRecord, Problem, read_records, validate
from ingestion.records import parse_record

type Row = dict[str, object]


def named(record: str, slug: str, name: str | None = None, **fields: object) -> Row:
    return {
        "record": record,
        "ref": f"enishi:{record}:{slug}",
        "names": [{"name": name or slug, "kind": "main"}],
        **fields,
    }


def link(record: str, **fields: object) -> Row:
    refs = {
        key: f"enishi:{value}" if key in {"from", "to", "work", "character", "person", "studio"} else value
        for key, value in fields.items()
    }
    return {"record": record, **refs}


SOUND: list[Row] = [
    named("anime", "sea", format="tv", start="2001-12-24", end="2002-03-25", season="winter", season_year=2002),
    named("anime", "sea-2", start="2003", genres=["Slice of Life"]),
    named("manga", "sea", start="1999-05"),
    named("character", "ada"),
    named("character", "bo"),
    named("person", "kai", "Kai Mori"),
    named("studio", "foam"),
    named("episode", "sea-1", anime="enishi:anime:sea", number=1, air_date="2001-12-24"),
    link("studio_credit", studio="studio:foam", work="anime:sea"),
    link("studio_credit", studio="studio:foam", work="anime:sea-2"),
    link("staff", person="person:kai", work="manga:sea", role="author"),
    link("relation", **{"from": "anime:sea", "to": "anime:sea-2", "relation": "sequel"}),
    link("relation", **{"from": "anime:sea", "to": "manga:sea", "relation": "adaptation_of"}),
    link("appearance", character="character:ada", work="anime:sea"),
    link("voice", person="person:kai", character="character:ada", work="anime:sea"),
    link("voice", person="person:kai", character="character:bo"),
    link("character_relation", **{"from": "character:ada", "to": "character:bo", "kind": "mentor"}),
    link("character_relation", **{"from": "character:bo", "to": "character:ada", "kind": "rival"}),
]


def problems_of(rows: list[Row]) -> list[Problem]:
    return validate(
        LocatedRecord("sea.jsonl", number, parse_record(json.dumps(row))) for number, row in enumerate(rows, start=1)
    )


def found(*extra: Row) -> list[tuple[int, str, str, str]]:
    """Line (counted from the first extra row), ref, field and message of each problem."""
    return [
        (problem.line - len(SOUND), problem.ref, problem.field, problem.message)
        for problem in problems_of([*SOUND, *extra])
    ]


def test_sound_rows_have_no_problem() -> None:
    assert problems_of(SOUND) == []


def test_dangling_reference_is_refused() -> None:
    row = link("appearance", character="character:nobody", work="anime:sea")
    assert found(row) == [(1, "enishi:character:nobody", "character", "enishi:character:nobody is not defined")]


def test_reference_to_another_kind_is_refused() -> None:
    row = link("staff", person="character:ada", work="anime:sea", role="director")
    assert found(row) == [(1, "enishi:character:ada", "person", "enishi:character:ada is not a person")]


def test_episode_of_a_missing_anime_is_refused() -> None:
    row = named("episode", "lost", anime="enishi:anime:lost", number=1)
    assert found(row) == [(1, "enishi:episode:lost", "anime", "enishi:anime:lost is not defined")]


def test_second_claim_of_a_ref_is_refused() -> None:
    row = named("character", "ada", "Another Ada")
    message = "enishi:character:ada is claimed before, in sea.jsonl:4"
    assert found(row) == [(1, "enishi:character:ada", "ref", message)]


def test_second_claim_of_an_external_id_is_refused() -> None:
    rows = [
        named("character", "cy", external_ids=["anilist:character:7"]),
        named("character", "di", external_ids=["anilist:character:7"]),
    ]
    message = f"anilist:character:7 is claimed before, in sea.jsonl:{len(SOUND) + 1}"
    assert found(*rows) == [(2, "enishi:character:di", "external_ids", message)]


def test_external_id_given_twice_in_one_row_is_refused() -> None:
    row = named("character", "cy", external_ids=["anilist:character:7", "anilist:character:7"])
    assert found(row) == [(1, "enishi:character:cy", "external_ids", "the same id is given twice")]


def test_identical_link_is_refused_whatever_its_note() -> None:
    ends = {"from": "character:ada", "to": "character:bo", "kind": "mentor"}
    row = link("character_relation", **ends, note="Bo taught Ada to swim.")
    assert found(row) == [(1, "enishi:character:ada", "record", "the same link is written in sea.jsonl:17")]


def test_identical_link_over_an_external_id_is_refused() -> None:
    rows: list[Row] = [
        named("person", "lou", "Lou Aoki", external_ids=["anilist:person:9"]),
        link("staff", person="person:lou", work="anime:sea", role="director"),
        {"record": "staff", "person": "anilist:person:9", "work": "enishi:anime:sea", "role": "director"},
    ]
    message = f"the same link is written in sea.jsonl:{len(SOUND) + 2}"
    assert found(*rows) == [(3, "anilist:person:9", "record", message)]


def test_two_people_of_one_name_are_refused() -> None:
    row = named("person", "kai-2", "ＫＡＩ  mori")
    assert found(row) == [(1, "enishi:person:kai-2", "names", "'kai mori' also names the one in sea.jsonl:6")]


@pytest.mark.parametrize("date", ["2001-02-30", "2001-13-01", "2001-00-10", "soon"])
def test_impossible_day_or_month_is_refused(date: str) -> None:
    row = named("anime", "film", start=date)
    credit = link("studio_credit", studio="studio:foam", work="anime:film")
    assert found(row, credit) == [(1, "enishi:anime:film", "start", f"'{date}' is no possible date")]


def test_end_before_start_is_refused() -> None:
    row = named("manga", "river", start="2004-05-02", end="2004-05-01")
    author = link("staff", person="person:kai", work="manga:river", role="author")
    assert found(row, author) == [(1, "enishi:manga:river", "end", "2004-05-01 is before the start 2004-05-02")]


def test_end_in_the_start_year_known_to_the_year_is_allowed() -> None:
    row = named("manga", "river", start="2004-05-02", end="2004")
    author = link("staff", person="person:kai", work="manga:river", role="author")
    assert found(row, author) == []


def test_episode_aired_before_the_start_is_refused() -> None:
    row = named("episode", "sea-0", anime="enishi:anime:sea", number=0, air_date="2001-12-23")
    message = "2001-12-23 is before the anime's start 2001-12-24"
    assert found(row) == [(1, "enishi:episode:sea-0", "air_date", message)]


def test_impossible_air_date_is_refused() -> None:
    row = named("episode", "sea-3", anime="enishi:anime:sea", number=3, air_date="2002-02-29")
    assert found(row) == [(1, "enishi:episode:sea-3", "air_date", "'2002-02-29' is no possible date")]


@pytest.mark.parametrize(
    ("start", "season", "year", "field", "message"),
    [
        ("2010-03-01", "winter", 2010, "season", "a start on 2010-03-01 is spring, not winter"),
        ("2010-06", "spring", 2010, "season", "a start on 2010-06 is summer, not spring"),
        ("2010-12-01", "winter", 2010, "season_year", "a start on 2010-12-01 belongs to 2011, not 2010"),
        ("2010-01-01", "winter", 2011, "season_year", "a start on 2010-01-01 belongs to 2010, not 2011"),
    ],
)
def test_season_against_the_start_is_refused(start: str, season: str, year: int, field: str, message: str) -> None:
    row = named("anime", "hill", format="tv", start=start, season=season, season_year=year)
    credit = link("studio_credit", studio="studio:foam", work="anime:hill")
    assert found(row, credit) == [(1, "enishi:anime:hill", field, message)]


def test_season_without_its_year_is_refused() -> None:
    row = named("anime", "hill", start="2010", season="fall")
    credit = link("studio_credit", studio="studio:foam", work="anime:hill")
    assert found(row, credit) == [(1, "enishi:anime:hill", "season", "season and season_year belong together")]


def test_television_series_without_season_is_refused() -> None:
    row = named("anime", "hill", format="tv", start="2010-04-01")
    credit = link("studio_credit", studio="studio:foam", work="anime:hill")
    message = "a television series with a start month needs its season"
    assert found(row, credit) == [(1, "enishi:anime:hill", "season", message)]


@pytest.mark.parametrize("relation", ["prequel", "sequel"])
def test_work_relation_in_both_directions_is_refused(relation: str) -> None:
    row = link("relation", **{"from": "anime:sea-2", "to": "anime:sea", "relation": relation})
    message = f"{relation} is written the other way round in sea.jsonl:12"
    assert found(row) == [(1, "enishi:anime:sea-2", "to", message)]


def test_relation_whose_inverse_has_two_names_is_refused_in_both_directions() -> None:
    rows = [
        named("anime", "short"),
        link("studio_credit", studio="studio:foam", work="anime:short"),
        link("relation", **{"from": "anime:sea", "to": "anime:short", "relation": "spin_off"}),
        link("relation", **{"from": "anime:short", "to": "anime:sea", "relation": "parent_story"}),
    ]
    message = f"parent_story is written the other way round in sea.jsonl:{len(SOUND) + 3}"
    assert found(*rows) == [(4, "enishi:anime:short", "to", message)]


@pytest.mark.parametrize(("kind", "line"), [("student", 17), ("mentor", 17), ("rival", 18)])
def test_character_relation_in_both_directions_is_refused(kind: str, line: int) -> None:
    ends = ("character:ada", "character:bo") if kind == "rival" else ("character:bo", "character:ada")
    row = link("character_relation", **{"from": ends[0], "to": ends[1], "kind": kind})
    message = f"{kind} is written the other way round in sea.jsonl:{line}"
    assert found(row) == [(1, f"enishi:{ends[0]}", "to", message)]


def test_voice_without_appearance_is_refused() -> None:
    row = link("voice", person="person:kai", character="character:bo", work="anime:sea")
    message = "enishi:character:bo does not appear in enishi:anime:sea"
    assert found(row) == [(1, "enishi:person:kai", "work", message)]


def test_anime_without_studio_is_refused() -> None:
    row = named("anime", "orphan")
    assert found(row) == [(1, "enishi:anime:orphan", "studio_credit", "an anime needs a studio")]


def test_printed_work_without_author_is_refused() -> None:
    rows = [
        named("manga", "orphan"),
        link("staff", person="person:kai", work="manga:orphan", role="illustrator"),
    ]
    assert found(*rows) == [(1, "enishi:manga:orphan", "staff", "a printed work needs an author")]


def test_genre_outside_the_list_is_refused() -> None:
    row = named("anime", "hill", genres=["Action", "Ninja"])
    credit = link("studio_credit", studio="studio:foam", work="anime:hill")
    assert found(row, credit) == [(1, "enishi:anime:hill", "genres", "'Ninja' is no main genre")]


def test_unreadable_line_is_named_by_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps(SOUND[3]) + "\n\n" + '{"record":"staff","person":"x"}\n', encoding="utf-8")
    records, problems = read_records([path])
    assert [(item.file, item.line) for item in records] == [("broken.jsonl", 1)]
    assert [(problem.file, problem.line, problem.field) for problem in problems] == [
        ("broken.jsonl", 3, "staff.person"),
        ("broken.jsonl", 3, "staff.work"),
        ("broken.jsonl", 3, "staff.role"),
    ]


def test_problem_reads_as_one_line() -> None:
    problem = Problem("sea.jsonl", 3, "enishi:manga:sea", "end", "1998 is before the start 1999")
    assert str(problem) == "sea.jsonl:3: enishi:manga:sea end: 1998 is before the start 1999"


def test_shipped_catalogue_has_no_problem() -> None:
    paths = demo_catalogue_files()
    records, unreadable = read_records(paths)
    assert [path.name for path in paths] == sorted(path.name for path in paths)
    assert unreadable == []
    assert [str(problem) for problem in validate(records)] == []
    assert sum(item.record.record == "anime" for item in records) >= 25
