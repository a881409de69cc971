"""The steps of a chain: what a question asked, and what the types of its entities make of that."""

from collections.abc import Sequence

from datastore.edges import EDGES, WORK_RELATIONS, EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType, StaffRole

from agent_core.chain.roles import chosen_of, roles_of
from agent_core.evidence import EntityRef
from agent_core.remembering import for_same
from agent_core.schemas import AskedRelation, QueryRewrite, ResolvedMention

_RESULT_TYPE: dict[EdgeType, EntityType | None] = {
    EdgeType.VOICED_BY: EntityType.PERSON,
    EdgeType.VOICES: EntityType.CHARACTER,
    EdgeType.HAS_STAFF: EntityType.PERSON,
    EdgeType.FEATURES: EntityType.CHARACTER,
    EdgeType.CHARACTER_RELATION: EntityType.CHARACTER,
    EdgeType.PRODUCED_BY: EntityType.STUDIO,
    EdgeType.PRODUCED: EntityType.ANIME,
    EdgeType.HAS_EPISODE: EntityType.EPISODE,
    EdgeType.HAS_ADAPTATION: EntityType.ANIME,
    EdgeType.ADAPTATION_OF: EntityType.MANGA,
    EdgeType.STAFF_OF: None,
    EdgeType.APPEARS_IN: None,
}
"""What an edge leads to; None where it may be an anime or a manga. Relations of works keep the type they start from."""


def qualifier_matches(asked: str | None, actual: str) -> bool:
    """Whether an edge's qualifier is one of the asked alternatives; nothing asked matches all."""
    return asked is None or actual.casefold() in asked.casefold().split("|")


_ENDS_IN_NO_WORK = frozenset({EdgeType.VOICES, EdgeType.VOICED_BY, EdgeType.CHARACTER_RELATION, EdgeType.FEATURES})


def targets_of(rewrite: QueryRewrite, resolved: Sequence[ResolvedMention]) -> tuple[EntityRef, ...]:
    """The entities that the chain must lead to. A work is none where the chain can't end in one: it is a place."""
    targets = chosen_of(resolved, roles_of(rewrite).targets)
    return tuple(ref for ref in targets if not _is_place(rewrite, ref))


def places_of(rewrite: QueryRewrite, resolved: Sequence[ResolvedMention]) -> tuple[EntityRef, ...]:
    """The works that only say which credits are meant: `who does X voice in Y`."""
    roles = roles_of(rewrite)
    targets = chosen_of(resolved, roles.targets)
    return (*chosen_of(resolved, roles.scopes), *(ref for ref in targets if _is_place(rewrite, ref)))


def _is_place(rewrite: QueryRewrite, ref: EntityRef) -> bool:
    return ref.entity_type in WORK_TYPES and rewrite.relations[-1].edge in _ENDS_IN_NO_WORK


@for_same
def effective_chain(rewrite: QueryRewrite, resolved: Sequence[ResolvedMention]) -> tuple[AskedRelation, ...]:
    """The chain with the steps that the chosen entity's type makes necessary.

    A work has no voice, its characters have; a person appears nowhere, their characters do; a manga has no studio, its
    adaptations have, and so it is with the anime of an author.
    """
    starts = chosen_of(resolved, roles_of(rewrite).starts)
    if not starts:
        return rewrite.relations
    chain: list[AskedRelation] = []
    current: EntityType | None = starts[0].entity_type
    for relation in rewrite.relations:
        steps = _repaired(relation, current)
        chain.extend(steps)
        current = steps[-1].entity_type or _RESULT_TYPE.get(steps[-1].edge, current) if steps else current
    return tuple(chain) or rewrite.relations


def _repaired(relation: AskedRelation, current: EntityType | None) -> tuple[AskedRelation, ...]:
    repaired = _repaired_credits(relation, current)
    if repaired is None:
        repaired = _repaired_works(relation, current)
    return (relation,) if repaired is None else repaired


