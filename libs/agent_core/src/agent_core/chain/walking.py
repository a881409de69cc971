"""How far evidence has walked a chain: what each step reached, by what, and what is still unread."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from datastore.edges import EDGES, STORED_EDGES, EdgeType
from datastore.vocabulary import EntityType, StaffRole

from agent_core.chain.roles import chosen_of, roles_of
from agent_core.chain.steps import effective_chain, kindred, places_of, qualifier_matches
from agent_core.evidence import EntityRef, EntityRowEvidence, Evidence, PathEvidence, PathStep
from agent_core.protocols import StepOutcome
from agent_core.remembering import for_same
from agent_core.schemas import (
    AskedRelation,
    GraphIntent,
    GraphQueryType,
    QueryRewrite,
    ResolvedMention,
    SearchIntent,
    StepStatus,
)

MAX_FRONTIER = 12

_DETOURS: dict[tuple[EdgeType, str], EdgeType] = {
    (EdgeType.HAS_STAFF, StaffRole.AUTHOR): EdgeType.ADAPTATION_OF,
    (EdgeType.HAS_STAFF, StaffRole.ILLUSTRATOR): EdgeType.ADAPTATION_OF,
}
"""Where a relation may be looked for one edge away: the author of an anime is the author of what it adapts."""

IN_ORDER = frozenset(
    {
        f"{StaffRole.AUTHOR}|{StaffRole.WRITER}|{StaffRole.SERIES_COMPOSER}",
        f"{StaffRole.ILLUSTRATOR}|{StaffRole.AUTHOR}",
    }
)
"""Qualifiers whose alternatives stand in order of preference: who wrote the scripts is asked only where nobody is the
author. The alternatives of any other qualifier are all meant."""

_CREDITED_IN_WORKS = frozenset({EdgeType.VOICED_BY, EdgeType.VOICES})
"""Edges whose evidence names the work that the credit is for."""

_READ = frozenset({StepStatus.OK, StepStatus.EMPTY})


@dataclass(frozen=True, slots=True)
class Used:
    """A step that the chain uses, and the evidence that holds it."""

    step: PathStep
    evidence_id: str
    text: str
    is_stated: bool = True


@dataclass(frozen=True, slots=True)
class Unread:
    """Edges of an entity that have yet to be read. A qualifier narrows what was too much to read whole."""

    entity: EntityRef
    edges: tuple[EdgeType, ...]
    qualifier: str | None = None


@dataclass(slots=True)
class Layer:
    """One step of the chain: what was reached, by which evidence, what is unread, and whether all else was read.

    `unread_rows` are entities whose row has yet to tell whether they are meant.
    """

    relation: AskedRelation
    reached: tuple[EntityRef, ...] = ()
    used: list[Used] = field(default_factory=list[Used])
    unread: list[Unread] = field(default_factory=list[Unread])
    unread_rows: list[EntityRef] = field(default_factory=list[EntityRef])
    is_complete: bool = True


@for_same
def walks(
    rewrite: QueryRewrite,
    resolved: Sequence[ResolvedMention],
    evidence: Sequence[Evidence],
    outcomes: Sequence[StepOutcome] = (),
) -> tuple[tuple[Layer, ...], ...]:
    """The chain walked from each start that was resolved: a layer for every step of the effective chain."""
    chain = effective_chain(rewrite, resolved)
    names = tuple(place.name for place in places_of(rewrite, resolved) if place.name)
    walker = _Walker(_steps(evidence), _reads(outcomes), names, _genders(evidence))
    return tuple(walker.walk(start, chain) for start in chosen_of(resolved, roles_of(rewrite).starts))


def links(evidence: Sequence[Evidence], entity: EntityRef, edge: EdgeType) -> list[Used]:
    """The steps of one edge type that lead on from an entity, as far as evidence has them."""
    return [used for used in _steps(evidence) if used.step.from_.key == entity.key and used.step.rel is edge]


def frontier(
    rewrite: QueryRewrite, resolved: Sequence[ResolvedMention], evidence: Sequence[Evidence], depth: int
) -> tuple[EntityRef, ...]:
    """The entities reached after `depth` steps of the effective chain, in the order of the evidence.

    Depth 0 are the starts. Between the ends several starts are united; at the last depth they are intersected.
    """
    if depth == 0:
        return chosen_of(resolved, roles_of(rewrite).starts)
    return reached_at(walks(rewrite, resolved, evidence), depth)


def reached_at(walked: Sequence[Sequence[Layer]], depth: int) -> tuple[EntityRef, ...]:
    """What several walks reach after `depth` ≥ 1 steps: all of it, but at the last depth only what all reach."""
    reached = [walk[depth - 1].reached for walk in walked if depth <= len(walk)]
    if not reached:
        return ()
    if depth == len(walked[0]):
        others = [{ref.key for ref in refs} for refs in reached[1:]]
        return tuple(ref for ref in reached[0] if all(ref.key in keys for keys in others))
    return unique(ref for refs in reached for ref in refs)


def used_ids(layers: Iterable[Layer], reached: Sequence[EntityRef]) -> tuple[str, ...]:
    """The evidence of what was reached, and of detours to it; a step that leads back or elsewhere is none."""
    keys = {ref.key for ref in reached}
    return tuple(
        dict.fromkeys(
            used.evidence_id
            for layer in layers
            for used in layer.used
            if not keys or used.step.to.key in keys or used.step.rel not in kindred(layer.relation.edge)
        )
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """A reading of an entity's edges that was tried. Empty `edges` are all; `hops` > 0 marks a traversal."""

    start: EntityRef
    edges: frozenset[EdgeType]
    status: StepStatus
    qualifier: str | None
    entity_types: tuple[EntityType, ...]
    hops: int

    def serves(self, entity: EntityRef, edges: Sequence[EdgeType]) -> bool:
        """Whether it read any of these edges of the entity."""
        return self.start.key == entity.key and (not self.edges or bool(self.edges.intersection(edges)))

    def covers(self, edges: Sequence[EdgeType]) -> bool:
        """Whether it read all of these edges; with no edges named it read every stored one."""
        return self.edges.issuperset(edges) if self.edges else STORED_EDGES.issuperset(edges)

    def proves(self, relation: AskedRelation) -> bool:
        """Whether this reading held every edge that the relation may use."""
        return (
            self.status in _READ
            and self.hops <= 1
            and self.covers(kindred(relation.edge))
            and self.qualifier in (None, relation.qualifier)
            and self.entity_types in ((), (relation.entity_type,))
        )


