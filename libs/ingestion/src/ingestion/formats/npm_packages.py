"""Dumps that are published as npm packages: fetched from one registry, checked, and bounded in size and time."""

import base64
import hashlib
import json
import re
import ssl
import tarfile
import time
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlsplit

import httpx

from ingestion.errors import PackageUnavailable
from ingestion.formats.json_values import JsonObject, as_object

_NAME = r"(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*"
_PACKAGE = re.compile(rf"(?P<name>{_NAME})(?:@(?P<version>[0-9A-Za-z][\w.-]*))?")
_DUMPS = frozenset({"data.json", "arm.json"})
_CHUNK_BYTES = 64 * 1024
_READ_ERRORS = (tarfile.TarError, OSError, EOFError, zlib.error)


@dataclass(frozen=True, slots=True)
class NpmOptions:
    """Which registry is asked and what may come from it. `seconds` bounds each package, connecting included."""

    registry: str
    seconds: float = 120.0
    max_manifest_bytes: int = 1024 * 1024
    max_packed_bytes: int = 64 * 1024 * 1024
    max_unpacked_bytes: int = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Manifest:
    """Where a package's archive lies, and the SHA-512 digest that it has to have."""

    tarball: str
    digest: bytes


def fetch_packages(packages: str, folder: Path, options: NpmOptions) -> None:
    """Put the dumps of `packages` below `folder`: names with or without `@version`, joined by `+`.

    Blocks on the network: call it in a thread. Redirects, and archives at another address than the registry's, are
    refused; no archive is opened before its digest was checked.

    Raises:
        PackageUnavailable: a name that is none, no answer in time, too much of one, or not what the registry promised.
    """
    for package in packages.split("+"):
        parts = _PACKAGE.fullmatch(package)
        if parts is None:
            raise PackageUnavailable(f"'{package[:100]}' is not the name of an npm package")
        name, version = parts["name"], parts["version"] or "latest"
        _fetch(name, version, folder / name, _Registry(options))


def _fetch(name: str, version: str, folder: Path, registry: "_Registry") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / "package.tgz"
    try:
        with registry.asked_about(name):
            registry.download(_manifest(registry.manifest(name, version), registry), archive)
        found = _unpack(archive, folder, registry.options.max_unpacked_bytes)
    except _READ_ERRORS as error:
        raise PackageUnavailable(f"{name}: the archive can't be read: {error}") from None
    finally:
        archive.unlink(missing_ok=True)
    if not found:
        raise PackageUnavailable(f"{name}: the package holds none of {', '.join(sorted(_DUMPS))}")


def _manifest(answer: JsonObject, registry: "_Registry") -> _Manifest:
    dist = as_object(answer.get("dist")) or {}
    tarball, integrity = str(dist.get("tarball")), str(dist.get("integrity"))
    if _origin(tarball) != _origin(registry.options.registry):
        raise PackageUnavailable("the archive lies at another address than the registry's")
    digest = next((part.removeprefix("sha512-") for part in integrity.split() if part.startswith("sha512-")), "")
    try:
        decoded = base64.b64decode(digest, validate=True)
    except ValueError:
        decoded = b""
    if not decoded:
        raise PackageUnavailable("the registry gives no usable digest")
    return _Manifest(tarball, decoded)


def _origin(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", ""
    return parts.scheme, parts.netloc


class _Registry:
    """Asks one registry about one package within one deadline."""

    def __init__(self, options: NpmOptions) -> None:
        self.options = options
        self._deadline = time.monotonic() + options.seconds

    @contextmanager
    def asked_about(self, name: str) -> Generator[None]:
        """Put the package's name in front of whatever goes wrong."""
        try:
            yield
        except (PackageUnavailable, httpx.HTTPError, httpx.InvalidURL) as error:
            what = str(error) or type(error).__name__
            raise PackageUnavailable(f"{name}: {what} ({self.options.registry})") from None

    def manifest(self, name: str, version: str) -> JsonObject:
        """What the registry says about one version."""
        address = f"{self.options.registry.rstrip('/')}/{quote(name, safe='@')}/{quote(version, safe='')}"
        body = b"".join(self._chunks(address, self.options.max_manifest_bytes))
        try:
            answer: Any = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        manifest = as_object(answer)
        if manifest is None:
            raise PackageUnavailable("the registry's answer is no JSON object")
        return manifest

    def download(self, manifest: _Manifest, target: Path) -> None:
        """Store the archive; one with another digest is an error."""
        digest = hashlib.sha512()
        with target.open("wb") as file:
            for chunk in self._chunks(manifest.tarball, self.options.max_packed_bytes):
                digest.update(chunk)
                file.write(chunk)
        if digest.digest() != manifest.digest:
            raise PackageUnavailable("the archive does not have the digest that the registry gives")

    def _chunks(self, address: str, limit: int) -> Iterator[bytes]:
        """The body of an answer, as long as it is within its size and the deadline."""
        left = self._seconds_left()
        verify = ssl.create_default_context()
        size = 0
        with (
            httpx.Client(timeout=left, follow_redirects=False, trust_env=False, verify=verify) as client,
            client.stream("GET", address, headers={"accept-encoding": "identity"}) as response,
        ):
            if response.status_code != HTTPStatus.OK:
                raise PackageUnavailable(f"the registry answered {response.status_code}")
            for chunk in response.iter_raw():
                size += len(chunk)
                if size > limit:
                    raise PackageUnavailable(f"the answer is longer than {limit} bytes")
                self._seconds_left()
                yield chunk

    def _seconds_left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise PackageUnavailable(f"not done within {self.options.seconds:g} seconds")
        return left


def _unpack(archive: Path, folder: Path, limit: int) -> int:
    """Write the dumps of an archive into `folder` by their own names, wherever they lie in it; returns their number."""
    found, size = 0, 0
    with tarfile.open(archive, "r:gz") as tar:
        for member in tar:
            size += member.size
            if size > limit:
                raise tarfile.TarError(f"more than {limit} bytes unpacked")
            name = Path(member.name).name
            if member.isfile() and name in _DUMPS and (stream := tar.extractfile(member)) is not None:
                _copy(stream, folder / name)
                found += 1
    return found


def _copy(stream: IO[bytes], target: Path) -> None:
    with target.open("wb") as file:
        while chunk := stream.read(_CHUNK_BYTES):
            file.write(chunk)
