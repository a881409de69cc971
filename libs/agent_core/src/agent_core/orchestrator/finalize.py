"""From a stopped run to a response: last checks against the catalogue, names, status, confidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from datastore.vocabulary import EntityType

from agent_core.confidence import NOT_FOUND_VALUE, Confidence, ConfidenceFacts, assess, without_answer
from agent_core.context.labels import best_names
from agent_core.document_contracts import DocumentQuestion
from agent_core.errors import BudgetExhausted, SourceUnavailable
from agent_core.evidence import EntityRef, EntityRowEvidence, Evidence, PathEvidence, entities_of
from agent_core.grounding import Grounded, ground
from agent_core.languages import localized
from agent_core.orchestrator.calling import SourceCaller
from agent_core.orchestrator.contradictions import warn_of_conflicts, warn_of_vague_dates
from agent_core.orchestrator.document_endings import confidence_of, progress_of_run, uncertainty_of, warn_of_passages
from agent_core.orchestrator.drafting import cleaned
from agent_core.orchestrator.naming import Names, named
from agent_core.orchestrator.near_misses import near_misses
from agent_core.orchestrator.options import Sources
from agent_core.orchestrator.outcomes import status_of
from agent_core.orchestrator.pictures import is_only_alike, nothing_alike
from agent_core.orchestrator.readings import absent_documents
from agent_core.orchestrator.run import Accepted, Run, namesakes
from agent_core.orchestrator.texts import FIXED_ANSWERS, closest, nothing_found, which_one
from agent_core.schemas import (
    AgentResponse,
    AnswerStatus,
    Candidate,
    NearMiss,
    SourceCitation,
    Stage,
    StepStatus,
    TerminationReason,
    Usage,
    Verdict,
    WarningCode,
)

MAX_ALTERNATIVES = 10
AMBIGUOUS_VALUE = 0.2

_DEGRADED = frozenset(
    {
        WarningCode.LLM_UNAVAILABLE,
        WarningCode.VECTOR_UNAVAILABLE,
        WarningCode.DATABASE_UNAVAILABLE,
        WarningCode.SOURCE_TIMEOUT,
    }
)


@dataclass(frozen=True, slots=True)
class _Ending:
    """What a response says, before it is put together."""

    reason: TerminationReason
    text: str
    grounded: Grounded | None = None
    source_entities: tuple[EntityRef, ...] = ()
    result_entities: tuple[EntityRef, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    missing: tuple[str, ...] = ()
    has_answer: bool = False


class Finalizer:
    """Ends runs. What the catalogue no longer holds is taken out of the answer before it leaves."""

    def __init__(self, sources: Sources, caller: SourceCaller) -> None:
        self._sources = sources
        self._caller = caller

    async def finish(self, run: Run, reason: TerminationReason) -> AgentResponse:
        """The response of a run that stopped for `reason`. Never raises for trouble with a source."""
        rows: dict[UUID, EntityRowEvidence] = {}
        with run.trace.step(Stage.FINALIZE, reason) as note:
            if reason is TerminationReason.NO_RETRIEVAL_NEEDED:
                ending = _fixed(run)
            elif reason is TerminationReason.AMBIGUOUS:
                ending = await self._ambiguous(run, rows)
            else:
                ending = await self._answered(run, reason, rows) or await self._not_found(run, reason, rows)
            note.hits = len(ending.evidence)
            note.status = StepStatus.OK if ending.has_answer else StepStatus.EMPTY
        return _respond(run, ending, rows)

    async def _answered(
        self, run: Run, reason: TerminationReason, rows: dict[UUID, EntityRowEvidence]
    ) -> _Ending | None:
        """The accepted draft after the last checks; None when there is none or nothing of it is left."""
        accepted = run.accepted
        if accepted is None:
            return None
        cited = [run.evidence[source.evidence_id] for source in accepted.grounded.sources]
        standing = await self._standing(run, cited, rows)
        if len(standing) < len(cited):
            accepted = _without_gone(run, accepted, standing)
            if accepted is None:
                return None
        run.note_orders(standing)
        warn_of_conflicts(run, standing, rows, accepted.grounded.answer)
        warn_of_vague_dates(run, standing)
        warn_of_passages(run, standing)
        return _Ending(
            reason=reason,
            text=accepted.grounded.answer,
            grounded=accepted.grounded,
            source_entities=accepted.draft.source_entities,
            result_entities=accepted.draft.result_entities,
            evidence=tuple(standing),
            missing=tuple(dict.fromkeys((*run.open_slots, *accepted.missing))),
            has_answer=True,
        )

    async def _ambiguous(self, run: Run, rows: dict[UUID, EntityRowEvidence]) -> _Ending:
        mention = next((m for m in run.resolved if m.is_ambiguous and not m.chosen), None)
        mention = mention or max(run.resolved, key=lambda m: len(m.candidates))
        text = mention.mention.text
        run.warn(WarningCode.AMBIGUOUS_ENTITY, f"'{text}' fits more than one entity.", text)
        candidates = namesakes(mention)[:MAX_ALTERNATIVES]
        await self._read_rows(run, [candidate.entity for candidate in candidates], rows)
        standing = [candidate for candidate in candidates if candidate.entity.id in rows]
        grounded = _listed(run, standing, rows)
        lines = grounded.answer.split("\n") if grounded.answer else []
        refs = tuple(candidate.entity for candidate in standing)
        known = {**run.evidence, **{row.id: row for row in rows.values()}}
        return _Ending(
            reason=TerminationReason.AMBIGUOUS,
            text=which_one(text, lines),
            grounded=grounded,
            source_entities=refs,
            result_entities=refs,
            evidence=tuple(known[source.evidence_id] for source in grounded.sources),
            missing=run.open_slots,
        )

    async def _not_found(self, run: Run, reason: TerminationReason, rows: dict[UUID, EntityRowEvidence]) -> _Ending:
        """No answer: what was searched, and the nearest things that do exist."""
        if reason is TerminationReason.SUFFICIENT:
            reason = TerminationReason.NO_PROGRESS
        if run.rewrite.document_question is not None:
            return _uncertain(run, reason, run.rewrite.document_question)
        misses = near_misses(run)
        await self._read_rows(run, [miss.entity for miss in misses], rows)
        standing = tuple(miss for miss in misses if miss.entity.id in rows)
        shown = {rows[miss.entity.id].id: rows[miss.entity.id] for miss in standing}
        lines = [f"{item.title} [{number}]" for number, item in enumerate(shown.values(), start=1)]
        grounded = ground(closest(lines), tuple(shown), shown)
        opening = nothing_alike(run)
        absent = (f"“{name}” is not in the collection." for name in absent_documents(run))
        parts = (opening, nothing_found(reason, tuple(run.searched)), *absent, grounded.answer)
        return _Ending(
            reason=reason,
            text="\n".join(part for part in parts if part),
            grounded=grounded,
            source_entities=tuple(miss.entity for miss in standing),
            evidence=tuple(shown[source.evidence_id] for source in grounded.sources),
            near_misses=standing,
            missing=tuple(slot.name for slot in run.slots if slot.state != "filled"),
        )

    async def _standing(
        self, run: Run, cited: Sequence[Evidence], rows: dict[UUID, EntityRowEvidence]
    ) -> list[Evidence]:
        """The cited evidence whose entities and edges the catalogue still holds; all of it when it can't be asked."""
        refs = {
            ref.key: ref for item in cited for ref in entities_of(item) if ref.entity_type is not EntityType.DOCUMENT
        }
        if not await self._read_rows(run, list(refs.values()), rows):
            return list(cited)
        paths = [item for item in cited if isinstance(item, PathEvidence)]
        live = await self._live_edges(run, paths) if paths else frozenset[str]()
        if live is None:
            return list(cited)
        known = {key for key, ref in refs.items() if ref.id in rows}
        return [
            item
            for item in cited
            if all(ref.key in known for ref in entities_of(item) if ref.key in refs)
            and (not isinstance(item, PathEvidence) or item.id in live)
        ]

    async def _read_rows(self, run: Run, refs: Sequence[EntityRef], rows: dict[UUID, EntityRowEvidence]) -> bool:
        """Add the rows that exist to `rows`. False when the catalogue can't be asked."""
        if not refs:
            return True
        try:
            with run.trace.step(Stage.VALIDATE, "entities", timer="catalogue_ms") as note:
                found = await self._caller.call(
                    "postgresql",
                    run.budget.spend_tool_call,
                    run.budget,
                    lambda seconds: self._sources.catalogue.rows(refs, timeout=seconds),
                )
                note.hits = len(found)
        except (SourceUnavailable, BudgetExhausted) as error:
            _warn_unchecked(run, error)
            return False
        rows.update(found)
        return True

    async def _live_edges(self, run: Run, paths: Sequence[PathEvidence]) -> frozenset[str] | None:
        try:
            with run.trace.step(Stage.VALIDATE, "edges", timer="catalogue_ms") as note:
                live = await self._caller.call(
                    "postgresql",
                    run.budget.spend_tool_call,
                    run.budget,
                    lambda seconds: self._sources.catalogue.existing_edges(paths, timeout=seconds),
                )
                note.hits = len(live)
                return live
        except (SourceUnavailable, BudgetExhausted) as error:
            _warn_unchecked(run, error)
            return None


