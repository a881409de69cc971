"""A citation with the words of the evidence that back it."""

import re
from collections.abc import Sequence

from agent_core.evidence import Evidence
from agent_core.grounding.claims import Claim
from agent_core.grounding.support import Support
from agent_core.schemas import SourceCitation, Verdict

MAX_QUOTE_CHARACTERS = 300
_PIECE = re.compile(r"\S[^\n]*?(?:[.!?。！？]+(?=\s|$)|(?=\n|$))")


def cite(
    evidence: Evidence, marker: int, support: Support, cited: Sequence[tuple[Claim, ...]], *, is_moved: bool = False
) -> SourceCitation:
    """The citation of one evidence under a marker. `support` is what it says, `cited` the claims of each sentence.

    The quote is the piece of its text that backs most of what the sentences claim. The verdict is partial when
    some claim needs another evidence beside this one.
    """
    claims = tuple(dict.fromkeys(claim for claims in cited for claim in claims))
    is_full = all(claim.is_backed_by(support) for claim in claims)
    begin, end = _best_piece(evidence.text, claims)
    return SourceCitation(
        marker=marker,
        evidence_id=evidence.id,
        title=evidence.title,
        locator=evidence.locator,
        quote=evidence.text[begin:end],
        offsets=(begin, end) if evidence.text else None,
        row_version=evidence.row_version,
        verdict=Verdict.PARTIAL if not is_full else Verdict.MOVED if is_moved else Verdict.SUPPORTED,
    )


def _best_piece(text: str, claims: Sequence[Claim]) -> tuple[int, int]:
    if len(text) <= MAX_QUOTE_CHARACTERS:
        return 0, len(text)
    pieces = [(match.start(), match.end()) for match in _PIECE.finditer(text)] or [(0, len(text))]

    def backed(piece: tuple[int, int]) -> int:
        support = Support((text[piece[0] : piece[1]],))
        return sum(claim.is_backed_by(support) for claim in claims)

    begin, end = max(pieces, key=backed)
    return begin, min(end, begin + MAX_QUOTE_CHARACTERS)
