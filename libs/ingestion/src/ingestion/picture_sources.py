"""Where the pictures of entities are: a folder whose paths are references, or lines of references and places."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from datastore.identity import ExternalRef, parse_ref

from ingestion.errors import NothingToImport

KINDS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp"})
_MAX_LINE = 10_000


@dataclass(frozen=True, slots=True)
class PictureSource:
    """One entity's picture: a file, or an http or https URL. `where` names it for a report."""

    where: str
    ref: ExternalRef
    place: Path | str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A picture that was not taken, and why."""

    where: str
    reason: str


def picture_sources(path: Path) -> Iterator[PictureSource | LeftOut]:
    """What `path` names: FOLDER/source/kind/id.png, or a file of lines `{"ref": "source:kind:id", "image": PLACE}`.

    A place that is no URL is a file, seen from the folder of the lines. Other files in a folder are passed over.

    Raises:
        NothingToImport: there is nothing at the path, or no picture in the folder.
    """
    if path.is_dir():
        files = sorted(each for each in path.glob("*/*/*") if each.suffix.casefold() in KINDS)
        if not files:
            raise NothingToImport(f"{path}: holds no picture; they are named SOURCE/KIND/ID.png, .jpg and so on")
        return (_of_file(path, each) for each in files)
    if not path.is_file():
        raise NothingToImport(f"{path}: does not exist")
    return _of_lines(path)


def _of_file(folder: Path, file: Path) -> PictureSource | LeftOut:
    source, kind, _ = file.relative_to(folder).parts
    where = str(file.relative_to(folder))
    try:
        return PictureSource(where, parse_ref(f"{source}:{kind}:{file.stem}"), file)
    except ValueError:
        return LeftOut(where, "its path is no reference: source/kind/id")


def _of_lines(path: Path) -> Iterator[PictureSource | LeftOut]:
    with path.open("rb") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(_MAX_LINE + 1), b""), start=1):
            if line.strip():
                yield _of_line(path.parent, f"line {number}", line)


def _of_line(folder: Path, where: str, line: bytes) -> PictureSource | LeftOut:
    try:
        if len(line) > _MAX_LINE:
            raise ValueError
        read = json.loads(line)
        fields = cast("dict[str, object]", read) if isinstance(read, dict) else {}
        ref, place = parse_ref(str(fields["ref"])), str(fields["image"])
    except (ValueError, KeyError, RecursionError):
        return LeftOut(where, 'no object with "ref" (source:kind:id) and "image" (a file or a URL)')
    return PictureSource(f"{where}, {ref}", ref, place if "://" in place else folder / place)