@dataclass(frozen=True, slots=True)
class _Walker:
    steps: tuple[Used, ...]
    reads: tuple[_Read, ...]
    places: tuple[str, ...]
    genders: dict[UUID, str]

    def walk(self, start: EntityRef, chain: Sequence[AskedRelation]) -> tuple[Layer, ...]:
        walked: list[Layer] = []
        current: tuple[EntityRef, ...] = (start,)
        for depth, relation in enumerate(chain):
            layer = Layer(relation, is_complete=len(current) <= MAX_FRONTIER)
            was_traversed = any(read.hops > depth and read.start.key == start.key for read in self.reads)
            for entity in current[:MAX_FRONTIER]:
                self._follow(layer, entity, was_traversed=was_traversed)
            reached = unique(used.step.to for used in layer.used if used.step.rel in kindred(relation.edge))
            layer.reached = tuple(ref for ref in reached if depth == 0 or ref.key != start.key)
            if relation.gender is not None:
                layer.unread_rows = [ref for ref in layer.reached if ref.id not in self.genders]
            walked.append(layer)
            current = layer.reached
        return tuple(walked)

    def _follow(self, layer: Layer, entity: EntityRef, *, was_traversed: bool) -> None:
        relation = layer.relation
        found = self._matches(entity, relation)
        self._note_reads(layer, entity, relation, was_traversed=was_traversed)
        first = (relation.qualifier or "").split("|")[0]
        detour = _DETOURS.get((relation.edge, first)) if entity.entity_type is EntityType.ANIME else None
        if detour is not None and not any(used.step.qualifier == first for used in found):
            found = [*found, *self._beyond(layer, entity, detour)]
        layer.used.extend(_preferred(found, relation))

    def _beyond(self, layer: Layer, entity: EntityRef, detour: EdgeType) -> list[Used]:
        """What the relation leads to from the far ends of the detour, each with the step that leads there."""
        over = AskedRelation(edge=detour)
        self._note_reads(layer, entity, over)
        found: list[Used] = []
        for used in self._matches(entity, over):
            beyond = self._matches(used.step.to, layer.relation)
            self._note_reads(layer, used.step.to, layer.relation)
            found.extend([used, *beyond] if beyond else [])
        return found

    def _note_reads(
        self, layer: Layer, entity: EntityRef, relation: AskedRelation, *, was_traversed: bool = False
    ) -> None:
        edges = kindred(relation.edge)
        reads = [read for read in self.reads if read.serves(entity, edges)]
        if any(read.proves(relation) for read in reads):
            return
        missing = tuple(edge for edge in edges if not any(read.covers((edge,)) for read in reads))
        if missing and was_traversed:
            layer.is_complete = False
        elif missing:
            if reads or not self._has_any(entity, edges):
                layer.unread.append(Unread(entity, missing))
        else:
            narrowed = self._narrowed(entity, relation, reads)
            layer.unread.extend(narrowed)
            layer.is_complete &= bool(narrowed) or self._is_proven_in_parts(relation, reads)

    def _narrowed(self, entity: EntityRef, relation: AskedRelation, reads: Sequence[_Read]) -> list[Unread]:
        """What to read again, one qualifier at a time, when all at once was too much and brought nothing."""
        was_too_much = any(read.status is StepStatus.TRUNCATED and read.qualifier is None for read in reads)
        if relation.qualifier is None or not was_too_much or self._matches(entity, relation):
            return []
        tried = {read.qualifier for read in reads}
        return [
            Unread(entity, kindred(relation.edge), qualifier)
            for qualifier in relation.qualifier.split("|")
            if qualifier not in tried
        ]

    def _is_proven_in_parts(self, relation: AskedRelation, reads: Sequence[_Read]) -> bool:
        parts = {read.qualifier for read in reads if read.status in _READ and read.hops <= 1}
        return relation.qualifier is not None and parts.issuperset(relation.qualifier.split("|"))

    def _has_any(self, entity: EntityRef, edges: Sequence[EdgeType]) -> bool:
        return any(
            used.is_stated and used.step.from_.key == entity.key and used.step.rel in edges for used in self.steps
        )

    def _matches(self, entity: EntityRef, relation: AskedRelation) -> list[Used]:
        """The steps that the relation may use; of voice credits those for the place that is named, if there are any."""
        found = self._all_matches(entity, relation)
        if relation.edge not in _CREDITED_IN_WORKS or not self.places:
            return found
        there = [used for used in found if any(used.text.rstrip(".").endswith(f" in {place}") for place in self.places)]
        # A voice is kept through a franchise, but a role in one work says nothing of another.
        return there if there or relation.edge is EdgeType.VOICES else found

    def _all_matches(self, entity: EntityRef, relation: AskedRelation) -> list[Used]:
        return [
            used
            for used in self.steps
            if used.step.from_.key == entity.key
            and used.step.rel in kindred(relation.edge)
            and qualifier_matches(relation.qualifier, used.step.qualifier)
            and relation.entity_type in (None, used.step.to.entity_type)
            and self._is_of_gender(used, relation.gender)
        ]

    def _is_of_gender(self, used: Used, gender: str | None) -> bool:
        """Whether the far end can be meant: its row says so, or says nothing and the note on the edge no other."""
        known = self.genders.get(used.step.to.id)
        if gender is None or known is None:
            return True
        return known == gender if known else not _speaks_of_other(used.text, gender)


