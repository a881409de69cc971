"""How a run about documents ends: its confidence, its contradictions, and what is said where nothing answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent_core.confidence import Confidence
from agent_core.document_contracts import DocumentHit, DocumentQuestion
from agent_core.evidence import ChunkEvidence, Evidence, WebPageEvidence
from agent_core.grounding import Grounded, ground
from agent_core.orchestrator.run import Run
from agent_core.passages import Progress, Quote, disagreements
from agent_core.schemas import ConfidenceBand, NearMiss, WarningCode

MAX_NEAR_PASSAGES = 3

_OF_THE_WEB = 0.3


def progress_of_run(run: Run) -> tuple[Progress, ...]:
    """What each part of the run's question of documents was answered from; empty when it asks none."""
    question = run.rewrite.document_question
    return tuple(run.progress_of(part) for part in question.parts) if question is not None else ()


def warn_of_passages(run: Run, cited: Sequence[Evidence]) -> None:
    """Tell of pages of the web, of contradictions between cited passages, and of those outside the asked dates."""
    if any(isinstance(item, WebPageEvidence) for item in cited):
        run.warn(WarningCode.WEB_SOURCE, "A page of the web is quoted; nothing of the catalogue bears it out.")
    question = run.rewrite.document_question
    if question is None:
        return
    ids = {item.id for item in cited}
    quotes: list[Quote] = []
    for part in question.parts:
        found = run.progress_of(part).passages.quotes
        quotes += found
        for each in disagreements(found, part.wanted):
            if {each.left.id, each.right.id} <= ids:
                run.warn(WarningCode.DATA_CONFLICT, each.message, each.subject)
    if any(quote.hit.is_relaxed and quote.hit.evidence.id in ids for quote in quotes):
        message = "No document of the dates that were asked for answers; one of another date is quoted."
        run.warn(WarningCode.FILTER_RELAXED, message)


def confidence_of(parts: Sequence[Progress]) -> Confidence:
    """The confidence of an answer made of quotes: that of the part of the question that is answered worst."""
    answered = [part for part in parts if part.passages.quotes or part.pages]
    worst = min(map(_confidence_of_part, answered or parts), key=lambda each: each.value)
    if len(answered) in (0, len(parts)):
        return worst
    return Confidence(worst.value, worst.band, (*worst.reasons, "a part of the question is answered by no passage"))


def _confidence_of_part(progress: Progress) -> Confidence:
    """The average score of the passages behind the quotes; low for the web's."""
    passages = progress.passages
    if progress.pages and not passages.quotes:
        return Confidence(_OF_THE_WEB, ConfidenceBand.LOW, ("only a page of the web behind it",))
    used = len({quote.hit.evidence.id for quote in passages.quotes})
    noun = "passage" if used == 1 else "passages"
    reason = f"{used} {noun} behind it, with an average score of {passages.average:.2f}"
    return Confidence(passages.average, passages.band, (reason,))


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """What is said instead of an answer: the nearest passages, each cited and with its score."""

    text: str
    grounded: Grounded
    near: tuple[NearMiss, ...]
    evidence: tuple[Evidence, ...]


def uncertainty_of(run: Run, question: DocumentQuestion) -> Uncertainty:
    """The uncertainty of a run whose passages don't answer `question`."""
    progress = run.progress_of(question)
    passages, is_known = progress.passages, bool(progress.named)
    near = _best_by_document(passages.hits)
    shown: dict[str, Evidence] = {hit.evidence.id: hit.evidence for hit in near}
    lines = [f"{_place(hit.evidence)} [{number}]" for number, hit in enumerate(near, start=1)]
    grounded = ground(f"The closest passages are in {'; '.join(lines)}." if lines else "", tuple(shown), shown)
    text = grounded.answer
    for number, hit in enumerate(near, start=1):
        text = text.replace(f"[{number}]", f"[{number}] (score {hit.score:.2f})", 1)
    missing = ", ".join(f"“{word}”" for word in passages.missing)
    parts = [
        f"“{question.document}” is not in the collection." if question.document and not is_known else "",
        _nothing_followed(question, progress) if is_known else "",
        f"None of the passages found says anything of {missing}." if missing and near else "",
        text,
    ]
    misses = tuple(
        NearMiss(
            entity=hit.evidence.document, reason=f"a passage, §{_section(hit.evidence)}", score=round(hit.score, 4)
        )
        for hit in near
    )
    return Uncertainty("\n".join(part for part in parts if part), grounded, misses, tuple(shown.values()))


def _nothing_followed(question: DocumentQuestion, progress: Progress) -> str:
    if not question.follows or progress.followed:
        return ""
    return f"No document that “{question.document}” names so is in the collection."


def _best_by_document(hits: Sequence[DocumentHit]) -> list[DocumentHit]:
    best: dict[str, DocumentHit] = {}
    for hit in sorted(hits, key=lambda hit: -hit.score):
        best.setdefault(str(hit.evidence.document.id), hit)
    return list(best.values())[:MAX_NEAR_PASSAGES]


def _place(evidence: ChunkEvidence) -> str:
    date = f" ({evidence.date})" if evidence.date else ""
    return f"“{evidence.title}”{date}"


def _section(evidence: ChunkEvidence) -> str:
    return evidence.section or str(evidence.position)
