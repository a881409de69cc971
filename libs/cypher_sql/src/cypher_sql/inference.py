"""Labels of nodes that a query gives none: what the relationship types at them allow."""

from collections.abc import Iterable

from cypher_sql.relationships import relationship_types
from cypher_sql.schema import RelationshipType
from cypher_sql.scope import Place, pointing_at
from cypher_sql.syntax import Direction, PathPattern, RelationshipPattern


def narrowed_labels(place: Place, patterns: Iterable[PathPattern]) -> dict[str, tuple[str, ...]]:
    """For each unlabelled variable the labels it can have, as far as that is less than all."""
    allowed: dict[str, frozenset[str]] = {}
    for path in patterns:
        for number, relationship in enumerate(path.relationships):
            ends = _ends(place, relationship)
            for node, labels in zip(path.nodes[number : number + 2], ends, strict=True):
                if node.variable is None or labels is None or node.labels:
                    continue
                allowed[node.variable] = allowed.get(node.variable, labels) & labels
    return {name: tuple(sorted(labels)) for name, labels in allowed.items() if labels}


def _ends(place: Place, pattern: RelationshipPattern) -> tuple[frozenset[str] | None, frozenset[str] | None]:
    if not pattern.types or (pattern.length is not None and pattern.length.shortest == 0):
        return None, None
    with pointing_at(pattern):
        types = relationship_types(place.compilation, pattern.types)
    starts, ends = _union(types, "starts"), _union(types, "ends")
    match pattern.direction:
        case Direction.RIGHT:
            return starts, ends
        case Direction.LEFT:
            return ends, starts
        case Direction.EITHER:
            both = None if starts is None or ends is None else starts | ends
            return both, both


def _union(types: Iterable[RelationshipType], side: str) -> frozenset[str] | None:
    found: set[str] = set()
    for each in types:
        labels = each.starts if side == "starts" else each.ends
        if not labels:
            return None
        found.update(labels)
    return frozenset(found)
