"""The documents that a text names, as an encyclopaedia's article names others."""

from collections.abc import Sequence
from uuid import UUID

from datastore.folding import fold
from datastore.postgres.chunk_reads import ChunkCard
from datastore.postgres.name_search import names_equal
from datastore.vocabulary import EntityType
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.retrieval.spans import QuestionText

MAX_NAMED = 50
_SAME_NAMED = 8


async def named_documents(conn: AsyncConnection, chunks: Sequence[ChunkCard]) -> tuple[UUID, ...]:
    """Other documents whose whole name stands in one of the chunks, at most MAX_NAMED; one statement.

    A name begins with a capital or a digit, and everyday words count only where they are meant as a name.
    """
    names = {chunk.id: _names_in(chunk.text) for chunk in chunks}
    known = await names_equal(conn, [name for each in names.values() for name in each], limit_per_name=_SAME_NAMED)
    found = dict.fromkeys(
        hit.entity_id
        for chunk in chunks
        for name in names[chunk.id]
        for hit in known.get(name, ())
        if hit.entity_type is EntityType.DOCUMENT and hit.entity_id != chunk.document_id
    )
    return tuple(found)[:MAX_NAMED]


def _names_in(text: str) -> list[str]:
    """What may be a name, folded, in text order."""
    read = QuestionText.read(text)
    begun = (span for span in read.spans() if not text[span.start].islower())
    return [fold(read.slice(span)) for span in begun if read.is_meant_as_name(span)]
