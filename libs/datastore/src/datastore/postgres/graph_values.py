"""What graph reads take and give: which edges to follow, entities met on the way, hops with the rows behind them."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from datastore.edges import DERIVED_EDGES, EDGES, STORED_EDGES, WORK_RELATIONS, EdgeType
from datastore.vocabulary import EntityType

_E = EdgeType


@dataclass(frozen=True, slots=True)
class DerivedRule:
    """How a derived edge runs: from an entity over one of `to_hub` to the hub, on over one of `from_hub`."""

    to_hub: tuple[EdgeType, ...]
    from_hub: tuple[EdgeType, ...]


_WORK_RELATIONS = tuple(sorted(WORK_RELATIONS - {_E.OTHER_RELATION}, key=lambda edge: EDGES[edge].code))

DERIVED_RULES: dict[EdgeType, DerivedRule] = {
    _E.SAME_STUDIO: DerivedRule((_E.PRODUCED_BY,), (_E.PRODUCED,)),
    _E.SHARED_STAFF: DerivedRule((_E.HAS_STAFF,), (_E.STAFF_OF,)),
    _E.SHARED_VOICE_ACTOR: DerivedRule((_E.VOICED_BY,), (_E.VOICES,)),
    _E.SHARES_FRANCHISE: DerivedRule(_WORK_RELATIONS, _WORK_RELATIONS),
    _E.CO_APPEARS: DerivedRule((_E.APPEARS_IN,), (_E.FEATURES,)),
}
"""`shared_voice_actor` and `co_appears` link characters, the others works. Both halves are each other's inverses."""

_RANKED_GROUPS: tuple[tuple[EdgeType, ...], ...] = (
    (_E.CHARACTER_RELATION,),
    _WORK_RELATIONS,
    (_E.APPEARS_IN, _E.FEATURES, _E.EPISODE_OF, _E.HAS_EPISODE),
    (_E.VOICED_BY, _E.VOICES),
    (_E.STAFF_OF, _E.HAS_STAFF),
    (_E.PRODUCED_BY, _E.PRODUCED),
)
EDGE_RANKS: dict[EdgeType, int] = {
    edge: next((rank for rank, group in enumerate(_RANKED_GROUPS) if edge in group), len(_RANKED_GROUPS))
    + (edge in DERIVED_EDGES)
    for edge in EdgeType
}
"""How specific an edge is, 0 first: between chains of equal length the lower sum is the better explanation."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An entity met in the graph. `version` is its row's."""

    id: UUID
    entity_type: EntityType
    name: str
    version: int
    popularity: float


@dataclass(frozen=True, slots=True)
class Link:
    """One stored edge and the truth row it was projected from: row `row_id` of `table`."""

    from_: GraphNode
    edge: EdgeType
    to: GraphNode
    qualifier: str
    table: str
    row_id: int


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop of a chain: a stored edge with its one link, or a derived edge with the two links through its hub."""

    edge: EdgeType
    links: tuple[Link, ...]

    @property
    def from_(self) -> GraphNode:
        """Where the hop starts."""
        return self.links[0].from_

    @property
    def to(self) -> GraphNode:
        """Where the hop ends."""
        return self.links[-1].to

    @property
    def hub(self) -> GraphNode | None:
        """What a derived edge passes through."""
        return self.links[0].to if len(self.links) > 1 else None

    @property
    def length(self) -> int:
        """What the hop counts toward a limit of hops: 1, or 2 for a derived edge."""
        return len(self.links)


Chain = tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class EdgeScope:
    """Which edges a read may follow, and to where. Empty `edges` are all stored edges; years are inclusive.

    `qualifiers` are the roles, relation kinds or languages of which an edge must carry one; empty takes any. Years hold
    works and episodes only; a person or character has none. What `entity_types` and the years restrict is said by each
    read. A derived edge's hub is never restricted by them.
    """

    edges: tuple[EdgeType, ...] = ()
    qualifiers: tuple[str, ...] = ()
    entity_types: tuple[EntityType, ...] = ()
    first_year: int | None = None
    last_year: int | None = None

    @property
    def stored(self) -> tuple[EdgeType, ...]:
        """The stored edges to follow, most specific first."""
        return ranked(STORED_EDGES if not self.edges else STORED_EDGES.intersection(self.edges))

    @property
    def derived(self) -> tuple[EdgeType, ...]:
        """The derived edges to follow."""
        return ranked(DERIVED_EDGES.intersection(self.edges))

    @property
    def is_plain(self) -> bool:
        """Whether stored edges of some types, or of all, are all that it says."""
        return not (self.derived or self.qualifiers or self.entity_types or self.is_dated)

    @property
    def is_dated(self) -> bool:
        """Whether years restrict anything."""
        return self.first_year is not None or self.last_year is not None


def ranked(edges: frozenset[EdgeType]) -> tuple[EdgeType, ...]:
    """Edges in order of preference: most specific first, then by code."""
    return tuple(sorted(edges, key=lambda edge: (EDGE_RANKS[edge], EDGES[edge].code)))


def counterparts(edges: Iterable[EdgeType]) -> frozenset[EdgeType]:
    """What an edge among `edges` can be when it is read from its far end: its inverse, or an edge whose inverse it is.

    `parent_story` stands across both `side_story` and `spin_off`.
    """
    return frozenset(other for edge in edges for other in _COUNTERPARTS[edge])


def mirrors_exactly(edges: Iterable[EdgeType]) -> bool:
    """Whether whatever is the counterpart of these edges is the counterpart of no other."""
    asked = frozenset(edges)
    return counterparts(counterparts(asked)) <= asked


_COUNTERPARTS: dict[EdgeType, frozenset[EdgeType]] = {
    edge: frozenset({EDGES[edge].inverse, *(other for other in STORED_EDGES if EDGES[other].inverse is edge)})
    for edge in EdgeType
}
