"""The reader of Jikan answers on one answer of every address, made by the API's own description."""

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.catalogue_imports import counted
from ingestion.formats.jikan_answers import AnswerReader
from ingestion.report import ImportReport, Place, ReportBuilder

pytestmark = pytest.mark.data

# What addresses about works, people and companies answer; others are about members of the site, or lists of words.
_LINKED = {
    "/anime/{id}/characters": ["character", "appearance", "person", "voice"],
    "/anime/{id}/staff": ["person", "staff"],
    "/anime/{id}/episodes": ["episode"],
    "/anime/{id}/episodes/{episode}": ["episode"],
    "/manga/{id}/characters": ["character", "appearance"],
    "/characters/{id}/anime": ["anime", "appearance"],
    "/characters/{id}/manga": ["manga", "appearance"],
    "/characters/{id}/voices": ["person", "voice"],
    "/people/{id}/anime": ["anime", "staff"],
    "/people/{id}/manga": ["manga", "staff"],
    "/people/{id}/voices": ["anime", "character", "appearance", "voice"],
}
_ANIME = ("anime", "studio", "studio_credit")
_MANGA = ("manga", "person", "staff")
_PAGES = {
    **dict.fromkeys(("/anime/{id}", "/anime/{id}/full", "/anime", "/top/anime", "/random/anime", "/schedules"), _ANIME),
    **dict.fromkeys(("/seasons/now", "/seasons/upcoming", "/seasons/{year}/{season}"), _ANIME),
    **dict.fromkeys(("/manga/{id}", "/manga/{id}/full", "/manga", "/top/manga", "/random/manga"), _MANGA),
    **dict.fromkeys(("/characters/{id}", "/characters", "/top/characters", "/random/characters"), ("character",)),
    **dict.fromkeys(("/people/{id}", "/people", "/top/people", "/random/people"), ("person",)),
    **dict.fromkeys(("/producers/{id}", "/producers/{id}/full", "/producers"), ("studio",)),
    "/characters/{id}/full": ["character", "anime", "appearance", "manga", "appearance", "person", "voice"],
    "/people/{id}/full": [
        *("person", "anime", "staff", "manga", "staff"),
        *("anime", "character", "appearance", "voice"),
    ],
}
_LEFT_OUT = {
    "news": "/anime/{id}/news",
    "forum_topics": "/anime/{id}/forum",
    "videos": "/anime/{id}/videos",
    "pictures": "/anime/{id}/pictures",
    "statistics": "/anime/{id}/statistics",
    "more_info": "/anime/{id}/moreinfo",
    "recommendations": "/anime/{id}/recommendations",
    "user_updates": "/anime/{id}/userupdates",
    "reviews": "/anime/{id}/reviews",
    "themes": "/anime/{id}/themes",
    "external_links": "/anime/{id}/streaming",
    "clubs": "/clubs/{id}/relations",
    "users": "/users/{username}",
    "seasons": "/seasons",
    "watch_episodes": "/watch/episodes",
    "watch_promos": "/watch/promos/popular",
}


@pytest.fixture(scope="module")
def description(data_folder: Path) -> dict[str, Any]:
    """The description of the API."""
    loaded: dict[str, Any] = json.loads((data_folder / "anime" / "jikan_openapi" / "api-docs.json").read_bytes())
    return loaded


def example(description: dict[str, Any], schema: dict[str, Any]) -> Any:
    """A value that a schema allows: each list has one item, each number is 7."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return example(description, description["components"]["schemas"][name])
    if "allOf" in schema:
        parts = [example(description, part) for part in schema["allOf"]]
        return {name: value for part in parts for name, value in part.items()}
    if "anyOf" in schema or "oneOf" in schema:
        return example(description, (schema.get("anyOf") or schema["oneOf"])[0])
    if "properties" in schema and schema.get("type") != "array":
        return {name: example(description, part) for name, part in schema["properties"].items()}
    match schema.get("type"):
        case "array":
            return [example(description, schema["items"])]
        case "integer" | "number" | "float":
            return 7
        case "boolean":
            return True
        case _:
            return schema["enum"][0] if "enum" in schema else "x"


def read(description: dict[str, Any], path: str) -> tuple[list[str], ImportReport]:
    """The types of the records in an answer of an address, and the report of reading it."""
    content = description["paths"][path]["get"]["responses"]["200"]["content"]
    answer = example(description, content["application/json"]["schema"])
    answer["request"] = f"https://api.jikan.moe/v4{path.replace('{id}', '7')}"
    builder = ReportBuilder(format_name="jikan", source="jikan")
    raws = list(AnswerReader(builder, Place(file="answer.json"), "answer.json").read(answer))
    return [raw.fields["record"] for raw in raws], builder.build()


@pytest.mark.parametrize("path", [*_LINKED, *_PAGES])
def test_every_address_with_facts_gives_its_records(description: dict[str, Any], path: str) -> None:
    records, report = read(description, path)
    assert records == [*(_LINKED | _PAGES)[path]]
    assert report.refused == ()


@pytest.mark.parametrize(("kind", "path"), _LEFT_OUT.items())
def test_every_address_without_is_counted(description: dict[str, Any], kind: str, path: str) -> None:
    records, report = read(description, path)
    assert (records, counted(report.not_imported), report.refused) == ([], {kind: 1}, ())
