"""AniList's words and values, mapped to the catalogue's."""

from collections.abc import Sequence

import pytest
from datastore.edges import EDGES, EdgeType
from datastore.vocabulary import StaffRole, WorkFormat
from ingestion.formats.anilist_links import LinkReader
from ingestion.formats.anilist_mapping import FORMATS, staff_role
from ingestion.formats.anilist_nodes import FuzzyDate, Media
from ingestion.formats.anilist_works import fuzzy_date, work_fields
from ingestion.formats.notes import Notes
from ingestion.report import ImportReport, Place, RepairKind, ReportBuilder

PLACE = Place(file="answers.json")


class Desk:
    """A builder, and notes that go to it."""

    def __init__(self) -> None:
        self.builder = ReportBuilder(format_name="anilist", source="anilist")
        self.notes = Notes(self.builder, place=PLACE, subject="anilist:anime:1")

    @property
    def report(self) -> ImportReport:
        return self.builder.build()

    @property
    def repaired(self) -> list[tuple[str, int]]:
        return [(each.kind, each.count) for each in self.report.repaired]


@pytest.mark.parametrize(
    ("credit", "role"),
    [
        ("Director", StaffRole.DIRECTOR),
        ("Storyboard (OP, eps 1-3, 12, 13)", StaffRole.STORYBOARD),
        ("Episode Director (ep 6)", StaffRole.EPISODE_DIRECTOR),
        ("Chief Animation Director", StaffRole.ANIMATION_DIRECTOR),
        ("Theme Song Performance (ED)", StaffRole.THEME_SONG),
        ("Music", StaffRole.COMPOSER),
        ("Music Performance", StaffRole.OTHER),
        ("Series Composition", StaffRole.SERIES_COMPOSER),
        ("Script (eps 1-13)", StaffRole.WRITER),
        ("Original Creator", StaffRole.AUTHOR),
        ("Story & Art", StaffRole.AUTHOR),
        ("Art", StaffRole.ILLUSTRATOR),
        ("Art Director", StaffRole.ART_DIRECTOR),
        ("Director of Photography", StaffRole.OTHER),
        ("Background Art (ep 7)", StaffRole.OTHER),
        ("", StaffRole.OTHER),
    ],
)
def test_credits_find_their_role(credit: str, role: StaffRole) -> None:
    assert staff_role(credit) is role


@pytest.mark.parametrize(
    ("relation", "subject", "related", "edge"),
    [
        ("SEQUEL", "anime", "anime", EdgeType.SEQUEL),
        ("PREQUEL", "anime", "anime", EdgeType.PREQUEL),
        ("PARENT", "anime", "anime", EdgeType.PARENT_STORY),
        ("SIDE_STORY", "anime", "anime", EdgeType.SIDE_STORY),
        ("SPIN_OFF", "anime", "anime", EdgeType.SPIN_OFF),
        ("SUMMARY", "anime", "anime", EdgeType.SUMMARY),
        ("CHARACTER", "anime", "anime", EdgeType.SHARES_CHARACTER),
        ("ALTERNATIVE", "anime", "anime", EdgeType.ALTERNATIVE),
        ("OTHER", "anime", "anime", EdgeType.OTHER_RELATION),
        ("SOURCE", "manga", "manga", EdgeType.ADAPTATION_OF),
        # One word for both ends: the anime is the adaptation, wherever the answer starts.
        ("ADAPTATION", "anime", "manga", EdgeType.ADAPTATION_OF),
        ("ADAPTATION", "manga", "anime", EdgeType.HAS_ADAPTATION),
        ("ADAPTATION", "manga", "manga", EdgeType.OTHER_RELATION),
    ],
)
def test_relations_keep_their_direction(relation: str, subject: str, related: str, edge: EdgeType) -> None:
    desk = Desk()
    link = LinkReader(desk.builder, PLACE, f"anilist:{subject}:1").relation(relation, f"anilist:{related}:2")
    assert link == {
        "record": "relation",
        "from": f"anilist:{subject}:1",
        "to": f"anilist:{related}:2",
        "relation": edge,
        "raw_type": relation,
    }
    assert desk.repaired == []


@pytest.mark.parametrize(
    ("relation", "sentence"),
    [
        ("COMPILATION", "the related work contains the subject"),
        ("CONTAINS", "the subject is a compilation of the related work"),
        ("SOURCE", "the subject is an adaptation of the related work"),
    ],
)
def test_compilations_read_as_the_edge_sentences_say(relation: str, sentence: str) -> None:
    edge = LinkReader(Desk().builder, PLACE, "anilist:anime:1").relation(relation, "anilist:anime:2")["relation"]
    assert EDGES[edge].sentence.format(a="the subject", b="the related work") == sentence


