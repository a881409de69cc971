"""Trusted documents: those that ship with this package, and an operator's own, known by their text and its SHA-256."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import cast

_SUFFIX = ".graphql"


class UnreadableDocuments(Exception):
    """The place of the trusted documents can't be read as such; the message says what is wrong."""


def shipped_documents() -> dict[str, str]:
    """The operations of the README and of this project's own pages, by the SHA-256 of their text."""
    folder = files("graphql_bff.trusted") / "documents"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))
    return _by_hash((folder / name).read_text(encoding="utf-8") for name in names)


def read_documents(place: Path) -> dict[str, str]:
    """The documents of a folder (`*.graphql`), or of a manifest (`{"SHA-256 in hex": "text", …}` as JSON).

    Raises:
        UnreadableDocuments: There is no such place, it is no manifest, or a hash in it isn't that of its text.
    """
    try:
        if place.is_dir():
            return _by_hash(path.read_text(encoding="utf-8") for path in sorted(place.glob(f"*{_SUFFIX}")))
        return dict(_checked(json.loads(place.read_text(encoding="utf-8"))))
    except OSError as exc:
        raise UnreadableDocuments(f"{place}: {exc.strerror}") from exc
    except ValueError as exc:
        raise UnreadableDocuments(f"{place}: {exc}") from exc


def _by_hash(texts: Iterable[str]) -> dict[str, str]:
    return {sha256(text.encode()).hexdigest(): text for text in map(_stripped, texts)}


def _checked(manifest: object) -> Iterator[tuple[str, str]]:
    if not isinstance(manifest, dict):
        raise ValueError("must be a JSON object")
    for key, text in cast("Mapping[str, object]", manifest).items():
        if not isinstance(text, str) or sha256(text.encode()).hexdigest() != key.removeprefix("sha256:").lower():
            raise ValueError(f"{key} is not the SHA-256 of its text")
        yield key.removeprefix("sha256:").lower(), text


def _stripped(text: str) -> str:
    """Without the line end that editors put at the end of a file."""
    return text.rstrip("\n")