def _fixed(run: Run) -> _Ending:
    kind = run.rewrite.fixed_answer or "limits"
    has_answer = kind not in ("limits", "referent")
    return _Ending(reason=TerminationReason.NO_RETRIEVAL_NEEDED, text=FIXED_ANSWERS[kind], has_answer=has_answer)


def _uncertain(run: Run, reason: TerminationReason, question: DocumentQuestion) -> _Ending:
    """No answer from documents: what was searched, and the nearest passages with their scores."""
    uncertainty = uncertainty_of(run, question)
    opening = nothing_found(reason, tuple(run.searched), "documents")
    return _Ending(
        reason=reason,
        text="\n".join(part for part in (opening, uncertainty.text) if part),
        grounded=uncertainty.grounded,
        source_entities=tuple(miss.entity for miss in uncertainty.near),
        evidence=uncertainty.evidence,
        near_misses=uncertainty.near,
        missing=tuple(slot.name for slot in run.slots if slot.state != "filled"),
    )


def _warn_unchecked(run: Run, error: SourceUnavailable | BudgetExhausted) -> None:
    if isinstance(error, SourceUnavailable):
        run.warn(WarningCode.DATABASE_UNAVAILABLE, "The answer could not be checked against the catalogue once more.")


def _without_gone(run: Run, accepted: Accepted, standing: Sequence[Evidence]) -> Accepted | None:
    """The draft checked again without the evidence that is gone from the catalogue."""
    run.warn(WarningCode.STALE_INDEX, "Something that was read is no longer in the catalogue; it was left out.")
    run.warn(WarningCode.CITATION_REMOVED, "A sentence or a citation that the evidence doesn't back was removed.")
    shown = {item.id: item for item in standing}
    grounded = ground(accepted.draft.answer, accepted.draft.evidence_ids, shown, asked=run.request.query)
    run.removed_sentences += len(grounded.removed)
    if grounded.is_refused:
        return None
    return Accepted(cleaned(accepted.draft, grounded, standing), grounded, accepted.is_sufficient, accepted.missing)


