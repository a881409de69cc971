"""What a dump format promises, and the steps that all formats share: finding files, reading JSON, building records."""

import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, NoReturn, Protocol, cast

import zstandard
from datastore.dates import PartialDate
from pydantic import ValidationError

from ingestion.errors import NothingToImport, UnreadableInput
from ingestion.name_repair import repair_names
from ingestion.records import RECORD_ADAPTER, AnyEntity, AnyLink
from ingestion.report import Place, RepairKind, ReportBuilder
from ingestion.text import Cleaned, Repairs, clean_values, may_need_cleaning, plain_prose

_DATE_FIELDS = ("start", "end", "air_date")
_INSTANT = re.compile(r"\s*\d{4}-\d{2}-\d{2}[T ]\d{2}")
_PROSE_FIELDS = ("synopsis", "description", "note")

UNPACKING_ERRORS = (OSError, EOFError, zlib.error, zstandard.ZstdError)
"""What reading a file of a dump can raise."""


@dataclass(frozen=True, slots=True)
class Located:
    """A record and where it was read.

    A complete record stands for all its source says about the entity: what it leaves empty is empty. A partial one
    speaks only of the fields that it sets. `source` is set where the dump itself says whose word the record is.
    """

    record: AnyEntity | AnyLink
    place: Place | None = None
    is_partial: bool = False
    source: str | None = None


class CatalogueFormat(Protocol):
    """Reads one kind of dump, a file or a folder of files, as a stream of records."""

    @property
    def name(self) -> str:
        """The word for this format on the command line."""
        ...

    def read(self, path: Path, builder: ReportBuilder) -> Iterator[Located]:
        """Yield every record that is valid and report everything else to `builder`.

        Blocks on files: call it in a thread.

        Raises:
            NothingToImport: `path` is neither a file nor a folder.
        """
        ...


@dataclass(frozen=True, slots=True)
class DumpFile:
    """A file of a dump and the name that reports use for it: its path below the imported one."""

    path: Path
    name: str

    def open_bytes(self) -> IO[bytes]:
        """The file's bytes as a stream, unpacked when the name ends in `.gz` or `.zst`."""
        match self.path.suffix:
            case ".gz":
                return cast("IO[bytes]", gzip.open(self.path, "rb"))
            case ".zst":
                unpacked = zstandard.ZstdDecompressor().stream_reader(
                    self.path.open("rb"), read_across_frames=True, closefd=True
                )
                return io.BufferedReader(cast("io.RawIOBase", unpacked))
            case _:
                return self.path.open("rb")


def dump_files(path: Path, suffixes: tuple[str, ...]) -> Sequence[DumpFile]:
    """`path` itself, or the files below it with one of `suffixes`, in the order of their names.

    Raises:
        NothingToImport: there is nothing at `path`.
    """
    if path.is_file():
        return (DumpFile(path, path.name),)
    if not path.is_dir():
        raise NothingToImport(f"there is no file or folder at {path}")
    found = sorted(file for file in path.rglob("*") if file.is_file() and file.name.endswith(suffixes))
    return tuple(DumpFile(file, file.relative_to(path).as_posix()) for file in found)


def load_json(data: bytes) -> Cleaned[Any]:
    """Parse one JSON value and make its texts safe; invalid UTF-8 becomes U+FFFD and counts as such.

    Raises:
        UnreadableInput: no JSON, NaN or infinity, or nested or sized beyond reason.
    """
    try:
        text, invalid = data.decode("utf-8-sig"), 0
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", errors="replace")
        invalid = text.count("\N{REPLACEMENT CHARACTER}")
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
        cleaned = clean_values(value) if may_need_cleaning(text) else Cleaned(value, Repairs())
    except RecursionError:
        raise UnreadableInput("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise UnreadableInput(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except ValueError as error:
        raise UnreadableInput(f"not usable JSON: {error}") from None
    return Cleaned(cleaned.value, cleaned.repairs + Repairs(invalid_utf8=invalid))


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


class RecordFactory:
    """Makes records of raw fields, and reports those that can't be made.

    The one way from any format to a record: whatever a reader passes in, the texts of a record are safe to hash, store
    and embed, its descriptions plain text and its names names.
    """

    def __init__(self, builder: ReportBuilder) -> None:
        self._builder = builder

    def build(self, raw: Mapping[str, Any], place: Place, *, is_partial: bool = False) -> Located | None:
        """The record, or None when it was refused; a date that can't be read is kept as text and reported."""
        raw = self._repaired(raw, place)
        try:
            record = RECORD_ADAPTER.validate_python(raw)
        except ValidationError as error:
            self._builder.record_refused(reason_of(error, is_union=True), place=place, subject=subject_of(raw))
            return None
        self._builder.record_read(record.record)
        for name in _DATE_FIELDS:
            text = getattr(record, name, None)
            if text is not None and PartialDate.parse(text) is None:
                self._builder.repaired(RepairKind.UNREADABLE_DATE, place=place, subject=subject_of(raw))
        return Located(record, place, is_partial)

    def _repaired(self, raw: Mapping[str, Any], place: Place) -> dict[str, Any]:
        cleaned = clean_values(dict(raw))
        fields: dict[str, Any] = cleaned.value
        found = Counter(dict(cleaned.repairs.by_kind()))
        for name in _PROSE_FIELDS:
            given = fields.get(name)
            if isinstance(given, str) and (plain := plain_prose(given)) != given:
                fields[name] = plain
                found[RepairKind.HTML_MADE_PLAIN] += 1
        if isinstance(names := fields.get("names"), list | tuple):
            repaired = repair_names(cast("Sequence[Any]", names))
            fields["names"] = repaired.names
            found.update(repaired.repairs)
        for name in _DATE_FIELDS:
            if isinstance(given := fields.get(name), str) and (day := day_of_instant(given)) is not None:
                fields[name] = day
                found[RepairKind.INSTANT_MADE_DATE] += 1
        for kind, count in sorted(found.items()):
            self._builder.repaired(kind, count=count, place=place, subject=subject_of(fields))
        return fields


def day_of_instant(text: str) -> str | None:
    """The day in UTC of a date with a time; without a zone the time is UTC. None for every other text."""
    if _INSTANT.match(text) is None:
        return None
    try:
        instant = datetime.fromisoformat(text.strip())
        return (instant if instant.tzinfo is None else instant.astimezone(UTC)).date().isoformat()
    except (ValueError, OverflowError):
        return None


def subject_of(raw: Mapping[str, Any]) -> str | None:
    """How a report names a raw record: its reference, or the references at the ends of a link."""
    if "ref" in raw:
        return str(raw["ref"])[:200]
    ends = [str(raw[end])[:200] for end in ("from", "person", "studio", "character", "work", "to") if raw.get(end)]
    return " - ".join(ends) or None


def reason_of(error: ValidationError, *, is_union: bool = False, limit: int = 5) -> str:
    """Each wrong field with what is wrong about it, at most `limit` of them.

    With `is_union` the first part of each location is the name of a union's member, and left out.
    """
    details = error.errors(include_url=False, include_context=False, include_input=False)
    parts = [_detail(detail["loc"][is_union:], detail["msg"]) for detail in details[:limit]]
    more = f"; and {len(details) - limit} more" if len(details) > limit else ""
    return "; ".join(parts) + more


def _detail(location: tuple[int | str, ...], message: str) -> str:
    text = message.removeprefix("Value error, ")
    return f"{'.'.join(str(part) for part in location)}: {text}" if location else text