_GENDERED_WORDS = {
    "female": re.compile(r"\b(?:sister|mother|daughter|wife|girlfriend|aunt|niece|grandmother)s?\b", re.IGNORECASE),
    "male": re.compile(r"\b(?:brother|father|son|husband|boyfriend|uncle|nephew|grandfather)s?\b", re.IGNORECASE),
}


def _speaks_of_other(text: str, gender: str) -> bool:
    other = "male" if gender == "female" else "female"
    return _GENDERED_WORDS[gender].search(text) is None and _GENDERED_WORDS[other].search(text) is not None


def _genders(evidence: Sequence[Evidence]) -> dict[UUID, str]:
    """The gender of every entity whose row was read, in small letters; empty where the row gives none."""
    rows = (item for item in evidence if isinstance(item, EntityRowEvidence))
    return {
        row.entity.id: next((field.value.casefold() for field in row.fields if field.name == "gender"), "")
        for row in rows
    }


def _preferred(found: list[Used], relation: AskedRelation) -> list[Used]:
    """Of alternatives in order of preference, the first that was found, with the steps that lead to it."""
    if relation.qualifier not in IN_ORDER:
        return found
    best = next(
        (each for each in relation.qualifier.split("|") if any(used.step.qualifier == each for used in found)), None
    )
    return [used for used in found if used.step.rel is not relation.edge or used.step.qualifier == best]


