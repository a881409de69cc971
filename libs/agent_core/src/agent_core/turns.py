"""What a session remembers of its turns, and a question made complete by them."""

from agent_core.evidence import Contract, EntityRef
from agent_core.schemas import Candidate


class PastMention(Contract):
    """A name of an earlier question, and what it was taken for."""

    text: str
    entity: EntityRef | None = None


class PastTurn(Contract):
    """What a later question of a session may refer back to. `question` is complete in itself."""

    question: str
    mentions: tuple[PastMention, ...] = ()
    results: tuple[EntityRef, ...] = ()
    alternatives: tuple[Candidate, ...] = ()


class CompleteQuestion(Contract):
    """A question that can be read without the turns before it, and the entities that those turns settled."""

    text: str
    settled: tuple[PastMention, ...] = ()
