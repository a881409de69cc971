"""Contradictions of sources in the words of question fields."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from agent_core.evidence import FieldConflict, SourcedValue
from agent_core.retrieval.conflicts import field_conflicts
from datastore.postgres.entity_cards import CardConflict, EntityCard, MangaDetails, RawDate
from datastore.vocabulary import EntityType


def card(*conflicts: CardConflict) -> EntityCard:
    nothing = RawDate(known=None, raw=None)
    return EntityCard(
        id=UUID(int=1),
        entity_type=EntityType.MANGA,
        name="Moon Gate",
        version=1,
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
        popularity=0,
        popularity_count=None,
        names=(),
        external_ids=(),
        extra={},
        details=MangaDetails(
            format=None,
            status=None,
            start=nothing,
            end=nothing,
            year=None,
            score=None,
            score_source=None,
            genres=(),
            tags=(),
            synopsis=None,
            country=None,
            chapters=None,
            volumes=None,
        ),
        conflicts=conflicts,
    )


def said(field: str, *values: str) -> tuple[CardConflict, ...]:
    sources = ("demo", "anilist", "manami")
    return tuple(
        CardConflict(field, source, value, is_shown=source == "demo")
        for source, value in zip(sources, values, strict=False)
    )


def found(*conflicts: CardConflict) -> dict[str, tuple[str, ...]]:
    return {
        each.field: (each.shown.value, *(other.value for other in each.others))
        for each in field_conflicts(card(*conflicts))
    }


@pytest.mark.parametrize(
    ("conflicts", "expected"),
    [
        (said("start", "2004-10-05", "2004-10-04"), {"start_date": ("2004-10-05", "2004-10-04")}),
        (
            said("start", "2004-10-05", "2004-10-04", "2005"),
            {"start_date": ("2004-10-05", "2004-10-04", "2005"), "year": ("2004", "2005")},
        ),
        (said("format", "light_novel", "one_shot"), {"format": ("light novel", "one shot")}),
        (said("season_year", "2004", "2005"), {"year": ("2004", "2005"), "season": ("2004", "2005")}),
        (said("country", "JP", "KR"), {"country": ("JP", "KR")}),
        ((), {}),
    ],
)
def test_contradictions_are_named_as_questions_name_them(
    conflicts: tuple[CardConflict, ...], expected: dict[str, tuple[str, ...]]
) -> None:
    assert found(*conflicts) == expected


def test_values_keep_their_sources() -> None:
    assert field_conflicts(card(*said("volumes", "12", "13"), *said("duration_minutes", "24", "25"))) == (
        FieldConflict(
            field="volumes",
            shown=SourcedValue(source="demo", value="12"),
            others=(SourcedValue(source="anilist", value="13"),),
        ),
        FieldConflict(
            field="duration",
            shown=SourcedValue(source="demo", value="24"),
            others=(SourcedValue(source="anilist", value="25"),),
        ),
    )
