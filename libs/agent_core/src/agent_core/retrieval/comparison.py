"""Two cards side by side: their fields, and what both are linked to. Rows only; nothing is inferred."""

from collections.abc import Iterable, Sequence

from datastore.edges import DERIVED_EDGES, STORED_EDGES, EdgeType
from datastore.postgres.entity_cards import EntityCard, WorkDetails
from datastore.postgres.graph_values import DERIVED_RULES, ranked
from datastore.postgres.shared_links import OwnLinks, SharedLink
from datastore.vocabulary import WORK_TYPES

from agent_core.evidence import ComparisonEvidence, FieldDifference, SharedRelation
from agent_core.retrieval.graph_evidence import ref_to
from agent_core.retrieval.rows import PROSE, ref_of, row_fields

_KINDS_OF_WORKS: tuple[tuple[str, EdgeType], ...] = (
    ("characters", EdgeType.FEATURES),
    ("staff", EdgeType.HAS_STAFF),
    ("studios", EdgeType.PRODUCED_BY),
    ("voice actors", EdgeType.SHARED_VOICE_ACTOR),
)
_KINDS_OF_OTHERS: dict[EdgeType, str] = {
    EdgeType.APPEARS_IN: "works both appear in",
    EdgeType.CHARACTER_RELATION: "related characters",
    EdgeType.VOICED_BY: "voice actors",
    EdgeType.VOICES: "characters voiced",
    EdgeType.STAFF_OF: "works both worked on",
    EdgeType.PRODUCED: "works both produced",
}
_SHOWN_OF_A_KIND = 10
SHOWN_OF_ONE_SIDE = 3
"""How many of what only one side has are named."""


def compared_edges(asked: Sequence[EdgeType], left: EntityCard, right: EntityCard) -> tuple[EdgeType, ...]:
    """The edges whose far ends two entities may share. A derived edge stands for the edge to its hub."""
    works = {left.entity_type, right.entity_type} <= WORK_TYPES
    if not asked:
        return (*ranked(STORED_EDGES), *((EdgeType.SHARED_VOICE_ACTOR,) if works else ()))
    edges = {edge for edge in asked if edge not in DERIVED_EDGES}
    for derived in DERIVED_EDGES.intersection(asked):
        keeps_itself = derived is EdgeType.SHARED_VOICE_ACTOR and works
        edges |= {derived} if keeps_itself else set(DERIVED_RULES[derived].to_hub)
    return ranked(frozenset(edges))


def own_edges(edges: Sequence[EdgeType], left: EntityCard, right: EntityCard) -> tuple[EdgeType, ...]:
    """Those of the compared edges that are worth a line on what only one side has."""
    works = {left.entity_type, right.entity_type} <= WORK_TYPES
    named = {edge for _, edge in _KINDS_OF_WORKS} if works else _KINDS_OF_OTHERS.keys()
    return tuple(edge for edge in edges if edge in named and edge not in DERIVED_EDGES)


def comparison_evidence(
    left: EntityCard,
    right: EntityCard,
    shared: Sequence[SharedLink],
    own: Sequence[OwnLinks],
    edges: Sequence[EdgeType],
    *,
    is_whole: bool,
) -> ComparisonEvidence:
    """The comparison of two cards. `is_whole` says that nothing shared was left out, so that "none" may be said."""
    fields = _differences(left, right)
    relations = tuple(
        SharedRelation(edge=link.edge, qualifier=", ".join(link.common_qualifiers), entity=ref_to(link.node))
        for link in shared
    )
    return ComparisonEvidence(
        id=f"compare:{left.id}:{right.id}",
        source="postgresql:entities",
        title=f"{left.name} – {right.name}",
        text="\n".join(
            [*_lines(left, right, fields, relations, edges, is_whole=is_whole), *_own_lines(left, right, own)]
        ),
        content_hash=f"{left.version}:{right.version}",
        locator=f"entities/{left.id}, entities/{right.id}",
        left=ref_of(left),
        right=ref_of(right),
        fields=fields,
        shared=relations,
    )


def _differences(left: EntityCard, right: EntityCard) -> tuple[FieldDifference, ...]:
    """Every field that at least one side knows, prose and names apart, the equal ones too."""
    ours = {field.name: field.value for field in row_fields(left)}
    theirs = {field.name: field.value for field in row_fields(right)}
    names = [name for name in dict.fromkeys([*ours, *theirs]) if name not in PROSE and name != "name"]
    return tuple(FieldDifference(field=name, left=ours.get(name), right=theirs.get(name)) for name in names)


def _lines(
    left: EntityCard,
    right: EntityCard,
    fields: Iterable[FieldDifference],
    relations: Sequence[SharedRelation],
    edges: Sequence[EdgeType],
    *,
    is_whole: bool,
) -> list[str]:
    lines = [f"{left.name} ({left.entity_type}) compared with {right.name} ({right.entity_type})"]
    for field in fields:
        sides = (field.left or "not known", field.right or "not known")
        lines.append(f"{field.field.replace('_', ' ')}: {' / '.join(sides)}")
    lines += _genre_lines(left, right)
    for kind, edge in _kinds(left, right, edges, relations):
        of_kind = [_shown(relation) for relation in relations if relation.edge is edge]
        if of_kind:
            more = len(of_kind) - _SHOWN_OF_A_KIND
            tail = f"; and {more} more" if more > 0 else ""
            lines.append(f"shared {kind}: {'; '.join(of_kind[:_SHOWN_OF_A_KIND])}{tail}")
        elif is_whole:
            lines.append(f"shared {kind}: none in the catalogue")
    return lines


def _own_lines(left: EntityCard, right: EntityCard, own: Sequence[OwnLinks]) -> Iterable[str]:
    kinds = {edge: kind for kind, edge in _KINDS_OF_WORKS} | {
        edge: kind.split(" both ")[0] for edge, kind in _KINDS_OF_OTHERS.items()
    }
    for links in own:
        names = "; ".join(node.name for node in links.nodes)
        more = links.count - len(links.nodes)
        tail = f"; and {more} more" if more > 0 else ""
        yield f"only {(left if links.of_left else right).name}: {kinds[links.edge]}: {names}{tail}"


def _genre_lines(left: EntityCard, right: EntityCard) -> list[str]:
    if not (isinstance(left.details, WorkDetails) and isinstance(right.details, WorkDetails)):
        return []
    common = [genre for genre in left.details.genres if genre in right.details.genres]
    return [f"shared genres: {', '.join(common)}"] if common else []


def _kinds(
    left: EntityCard, right: EntityCard, edges: Sequence[EdgeType], relations: Sequence[SharedRelation]
) -> list[tuple[str, EdgeType]]:
    """What to report on: the usual things of two works even where there are none, else what was found."""
    works = {left.entity_type, right.entity_type} <= WORK_TYPES
    usual = [(kind, edge) for kind, edge in _KINDS_OF_WORKS if works and edge in edges]
    known = {edge for _, edge in usual}
    found = dict.fromkeys(relation.edge for relation in relations if relation.edge not in known)
    return [*usual, *((_KINDS_OF_OTHERS.get(edge, edge.value.replace("_", " ")), edge) for edge in found)]


def _shown(relation: SharedRelation) -> str:
    name = relation.entity.name or str(relation.entity.id)
    return f"{name} ({relation.qualifier.replace('_', ' ')})" if relation.qualifier else name
