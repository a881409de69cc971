"""A small catalogue in memory that stands in for the resolver, the catalogue and both executors."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid5

from datastore.edges import EDGES, EdgeType
from datastore.folding import fold
from datastore.vocabulary import EntityType

from agent_core.errors import IntentRefused
from agent_core.evidence import (
    ComparisonEvidence,
    EntityRef,
    EntityRowEvidence,
    Evidence,
    FieldDifference,
    FieldValue,
    GraphPath,
    PathEvidence,
    PathStep,
)
from agent_core.schemas import (
    Candidate,
    GraphIntent,
    GraphQueryType,
    GraphResult,
    Hit,
    MatchKind,
    Mention,
    ResolvedMention,
    RetrievalResult,
    SearchIntent,
    StepStatus,
)

_NAMESPACE = UUID("6f1c3c0a-6d3e-4f43-9d55-2a8f6f3b7f10")


@dataclass(frozen=True, slots=True)
class MemoryEdge:
    """One stored edge; its inverse is implied."""

    row_id: int
    from_: EntityRef
    rel: EdgeType
    to: EntityRef
    qualifier: str = ""


@dataclass(slots=True)
class MemoryCatalogue:
    """A small catalogue that speaks the protocols of the resolver, the catalogue and both executors.

    Add entities and edges, then hand the object itself to the loop. `intents` records what was executed, `faults` are
    raised by the next calls of the named method, in order. `known_for` are discriminators by entity, `near` the titles
    that a mention resembles.
    """

    entities: dict[UUID, EntityRowEvidence] = field(default_factory=dict[UUID, EntityRowEvidence])
    edges: list[MemoryEdge] = field(default_factory=list[MemoryEdge])
    intents: list[SearchIntent | GraphIntent] = field(default_factory=list[SearchIntent | GraphIntent])
    calls: list[str] = field(default_factory=list[str])
    known_for: dict[UUID, tuple[str, ...]] = field(default_factory=dict[UUID, tuple[str, ...]])
    near: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    faults: dict[str, deque[BaseException]] = field(default_factory=dict[str, deque[BaseException]])

    @property
    def search(self) -> "MemorySearch":
        """The catalogue as a search executor."""
        return MemorySearch(self)

    @property
    def graph(self) -> "MemoryGraph":
        """The catalogue as a graph executor."""
        return MemoryGraph(self)

    def add(
        self, entity_type: EntityType, name: str, *, names: Sequence[str] = (), text: str = "", **fields: str
    ) -> EntityRef:
        """Add an entity; its id follows from type, name and fields."""
        entity_id = uuid5(_NAMESPACE, f"{entity_type}:{name}:{sorted(fields.items())}")
        ref = EntityRef(entity_type=entity_type, id=entity_id, name=name)
        values = (FieldValue(name="name", value=name), *(FieldValue(name=k, value=v) for k, v in fields.items()))
        lines = [f"{name} ({entity_type})", *(f"{key}: {value}" for key, value in fields.items()), text]
        self.entities[entity_id] = EntityRowEvidence(
            id=f"row:{entity_type}:{entity_id}",
            source=f"postgresql:{entity_type}",
            title=name,
            text="\n".join(line for line in lines if line),
            row_version=1,
            locator=f"{entity_type}/{entity_id}",
            entity=ref,
            names=(name, *names),
            fields=values,
        )
        return ref

    def link(self, from_: EntityRef, rel: EdgeType, to: EntityRef, qualifier: str = "") -> None:
        """Add an edge."""
        self.edges.append(MemoryEdge(len(self.edges) + 1, from_, rel, to, qualifier))

    def remove(self, ref: EntityRef) -> None:
        """Delete an entity and its edges."""
        del self.entities[ref.id]
        self.edges = [edge for edge in self.edges if ref.key not in (edge.from_.key, edge.to.key)]

    def fail(self, method: str, *errors: BaseException) -> None:
        """Make the next calls of `resolve`, `rows`, `existing_edges`, `search` or `graph` raise."""
        self.faults.setdefault(method, deque()).extend(errors)

    async def resolve(self, mentions: Sequence[Mention], *, timeout: float) -> tuple[ResolvedMention, ...]:
        self.enter("resolve")
        return tuple(self._resolve(mention) for mention in mentions)

    async def rows(self, refs: Sequence[EntityRef], *, timeout: float) -> dict[UUID, EntityRowEvidence]:
        self.enter("rows")
        return {ref.id: self.entities[ref.id] for ref in refs if ref.id in self.entities}

    async def existing_edges(self, evidence: Sequence[Evidence], *, timeout: float) -> frozenset[str]:
        self.enter("existing_edges")
        live = {step.evidence_id for edge in self.edges for step in (_step(edge, "out"), _step(edge, "in"))}
        paths = (item for item in evidence if isinstance(item, PathEvidence))
        return frozenset(item.id for item in paths if all(step.evidence_id in live for step in item.path.steps))

    def enter(self, method: str) -> None:
        """Note a call, and fail it when that was asked for."""
        self.calls.append(method)
        faults = self.faults.get(method)
        if faults:
            raise faults.popleft()

    def steps_from(self, ref: EntityRef, allowed: Sequence[EdgeType] = ()) -> list[PathStep]:
        """All hops that begin at an entity."""
        steps = [_step(edge, "out") for edge in self.edges if edge.from_.key == ref.key]
        steps += [_step(edge, "in") for edge in self.edges if edge.to.key == ref.key]
        return [step for step in steps if not allowed or step.rel in allowed]

    def _resolve(self, mention: Mention) -> ResolvedMention:
        folded = fold(mention.text)
        rows = [
            row
            for row in self.entities.values()
            if not mention.entity_types or row.entity.entity_type in mention.entity_types
        ]
        exact = [self._candidate(row, folded) for row in rows if folded in map(fold, row.names)]
        near = [self._candidate(row, folded) for row in rows if row.title in self.near.get(mention.text, ())]
        chosen = exact[0] if len(exact) == 1 else near[0] if not exact and len(near) == 1 else None
        return ResolvedMention(
            mention=mention,
            candidates=(*exact, *near),
            chosen=chosen,
            margin=1.0 if chosen else 0.0,
            is_ambiguous=len(exact) > 1,
        )

    def _candidate(self, row: EntityRowEvidence, folded: str) -> Candidate:
        is_title = fold(row.title) == folded
        is_name = folded in map(fold, row.names)
        return Candidate(
            entity=row.entity,
            matched_name=next((name for name in row.names if fold(name) == folded), row.title),
            match=MatchKind.EXACT if is_title else MatchKind.ALIAS if is_name else MatchKind.TYPO,
            score=1.0 if is_name else 0.7,
            discriminators=self.known_for.get(row.entity.id, ())
            or tuple(each.value for each in row.fields if each.name in ("year", "format")),
        )


@dataclass(frozen=True, slots=True)
class MemorySearch:
    """Finds rows by the words of a query, or by id."""

    catalogue: MemoryCatalogue

    async def execute(self, intent: SearchIntent, *, timeout: float) -> RetrievalResult:
        self.catalogue.intents.append(intent)
        self.catalogue.enter("search")
        words = set(fold(intent.query or "").split())
        rows = [
            row
            for row in self.catalogue.entities.values()
            if (not intent.entity_types or row.entity.entity_type in intent.entity_types)
            and (row.entity.id in intent.filters.ids if intent.filters.ids else words & set(fold(row.text).split()))
        ][: intent.top_k]
        return RetrievalResult(
            status=StepStatus.OK if rows else StepStatus.EMPTY,
            summary=f"{len(rows)} found: {', '.join(row.title for row in rows)}",
            hits=tuple(Hit(entity=row.entity, score=1.0, evidence_id=row.id, row_version=1) for row in rows),
            evidence=tuple(rows),
        )


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """Walks the edges of a small catalogue breadth first."""

    catalogue: MemoryCatalogue

    async def execute(self, intent: GraphIntent, *, timeout: float) -> GraphResult:
        self.catalogue.intents.append(intent)
        self.catalogue.enter("graph")
        match intent.query_type:
            case GraphQueryType.NEIGHBORS:
                chains = [(step,) for step in self.catalogue.steps_from(intent.start, intent.edge_types)]
            case GraphQueryType.K_HOP:
                chains = [chain for chain in self._chains(intent) if len(chain) <= intent.max_hops]
            case GraphQueryType.PATH:
                chains = self._shortest(intent)
            case GraphQueryType.COMPARE:
                return self._compare(intent)
        wanted = intent.filters.qualifier
        chains = [chain for chain in chains if wanted is None or chain[0].qualifier == wanted]
        evidence = tuple(_path_evidence(chain) for chain in chains[: intent.limits.max_results])
        return GraphResult(
            status=StepStatus.OK if evidence else StepStatus.EMPTY,
            summary="\n".join(item.text for item in evidence) or "nothing",
            paths=tuple(item.path for item in evidence),
            evidence=evidence,
        )

    def _chains(self, intent: GraphIntent) -> list[tuple[PathStep, ...]]:
        seen = {intent.start.key}
        level: list[tuple[PathStep, ...]] = [()]
        found: list[tuple[PathStep, ...]] = []
        for _ in range(intent.max_hops):
            grown = [
                (*chain, step)
                for chain in level
                for step in self.catalogue.steps_from(chain[-1].to if chain else intent.start, intent.edge_types)
                if step.to.key not in seen
            ]
            seen |= {chain[-1].to.key for chain in grown}
            found += grown
            level = grown
        return found

    def _shortest(self, intent: GraphIntent) -> list[tuple[PathStep, ...]]:
        reaching = [chain for chain in self._chains(intent) if intent.end and chain[-1].to.key == intent.end.key]
        shortest = min((len(chain) for chain in reaching), default=0)
        return [chain for chain in reaching if len(chain) == shortest]

    def _compare(self, intent: GraphIntent) -> GraphResult:
        if intent.end is None:
            raise IntentRefused("end", "is required")
        left, right = (self.catalogue.entities[ref.id] for ref in (intent.start, intent.end))
        ours, theirs = ({f.name: f.value for f in row.fields} for row in (left, right))
        differences = tuple(
            FieldDifference(field=name, left=ours.get(name), right=theirs.get(name)) for name in {**ours, **theirs}
        )
        lines = [f"{d.field}: {d.left or 'unknown'} / {d.right or 'unknown'}" for d in differences]
        evidence = ComparisonEvidence(
            id=f"compare:{left.entity.id}:{right.entity.id}",
            source="postgresql:compare",
            title=f"{left.title} and {right.title}",
            text="\n".join([f"{left.title} / {right.title}", *lines]),
            left=left.entity,
            right=right.entity,
            fields=differences,
        )
        return GraphResult(
            status=StepStatus.OK, summary=evidence.text, nodes=(left.entity, right.entity), evidence=(evidence,)
        )


def _step(edge: MemoryEdge, direction: str) -> PathStep:
    is_out = direction == "out"
    return PathStep(
        from_=edge.from_ if is_out else edge.to,
        rel=edge.rel if is_out else EDGES[edge.rel].inverse,
        to=edge.to if is_out else edge.from_,
        direction="out" if is_out else "in",
        qualifier=edge.qualifier,
        evidence_id=f"edge:memory:{edge.row_id}:{direction}",
    )


def _path_evidence(chain: Sequence[PathStep]) -> PathEvidence:
    sentences = [_sentence(step) for step in chain]
    nodes = (chain[0].from_, *(step.to for step in chain))
    return PathEvidence(
        id=chain[0].evidence_id if len(chain) == 1 else "path:" + "+".join(step.evidence_id for step in chain),
        source="postgresql:memory",
        title=" – ".join(node.name or "" for node in nodes),
        text=f"{'. '.join(sentences)}.",
        row_version=1,
        locator=", ".join(step.evidence_id for step in chain),
        path=GraphPath(steps=tuple(chain)),
    )


def _sentence(step: PathStep) -> str:
    sentence = EDGES[step.rel].sentence.format(a=step.from_.name, b=step.to.name)
    return f"{sentence} ({step.qualifier})" if step.qualifier else sentence
