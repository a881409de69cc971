"""The line under an answer that says where a marker leads."""

from agent_core.evidence import ChunkEvidence
from agent_core.schemas import AgentResponse


def passage_lines(response: AgentResponse) -> dict[int, str]:
    """By marker, for every cited passage of a document: `[n] name, date, §section (chunk id)`.

    What a document doesn't know, its date or its section, is left out.
    """
    passages = {item.id: item for item in response.evidence if isinstance(item, ChunkEvidence)}
    return {
        source.marker: _line(source.marker, passages[source.evidence_id])
        for source in response.sources
        if source.evidence_id in passages
    }


def _line(marker: int, passage: ChunkEvidence) -> str:
    section = f"§{passage.section}" if passage.section and passage.section != passage.title else ""
    place = ", ".join(part for part in (passage.title, passage.date, section) if part)
    return f"[{marker}] {place} ({passage.chunk_id})"
