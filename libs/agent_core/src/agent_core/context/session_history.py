"""Earlier turns of a session as the text that a stage is shown, kept within a number of turns and a size."""

from collections.abc import Iterable, Sequence

from agent_core.context.cards import estimate_tokens
from agent_core.evidence import EntityRef
from agent_core.turns import PastTurn

_MAX_NAMED = 10
_MAX_QUESTION = 400


def recent(history: Sequence[PastTurn], *, turns: int, tokens: int) -> tuple[PastTurn, ...]:
    """The last turns, oldest first: at most `turns`, and no more than `tokens` hold when they are shown."""
    kept: list[PastTurn] = []
    left = tokens
    for turn in reversed(history[-turns:] if turns else ()):
        left -= estimate_tokens(_entry(len(kept) + 1, turn))
        if left < 0:
            break
        kept.append(turn)
    return tuple(reversed(kept))


def history_card(history: Sequence[PastTurn]) -> str:
    """Each turn's question, what its names were taken for, and what answered it."""
    return "\n".join(("EARLIER TURNS, oldest first", *(_entry(n, turn) for n, turn in enumerate(history, start=1))))


def named_in(history: Sequence[PastTurn]) -> tuple[EntityRef, ...]:
    """The entities that the turns were about or answered with, those of the latest turn first."""
    return tuple(
        ref
        for turn in reversed(history)
        for ref in (*turn.results, *(mention.entity for mention in turn.mentions))
        if ref is not None and ref.name
    )


def _entry(number: int, turn: PastTurn) -> str:
    about = _named(mention.entity for mention in turn.mentions if mention.entity is not None)
    lines = [f"{number}. {' '.join(turn.question.split())[:_MAX_QUESTION]}"]
    lines += [f"   about: {about}"] if about else []
    answered = _named(turn.results)
    lines += [f"   answered: {answered}"] if answered else []
    return "\n".join(lines)


def _named(refs: Iterable[EntityRef]) -> str:
    named = [f"{ref.name} ({ref.entity_type})" for ref in refs if ref.name]
    more = len(named) - _MAX_NAMED
    return "; ".join(named[:_MAX_NAMED]) + (f"; and {more} more" if more > 0 else "")
