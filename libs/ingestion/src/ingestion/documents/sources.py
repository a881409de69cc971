"""Files, folders and JSON lines to documents: what is there, what has changed, and what can't be read."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from ingestion.documents.incoming import COLLECTION, IncomingDocument, Origin, incoming
from ingestion.documents.json_documents import JsonDocument
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import ParsedText
from ingestion.documents.readers.docx import read_docx
from ingestion.documents.readers.html import read_html
from ingestion.documents.readers.markdown import read_markdown
from ingestion.documents.readers.pdf import read_pdf
from ingestion.documents.readers.plain import read_plain
from ingestion.documents.readers.restructured import read_restructured
from ingestion.errors import NothingToImport, UnreadableDocument
from ingestion.formats.json_lines import JsonLine, json_lines
from ingestion.formats.protocol import DumpFile, reason_of
from ingestion.report import Place, ReportBuilder

READING_VERSION = 1
"""Goes up when a reader makes something else of the same bytes: then all documents are read again."""

type Reader = Callable[[bytes, DocumentLimits], ParsedText]


@dataclass(frozen=True, slots=True)
class _Kind:
    media_type: str
    read: Reader


def _read_unknown(data: bytes, limits: DocumentLimits) -> ParsedText:
    raise UnreadableDocument("its kind is not one of those that can be read")


_MARKDOWN = _Kind("text/markdown", read_markdown)
_HTML = _Kind("text/html", read_html)
_PLAIN = _Kind("text/plain", read_plain)
_RST = _Kind("text/x-rst", read_restructured)
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_BY_SUFFIX: Mapping[str, _Kind] = {
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".txt": _PLAIN,
    ".text": _PLAIN,
    ".rst": _RST,
    ".pdf": _Kind("application/pdf", read_pdf),
    ".docx": _Kind(_DOCX, read_docx),
}
_BY_FORMAT: Mapping[str, _Kind] = {"text": _PLAIN, "markdown": _MARKDOWN, "rst": _RST, "html": _HTML}
_UNKNOWN = _Kind("application/octet-stream", _read_unknown)
_LINES = (".jsonl", ".jsonl.gz", ".jsonl.zst")


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that is there, `size` bytes of it in memory. `read` makes it, and may raise UnreadableDocument."""

    origin: Origin
    size: int
    read: Callable[[], IncomingDocument]


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
    kind = _BY_SUFFIX.get(PurePosixPath(key.lower()).suffix, _UNKNOWN)
    origin = Origin(reading.collection, key, kind.media_type, PurePosixPath(key).stem, "", place)
    try:
        if file.path.stat().st_size > reading.limits.file_bytes:
            raise UnreadableDocument(f"it is larger than {reading.limits.file_bytes} bytes")
        data = file.path.read_bytes()
    except (OSError, UnreadableDocument) as error:
        yield FoundDocument(origin, 0, partial(_refuse, str(error)))
        return
    builder.file_read()
    origin = replace(origin, source_hash=reading.hash_of(key.encode("utf-8", "replace"), data))
    yield FoundDocument(origin, len(data), partial(_read_file, kind, data, origin, reading.limits))


def _is_document(name: str) -> bool:
    lower = name.lower()
    return lower.endswith(_LINES) or PurePosixPath(lower).suffix in _BY_SUFFIX


def _read_file(kind: _Kind, data: bytes, origin: Origin, limits: DocumentLimits) -> IncomingDocument:
    return incoming(origin, kind.read(data, limits), limits)


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
                origin = Origin(_collection_of(line, reading), subject, _UNKNOWN.media_type, subject, "", line.place)
                yield FoundDocument(origin, 0, partial(_refuse, reason_of(error)))
            continue
        yield _of_line(document, line, reading)


def _refuse(reason: str) -> IncomingDocument:
    raise UnreadableDocument(reason)


def _collection_of(line: JsonLine, reading: Reading) -> str:
    given = line.value.get("collection")
    return given if isinstance(given, str) and COLLECTION.fullmatch(given) else reading.collection


def _of_line(document: JsonDocument, line: JsonLine, reading: Reading) -> FoundDocument:
    kind = _BY_FORMAT[document.format]
    content = document.model_dump_json().encode()
    collection, key = document.collection or reading.collection, document.id
    origin = Origin(collection, key, kind.media_type, key, reading.hash_of(content), line.place)

    def read() -> IncomingDocument:
        if document.text is None:
            parsed = document.joined_sections()
        else:
            parsed = kind.read(document.text.encode(), reading.limits)
        parsed = replace(parsed, fields={**parsed.fields, **document.own_fields()})
        return incoming(origin, parsed, reading.limits)

    return FoundDocument(origin, len(content), read)
