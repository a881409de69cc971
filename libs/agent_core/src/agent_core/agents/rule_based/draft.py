"""What the reading of a question comes to, before it is a QueryRewrite."""

from dataclasses import dataclass, field

from datastore.vocabulary import EntityType, WorkFormat

from agent_core.agents.rule_based.cues import RelationCue, TypeCue
from agent_core.agents.rule_based.understanding import Understanding
from agent_core.schemas import AnswerKind, AskedField, AskedRelation, Mention, SearchFilters


@dataclass(frozen=True, slots=True)
class Draft:
    """The parts of a QueryRewrite that depend on what was understood."""

    kind: AnswerKind = AnswerKind.ENTITY
    mentions: tuple[Mention, ...] = ()
    relations: tuple[AskedRelation, ...] = ()
    fields: tuple[AskedField, ...] = ()
    fields_of_mention: bool = False
    concepts: tuple[str, ...] = ()
    types: tuple[EntityType, ...] = ()
    filters: SearchFilters = field(default_factory=SearchFilters)
    max_hops: int | None = None
    rationale: str = ""

    @property
    def lacks_name(self) -> bool:
        """Whether something is asked of a name that was not found."""
        return not self.mentions and bool(self.relations or self.fields)


def wanted_types(understood: Understanding) -> tuple[EntityType, ...]:
    """What the first word for a kind of entity says that is wanted."""
    for found in understood.cues:
        if isinstance(found.cue, TypeCue):
            return found.cue.types
        if isinstance(found.cue, RelationCue) and found.cue.family in ("characters", "main_characters"):
            return (EntityType.CHARACTER,)
    return ()


def wanted_format(understood: Understanding) -> WorkFormat | None:
    """The format that a word for a kind of entity implies."""
    return next((cue.format for cue in understood.cues_of(TypeCue) if cue.format), None)
