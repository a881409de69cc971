"""Following references: into the section or the document that is meant, else by a search everywhere; step by step."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Protocol
from uuid import UUID

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from references.following import Follower, FollowLimits, FollowStep, Route, Stop
from references.model import Reference, ReferenceType, Relation
from references.resolution import WITHOUT_DOCUMENT, Outcome, Resolution

from agent_core.context.cards import estimate_tokens
from agent_core.document_contracts import (
    DocumentHit,
    DocumentIntent,
    DocumentResult,
    FollowIntent,
    Hop,
    LookupIntent,
    PassageReference,
)
from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.passages.words import meanings
from agent_core.protocols import DocumentExecutor
from agent_core.retrieval.store_calls import Deadline

_LONGEST_SECTION, _LONGEST_QUERY = 300, 2_000

PASSAGES = 3
"""How many passages are read of each target."""


class ReferenceReader(Protocol):
    """Reads stored references, in reading order. Raises SourceUnavailable."""

    async def in_chunks(self, chunks: Collection[UUID], *, timeout: float) -> tuple[PassageReference, ...]:
        """What stands in these pieces."""
        ...

    async def of_documents(
        self, documents: Collection[UUID], edges: Collection[EdgeType], *, timeout: float
    ) -> tuple[PassageReference, ...]:
        """What these documents say of others by one of these edges, wherever in them."""
        ...

    async def entries(self, document: UUID, *, timeout: float) -> dict[str, str]:
        """The words of the document's bibliography by number, `[3]`."""
        ...


class FollowingReferences:
    """See ReferenceExecutor for the promises.

    The references that are asked for are followed first; those of the passages that they lead to only where the
    sentence around them speaks of what is asked, and only as far as `limits` allow.
    """

    def __init__(self, reader: ReferenceReader, documents: DocumentExecutor, limits: FollowLimits) -> None:
        self._reader = reader
        self._documents = documents
        self._limits = limits

    async def references(self, chunks: Sequence[UUID], *, timeout: float) -> tuple[PassageReference, ...]:
        """What stands in these pieces."""
        return await self._reader.in_chunks(chunks, timeout=timeout) if chunks else ()

    async def follow(self, intent: FollowIntent, *, timeout: float) -> DocumentResult:
        """The passages in the order in which they were come to; cut, and said to be, where a source is lost midway."""
        walk = _Walk(intent, self._limits, Deadline(timeout))
        asked = await self._asked(walk)
        depth = 0
        try:
            while asked:
                fresh: list[DocumentHit] = []
                for _, place in groupby(asked, key=lambda each: each.document.id):
                    fresh += await self._from_place(walk, tuple(place), depth)
                depth += 1
                asked = await self._onward(walk, fresh) if walk.follower.stop(depth) is None else ()
        except SourceUnavailable:
            if not walk.hits:
                raise
            walk.is_cut = True
        return DocumentResult(hits=tuple(walk.hits.values()), truncated=walk.is_cut)

    async def _asked(self, walk: "_Walk") -> tuple[PassageReference, ...]:
        intent, left = walk.intent, walk.deadline.left()
        if intent.chunks:
            found = await self._reader.in_chunks(intent.chunks, timeout=left)
        else:
            found = await self._reader.of_documents(intent.documents, intent.edges, timeout=left)
        return tuple(each for each in found if _is_wanted(each, intent))

    async def _onward(self, walk: "_Walk", hits: Sequence[DocumentHit]) -> tuple[PassageReference, ...]:
        found = await self.references([hit.evidence.chunk_id for hit in hits], timeout=walk.deadline.left())
        asked = meanings(walk.intent.query)
        return tuple(each for each in found if meanings(each.sentence) & asked)

    async def _from_place(self, walk: "_Walk", place: Sequence[PassageReference], depth: int) -> list[DocumentHit]:
        """Follow the references of one document, each target once, until a limit is met."""
        own = place[0].document.id
        resolved = [_resolved(each) for each in place]
        stated = dict(zip((each.reference for each in resolved), place, strict=True))
        entries: dict[str, str] = {}
        if any(each.type is ReferenceType.ACADEMIC_NUMBERED for each in place):
            entries = await self._reader.entries(own, timeout=walk.deadline.left())
        fresh: list[DocumentHit] = []
        for step in walk.follower.choose(resolved, own=own, depth=depth, entries=entries):
            reason = walk.follower.stop(depth)
            if reason is not None:
                walk.is_cut |= reason is Stop.TOKENS
                break
            found, is_search = await self._read(walk, step)
            fresh += walk.keep(found, Hop(reference=stated[step.reference], depth=step.depth, is_search=is_search))
        return fresh

    async def _read(self, walk: "_Walk", step: FollowStep[UUID]) -> tuple[DocumentResult, bool]:
        """The section that is meant, else a search inside the document, else one everywhere, which is told."""
        if step.document is not None and step.route is Route.SECTION:
            found = await self._section(walk, step, step.document)
            if found.hits:
                return found, False
        if step.document is not None:
            found = await self._search(walk, walk.intent.query, (step.document,))
            if found.hits or not step.reference.document:
                return found, False
        return await self._search(walk, step.query, ()), True

    async def _section(self, walk: "_Walk", step: FollowStep[UUID], document: UUID) -> DocumentResult:
        intent = LookupIntent(
            rationale=walk.intent.rationale,
            document=EntityRef(entity_type=EntityType.DOCUMENT, id=document),
            section=step.section[:_LONGEST_SECTION],
            until=step.until[:_LONGEST_SECTION] or None,
            max_chunks=PASSAGES,
        )
        return await self._documents.look_up(intent, timeout=walk.deadline.left())

    async def _search(self, walk: "_Walk", query: str, documents: tuple[UUID, ...]) -> DocumentResult:
        intent = DocumentIntent(
            rationale=walk.intent.rationale,
            query=query[:_LONGEST_QUERY],
            documents=documents,
            collections=walk.intent.collections,
            top_k=PASSAGES,
        )
        return await self._documents.search(intent, timeout=walk.deadline.left())


