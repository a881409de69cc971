"""What of entities a reader wants as JSON, as a tree: frozen, and free of SQL."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

type DatePart = Literal["text", "year", "month", "day", "raw"]
type NamePart = Literal["name", "kind", "language"]
type ExternalIdPart = Literal["source", "kind", "external_id"]
type LinkPart = Literal["relation", "qualifier", "entity_id", "entity_type", "name"]

MAX_MEMBERS = 40
"""How many members an object may have."""

_KEY = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")


class DateOf(StrEnum):
    """A date that may be known in part; the value begins the names of its columns."""

    START = "start"
    END = "end"
    AIR = "air"


@dataclass(frozen=True, slots=True)
class Constant:
    """The same text for every object."""

    text: str

    def __post_init__(self) -> None:
        _check_word(self.text)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column of `entities` or of the detail table of the entity's type. Members of closed sets appear by name."""

    column: str


@dataclass(frozen=True, slots=True)
class DateParts:
    """A date as an object of its parts; null where nothing at all is known."""

    of: DateOf
    members: Mapping[str, DatePart | Constant]


@dataclass(frozen=True, slots=True)
class Names:
    """All names in the order of a card, each an object of its parts."""

    members: Mapping[str, NamePart | Constant]


@dataclass(frozen=True, slots=True)
class ExternalIds:
    """All external ids, each an object of its parts."""

    members: Mapping[str, ExternalIdPart | Constant]


@dataclass(frozen=True, slots=True)
class FarEnd:
    """The whole entity that a link leads to."""

    shape: "EntityShape"


@dataclass(frozen=True, slots=True)
class Links:
    """A page of stored links, most popular far ends first, each an object of its parts.

    `number` tells the page's parameters from others': `first_N`, `offset_N`, and where they are asked for `rels_N`
    (codes, most specific first) and `qualifier_N`. `edges` are followed unless `rels_N` says which.
    """

    number: int
    edges: tuple[EdgeType, ...]
    members: Mapping[str, LinkPart | Constant | FarEnd]
    takes_edges: bool = False
    takes_qualifier: bool = False


@dataclass(frozen=True, slots=True)
class AnimeOfEpisode:
    """The anime that an episode belongs to, as a whole."""

    shape: "EntityShape"


type Member = Constant | Attribute | DateParts | Names | ExternalIds | Links | AnimeOfEpisode


@dataclass(frozen=True, slots=True)
class EntityShape:
    """An entity as an object whose members depend on its type; null for types that are left out.

    Raises ValueError for keys that are no words, and objects of more than MAX_MEMBERS members.
    """

    members: Mapping[EntityType, Mapping[str, Member]]

    def __post_init__(self) -> None:
        for members in self.members.values():
            check_members(members)


def check_members(members: Mapping[str, object]) -> None:
    """Raises ValueError for keys that are no words, or too many of them."""
    if len(members) > MAX_MEMBERS:
        raise ValueError(f"an object of {len(members)} members: at most {MAX_MEMBERS}")
    for key in members:
        _check_word(key)


def _check_word(text: str) -> None:
    """Words go into statements as they are."""
    if not _KEY.fullmatch(text):
        raise ValueError(f"not a word: {text!r}")
