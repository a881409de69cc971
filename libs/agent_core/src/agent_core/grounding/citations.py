"""A citation with the words of the evidence that back it."""

import re
from collections.abc import Iterator, Sequence

from agent_core.evidence import Evidence
from agent_core.grounding.claims import Claim
from agent_core.grounding.support import Support
from agent_core.schemas import SourceCitation, Verdict

MAX_QUOTE_CHARACTERS = 300
_FULL_STOPS = (".", "。")
_PIECE = re.compile(r"\S[^\n]*?(?:[.!?。！？]+(?=\s|$)|(?=\n|$))")


def cite(
    evidence: Evidence,
    marker: int,
    support: Support,
    cited: Sequence[tuple[Claim, ...]],
    sentences: Sequence[str] = (),
    *,
    is_moved: bool = False,
) -> SourceCitation:
    """The citation of one evidence under a marker. `support` is what it says, `cited` the claims of each sentence.

    The quote is what `sentences` repeat of its text between quotation marks, from the first to the last, else the piece
    that backs most of what they claim. The verdict is partial when some claim needs another evidence beside this one.
    """
    claims = tuple(dict.fromkeys(claim for claims in cited for claim in claims))
    is_full = all(claim.is_backed_by(support) for claim in claims)
    begin, end = _repeated(evidence, sentences) or _best_piece(evidence.text, claims)
    return SourceCitation.trusted(
        marker=marker,
        evidence_id=evidence.id,
        title=evidence.title,
        locator=evidence.locator,
        quote=evidence.text[begin:end],
        offsets=(begin, end) if evidence.text else None,
        row_version=evidence.row_version,
        verdict=Verdict.PARTIAL if not is_full else Verdict.MOVED if is_moved else Verdict.SUPPORTED,
    )


def _repeated(evidence: Evidence, sentences: Sequence[str]) -> tuple[int, int] | None:
    """Where the text says word for word what the sentences quote, blanks aside; its title is no such quote."""
    text, said = evidence.text, [quote for sentence in sentences for quote in _quotations(sentence)]
    quoted = [quote for quote in said if len(quote.split()) > 1 and quote != evidence.title]
    patterns = (r"\s+".join(map(re.escape, quote.split())) for quote in quoted)
    places = [match.span() for pattern in patterns if (match := re.search(pattern, text)) is not None]
    if not places:
        return None
    begin, end = min(start for start, _ in places), max(end for _, end in places)
    return begin, end + (text[end : end + 1] in _FULL_STOPS and end < len(text))


def _quotations(sentence: str) -> Iterator[str]:
    """What stands between quotation marks, with the quotations inside it."""
    depth = begin = 0
    for place, character in enumerate(sentence):
        if character == "“":
            begin = place + 1 if depth == 0 else begin
            depth += 1
        elif character == "”" and depth > 0:
            depth -= 1
            if depth == 0:
                yield sentence[begin:place]


def _best_piece(text: str, claims: Sequence[Claim]) -> tuple[int, int]:
    if len(text) <= MAX_QUOTE_CHARACTERS:
        return 0, len(text)
    pieces = [(match.start(), match.end()) for match in _PIECE.finditer(text)] or [(0, len(text))]

    def backed(piece: tuple[int, int]) -> int:
        support = Support((text[piece[0] : piece[1]],))
        return sum(claim.is_backed_by(support) for claim in claims)

    begin, end = max(pieces, key=backed)
    return begin, min(end, begin + MAX_QUOTE_CHARACTERS)
