"""Chat completions over Google's generated content (Gemini)."""

import json

import httpx
from google.genai import Client, types
from openai.types.chat import ChatCompletion
from pydantic import ValidationError

from agent_core.llm.chat import Answer, CalledFunction, ChatRequest, Message, ToolCall, UnreadableAnswer

_URL = "https://generativelanguage.googleapis.com"
_API_VERSION = "v1beta"
_NOTHING = "(nothing)"
_CUT = frozenset({types.FinishReason.MAX_TOKENS})
_REFUSED = frozenset(
    {
        types.FinishReason.SAFETY,
        types.FinishReason.RECITATION,
        types.FinishReason.BLOCKLIST,
        types.FinishReason.PROHIBITED_CONTENT,
        types.FinishReason.SPII,
    }
)


class GoogleChat:
    """Asks Google's models in the form of chat completions."""

    def __init__(self, http: httpx.AsyncClient, *, api_key: str, base_url: str | None) -> None:
        """Nothing is sent; `http` stays its owner's to close and bounds every attempt in time."""
        self._client = Client(
            vertexai=False,
            api_key=api_key or "none",
            http_options=types.HttpOptions(
                base_url=base_url or _URL, api_version=_API_VERSION, httpx_async_client=http
            ),
        )

    async def create(self, **arguments: object) -> ChatCompletion:
        """Raises UnreadableAnswer, the SDK's errors and those of the transport."""
        request = ChatRequest.model_validate(arguments)
        contents = [_content(message) for message in request.conversation]
        try:
            response = await self._client.aio.models.generate_content(
                model=request.model, contents=contents, config=_config(request)
            )
        except ValidationError as error:
            raise UnreadableAnswer from error
        return _answer(response).completion(request.model)


def _config(request: ChatRequest) -> types.GenerateContentConfig:
    config = types.GenerateContentConfig(
        system_instruction=request.system or None,
        max_output_tokens=request.max_tokens,
        temperature=request.temperature,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    if request.tools:
        functions = [
            types.FunctionDeclaration(
                name=tool.function.name,
                description=tool.function.description,
                parameters_json_schema=tool.function.parameters,
            )
            for tool in request.tools
        ]
        only = types.FunctionCallingConfig(
            mode=types.FunctionCallingConfigMode.ANY, allowed_function_names=[functions[0].name or ""]
        )
        config.tools = [types.Tool(function_declarations=functions)]
        config.tool_config = types.ToolConfig(function_calling_config=only)
    if request.response_format is not None:
        schema = request.response_format.json_schema
        config.response_mime_type = "application/json"
        config.response_json_schema = schema.json_schema if schema else None
    return config


def _content(message: Message) -> types.Content:
    if message.tool_call_id is not None:
        answer = types.Part.from_function_response(name=message.tool_call_id, response={"error": message.content or ""})
        return types.Content(role="user", parts=[answer])
    role = "model" if message.role == "assistant" else "user"
    if not message.tool_calls:
        return types.Content(role=role, parts=[types.Part.from_text(text=message.content or _NOTHING)])
    return types.Content(role=role, parts=[_call(call) for call in message.tool_calls])


def _call(call: ToolCall) -> types.Part:
    return types.Part.from_function_call(name=call.function.name, args={**call.function.values})


def _answer(response: types.GenerateContentResponse) -> Answer:
    blocked = response.prompt_feedback.block_reason if response.prompt_feedback else None
    candidate = response.candidates[0] if response.candidates else None
    if candidate is None and blocked is None:
        raise UnreadableAnswer
    reason = candidate.finish_reason if candidate else None
    parts = (candidate.content.parts if candidate and candidate.content else None) or []
    calls = tuple(_made(part.function_call) for part in parts if part.function_call)
    is_refused = blocked is not None or reason in _REFUSED
    usage = response.usage_metadata
    return Answer(
        text="".join(part.text for part in parts if part.text and not part.thought) or None,
        calls=calls,
        finish_reason="length" if reason in _CUT else "content_filter" if is_refused else "stop",
        refusal="refused" if is_refused else None,
        usage=_tokens(usage) if usage else None,
    )


def _made(call: types.FunctionCall) -> ToolCall:
    # A function's answer names the function, so its name serves as the id of the call.
    name = call.name or ""
    return ToolCall(id=name, function=CalledFunction(name=name, arguments=json.dumps(call.args or {})))


def _tokens(usage: types.GenerateContentResponseUsageMetadata) -> tuple[int, int]:
    completion = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    return usage.prompt_token_count or 0, completion
