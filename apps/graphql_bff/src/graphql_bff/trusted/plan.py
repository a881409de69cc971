"""What a registered operation is compiled to: frozen, with the statements that answer it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from datastore.edges import EdgeType
from datastore.first_page import NameHits
from datastore.postgres.hot import HotStatement

type QualifierKind = Literal["member", "language", "text"]
type HitPart = Literal["entity_type", "id", "name", "matched_name", "matched_kind", "match", "popularity", "version"]


class Unsupported(Exception):
    """An operation, or a part of it, that no plan is made for; the message says which part."""


class Passed(Exception):
    """A request that the fast lane leaves to the reference road; the message says why."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the value of an argument comes from: a variable, else a value that the document holds."""

    variable: str | None
    value: object

    def of(self, variables: Mapping[str, object]) -> object:
        """The value of one request."""
        return self.value if self.variable is None else variables.get(self.variable, self.value)


@dataclass(frozen=True, slots=True)
class LinksPage:
    """A page of links in a statement, with its arguments; `within` is the page that its entity was reached by.

    `chosen` and `qualifier` are None where the field has no such argument.
    """

    number: int
    within: int | None
    edges: tuple[EdgeType, ...]
    first: Source
    offset: Source
    chosen: Source | None
    qualifier: Source | None
    qualifier_kind: QualifierKind


@dataclass(frozen=True, slots=True)
class EntityTree:
    """A statement that reads entities by id with all that hangs on them."""

    statement: HotStatement
    pages: tuple[LinksPage, ...]


@dataclass(frozen=True, slots=True)
class EntitiesRoot:
    """A list of entities by their ids, or the one with an id."""

    ids: Source
    is_list: bool
    tree: EntityTree


@dataclass(frozen=True, slots=True)
class TypeNameRoot:
    """The name of the type that it stands in."""

    name: str


@dataclass(frozen=True, slots=True)
class SearchRoot:
    """Hits of the name lane, each an object of its parts; a tree is the whole entity of a hit.

    `write` makes JSON of hits and of what the trees gave, in order, one text for each hit.
    """

    query: Source
    types: Source
    first: Source
    members: Mapping[str, HitPart | EntityTree | TypeNameRoot]
    trees: tuple[EntityTree, ...]
    write: Callable[[NameHits, Sequence[Sequence[str]]], str]


type Root = EntitiesRoot | SearchRoot | TypeNameRoot


@dataclass(frozen=True, slots=True)
class Plan:
    """How one operation is answered, for one choice of what it includes and skips."""

    roots: Mapping[str, Root]
