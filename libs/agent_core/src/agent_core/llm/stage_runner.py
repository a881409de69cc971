"""One stage call on a model: bounded in attempts, time and tokens, and isolated from every other call."""

import asyncio
import json
import time
from typing import Any, cast

import openai
import structlog
from atomic_agents import AgentConfig, AtomicAgent, BaseIOSchema
from atomic_agents.context import BaseDynamicContextProvider, ChatHistory, SystemPromptGenerator
from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException
from instructor.core.hooks import Hooks
from pydantic import BaseModel, ValidationError
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt

from agent_core.budget import Budget
from agent_core.errors import ModelErrorKind, StageFailed
from agent_core.llm.metering import CallMeter, metered
from agent_core.llm.providers import ModelClient, ModelOptions, ModelProvider
from agent_core.protocols import StageCall

_log = structlog.get_logger(__name__)

# A wrong tool name, no tool call, two of them and a refusal all come as AssertionError.
_CORRECTABLE = (ValidationError, json.JSONDecodeError, AssertionError)


class ModelStageRunner:
    """Runs stage calls on one model. Holds nothing of a request: agent, history, prompt and hooks are made per call."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    async def run[Out: BaseModel](self, call: StageCall[Out], budget: Budget) -> Out:
        """Fill `call.output`. Raises StageFailed, BudgetExhausted; neither carries any text of prompt or model."""
        meter = CallMeter(budget)
        started = time.perf_counter()
        kind = None
        try:
            return await self._run(call, meter)
        except StageFailed as failed:
            kind = failed.kind
            raise
        finally:
            _log.debug(
                "model_called",
                stage=call.stage,
                attempts=meter.attempts,
                error=kind,
                ms=round((time.perf_counter() - started) * 1000, 1),
            )

    async def _run[Out: BaseModel](self, call: StageCall[Out], meter: CallMeter) -> Out:
        seconds = meter.budget.timeout(self._client.options.stage_timeout_seconds)
        try:
            with metered(meter):
                async with asyncio.timeout(seconds):
                    raw = await self._agent(call, meter).run_async(cast(BaseIOSchema, call.input))
            return call.output.model_validate(raw.model_dump())
        except TimeoutError:
            raise StageFailed(call.stage, ModelErrorKind.TIMEOUT) from None
        except Exception as error:  # noqa: BLE001 - SDKs fail in ways of their own; the taxonomy is closed
            if meter.exhausted is not None:
                raise meter.exhausted from None
            kind = ModelErrorKind.BAD_OUTPUT if meter.is_oversized else classify(error)
            # The cause is dropped: its text holds the whole prompt.
            raise StageFailed(call.stage, kind) from None

    def _agent(self, call: StageCall[Any], meter: CallMeter) -> AtomicAgent[BaseIOSchema, BaseIOSchema]:
        prompt = SystemPromptGenerator(
            background=list(call.prompt.background),
            steps=list(call.prompt.steps),
            output_instructions=list(call.prompt.output_instructions),
            context_providers={"retrieved": cast(BaseDynamicContextProvider, call.context)},
        )
        config = AgentConfig(
            client=self._client.instructor,
            model=self._client.options.model,
            history=ChatHistory(),
            system_prompt_generator=prompt,
            model_api_parameters=self._parameters(meter),
        )
        agent_type: Any = AtomicAgent[type(call.input), call.output]  # pyright: ignore[reportInvalidTypeArguments, reportGeneralTypeIssues]
        return agent_type(config)

    def _parameters(self, meter: CallMeter) -> dict[str, Any]:
        options = self._client.options
        hooks = Hooks()

        def on_response(response: object) -> None:
            _record_usage(response, meter, options)

        hooks.on("completion:response", on_response)
        limit = "max_completion_tokens" if options.provider is ModelProvider.OPENAI else "max_tokens"
        parameters: dict[str, Any] = {
            limit: options.max_tokens,
            "strict": False,
            "hooks": hooks,
            "max_retries": AsyncRetrying(
                stop=stop_after_attempt(options.output_attempts), retry=retry_if_exception_type(_CORRECTABLE)
            ),
        }
        if options.temperature is not None:
            parameters["temperature"] = options.temperature
        return parameters


def classify(error: BaseException) -> ModelErrorKind:
    """The kind of a failure. What is unknown counts as bad output: an HTML page, no choices, a missing field."""
    if isinstance(error, InstructorRetryException) and error.failed_attempts:
        error = error.failed_attempts[-1].exception
    match error:
        case IncompleteOutputException():
            return ModelErrorKind.TRUNCATED
        case openai.RateLimitError():
            return ModelErrorKind.RATE_LIMITED
        case openai.APITimeoutError():
            return ModelErrorKind.TIMEOUT
        case openai.APIConnectionError():
            return ModelErrorKind.UNAVAILABLE
        case openai.APIStatusError():
            is_down = error.status_code >= 500 or error.status_code in (408, 409)
            return ModelErrorKind.UNAVAILABLE if is_down else ModelErrorKind.REJECTED
        case _:
            return ModelErrorKind.BAD_OUTPUT


def _record_usage(response: object, meter: CallMeter, options: ModelOptions) -> None:
    usage: object = getattr(response, "usage", None)
    prompt, completion = meter.estimated_tokens
    reported = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
    if isinstance(reported[0], int) and isinstance(reported[1], int):
        prompt, completion = max(0, reported[0]), max(0, reported[1])
    cost = options.cost(prompt_tokens=prompt, completion_tokens=completion)
    meter.budget.record_tokens(prompt=prompt, completion=completion, cost=cost)
