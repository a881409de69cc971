"""Packages from a registry on loopback: what is fetched, and everything that is refused."""

import base64
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from enishi.commands import importing
from enishi.commands.errors import UsageError
from enishi.commands.importing import ImportRequest, run_import
from enishi.settings import Settings
from fixtures.catalogue_imports import counted
from ingestion.errors import PackageUnavailable
from ingestion.formats.bangumi_data import BangumiDataFormat
from ingestion.formats.npm_packages import NpmOptions, fetch_packages
from ingestion.report import ReportBuilder

WORKS = {"items": [{"title": "月", "type": "tv", "lang": "ja", "sites": [{"site": "mal", "id": "1"}]}]}
ARM = [{"mal_id": 1, "annict_id": 2}]


@dataclass
class Registry:
    """A registry that answers what a test tells it to, by path."""

    server: ThreadingHTTPServer
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict[str, tuple[int, bytes]])
    asked: list[str] = field(default_factory=list[str])
    hang: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server.server_port}"

    def publish(self, name: str, files: Mapping[str, bytes], *, version: str = "latest", **dist: Any) -> None:
        """Offer a package; `dist` overrides what the registry says of its archive."""
        archive = packed(files)
        path = f"/archives/{name}.tgz"
        digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
        described = {"tarball": self.address + path, "integrity": f"sha512-{digest}"} | dist
        self.answers[path] = (200, archive)
        self.answers[f"/{name.replace('/', '%2F')}/{version}"] = (200, json.dumps({"dist": described}).encode())


def packed(files: Mapping[str, bytes]) -> bytes:
    """An archive as npm makes them."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return target.getvalue()


@pytest.fixture
def registry() -> Generator[Registry]:
    """A registry without packages."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            status, body = found.answers.get(self.path, (404, b"{}"))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status == 302:
                self.send_header("Location", found.address + "/elsewhere")
            self.end_headers()
            if self.path == "/hanging/latest":
                found.hang.wait(60)
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    found = Registry(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
    thread = threading.Thread(target=found.server.serve_forever)
    thread.start()
    yield found
    found.hang.set()
    found.server.shutdown()
    thread.join()
    found.server.server_close()


def fetch(registry: Registry, packages: str, folder: Path, **options: Any) -> None:
    """Fetch from the test's registry."""
    fetch_packages(packages, folder, NpmOptions(registry=registry.address, **({"seconds": 60} | options)))


def refusal(registry: Registry, packages: str, folder: Path, **options: Any) -> str:
    """Why fetching fails."""
    with pytest.raises(PackageUnavailable) as raised:
        fetch(registry, packages, folder, **options)
    return str(raised.value)


def test_dumps_of_packages_are_fetched_and_read_together(registry: Registry, tmp_path: Path) -> None:
    works = {"package/dist/data.json": json.dumps(WORKS).encode(), "package/package.json": b"{}"}
    registry.publish("bangumi-data", works, version="0.3.1")
    registry.publish("@kawaiioverflow/arm", {"package/arm.json": json.dumps(ARM).encode()})
    fetch(registry, "bangumi-data@0.3.1+@kawaiioverflow/arm", tmp_path)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert files == ["@kawaiioverflow/arm/arm.json", "bangumi-data/data.json"]
    assert registry.asked == [
        "/bangumi-data/0.3.1",
        "/archives/bangumi-data.tgz",
        "/@kawaiioverflow%2Farm/latest",
        "/archives/@kawaiioverflow/arm.tgz",
    ]
    builder = ReportBuilder(format_name="bangumi-data", source="bangumi-data")
    [located] = BangumiDataFormat().read(tmp_path, builder)
    assert counted(builder.build().input_totals) == {"arm_entries": 1, "works": 1}
    assert located.record.model_dump()["external_ids"] == ("annict:anime:2",)


@pytest.mark.parametrize("name", ["", "..", "../x", "Upper", "a/b", "@a", "a b", "a@", "-x", "@a/../b", "http://x"])
def test_what_is_no_package_s_name_is_not_asked_for(registry: Registry, name: str, tmp_path: Path) -> None:
    assert refusal(registry, name, tmp_path) == f"'{name}' is not the name of an npm package"
    assert registry.asked == []


def test_an_archive_that_is_not_what_was_promised_is_not_opened(registry: Registry, tmp_path: Path) -> None:
    registry.publish("other", {"data.json": b"{}"}, integrity=f"sha512-{base64.b64encode(bytes(64)).decode()}")
    registry.publish("undigested", {"data.json": b"{}"}, integrity="sha1-abc")
    registry.publish("foreign", {"data.json": b"{}"}, tarball="http://127.0.0.1:1/archives/foreign.tgz")
    given = registry.address
    said = "the archive does not have the digest that the registry gives"
    assert refusal(registry, "other", tmp_path) == f"other: {said} ({given})"
    said = "the registry gives no usable digest"
    assert refusal(registry, "undigested", tmp_path) == f"undigested: {said} ({given})"
    said = "the archive lies at another address than the registry's"
    assert refusal(registry, "foreign", tmp_path) == f"foreign: {said} ({given})"
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".json"]


