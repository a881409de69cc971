"""Evidence as the text cards that stages read: their size, and which go when there are too many."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent_core.evidence import EntityRowEvidence, Evidence
from agent_core.protocols import Slot

MAX_CARD_CHARACTERS = 2_000
_LATIN_CHARACTERS_PER_TOKEN = 4
_CARD_OVERHEAD_TOKENS = 8


@dataclass(frozen=True, slots=True)
class Fitted:
    """The evidence that may be shown, in order, and the ids that had to go, oldest first."""

    shown: tuple[Evidence, ...]
    dropped: tuple[str, ...] = ()


def card(evidence: Evidence) -> str:
    """One evidence as a stage reads it: title, text, and for a row its other names. Cut at MAX_CARD_CHARACTERS."""
    lines = [evidence.title, evidence.text]
    if isinstance(evidence, EntityRowEvidence):
        others = [name for name in evidence.names if name != evidence.title]
        if others:
            lines.append("Also known as: " + "; ".join(others))
        lines.extend(f"{field.name}: {field.value}" for field in evidence.fields if field.value not in evidence.text)
    text = "\n".join(line for line in lines if line)
    return text if len(text) <= MAX_CARD_CHARACTERS else text[: MAX_CARD_CHARACTERS - 1] + "…"


def estimate_tokens(text: str) -> int:
    """How many tokens a text may take: one for each wide character, a quarter for any other."""
    wide = sum(1 for character in text if unicodedata.east_asian_width(character) in "WF")
    return wide + -(-(len(text) - wide) // _LATIN_CHARACTERS_PER_TOKEN)


def fit(evidence: Sequence[Evidence], slots: Iterable[Slot], token_cap: int) -> Fitted:
    """Keep the cards within `token_cap` tokens.

    The oldest card that supports no slot goes first; only when all others are gone, the oldest that does.
    """
    sizes = {item.id: estimate_tokens(card(item)) + _CARD_OVERHEAD_TOKENS for item in evidence}
    excess = sum(sizes.values()) - token_cap
    if excess <= 0:
        return Fitted(tuple(evidence))
    supporting = {evidence_id for slot in slots for evidence_id in slot.evidence_ids}
    dropped: list[str] = []
    for item in sorted(evidence, key=lambda item: item.id in supporting):
        if excess <= 0:
            break
        excess -= sizes[item.id]
        dropped.append(item.id)
    gone = set(dropped)
    return Fitted(tuple(item for item in evidence if item.id not in gone), tuple(dropped))
