"""What all providers are asked and answer, in the one form that Instructor is given: OpenAI's chat completions.

Instructor's own modes for other providers differ in how they repeat, what they take for truncated and which texts they
refuse; with one form there is one behaviour. The other providers' adapters translate both ways.
"""

import time
from typing import Literal

from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion, ChatCompletionMessage
from openai.types.chat.chat_completion import Choice
from openai.types.chat.chat_completion_message_function_tool_call import ChatCompletionMessageFunctionToolCall, Function
from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

type Schema = dict[str, JsonValue]
type FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]

_OBJECT = TypeAdapter(dict[str, JsonValue])


class UnreadableAnswer(Exception):
    """What came is no answer in the provider's form. It is not asked for again: the model didn't write it."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class CalledFunction(_Part):
    """A function with its arguments as JSON text."""

    name: str
    arguments: str

    @property
    def values(self) -> dict[str, JsonValue]:
        """The arguments as an object, for protocols that have no other form; empty if they are none."""
        try:
            return _OBJECT.validate_json(self.arguments)
        except ValidationError:
            return {}


class ToolCall(_Part):
    """One call that a model made."""

    id: str
    function: CalledFunction


class Message(_Part):
    """One message of the conversation; `tool_call_id` names the call that it answers."""

    role: str
    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


class OfferedFunction(_Part):
    """A function that a model may call."""

    name: str
    description: str = ""
    parameters: Schema


class Tool(_Part):
    """A tool on offer; all are functions."""

    function: OfferedFunction


class NamedSchema(_Part):
    """The schema that an answer must fit."""

    name: str
    json_schema: Schema = Field(alias="schema")


class ResponseFormat(_Part):
    """`json_schema` with its schema, or `json_object`."""

    type: str
    json_schema: NamedSchema | None = None


class ChatRequest(_Part):
    """A request in the form of OpenAI's chat completions, as far as it is used here."""

    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float | None = None
    tools: tuple[Tool, ...] = ()
    response_format: ResponseFormat | None = None

    @property
    def system(self) -> str:
        """The text of all system messages."""
        return "\n\n".join(message.content or "" for message in self.messages if message.role == "system")

    @property
    def conversation(self) -> tuple[Message, ...]:
        """All messages but the system's."""
        return tuple(message for message in self.messages if message.role != "system")


class Answer(_Part):
    """What a model said, whoever it is. A `refusal` is its reason for saying nothing."""

    text: str | None = None
    calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    refusal: str | None = None
    usage: tuple[int, int] | None = None

    def completion(self, model: str) -> ChatCompletion:
        """The same as a chat completion."""
        calls = [
            ChatCompletionMessageFunctionToolCall(
                id=call.id,
                type="function",
                function=Function(name=call.function.name, arguments=call.function.arguments),
            )
            for call in self.calls
        ]
        message = ChatCompletionMessage(
            role="assistant", content=self.text, refusal=self.refusal, tool_calls=[*calls] or None
        )
        return ChatCompletion(
            id="answer",
            object="chat.completion",
            created=int(time.time()),
            model=model,
            choices=[Choice(index=0, finish_reason=self.finish_reason, message=message, logprobs=None)],
            usage=_usage(*self.usage) if self.usage else None,
        )


def _usage(prompt: int, completion: int) -> CompletionUsage:
    return CompletionUsage(prompt_tokens=prompt, completion_tokens=completion, total_tokens=prompt + completion)
