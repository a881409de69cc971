"""What a run found that is near to what was asked."""

from uuid import UUID

from datastore.vocabulary import EntityType

from agent_core.evidence import PICTURES_SOURCE, RankedListEvidence
from agent_core.orchestrator.run import Run
from agent_core.schemas import NearMiss

MAX_NEAR_MISSES = 5


def near_misses(run: Run) -> list[NearMiss]:
    """The nearest names and descriptions, names first."""
    misses: dict[tuple[EntityType, UUID], NearMiss] = {}
    for mention in run.resolved:
        if mention.chosen is None:
            for candidate in mention.candidates:
                reason = f"a name near '{mention.mention.text}'"
                misses.setdefault(
                    candidate.entity.key, NearMiss(entity=candidate.entity, reason=reason, score=candidate.score)
                )
    for item in run.evidence.values():
        if isinstance(item, RankedListEvidence):
            for entry in item.entries:
                what = "picture" if item.source == PICTURES_SOURCE else "description"
                miss = NearMiss(entity=entry.entity, reason=f"a similar {what}", score=entry.score)
                misses.setdefault(entry.entity.key, miss)
    return list(misses.values())[:MAX_NEAR_MISSES]
