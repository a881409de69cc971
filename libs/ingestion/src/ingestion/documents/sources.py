"""Files, folders and JSON lines to documents: what is there, what has changed, and what can't be read."""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from ingestion.documents.incoming import COLLECTION, IncomingDocument, Origin, incoming
from ingestion.documents.json_documents import JsonDocument
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import Fields, ParsedText
from ingestion.documents.reading import DOCX, HTML, MARKDOWN, PDF, PLAIN, RST, DocumentReader
from ingestion.errors import NothingToImport, UnreadableDocument
from ingestion.formats.json_lines import JsonLine, json_lines
from ingestion.formats.protocol import DumpFile, reason_of
from ingestion.report import Place, ReportBuilder

READING_VERSION = 1
"""Goes up when a reader makes something else of the same bytes: then all documents are read again."""

_BY_SUFFIX: Mapping[str, str] = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".txt": PLAIN,
    ".text": PLAIN,
    ".rst": RST,
    ".pdf": PDF,
    ".docx": DOCX,
}
_BY_FORMAT: Mapping[str, str] = {"text": PLAIN, "markdown": MARKDOWN, "rst": RST, "html": HTML}
_UNKNOWN = "application/octet-stream"
_LINES = (".jsonl", ".jsonl.gz", ".jsonl.zst")


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that is there, `size` bytes of it in memory.

    `data` is what a reader makes its text of, unless it is `parsed` already; `fields` go before those of the text. With
    a `refusal` there is neither.
    """

    origin: Origin
    size: int
    data: bytes = b""
    parsed: ParsedText | None = None
    fields: Fields = field(default_factory=dict[str, tuple[str, ...]])
    refusal: str | None = None

    async def read(self, reader: DocumentReader, limits: DocumentLimits) -> IncomingDocument:
        """What is stored of it. Raises UnreadableDocument."""
        if self.refusal is not None:
            raise UnreadableDocument(self.refusal)
        parsed = self.parsed or await reader.read(self.origin.media_type, self.data, limits)
        if self.fields:
            parsed = replace(parsed, fields={**parsed.fields, **self.fields})
        return await asyncio.to_thread(incoming, self.origin, parsed, limits)


@dataclass(frozen=True, slots=True)
class Reading:
    """How documents are read: the collection of those that name none, and what their hash has to tell apart."""

    collection: str
    limits: DocumentLimits
    chunking: str

    def hash_of(self, *parts: bytes) -> str:
        """The hash of what was read, and of how."""
        digest = hashlib.sha256(f"{READING_VERSION}\n{self.chunking}\n".encode())
        for part in parts:
            digest.update(b"%d:" % len(part) + part)
        return digest.hexdigest()


def document_files(path: Path, builder: ReportBuilder) -> list[DumpFile]:
    """The files of documents at `path`, a file or a folder, in the order of their names.

    Hidden files, links and files of other kinds are left out; links, for they may lead out of the folder.

    Raises:
        NothingToImport: there is no file or folder at `path`.
    """
    if path.is_file():
        return [DumpFile(path, path.name)]
    if not path.is_dir():
        raise NothingToImport(f"there is no file or folder at {path}")
    files: list[DumpFile] = []
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if any(part.startswith(".") for part in PurePosixPath(name).parts) or file.is_dir():
            continue
        if file.is_symlink():
            builder.not_imported("symbolic_link")
        elif _is_document(name):
            files.append(DumpFile(file, name))
        else:
            builder.not_imported("other_file")
    return files


def find_documents(file: DumpFile, reading: Reading, builder: ReportBuilder) -> Iterator[FoundDocument]:
    """The documents of one file; what can't be read is refused by name. Blocks on the file."""
    if file.name.lower().endswith(_LINES):
        yield from _in_lines(file, reading, builder)
        return
    place, key = Place(file=file.name), file.name
    media_type = _BY_SUFFIX.get(PurePosixPath(key.lower()).suffix)
    origin = Origin(reading.collection, key, media_type or _UNKNOWN, PurePosixPath(key).stem, "", place)
    if media_type is None:
        yield FoundDocument(origin, 0, refusal="its kind is not one of those that can be read")
        return
    try:
        if file.path.stat().st_size > reading.limits.file_bytes:
            raise UnreadableDocument(f"it is larger than {reading.limits.file_bytes} bytes")
        data = file.path.read_bytes()
    except (OSError, UnreadableDocument) as error:
        yield FoundDocument(origin, 0, refusal=str(error))
        return
    builder.file_read()
    origin = replace(origin, source_hash=reading.hash_of(key.encode("utf-8", "replace"), data))
    yield FoundDocument(origin, len(data), data)


def _is_document(name: str) -> bool:
    lower = name.lower()
    return lower.endswith(_LINES) or PurePosixPath(lower).suffix in _BY_SUFFIX


def _in_lines(file: DumpFile, reading: Reading, builder: ReportBuilder) -> Iterator[FoundDocument]:
    for line in json_lines(file, builder, max_bytes=reading.limits.file_bytes):
        subject = str(line.value.get("id", ""))[:200] or None
        line.report_repairs(builder, subject)
        try:
            document = JsonDocument.model_validate(line.value)
        except ValidationError as error:
            if subject is None:
                builder.record_refused(reason_of(error), place=line.place)
            else:
                origin = Origin(_collection_of(line, reading), subject, _UNKNOWN, subject, "", line.place)
                yield FoundDocument(origin, 0, refusal=reason_of(error))
            continue
        yield _of_line(document, line, reading)


def _collection_of(line: JsonLine, reading: Reading) -> str:
    given = line.value.get("collection")
    return given if isinstance(given, str) and COLLECTION.fullmatch(given) else reading.collection


def _of_line(document: JsonDocument, line: JsonLine, reading: Reading) -> FoundDocument:
    content = document.model_dump_json().encode()
    collection, key = document.collection or reading.collection, document.id
    media_type = _BY_FORMAT[document.format]
    origin = Origin(collection, key, media_type, key, reading.hash_of(content), line.place)
    found = FoundDocument(origin, len(content), fields=document.own_fields())
    if document.text is None:
        return replace(found, parsed=document.joined_sections())
    return replace(found, data=document.text.encode())
