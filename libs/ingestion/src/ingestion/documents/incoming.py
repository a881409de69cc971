"""A document that was read and is about to be stored: its names, its date and its text in sections. Pure."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from datastore.identity import ExternalRef
from datastore.vocabulary import NameKind

from ingestion.documents.dates import DocumentDate, date_in_name, read_date
from ingestion.documents.decoding import safe_text
from ingestion.documents.languages import guess_language, language_tag
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import Fields, ParsedText, Section
from ingestion.documents.sections import sections_of
from ingestion.errors import UnreadableDocument
from ingestion.merging import MergedName
from ingestion.report import Place
from ingestion.text import Repairs

KIND = "document"
"""The kind of documents' references, `collection:document:key`."""

COLLECTION = re.compile(r"[a-z0-9_]{1,64}")
"""What a collection may be called."""

_MAX_NAME = 500
_MAX_ALIASES = 50
_MAX_ID = 200
_KEPT_OF_ID = 120
_MAX_FIELDS = 100
_MAX_FIELD = 2_000
_TITLES = ("title", "titel")
_ALIASES = ("aliases", "alias")
_ABBREVIATIONS = ("abbreviation", "jurabk", "short title", "kurztitel")
_DATES = ("date", "effective_date", "effective-date", "published", "issued", "created", "datum", "ausfertigungsdatum")
_LANGUAGES = ("language", "lang", "sprache")
_SOURCES = ("source", "url", "quelle")
_SERIES = re.compile(r"[a-z]{2,10}")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from. `key` is its name in its collection: a path in a folder, or its own id.

    `stem` is what it is called where it has no title; `source_hash` tells whether it has to be read again.
    """

    collection: str
    key: str
    media_type: str
    stem: str
    source_hash: str
    place: Place

    @property
    def ref(self) -> ExternalRef:
        """The reference that claims its entity; long keys are shortened by a hash."""
        external = quote(self.key, safe="/:._-~()")
        if len(external) > _MAX_ID:
            external = f"{external[:_KEPT_OF_ID]}~{hashlib.sha256(self.key.encode()).hexdigest()}"
        return ExternalRef(self.collection, KIND, external)


@dataclass(frozen=True, slots=True)
class IncomingDocument:
    """All that is stored of a document, but its chunks and its references."""

    origin: Origin
    names: tuple[MergedName, ...]
    source_uri: str
    language: str | None
    date: DocumentDate | None
    text: str
    body: int
    sections: tuple[Section, ...]
    fields: Fields
    repairs: Repairs

    @property
    def title(self) -> str:
        """The main name."""
        return self.names[0].name

    @property
    def text_hash(self) -> str:
        """Equal for documents that say the same, whatever they are called."""
        return text_hash(self.text)


def text_hash(text: str) -> str:
    """The hash of a document's or a chunk's text."""
    return hashlib.sha256(text.encode()).hexdigest()


def incoming(origin: Origin, parsed: ParsedText, limits: DocumentLimits) -> IncomingDocument:
    """What is stored of a text that was read.

    Raises:
        UnreadableDocument: it holds no text, or more of something than the limits allow.
    """
    if not parsed.text[parsed.body :].strip():
        raise UnreadableDocument("it holds no text")
    if len(parsed.text) > limits.characters:
        raise UnreadableDocument(f"its text is longer than {limits.characters} characters")
    given = _first(parsed.fields, _LANGUAGES) or parsed.language
    date = _first(parsed.fields, _DATES) or parsed.date
    return IncomingDocument(
        origin=origin,
        names=tuple(_names(origin, parsed)),
        source_uri=_first(parsed.fields, _SOURCES) or origin.key,
        language=language_tag(given) or guess_language(parsed.text[parsed.body :]),
        date=read_date(date) if date else date_in_name(origin.stem),
        text=parsed.text,
        body=parsed.body,
        sections=sections_of(parsed.headings, len(parsed.text), limit=limits.sections),
        fields=_bounded(parsed.fields),
        repairs=parsed.repairs,
    )


def _first(fields: Fields, names: Sequence[str]) -> str | None:
    return next((fields[name][0] for name in names if fields.get(name)), None)


def _names(origin: Origin, parsed: ParsedText) -> Iterator[MergedName]:
    """The title, then the other names: each once, the main one first."""
    fields = parsed.fields
    title = _first(fields, _TITLES) or parsed.title or origin.stem
    kinds: dict[str, NameKind] = {}
    for kind, texts in (
        (NameKind.MAIN, (title,)),
        (NameKind.ABBREVIATION, _all(fields, _ABBREVIATIONS)),
        (NameKind.ALIAS, (*_all(fields, _ALIASES), *_in_series(fields), *((parsed.title,) if parsed.title else ()))),
    ):
        for text in texts:
            if name := " ".join(safe_text(text).value.split())[:_MAX_NAME]:
                kinds.setdefault(name, kind)
    for name, kind in list(kinds.items())[: _MAX_ALIASES + 1]:
        yield MergedName(name, kind, None)


def _all(fields: Fields, names: Sequence[str]) -> Iterator[str]:
    return (value for name in names for value in fields.get(name, ()))


def _in_series(fields: Fields) -> Iterator[str]:
    """`PEP: 8` at the top of a document says that it is called PEP 8."""
    for name, values in list(fields.items())[:1]:
        if _SERIES.fullmatch(name) and len(values) == 1 and values[0].isdecimal():
            yield f"{name.upper()} {int(values[0])}"


def _bounded(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    return {
        name[:_MAX_ID]: tuple(value[:_MAX_FIELD] for value in values)
        for name, values in list(fields.items())[:_MAX_FIELDS]
    }
