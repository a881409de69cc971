"""The references of documents in memory: found as an import finds them, with what headers state added by hand."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from uuid import UUID

from datastore.edges import EdgeType
from datastore.folding import fold
from references.citations import find_entries
from references.detection import Detector
from references.model import ReferenceType
from references.registry import KnownDocument, Registry
from references.resolution import resolve

from agent_core.document_contracts import PassageReference
from agent_core.evidence import ChunkEvidence, EntityRef
from agent_core.passages import sentence_at
from agent_core.testing.memory_documents import MemoryDocuments


@dataclass(slots=True)
class MemoryReferences:
    """Stands in for the reader of stored references. `stated` are those of front matters."""

    documents: MemoryDocuments
    stated: list[PassageReference] = field(default_factory=list[PassageReference])

    def state(self, document: EntityRef, edge: EdgeType, target: EntityRef) -> None:
        """Let the front matter of a document name another."""
        name = target.name or ""
        said = PassageReference(document=document, type=ReferenceType.DOCUMENT, edge=edge, name=name, leads_to=target)
        self.stated.append(said)

    async def in_chunks(self, chunks: Collection[UUID], *, timeout: float) -> tuple[PassageReference, ...]:
        return tuple(self._found(chunk for chunk in self.documents.chunks if chunk.chunk_id in chunks))

    async def of_documents(
        self, documents: Collection[UUID], edges: Collection[EdgeType], *, timeout: float
    ) -> tuple[PassageReference, ...]:
        found = self._found(chunk for chunk in self.documents.chunks if chunk.document.id in documents)
        stated = [each for each in self.stated if each.document.id in documents]
        every = sorted((*stated, *found), key=lambda each: str(each.document.id))
        return tuple(each for each in every if each.edge in edges)

    async def entries(self, document: UUID, *, timeout: float) -> dict[str, str]:
        texts = (chunk.text for chunk in self.documents.chunks if chunk.document.id == document)
        return {number: text[start:end] for text in texts for number, (start, end) in find_entries(text).items()}

    def _found(self, chunks: Iterable[ChunkEvidence]) -> list[PassageReference]:
        refs = {chunk.document.id: chunk.document for chunk in self.documents.chunks}
        registry = Registry([KnownDocument(ref.id, ref.name or "") for ref in refs.values()], fold=fold)
        detector = Detector(registry)
        found: list[PassageReference] = []
        for chunk in chunks:
            for each in detector.detect(chunk.text):
                ids = resolve(each, registry).documents
                found.append(
                    PassageReference(
                        document=chunk.document,
                        chunk_id=chunk.chunk_id,
                        type=each.type,
                        edge=EdgeType(each.relation.value) if each.document else None,
                        text=each.text,
                        sentence=sentence_at(chunk.text, each.start),
                        name=each.document,
                        section=each.section,
                        until=each.until,
                        leads_to=refs[ids[0]] if len(ids) == 1 else None,
                    )
                )
        return found