def _repaired_credits(relation: AskedRelation, current: EntityType | None) -> tuple[AskedRelation, ...] | None:
    """What was meant by asking for voices, casts and makers of something that has none itself; None: as it was."""
    edge = relation.edge
    if edge is EdgeType.VOICED_BY and current in WORK_TYPES:
        return (AskedRelation(edge=EdgeType.FEATURES), relation)
    if edge in (EdgeType.FEATURES, EdgeType.VOICED_BY) and current is EntityType.PERSON:
        return (AskedRelation(edge=EdgeType.VOICES),)
    if edge is EdgeType.APPEARS_IN and current is EntityType.PERSON:
        return (AskedRelation(edge=EdgeType.VOICES), relation)
    if edge is EdgeType.PRODUCED_BY and current is EntityType.MANGA:
        return (AskedRelation(edge=EdgeType.HAS_ADAPTATION), relation)
    if edge in (EdgeType.HAS_STAFF, EdgeType.PRODUCED_BY) and current in _WORKS_BEHIND:
        return (AskedRelation(edge=_WORKS_BEHIND[current]), relation)
    return None


def _repaired_works(relation: AskedRelation, current: EntityType | None) -> tuple[AskedRelation, ...] | None:
    """What was meant by asking for the works of something that has them by another edge; None: as it was."""
    edge = relation.edge
    if edge is EdgeType.PRODUCED and current is EntityType.PERSON:
        return (relation.model_copy(update={"edge": EdgeType.STAFF_OF}),)
    if edge is EdgeType.STAFF_OF and current is EntityType.STUDIO:
        return (relation.model_copy(update={"edge": EdgeType.PRODUCED, "qualifier": None}),)
    if edge is EdgeType.STAFF_OF and relation.entity_type is EntityType.ANIME and _is_of_authors(relation):
        to_manga = relation.model_copy(update={"entity_type": EntityType.MANGA})
        return (to_manga, AskedRelation(edge=EdgeType.HAS_ADAPTATION, entity_type=EntityType.ANIME))
    if edge is EdgeType.HAS_ADAPTATION and current is EntityType.PERSON:
        authors = f"{StaffRole.AUTHOR}|{StaffRole.ILLUSTRATOR}"
        return (AskedRelation(edge=EdgeType.STAFF_OF, qualifier=authors, entity_type=EntityType.MANGA), relation)
    if edge is EdgeType.APPEARS_IN and relation.entity_type is EntityType.MANGA and current is EntityType.ANIME:
        # `the manga that X is from`
        return (relation.model_copy(update={"edge": EdgeType.ADAPTATION_OF, "qualifier": None}),)
    if edge is EdgeType.STAFF_OF and relation.entity_type is EntityType.MANGA and current is EntityType.MANGA:
        return ()
    if edge in (EdgeType.STAFF_OF, EdgeType.PRODUCED) and current in WORK_TYPES:
        other = _to_other_works(relation.entity_type, current)
        return (relation.model_copy(update={"edge": other, "qualifier": None}),)
    return None


def _is_of_authors(relation: AskedRelation) -> bool:
    """Whether only the makers of printed works are meant, whose anime are adaptations."""
    roles = set((relation.qualifier or "").split("|"))
    return bool(roles) and roles.issubset({StaffRole.AUTHOR, StaffRole.ILLUSTRATOR})


_WORKS_BEHIND: dict[EntityType | None, EdgeType] = {
    EntityType.CHARACTER: EdgeType.APPEARS_IN,
    EntityType.STUDIO: EdgeType.PRODUCED,
    EntityType.PERSON: EdgeType.STAFF_OF,
}
"""Who made something is asked of works; this leads to the works of what is none."""


def _to_other_works(wanted: EntityType | None, current: EntityType | None) -> EdgeType:
    """What leads from a work to `its` manga, anime or films."""
    if wanted is EntityType.MANGA and current is EntityType.ANIME:
        return EdgeType.ADAPTATION_OF
    if wanted is EntityType.ANIME and current is EntityType.MANGA:
        return EdgeType.HAS_ADAPTATION
    return EdgeType.SHARES_FRANCHISE


_KINDRED: dict[EdgeType, tuple[EdgeType, ...]] = {
    EdgeType.SPIN_OFF: (EdgeType.SPIN_OFF, EdgeType.SIDE_STORY),
    EdgeType.PARENT_STORY: (EdgeType.PARENT_STORY, EdgeType.FULL_STORY),
    EdgeType.SHARES_FRANCHISE: (
        *sorted(WORK_RELATIONS, key=lambda edge: EDGES[edge].code),
        EdgeType.SHARES_FRANCHISE,
    ),
}
"""Edges that answer for another: sources call a spin-off a side story, and a franchise is every relation of works."""


def kindred(edge: EdgeType) -> tuple[EdgeType, ...]:
    """The edges that count as this one."""
    return _KINDRED.get(edge, (edge,))
