"""Evidence: what was read, where, and the exact text that stages and people are shown."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from pydantic import BaseModel, ConfigDict, Field, JsonValue


class Contract(BaseModel):
    """What every contract shares: frozen, and no field beside the declared ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, object] | None = None, deep: bool = False) -> Self:
        """As pydantic's, which copies what contracts don't have, too."""
        if deep:
            return super().model_copy(update=update, deep=True)
        made = object.__new__(type(self))
        object.__setattr__(made, "__dict__", {**self.__dict__, **(update or {})})
        _set_fields(made, self.__pydantic_fields_set__ | (update or {}).keys())
        _set_extra(made, None)
        _set_private(made, None)
        return made

    @classmethod
    def trusted(cls, **fields: object) -> Self:
        """One of values that this code made: every field, in the declared order, of its type. Nothing is checked.

        For what each run makes many of; what comes from outside is validated.
        """
        made = object.__new__(cls)
        object.__setattr__(made, "__dict__", fields)
        _set_fields(made, set(fields))
        _set_extra(made, None)
        _set_private(made, None)
        return made


_set_fields, _set_extra, _set_private = (
    BaseModel.__dict__[slot].__set__
    for slot in ("__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)
"""Pydantic's own slots, written at once: by name each write costs as much as the check of a field."""


class EntityRef(Contract):
    """One entity. `name` is filled by code from the catalogue at finalize and ignored on input."""

    entity_type: EntityType
    id: UUID
    name: str | None = None

    @property
    def key(self) -> tuple[EntityType, UUID]:
        """What makes two references the same, whatever name they carry."""
        return (self.entity_type, self.id)


class FieldValue(Contract):
    """One field of a row as shown to people, e.g. `episodes` = `26`."""

    name: str
    value: str


class PathStep(Contract):
    """One hop. `direction` is `out` when the stored truth row reads from `from_` to `to`."""

    from_: EntityRef
    rel: EdgeType
    to: EntityRef
    direction: Literal["out", "in"] = "out"
    qualifier: str = ""
    evidence_id: str
    hub: EntityRef | None = Field(default=None, description="The entity a derived edge passes through.")


class GraphPath(Contract):
    """A chain of hops; each hop starts where the one before it ended."""

    steps: tuple[PathStep, ...] = Field(min_length=1)

    @property
    def nodes(self) -> tuple[EntityRef, ...]:
        """All entities in order, ends included."""
        return (self.steps[0].from_, *(step.to for step in self.steps))


class EvidenceBase(Contract):
    """What all evidence carries. `text` is exactly what stages and people are shown."""

    id: str
    source: str = Field(description="Where it was read, e.g. `postgresql:anime`.")
    title: str
    text: str
    row_version: int | None = None
    content_hash: str | None = None
    locator: str = Field(default="", description="The row or place inside the source.")


class SourcedValue(Contract):
    """A value, and the source that says so."""

    source: str
    value: str


class FieldConflict(Contract):
    """A field in which sources contradict each other: the value that the row shows, and those that differ."""

    field: str
    shown: SourcedValue
    others: tuple[SourcedValue, ...] = ()


def absent_field(edge: EdgeType) -> str:
    """The field in which the row of a document names what it refers to and no collection holds."""
    return f"{edge}, not in the collection"


class EntityRowEvidence(EvidenceBase):
    """One catalogue row, field by field."""

    kind: Literal["entity_row"] = "entity_row"
    entity: EntityRef
    names: tuple[str, ...] = ()
    fields: tuple[FieldValue, ...] = ()
    # Callers are told by warnings, of what their question touches.
    conflicts: tuple[FieldConflict, ...] = Field(default=(), exclude=True)


class PathEvidence(EvidenceBase):
    """A chain of one or more edges, each with its row."""

    kind: Literal["path"] = "path"
    path: GraphPath


class FieldDifference(Contract):
    """One field of two rows; None where a side does not know."""

    field: str
    left: str | None = None
    right: str | None = None


class SharedRelation(Contract):
    """An entity that both sides of a comparison are linked to, and how."""

    edge: EdgeType
    qualifier: str = ""
    entity: EntityRef


class ComparisonEvidence(EvidenceBase):
    """Two rows side by side."""

    kind: Literal["comparison"] = "comparison"
    left: EntityRef
    right: EntityRef
    fields: tuple[FieldDifference, ...] = ()
    shared: tuple[SharedRelation, ...] = ()


PICTURES_SOURCE = "qdrant:image"
"""The source of the ranked list of a search by picture."""

SAME, ALIKE = "the same picture", "a similar picture"
"""Bands of likeness, as the entries of that list give them for a reason. `SAME` may be cropped, mirrored or paler."""


class RankedEntry(Contract):
    """One place of a ranked list."""

    entity: EntityRef
    score: float
    reason: str = ""


class RankedListEvidence(EvidenceBase):
    """A ranked list: order and reason, not a total."""

    kind: Literal["ranked_list"] = "ranked_list"
    entries: tuple[RankedEntry, ...]


class QueryResultEvidence(EvidenceBase):
    """A query that ran: its text, parameters, row count, sample rows and the data's date.

    With `has_more` there may be more rows than `row_count`: the query cut them, or they are too many to count.
    """

    kind: Literal["query_result"] = "query_result"
    query: str
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    row_count: int
    has_more: bool = False
    columns: tuple[str, ...] = ()
    sample: tuple[tuple[JsonValue, ...], ...] = ()
    entities: tuple[EntityRef, ...] = ()
    truncated: bool = False
    data_date: datetime | None = None


class ChunkEvidence(EvidenceBase):
    """A piece of a document. Offsets are code points of the stored text, half-open: `text` is what stands there.

    `title` is the document's, `locator` its section; `date` is as precise as the document gives it, e.g. `2024-03`.
    `reached_by` is the reference that led here, where one was followed, and the document that it stands in.
    """

    kind: Literal["chunk"] = "chunk"
    document: EntityRef
    chunk_id: UUID
    start_offset: int
    end_offset: int
    position: int = 0
    section: str | None = None
    date: str | None = None
    collection: str = ""
    reached_by: str = ""


class WebPageEvidence(EvidenceBase):
    """A page of the web: untrusted."""

    kind: Literal["web_page"] = "web_page"
    url: str


Evidence = Annotated[
    EntityRowEvidence
    | PathEvidence
    | ComparisonEvidence
    | RankedListEvidence
    | QueryResultEvidence
    | ChunkEvidence
    | WebPageEvidence,
    Field(discriminator="kind"),
]


def entities_of(evidence: Evidence) -> tuple[EntityRef, ...]:
    """Every entity that an evidence is about, in reading order, each once."""
    match evidence:
        case EntityRowEvidence():
            found = [evidence.entity]
        case PathEvidence():
            steps = evidence.path.steps
            found = [
                steps[0].from_,
                *[step.to for step in steps],
                *[step.hub for step in steps if step.hub is not None],
            ]
        case ComparisonEvidence():
            found = [evidence.left, evidence.right, *(shared.entity for shared in evidence.shared)]
        case RankedListEvidence():
            found = [entry.entity for entry in evidence.entries]
        case QueryResultEvidence():
            found = list(evidence.entities)
        case ChunkEvidence():
            found = [evidence.document]
        case WebPageEvidence():
            found = []
    if len(found) == 1 or (len(found) == 2 and found[0].id != found[1].id):
        # Nearly all evidence: a row, or one edge.
        return tuple(found)
    unique: dict[tuple[EntityType, UUID], EntityRef] = {}
    for ref in found:
        unique.setdefault(ref.key, ref)
    return tuple(unique.values())