@dataclass(slots=True)
class _Walk:
    """One following: what is asked, what was visited, what was found."""

    intent: FollowIntent
    limits: FollowLimits
    deadline: Deadline
    hits: dict[str, DocumentHit] = field(default_factory=dict[str, DocumentHit])
    is_cut: bool = False
    follower: Follower[UUID] = field(init=False)

    def __post_init__(self) -> None:
        self.follower = Follower(replace(self.limits, depth=min(self.intent.depth, self.limits.depth)))

    def keep(self, found: DocumentResult, hop: Hop) -> list[DocumentHit]:
        """Keep and count what a step read; the hits that are new, which say how they were come to."""
        fresh: list[DocumentHit] = []
        tokens: dict[UUID, int] = {}
        for hit in found.hits:
            owner = hit.evidence.document.id
            tokens[owner] = tokens.get(owner, 0) + estimate_tokens(hit.evidence.text)
            if hit.evidence.id not in self.hits:
                told = hit.evidence.model_copy(update={"reached_by": _told(hop)})
                fresh.append(hit.model_copy(update={"evidence": told, "via": hop}))
        self.hits.update((hit.evidence.id, hit) for hit in fresh)
        for owner, spent in tokens.items():
            self.follower.record(owner, spent)
        return fresh


def _is_wanted(reference: PassageReference, intent: FollowIntent) -> bool:
    return (
        (not intent.edges or reference.edge in intent.edges)
        and (not intent.types or reference.type in intent.types)
        and (not intent.targets or reference.target in intent.targets)
    )


def _resolved(stated: PassageReference) -> Resolution[UUID]:
    reference = Reference(
        type=stated.type,
        text=stated.text or stated.target,
        start=0,
        end=0,
        document=stated.name,
        section=stated.section,
        until=stated.until,
        relation=Relation(stated.edge.value) if stated.edge else Relation.REFERENCES,
    )
    if not stated.name:
        return Resolution(reference, Outcome.OWN)
    if stated.leads_to is None:
        return Resolution(reference, WITHOUT_DOCUMENT.get(stated.type, Outcome.DANGLING))
    return Resolution(reference, Outcome.RESOLVED, (stated.leads_to.id,))


def _told(hop: Hop) -> str:
    """A hop in words: the reference, and where it stands."""
    return f"{hop.reference.target}, as “{hop.reference.document.name or 'a document'}” refers to it"