@for_same
def _steps(evidence: Sequence[Evidence]) -> tuple[Used, ...]:
    """Every hop of the evidence in both directions, the stated ones first."""
    stated = [
        Used(step, item.id, item.text, is_stated=len(item.path.steps) == 1)
        for item in evidence
        if isinstance(item, PathEvidence)
        for step in item.path.steps
    ]
    return (*stated, *(_mirrored(used) for used in stated if _reads_backwards(used.step.rel)))


def _mirrored(used: Used) -> Used:
    step = used.step
    backwards = PathStep.trusted(
        from_=step.to,
        rel=EDGES[step.rel].inverse,
        to=step.from_,
        direction="in" if step.direction == "out" else "out",
        qualifier=step.qualifier,
        evidence_id=step.evidence_id,
        hub=step.hub,
    )
    return Used(backwards, used.evidence_id, used.text, is_stated=False)


def _reads_backwards(edge: EdgeType) -> bool:
    """Whether the edge says the same from its other end; a character relation doesn't, its qualifier changes."""
    return edge is not EdgeType.CHARACTER_RELATION and EDGES[EDGES[edge].inverse].inverse is edge


def intents(outcomes: Iterable[StepOutcome]) -> Iterable[tuple[GraphIntent | SearchIntent, StepStatus]]:
    """Every graph and search intent that was tried, plans opened, with how its step ended."""
    for outcome in outcomes:
        for part in (outcome.step, *outcome.step.plan):
            for intent in (part.graph_intent, part.search_intent):
                if intent is not None:
                    yield intent, outcome.status


def _reads(outcomes: Sequence[StepOutcome]) -> tuple[_Read, ...]:
    return tuple(
        _Read(
            start=intent.start,
            edges=frozenset(intent.edge_types),
            status=status,
            qualifier=intent.filters.qualifier,
            entity_types=intent.filters.entity_types,
            hops=intent.max_hops if intent.query_type is GraphQueryType.K_HOP else 1,
        )
        for intent, status in intents(outcomes)
        if isinstance(intent, GraphIntent) and intent.query_type in (GraphQueryType.NEIGHBORS, GraphQueryType.K_HOP)
    )


def unique(refs: Iterable[EntityRef]) -> tuple[EntityRef, ...]:
    """Each entity once, in order."""
    by_key: dict[tuple[EntityType, UUID], EntityRef] = {}
    for ref in refs:
        by_key.setdefault(ref.key, ref)
    return tuple(by_key.values())
