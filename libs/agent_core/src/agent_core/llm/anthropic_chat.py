"""Chat completions over Anthropic's messages."""

import json

import anthropic
import httpx
import httpx2
from anthropic.types import Message as AnthropicMessage
from anthropic.types import (
    OutputConfigParam,
    StopReason,
    TextBlock,
    ToolChoiceToolParam,
    ToolParam,
    ToolResultBlockParam,
    ToolUseBlock,
    ToolUseBlockParam,
)
from anthropic.types.assistant_message_param import AssistantMessageParam
from anthropic.types.user_message_param import UserMessageParam
from openai.types.chat import ChatCompletion

from agent_core.llm.chat import Answer, CalledFunction, ChatRequest, FinishReason, Message, ToolCall

_URL = "https://api.anthropic.com"
_NOTHING = "(nothing)"
_FINISH: dict[StopReason | None, FinishReason] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


class _Bridge(httpx2.AsyncBaseTransport):
    """Carries the SDK's requests over the transport that all providers share. Bodies are whole on both sides."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        sent = httpx.Request(
            request.method, str(request.url), headers=request.headers.multi_items(), content=await request.aread()
        )
        answer = await self._inner.handle_async_request(sent)
        body = await answer.aread()
        return httpx2.Response(answer.status_code, headers=answer.headers.multi_items(), content=body, request=request)


class AnthropicChat:
    """Asks Anthropic's models in the form of chat completions."""

    def __init__(self, transport: httpx.AsyncBaseTransport, *, api_key: str, base_url: str | None) -> None:
        """Nothing is sent; `transport` stays its owner's to close and bounds every attempt in time."""
        self._client = anthropic.AsyncAnthropic(
            api_key=api_key or "none",
            base_url=base_url or _URL,
            max_retries=0,
            timeout=None,
            open_telemetry=False,
            http_client=httpx2.AsyncClient(transport=_Bridge(transport), trust_env=False, follow_redirects=False),
        )

    async def create(self, **arguments: object) -> ChatCompletion:
        """Raises the SDK's errors and those of the transport."""
        request = ChatRequest.model_validate(arguments)
        message = await self._client.messages.create(
            model=request.model,
            max_tokens=request.max_tokens,
            system=request.system or anthropic.omit,
            messages=[_message(each) for each in request.conversation],
            tools=_tools(request) or anthropic.omit,
            tool_choice=_choice(request) or anthropic.omit,
            output_config=_output(request) or anthropic.omit,
            # Newer models have no temperature, so the SDK has no argument for it; older ones still take it.
            extra_body=None if request.temperature is None else {"temperature": request.temperature},
        )
        return _answer(message).completion(request.model)


def _message(message: Message) -> UserMessageParam | AssistantMessageParam:
    if message.tool_call_id is not None:
        result = ToolResultBlockParam(
            type="tool_result", tool_use_id=message.tool_call_id, content=message.content or "", is_error=True
        )
        return UserMessageParam(role="user", content=[result])
    if message.role != "assistant":
        return UserMessageParam(role="user", content=message.content or _NOTHING)
    if not message.tool_calls:
        return AssistantMessageParam(role="assistant", content=message.content or _NOTHING)
    return AssistantMessageParam(role="assistant", content=[_use(call) for call in message.tool_calls])


def _use(call: ToolCall) -> ToolUseBlockParam:
    return ToolUseBlockParam(type="tool_use", id=call.id, name=call.function.name, input={**call.function.values})


def _tools(request: ChatRequest) -> list[ToolParam]:
    return [
        ToolParam(
            name=tool.function.name,
            description=tool.function.description,
            input_schema={**tool.function.parameters, "type": "object"},
        )
        for tool in request.tools
    ]


def _choice(request: ChatRequest) -> ToolChoiceToolParam | None:
    if not request.tools:
        return None
    return ToolChoiceToolParam(type="tool", name=request.tools[0].function.name, disable_parallel_tool_use=True)


def _output(request: ChatRequest) -> OutputConfigParam | None:
    schema = request.response_format.json_schema if request.response_format else None
    if schema is None:
        return None
    return OutputConfigParam(format={"type": "json_schema", "schema": {**schema.json_schema}})


def _answer(message: AnthropicMessage) -> Answer:
    texts = [block.text for block in message.content if isinstance(block, TextBlock)]
    calls = tuple(
        ToolCall(id=block.id, function=CalledFunction(name=block.name, arguments=json.dumps(block.input)))
        for block in message.content
        if isinstance(block, ToolUseBlock)
    )
    usage = message.usage
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return Answer(
        text="".join(texts) or None,
        calls=calls,
        finish_reason=_FINISH.get(message.stop_reason, "stop"),
        refusal="".join(texts) or "refused" if message.stop_reason == "refusal" else None,
        usage=(usage.input_tokens + cached, usage.output_tokens),
    )