def _listed(run: Run, candidates: Sequence[Candidate], rows: Mapping[UUID, EntityRowEvidence]) -> Grounded:
    """Candidates one a line, each citing its row and what it is known for; what neither says is left out."""
    shown: dict[str, Evidence] = {}
    lines: list[str] = []
    for candidate in candidates:
        row = rows[candidate.entity.id]
        backing = [row, *_known_for(run, candidate)]
        shown.update((item.id, item) for item in backing)
        ids = tuple(shown)
        full = f"{row.title} ({', '.join(candidate.discriminators)}) {_markers(ids, backing)}"
        stands = candidate.discriminators and not ground(full, ids, shown).is_refused
        lines.append(full if stands else f"{row.title} {_markers(ids, [row])}")
    return ground("\n".join(lines), tuple(shown), shown)


def _markers(ids: Sequence[str], cited: Sequence[Evidence]) -> str:
    return "".join(f"[{ids.index(item.id) + 1}]" for item in cited)


def _known_for(run: Run, candidate: Candidate) -> list[Evidence]:
    """The first link of a candidate that names one of its discriminators."""
    links = (
        item
        for item in run.evidence.values()
        if isinstance(item, PathEvidence) and item.path.steps[0].from_.key == candidate.entity.key
    )
    named_links = (item for item in links if any(name in item.text for name in candidate.discriminators))
    return [item for item in (next(named_links, None),) if item is not None]


