"""Where pictures are read from, and what the commands refuse before anything is started."""

import json
from pathlib import Path

import pytest
from enishi.commands.ask import MAX_IMAGE_BYTES, run_ask
from enishi.commands.errors import UsageError
from enishi.commands.picturing import run_index_images
from enishi.settings import Settings
from ingestion.errors import NothingToImport
from ingestion.picture_sources import LeftOut, PictureSource, picture_sources


def written(path: Path, data: bytes = b"") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_a_folder_s_paths_are_references(tmp_path: Path) -> None:
    first = written(tmp_path / "mal" / "anime" / "1.JPG")
    second = written(tmp_path / "mine" / "character" / "a:b.webp")
    for other in ("mal/anime/1.txt", "mal/2.png", "notes.md", "a/b/c/d.png"):
        written(tmp_path / other)
    written(tmp_path / "Bad Source" / "anime" / "1.png")
    found = list(picture_sources(tmp_path))
    assert [(str(each.ref), each.place) for each in found if isinstance(each, PictureSource)] == [
        ("mal:anime:1", first),
        ("mine:character:a:b", second),
    ]
    assert [each for each in found if isinstance(each, LeftOut)] == [
        LeftOut("Bad Source/anime/1.png", "its path is no reference: source/kind/id")
    ]


def test_lines_name_files_beside_them_and_addresses(tmp_path: Path) -> None:
    lines = [
        json.dumps({"ref": "mal:anime:1", "image": "art/1.png"}),
        "",
        json.dumps({"ref": "mal:anime:2", "image": "https://pictures.example/2.png"}),
        json.dumps({"ref": "mal:anime:3"}),
        json.dumps({"ref": "nothing", "image": "a.png"}),
        "[1, 2]",
        "{",
        "[" * 9_000,
        json.dumps({"ref": "mal:anime:4", "image": "x" * 20_000}),
    ]
    file = written(tmp_path / "pictures.jsonl", "\n".join(lines).encode() + b"\n\xff\xfe\n")
    found = list(picture_sources(file))
    assert [each.place for each in found if isinstance(each, PictureSource)] == [
        tmp_path / "art/1.png",
        "https://pictures.example/2.png",
    ]
    assert [each.where for each in found if isinstance(each, LeftOut)][:5] == [f"line {n}" for n in (4, 5, 6, 7, 8)]


def test_a_path_without_pictures_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(NothingToImport, match="holds no picture"):
        picture_sources(tmp_path)
    with pytest.raises(NothingToImport, match="does not exist"):
        picture_sources(tmp_path / "gone")


async def test_commands_refuse_what_can_t_be_used_before_anything_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(home=tmp_path / "home")

    async def ask(image: Path) -> None:
        await run_ask(settings, question="?", batch=None, session=None, image=str(image), as_json=False)

    with pytest.raises(UsageError, match="can't be read"):
        await ask(tmp_path / "gone.png")
    with pytest.raises(UsageError, match="larger than 2 MB"):
        await ask(written(tmp_path / "large.png", bytes(MAX_IMAGE_BYTES + 1)))
    with pytest.raises(NothingToImport):
        await run_index_images(settings, tmp_path / "gone", as_json=False)
    monkeypatch.setenv("ENISHI_IMAGES", "none")
    with pytest.raises(UsageError, match="ENISHI_IMAGES is 'none'"):
        await run_index_images(settings, tmp_path, as_json=False)
    assert not settings.home.exists()
