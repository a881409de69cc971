"""Fixed texts: what is said when nothing was looked up, or when what was looked up gives no answer."""

from collections.abc import Sequence

from agent_core.grounding.links import without_links
from agent_core.schemas import TerminationReason

FIXED_ANSWERS: dict[str, str] = {
    "greeting": "Hello! Ask me about an anime, a manga, a character, or the people and studios behind them.",
    "abilities": (
        "I answer questions about the works, characters, people and studios in this catalogue: facts, relations, "
        "paths between two of them, comparisons and recommendations. Every sentence of an answer names its source."
    ),
    "limits": (
        "I can't answer that. I only know what this catalogue and its documents hold, and I say nothing that they "
        "don't say."
    ),
    "referent": "I can't tell which work, character or person is meant here. Please ask again with its name.",
}

_OPENINGS: dict[TerminationReason, str] = {
    TerminationReason.DEADLINE: "Time ran out before an answer was found.",
    TerminationReason.BUDGET_EXHAUSTED: "The budget of this question was spent before an answer was found.",
    TerminationReason.DEPENDENCY_LOST: "The catalogue can't be reached right now, so this question can't be answered.",
}
_NOT_FOUND = "I found no answer to this in the {where}."
_MAX_SEARCHED = 6


def nothing_found(reason: TerminationReason, searched: Sequence[str], where: str = "catalogue") -> str:
    """What is said instead of an answer: why there is none, and what was looked for."""
    parts = [_OPENINGS.get(reason, _NOT_FOUND.format(where=where))]
    if searched:
        shown = "; ".join(map(without_links, searched[:_MAX_SEARCHED]))
        more = f"; and {len(searched) - _MAX_SEARCHED} more" if len(searched) > _MAX_SEARCHED else ""
        parts.append(f"Searched: {shown}{more}.")
    return " ".join(parts)


def closest(lines: Sequence[str]) -> str:
    """The nearest things that were found, each with its marker."""
    return f"Closest in the catalogue: {'; '.join(lines)}." if lines else ""


def which_one(text: str, lines: Sequence[str]) -> str:
    """The question back when a name fits several entities. Each line carries its marker."""
    listed = "\n".join(f"- {line}" for line in lines)
    return f"“{text}” fits several entries of the catalogue. Which one do you mean?\n{listed}"
