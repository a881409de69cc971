"""What is asked of documents, and what comes back."""

from datetime import date
from enum import StrEnum
from typing import Self
from uuid import UUID

from datastore.edges import EdgeType
from pydantic import Field, model_validator
from references.model import ReferenceType

from agent_core.evidence import ChunkEvidence, Contract, EntityRef


class SearchMode(StrEnum):
    """How documents are searched: by meaning, by words, or by both with their ranks fused."""

    DENSE = "dense"
    KEYWORD = "keyword"
    HYBRID = "hybrid"


class DateSpan(Contract):
    """Days, both ends inclusive; an open end is None."""

    first: date | None = None
    last: date | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.first and self.last and self.first > self.last:
            raise ValueError("dates: first must not be after last")
        return self


class DocumentIntent(Contract):
    """A search in the chunks of documents. Empty `documents` and `collections` search all."""

    rationale: str
    query: str = Field(min_length=1, max_length=2_000)
    mode: SearchMode = SearchMode.HYBRID
    documents: tuple[UUID, ...] = Field(default=(), max_length=50)
    collections: tuple[str, ...] = Field(default=(), max_length=50)
    dates: DateSpan | None = Field(default=None, description="Only documents dated in it; undated ones never match.")
    top_k: int = Field(default=10, ge=1, le=50)
    expand: bool = Field(default=False, description="Also look in the documents that the first finds name.")


class LookupIntent(Contract):
    """One document, one of its sections, or a chunk with its neighbours, in reading order.

    A document is given by reference, or by a name that the registry of titles and synonyms resolves.
    """

    rationale: str
    document: EntityRef | None = None
    name: str | None = Field(default=None, max_length=300)
    section: str | None = Field(default=None, max_length=300, description="A number or a heading, e.g. `5` or `Scope`.")
    until: str | None = Field(default=None, max_length=300, description="The last section of a range from `section`.")
    chunk_id: UUID | None = None
    neighbours: int = Field(default=0, ge=0, le=5, description="Chunks before and after `chunk_id`.")
    max_chunks: int = Field(default=20, ge=1, le=100)

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if sum(each is not None for each in (self.document, self.name, self.chunk_id)) != 1:
            raise ValueError("document, name, chunk_id: exactly one is required")
        return self


class FollowIntent(Contract):
    """References to follow, to read where they lead what is said of `query`.

    They stand in `chunks`, or anywhere in `documents` with one of `edges`. Empty `types` and `targets` follow any.
    """

    rationale: str
    query: str = Field(min_length=1, max_length=2_000)
    chunks: tuple[UUID, ...] = Field(default=(), max_length=50)
    documents: tuple[UUID, ...] = Field(default=(), max_length=50)
    edges: tuple[EdgeType, ...] = ()
    types: tuple[ReferenceType, ...] = ()
    targets: tuple[str, ...] = Field(default=(), max_length=50, description="As `PassageReference.target` names them.")
    collections: tuple[str, ...] = Field(default=(), max_length=50)
    depth: int = Field(default=1, ge=1, le=10, description="How many steps away from the start; the server caps it.")

    @model_validator(mode="after")
    def _starts_somewhere(self) -> Self:
        if not self.chunks and not (self.documents and self.edges):
            raise ValueError("chunks, or documents with edges: one is required")
        return self


class PassageReference(Contract):
    """A reference as a document states it, and where it leads.

    `name` is the document that is meant, empty for the very one; `leads_to` is that document where a collection holds
    it. `sentence` is the one that it stands in, empty in the front matter, which has no `chunk_id`.
    """

    document: EntityRef
    chunk_id: UUID | None = None
    type: ReferenceType
    edge: EdgeType | None = None
    text: str = ""
    sentence: str = ""
    name: str = ""
    section: str = ""
    until: str = ""
    leads_to: EntityRef | None = None

    @property
    def target(self) -> str:
        """What is referred to, in one line."""
        section = f"{self.section} – {self.until}" if self.until else self.section
        return " ".join(part for part in (self.name, section) if part)