def _respond(run: Run, ending: _Ending, rows: Mapping[UUID, EntityRowEvidence]) -> AgentResponse:
    names = _names(run, rows)
    run.adopt_warnings(frozenset(item.id for item in ending.evidence) if ending.has_answer else None)
    warnings = tuple(run.warnings.values())
    codes = frozenset(warning.code for warning in warnings)
    status = status_of(ending.reason, has_answer=ending.has_answer, slots=run.slots, warnings=codes)
    confidence = _confidence(run, ending, status)
    sources: tuple[SourceCitation, ...] = ending.grounded.sources if ending.grounded else ()
    run.budget.ms["total_ms"] = round((run.budget.monotonic() - run.budget.started) * 1000, 3)
    return AgentResponse.trusted(
        answer=localized(ending.text, run.rewrite.language, names.values()),
        status=status,
        confidence=confidence.value,
        confidence_band=confidence.band,
        confidence_reasons=confidence.reasons,
        source_entities=named(ending.source_entities, names),
        result_entities=named(ending.result_entities, names),
        evidence=named(ending.evidence, names),
        evidence_truncated=False,
        citations=ending.grounded.titles if ending.grounded else (),
        sources=sources,
        missing=ending.missing,
        alternatives=named(_alternatives(run), names),
        searched=tuple(run.searched),
        near_misses=named(ending.near_misses, names),
        rewritten_query=run.rewrite.rewritten_query,
        steps=tuple(run.trace.steps),
        warnings=warnings,
        usage=_usage(run),
        trace_id=run.trace_id,
        session_id=run.request.session_id,
        termination_reason=ending.reason,
    )


def _names(run: Run, rows: Mapping[UUID, EntityRowEvidence]) -> Names:
    """By the id that was asked for too: a merged entity is read under its living one."""
    asked = {(row.entity.entity_type, entity_id): row.title for entity_id, row in rows.items()}
    living = {row.entity.key: row.title for row in rows.values()}
    return {**best_names(run.resolved, run.found), **living, **asked}


def _alternatives(run: Run) -> tuple[Candidate, ...]:
    return tuple(
        candidate
        for mention in run.resolved
        if mention.is_ambiguous
        for candidate in namesakes(mention)
        if mention.chosen is None or candidate.entity.key != mention.chosen.entity.key
    )[:MAX_ALTERNATIVES]


def _confidence(run: Run, ending: _Ending, status: AnswerStatus) -> Confidence:
    if ending.reason is TerminationReason.NO_RETRIEVAL_NEEDED:
        return without_answer(1.0, "a fixed text that states no fact of the catalogue")
    if status is AnswerStatus.AMBIGUOUS:
        return without_answer(AMBIGUOUS_VALUE, "a name fits several entities")
    accepted = run.accepted
    if not ending.has_answer or accepted is None or ending.grounded is None:
        return without_answer(NOT_FOUND_VALUE, "nothing that was found answers the question")
    progress = progress_of_run(run)
    if progress:
        return confidence_of(progress)
    codes = {code for code, _ in run.warnings}
    paths = [len(item.path.steps) for item in ending.evidence if isinstance(item, PathEvidence)]
    return assess(
        ConfidenceFacts(
            resolved=run.resolved,
            slots=run.slots,
            hops=max(paths, default=0),
            is_truncated=WarningCode.GRAPH_TRUNCATED in codes,
            is_degraded=bool(codes & _DEGRADED),
            removed_sentences=run.removed_sentences,
            partial_citations=sum(source.verdict is Verdict.PARTIAL for source in ending.grounded.sources),
            was_judged_sufficient=accepted.is_sufficient,
            self_assessment=accepted.draft.confidence,
            is_only_alike=is_only_alike(ending.evidence),
        )
    )


def _usage(run: Run) -> Usage:
    budget = run.budget
    return Usage.trusted(
        turns=budget.turns,
        model_calls=budget.model_calls,
        tool_calls=budget.tool_calls,
        prompt_tokens=budget.prompt_tokens,
        completion_tokens=budget.completion_tokens,
        cost=budget.cost if budget.model_calls else None,
        ms=dict(budget.ms),
    )