def test_an_unknown_relation_keeps_its_word_and_is_reported() -> None:
    desk = Desk()
    link = LinkReader(desk.builder, PLACE, "anilist:anime:1").relation("CROSSOVER", "anilist:anime:2")
    assert (link["relation"], link["raw_type"]) == (EdgeType.OTHER_RELATION, "CROSSOVER")
    assert desk.repaired == [(RepairKind.UNKNOWN_VALUE, 1)]


@pytest.mark.parametrize(
    ("date", "text", "repairs"),
    [
        (FuzzyDate(year=2016), "2016", []),
        (FuzzyDate(year=2016, month=5), "2016-05", []),
        (FuzzyDate(year=2016, month=5, day=9), "2016-05-09", []),
        (FuzzyDate(year=2016, month=5, day=0), "2016-05", [(RepairKind.IMPOSSIBLE_DATE_PART, 1)]),
        (FuzzyDate(year=2016, month=13, day=1), "2016", [(RepairKind.IMPOSSIBLE_DATE_PART, 1)]),
        (FuzzyDate(year=2023, month=2, day=29), "2023-02", [(RepairKind.IMPOSSIBLE_DATE_PART, 1)]),
        (FuzzyDate(month=5, day=9), "?-5-9", []),
        (FuzzyDate(), None, []),
        (None, None, []),
    ],
)
def test_a_fuzzy_date_keeps_its_precision(
    date: FuzzyDate | None, text: str | None, repairs: Sequence[tuple[str, int]]
) -> None:
    desk = Desk()
    assert fuzzy_date(date, desk.notes) == text
    assert desk.repaired == repairs


def test_a_work_keeps_all_that_its_answer_said() -> None:
    media = Media.model_validate(
        {
            "id": 7,
            "idMal": 70,
            "format": "NOVEL",
            "status": "HIATUS",
            "chapters": 12,
            "volumes": None,
            "averageScore": 71,
            "popularity": 900,
            "countryOfOrigin": "KR",
            "title": {"romaji": "Dal", "english": None, "native": "달"},
            "synonyms": [" Moon ", "Moon", "", "Dal"],
            "genres": ["Drama", None],
            "tags": [
                {"name": "War", "rank": 80},
                {"name": "Love", "rank": 59},
                {"name": "Twist", "isMediaSpoiler": True},
            ],
            "description": "First<br>second",
            "startDate": {"year": 2016, "month": None, "day": None},
            "siteUrl": "https://example.org/7",
        }
    )
    desk = Desk()
    assert work_fields(media, "manga", desk.notes) == {
        "record": "manga",
        "ref": "anilist:manga:7",
        "external_ids": ["mal:manga:70"],
        "names": [
            {"name": "Dal", "kind": "main", "language": "ko-Latn"},
            {"name": "달", "kind": "native", "language": "ko"},
            {"name": "Moon", "kind": "alias", "language": None},
        ],
        "format": WorkFormat.LIGHT_NOVEL,
        "status": "hiatus",
        "popularity": 900,
        "score": 71,
        "score_source": "anilist",
        "country": "KR",
        "chapters": 12,
        "volumes": None,
        "start": "2016",
        "synopsis": "First\nsecond",
        "genres": ["Drama"],
        "tags": ["War"],
        "extra": {"site_url": "https://example.org/7", "raw_format": "NOVEL"},
    }
    assert desk.repaired == [(RepairKind.JUNK_NAME, 1), (RepairKind.TRIMMED_NAME, 1)]
    assert [(each.kind, each.count) for each in desk.report.not_imported] == [
        ("spoiler_or_adult_tags", 1),
        ("tags_of_low_rank", 1),
    ]


def test_an_unknown_format_is_left_empty_and_its_word_kept() -> None:
    assert "HOLOGRAM" not in FORMATS
    desk = Desk()
    media = Media.model_validate({"id": 7, "format": "HOLOGRAM", "title": {"romaji": "Dal"}})
    raw = work_fields(media, "anime", desk.notes)
    assert raw["format"] is None
    assert raw["extra"] == {"raw_format": "HOLOGRAM"}
    assert desk.repaired == [(RepairKind.UNKNOWN_VALUE, 1)]
