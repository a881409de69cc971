"""What a model can do for the loop, found out by asking it over the very path that the loop takes."""

import time
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from uuid import UUID

import httpx
from datastore.vocabulary import EntityType

from agent_core.budget import Budget, Limits
from agent_core.errors import BudgetExhausted, IntentRefused, ModelErrorKind, StageFailed
from agent_core.evidence import EntityRef, EntityRowEvidence
from agent_core.llm.options import ModelMode, ModelOptions
from agent_core.llm.providers import open_model
from agent_core.protocols import LoopView, Slot, StageRunner
from agent_core.schemas import Action, AgentRequest, AnswerKind, NextStep, QueryRewrite

_MODES = (ModelMode.TOOLS, ModelMode.JSON_SCHEMA, ModelMode.JSON)
_HOPELESS = frozenset({ModelErrorKind.UNAVAILABLE, ModelErrorKind.TIMEOUT, ModelErrorKind.RATE_LIMITED})
_LIMITS = Limits(model_calls=16, tokens=60_000, seconds=120.0)
_ID = UUID(int=1)
_WORK = EntityRef(entity_type=EntityType.ANIME, id=_ID, name="Blue Harbour")
_REWRITE = QueryRewrite(
    rewritten_query="Which anime is about a lighthouse keeper?",
    needs_external_context=True,
    rationale="a description",
    answer_kind=AnswerKind.LIST,
    concepts=("lighthouse keeper",),
)
_UNANSWERABLE = QueryRewrite(
    rewritten_query="What does the director of Blue Harbour like to eat for breakfast?",
    needs_external_context=True,
    rationale="a property",
    answer_kind=AnswerKind.ENTITY,
)
_EVIDENCE = EntityRowEvidence(
    id="probe-1",
    source="probe",
    title="Blue Harbour",
    text="Blue Harbour (anime). Year: 2011. Episodes: 12.",
    entity=_WORK,
    names=("Blue Harbour",),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was asked of the model: whether it did it, and how it failed if it did not."""

    is_well: bool
    details: str


@dataclass(frozen=True, slots=True)
class ModelReport:
    """What a model can do. `mode` is the one in force, or with `auto` the first that works if that one doesn't.

    `step` and `refusal` are None where no mode gave structured output. `cost` is None where no price is known.
    """

    modes: dict[ModelMode, Finding]
    mode: ModelMode | None
    step: Finding | None
    refusal: Finding | None
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float


async def probe_model(options: ModelOptions, *, transport: httpx.AsyncBaseTransport | None = None) -> ModelReport:
    """Ask the model for structured output, for a step, and what the evidence doesn't say. Spends at most 16 calls.

    With mode `auto` all three modes are tried. Raises ProviderNotInstalled.
    """
    budget = Budget.start(_LIMITS, time.monotonic)
    modes: dict[ModelMode, Finding] = {}
    for mode in _MODES if options.mode is ModelMode.AUTO else (options.mode,):
        modes[mode] = await _probe_output(replace(options, mode=mode), budget, transport)
        if modes[mode].details in _HOPELESS:
            break
    chosen = _chosen(options, modes)
    step = refusal = None
    if chosen is not None:
        step, refusal = await _probe_stages(replace(options, mode=chosen), budget, transport)
    return ModelReport(
        modes=modes,
        mode=chosen,
        step=step,
        refusal=refusal,
        calls=budget.model_calls,
        prompt_tokens=budget.prompt_tokens,
        completion_tokens=budget.completion_tokens,
        cost=budget.cost,
        seconds=time.monotonic() - budget.started,
    )


def _chosen(options: ModelOptions, modes: dict[ModelMode, Finding]) -> ModelMode | None:
    works = [mode for mode, finding in modes.items() if finding.is_well]
    return options.resolved_mode if options.resolved_mode in works else next(iter(works), None)


async def _probe_output(options: ModelOptions, budget: Budget, transport: httpx.AsyncBaseTransport | None) -> Finding:
    # Imported where a model is asked: the framework costs a second and a half and 80 MB.
    from agent_core.agents.rewrite import ModelRewrite
    from agent_core.llm.stage_runner import ModelStageRunner

    client = open_model(options, transport=transport)
    request = AgentRequest(query="Which anime is Monkey D. Luffy in?", request_id=_ID)
    try:
        read = await _tried(ModelRewrite(ModelStageRunner(client)).run(request, budget))
    finally:
        await client.close()
    if isinstance(read, str):
        return Finding(False, read)
    found = any("Luffy" in mention.text for mention in read.mentions)
    return Finding(True, "the name was found" if found else "the name was not found")


async def _probe_stages(
    options: ModelOptions, budget: Budget, transport: httpx.AsyncBaseTransport | None
) -> tuple[Finding, Finding]:
    from agent_core.llm.stage_runner import ModelStageRunner

    client = open_model(options, transport=transport)
    try:
        runner = ModelStageRunner(client)
        return await _probe_step(runner, budget), await _probe_refusal(runner, budget)
    finally:
        await client.close()


async def _probe_step(runner: StageRunner, budget: Budget) -> Finding:
    from agent_core.agents.source_selector import ModelSourceSelector

    chosen = await _tried(ModelSourceSelector(runner).run(_view(_REWRITE), budget))
    if isinstance(chosen, str):
        return Finding(False, chosen)
    return Finding(_is_sensible(chosen), f"chose {chosen.action}")


def _is_sensible(step: NextStep) -> bool:
    return step.action is Action.QDRANT_SEARCH and step.search_intent is not None


async def _probe_refusal(runner: StageRunner, budget: Budget) -> Finding:
    from agent_core.agents.answer import ModelAnswer
    from agent_core.agents.sufficiency import ModelSufficiency

    view = _view(_UNANSWERABLE, _EVIDENCE)
    draft = await _tried(ModelAnswer(runner).run(view, budget))
    if isinstance(draft, str):
        return Finding(False, draft)
    if not draft.evidence_ids:
        return Finding(True, "wrote nothing that the evidence doesn't say")
    report = await _tried(ModelSufficiency(runner).run(view, draft, budget))
    if isinstance(report, str):
        return Finding(False, report)
    if not report.sufficient:
        return Finding(True, "found its own draft insufficient")
    return Finding(False, "answers what it can't know; what the evidence doesn't say is removed by code")


def _view(rewrite: QueryRewrite, *evidence: EntityRowEvidence) -> LoopView:
    return LoopView(
        request=AgentRequest(query=rewrite.rewritten_query, request_id=_ID),
        rewrite=rewrite,
        resolved=(),
        evidence=evidence,
        slots=(Slot(name="titles", state="empty"),),
        outcomes=(),
        offered_actions=frozenset({Action.QDRANT_SEARCH, Action.FINAL}),
        turn=1,
    )


async def _tried[T](stage: Awaitable[T]) -> T | str:
    """What a stage gives, or in a word how it failed."""
    try:
        return await stage
    except StageFailed as failed:
        return failed.kind
    except IntentRefused as refused:
        return f"not allowed: {refused.field}"
    except BudgetExhausted as exhausted:
        return f"budget: {exhausted.what}"
