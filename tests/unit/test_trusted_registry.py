"""Where trusted documents come from, and what is no such place."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from datastore.edges import EdgeType
from datastore.postgres.entity_shapes import Attribute, Constant, EntityShape
from datastore.vocabulary import (
    AppearanceRole,
    EntityType,
    NameKind,
    Season,
    WorkFormat,
    WorkSource,
    WorkStatus,
)
from graphql_bff.trusted.registry import UnreadableDocuments, read_documents, shipped_documents

TEXT = "{ __typename }"
HASH = sha256(TEXT.encode()).hexdigest()


def test_a_folder_gives_its_graphql_files(tmp_path: Path) -> None:
    (tmp_path / "a.graphql").write_text(f"{TEXT}\n")
    (tmp_path / "notes.txt").write_text("no document")
    assert read_documents(tmp_path) == {HASH: TEXT}


@pytest.mark.parametrize("key", [HASH, HASH.upper(), f"sha256:{HASH}"])
def test_a_manifest_gives_its_texts(tmp_path: Path, key: str) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({key: TEXT}))
    assert read_documents(manifest) == {HASH: TEXT}


@pytest.mark.parametrize("manifest", ["[]", "{", '{"abc": "{ __typename }"}', f'{{"{HASH}": 1}}'])
def test_what_is_no_manifest_is_refused(tmp_path: Path, manifest: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(manifest)
    with pytest.raises(UnreadableDocuments, match=r"manifest\.json"):
        read_documents(path)


def test_a_place_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocuments, match="No such file"):
        read_documents(tmp_path / "none")


def test_the_readme_ships_with_its_query() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    query = next(text for text in shipped_documents().values() if "cowboy" in text)
    assert json.dumps(query)[1:-1] in readme


@pytest.mark.parametrize(
    "closed_set", [EntityType, NameKind, WorkFormat, WorkStatus, Season, WorkSource, AppearanceRole, EdgeType]
)
def test_members_of_closed_sets_are_named_by_their_value_in_capitals(closed_set: type[EntityType]) -> None:
    assert [member.name for member in closed_set] == [member.value.upper() for member in closed_set]


@pytest.mark.parametrize("key", ["a b", "a'b", "", "1a", "a\n"])
def test_only_words_go_into_statements(key: str) -> None:
    with pytest.raises(ValueError, match="not a word"):
        Constant(key)
    with pytest.raises(ValueError, match="not a word"):
        EntityShape({EntityType.ANIME: {key: Attribute("name")}})


def test_an_object_has_a_bounded_number_of_members() -> None:
    with pytest.raises(ValueError, match="41 members: at most 40"):
        EntityShape({EntityType.ANIME: {f"a{number}": Attribute("name") for number in range(41)}})