def test_answers_that_are_none_are_told(registry: Registry, tmp_path: Path) -> None:
    registry.answers["/moved/latest"] = (302, b"")
    registry.answers["/text/latest"] = (200, b"<html>")
    registry.answers["/list/latest"] = (200, b"[]")
    registry.publish("empty", {"README.md": b""})
    given = registry.address
    assert refusal(registry, "missing", tmp_path) == f"missing: the registry answered 404 ({given})"
    assert refusal(registry, "moved", tmp_path) == f"moved: the registry answered 302 ({given})"
    assert "/elsewhere" not in registry.asked
    for name in ("text", "list"):
        assert refusal(registry, name, tmp_path) == f"{name}: the registry's answer is no JSON object ({given})"
    assert refusal(registry, "empty", tmp_path) == "empty: the package holds none of arm.json, data.json"


def test_sizes_and_time_are_bounded(registry: Registry, tmp_path: Path) -> None:
    registry.publish("big", {"data.json": b"0" * 100_000})
    given = registry.address
    said = "big: the answer is longer than 10 bytes"
    assert refusal(registry, "big", tmp_path, max_manifest_bytes=10) == f"{said} ({given})"
    assert refusal(registry, "big", tmp_path, max_packed_bytes=10) == f"{said} ({given})"
    said = "big: the archive can't be read: more than 99999 bytes unpacked"
    assert refusal(registry, "big", tmp_path, max_unpacked_bytes=99_999) == said
    registry.answers["/hanging/latest"] = (200, b"{}")
    assert refusal(registry, "hanging", tmp_path, seconds=0.5).startswith("hanging: ")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_nothing_is_written_outside_the_folder(registry: Registry, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    registry.publish("climber", {"../../data.json": b"{}", "/arm.json": b"[]"})
    fetch(registry, "climber", inside)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["arm.json", "data.json"]
    assert not [path for path in tmp_path.iterdir() if path != inside]


def test_a_registry_that_is_away_is_told(tmp_path: Path) -> None:
    with pytest.raises(PackageUnavailable, match=r"^away: .*Connection refused.* \(http://127\.0\.0\.1:1\)$"):
        fetch_packages("away", tmp_path, NpmOptions(registry="http://127.0.0.1:1", seconds=60))


async def test_the_command_fetches_before_it_starts_anything(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A command sets up the logs of its process, which is the test's own here.
    monkeypatch.setattr(importing, "configure_logging", Mock())
    settings = Settings(home=tmp_path / "home", npm_registry=registry.address, npm_seconds=60)
    with pytest.raises(PackageUnavailable, match=r"^bangumi-data: the registry answered 404 "):
        await run_import(settings, ImportRequest("bangumi-data", Path("npm:bangumi-data")), as_json=True)
    assert registry.asked == ["/bangumi-data/latest"]
    with pytest.raises(UsageError, match=r"^PATH: npm:bangumi-data does not exist$"):
        await run_import(settings, ImportRequest("anilist", Path("npm:bangumi-data")), as_json=True)
    assert not (tmp_path / "home").exists()