class Hop(Contract):
    """How a passage was come to: the reference that was followed, and how many steps that is from the start.

    `is_search` says that the passage was found by a search everywhere, for want of the document that is meant.
    """

    reference: PassageReference
    depth: int = Field(ge=1)
    is_search: bool = False


class DocumentHit(Contract):
    """A found chunk. `score` is 0 to 1, comparable between searches with one embedding model."""

    evidence: ChunkEvidence
    score: float = Field(ge=0, le=1)
    via: Hop | None = None
    is_relaxed: bool = Field(default=False, description="It lies outside the dates that were asked for.")


class DocumentResult(Contract):
    """Chunks, best first (a lookup: in reading order), and what stood in the way of more."""

    hits: tuple[DocumentHit, ...] = ()
    searched: tuple[str, ...] = Field(default=(), description="What was searched, in words for the caller.")
    warnings: tuple[str, ...] = ()
    left_out: int = Field(default=0, ge=0, description="Found chunks that are stored otherwise now, or gone.")
    lacks_meaning: bool = Field(default=False, description="The embedding model was away; only words were compared.")
    truncated: bool = False


class Wanted(StrEnum):
    """What kind of thing a sentence must hold to answer a question of a document.

    An account is what is told of something: a sentence that speaks of it, and those that follow.
    """

    ANYTHING = "anything"
    ACCOUNT = "account"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    REASON = "reason"
    PLACE = "place"
    COLOUR = "colour"


class DocumentQuestion(Contract):
    """What is asked of documents, in the words that an answer has to cover.

    `is_explicit` says that the question itself speaks of documents; any other is asked of them only where the catalogue
    knows no answer.
    """

    query: str = Field(min_length=1, max_length=2_000, description="The question without its talk about documents.")
    asked: tuple[str, ...] = Field(default=(), description="Its content words, as written.")
    wanted: Wanted = Wanted.ANYTHING
    relation: str | None = Field(
        default=None, description="The one of `asked` that says what was done; no answer lacks it."
    )
    language: str = Field(default="en", description="By whose endings its words and those of passages are compared.")
    counted: tuple[str, ...] = Field(default=(), description="Words one of which must stand beside a wanted number.")
    dates: DateSpan | None = None
    document: str | None = Field(default=None, max_length=300, description="The name of the document that is asked.")
    is_title: bool = Field(default=False, description="The name stood in quotation marks: no other document is meant.")
    is_described: bool = Field(default=False, description="The name tells what the document is about.")
    follows: tuple[EdgeType, ...] = Field(
        default=(), description="What is asked are the documents to which `document` has one of these edges."
    )
    section: str | None = Field(default=None, max_length=300)
    collections: tuple[str, ...] = Field(default=(), max_length=50)
    top_k: int = Field(default=3, ge=1, le=50, description="How many passages an answer may quote.")
    is_explicit: bool = True
    is_of_entity: bool = Field(
        default=False,
        description="The catalogue knows the entity and not what it is asked for: one sentence has to say all of it.",
    )
    half: str = Field(default="", description="In a question of several parts, the words of this one.")
    others: tuple["DocumentQuestion", ...] = Field(default=(), max_length=2, description="The other parts of it.")

    @property
    def parts(self) -> tuple["DocumentQuestion", ...]:
        """What is asked, part by part; itself where it is one."""
        return (self, *self.others)


class Bands(Contract):
    """The least average scores of the passages behind an answer: what is high, medium and low; below is nothing."""

    high: float = Field(default=0.55, ge=0, le=1)
    medium: float = Field(default=0.40, ge=0, le=1)
    low: float = Field(default=0.25, ge=0, le=1)

    @model_validator(mode="after")
    def _falling(self) -> Self:
        if not self.high >= self.medium >= self.low:
            raise ValueError("bands: high, medium and low must not rise")
        return self
