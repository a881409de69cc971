"""One stage call on a model: bounded in attempts, time and tokens, and isolated from every other call."""

import asyncio
import json
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import structlog
from atomic_agents import AgentConfig, AtomicAgent, BaseIOSchema
from atomic_agents.context import BaseDynamicContextProvider, ChatHistory, SystemPromptGenerator
from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException
from instructor.processing.function_calls import openai_schema
from observability.attributes import (
    GEN_AI_INPUT_TOKENS,
    GEN_AI_MODEL,
    GEN_AI_OPERATION,
    GEN_AI_OUTPUT_TOKENS,
    GEN_AI_PROVIDER,
    MODEL_ATTEMPTS,
)
from observability.tracing import span
from pydantic import BaseModel, ValidationError
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt

from agent_core.budget import Budget
from agent_core.errors import ModelErrorKind, StageFailed
from agent_core.llm.circuit import Circuit, CircuitState
from agent_core.llm.metering import CallMeter, metered
from agent_core.llm.options import ModelProvider
from agent_core.llm.providers import ModelClient
from agent_core.protocols import StageCall

_log = structlog.get_logger(__name__)

_CORRECTABLE = (ValidationError, json.JSONDecodeError, AssertionError)


class ModelStageRunner:
    """Runs stage calls on one model. Holds nothing of a request: agent, history and prompt are made per call.

    While the provider's circuit is open a call fails at once as unavailable, and nothing is sent.
    """

    def __init__(self, client: ModelClient, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._circuit = Circuit(client.options.provider, client.options.circuit, monotonic)

    @property
    def circuit(self) -> CircuitState:
        """Whether the provider is asked at all."""
        return self._circuit.state

    async def run[Out: BaseModel](self, call: StageCall[Out], budget: Budget) -> Out:
        """Fill `call.output`. Raises StageFailed, BudgetExhausted; neither carries any text of prompt or model."""
        if not self._circuit.admit():
            raise StageFailed(call.stage, ModelErrorKind.UNAVAILABLE)
        meter = CallMeter(budget)
        started = time.perf_counter()
        kind: ModelErrorKind | None = None
        end_call = self._circuit.unknown
        try:
            filled = await self._traced(call, meter)
            end_call = self._circuit.succeeded
            return filled
        except StageFailed as failed:
            kind = failed.kind
            end_call = self._verdict(kind, meter)
            raise
        finally:
            end_call()
            _log.debug(
                "model_called",
                stage=call.stage,
                model=self._client.options.model_of(call.stage),
                attempts=meter.attempts,
                error=kind,
                ms=round((time.perf_counter() - started) * 1000, 1),
            )

    async def _traced[Out: BaseModel](self, call: StageCall[Out], meter: CallMeter) -> Out:
        """The call inside a span of its own, which carries no text."""
        options, budget = self._client.options, meter.budget
        model = options.model_of(call.stage)
        attributes = {GEN_AI_OPERATION: "chat", GEN_AI_PROVIDER: options.provider, GEN_AI_MODEL: model}
        with span(f"chat {model}", attributes) as traced:
            prompt, completion = budget.prompt_tokens, budget.completion_tokens
            try:
                return await self._run(call, meter)
            finally:
                traced.set_attribute(MODEL_ATTEMPTS, meter.attempts)
                traced.set_attribute(GEN_AI_INPUT_TOKENS, budget.prompt_tokens - prompt)
                traced.set_attribute(GEN_AI_OUTPUT_TOKENS, budget.completion_tokens - completion)

    def _verdict(self, kind: ModelErrorKind, meter: CallMeter) -> Callable[[], None]:
        """What a failure tells of the provider. One that the caller's own limits or request caused tells nothing."""
        if not kind.is_outage:
            return self._circuit.succeeded
        is_own = meter.is_about_the_request or (kind is ModelErrorKind.TIMEOUT and meter.budget.remaining_seconds <= 0)
        return self._circuit.unknown if is_own else self._circuit.failed

    async def _run[Out: BaseModel](self, call: StageCall[Out], meter: CallMeter) -> Out:
        seconds = meter.budget.timeout(self._client.options.stage_timeout_seconds)
        try:
            with metered(meter):
                async with asyncio.timeout(seconds):
                    raw = await self._agent(call).run_async(cast(BaseIOSchema, call.input))
            return call.output.model_validate(raw.model_dump())
        except TimeoutError:
            raise StageFailed(call.stage, ModelErrorKind.TIMEOUT) from None
        except Exception as error:  # noqa: BLE001 - SDKs fail in ways of their own; the taxonomy is closed
            if meter.exhausted is not None:
                raise meter.exhausted from None
            # The cause is dropped: its text holds the whole prompt.
            raise StageFailed(call.stage, meter.failure or _kind_of_output(error)) from None

    def _agent(self, call: StageCall[Any]) -> AtomicAgent[BaseIOSchema, BaseIOSchema]:
        prompt = SystemPromptGenerator(
            background=list(call.prompt.background),
            steps=list(call.prompt.steps),
            output_instructions=list(call.prompt.output_instructions),
            context_providers={"retrieved": cast(BaseDynamicContextProvider, call.context)},
        )
        config = AgentConfig(
            client=self._client.instructor,
            model=self._client.options.model_of(call.stage),
            history=ChatHistory(),
            system_prompt_generator=prompt,
            model_api_parameters=self._parameters(),
        )
        agent_type: Any = AtomicAgent[type(call.input), _prepared(call.output)]  # pyright: ignore[reportInvalidTypeArguments, reportGeneralTypeIssues]
        return agent_type(config)

    def _parameters(self) -> dict[str, Any]:
        options = self._client.options
        limit = "max_completion_tokens" if options.provider is ModelProvider.OPENAI else "max_tokens"
        parameters: dict[str, Any] = {
            limit: options.max_tokens,
            "strict": False,
            "max_retries": AsyncRetrying(
                stop=stop_after_attempt(options.output_attempts), retry=retry_if_exception_type(_CORRECTABLE)
            ),
        }
        if options.temperature is not None:
            parameters["temperature"] = options.temperature
        return parameters


@lru_cache(maxsize=128)
def _prepared(output: type[BaseModel]) -> type[BaseModel]:
    """The type as Instructor wraps it. It would do so for each call, which takes longer than all else that we do."""
    return cast(type[BaseModel], openai_schema(output))


def _kind_of_output(error: BaseException) -> ModelErrorKind:
    """The kind of a failure after an answer came. What is unknown counts as bad output: an HTML page, no choices."""
    if isinstance(error, InstructorRetryException) and error.failed_attempts:
        error = error.failed_attempts[-1].exception
    return ModelErrorKind.TRUNCATED if isinstance(error, IncompleteOutputException) else ModelErrorKind.BAD_OUTPUT
