"""What Instructor calls: one request at the provider, its tokens counted, its answer put into the form that was asked.

Instructor repeats a call without its tool call word for word and tells the model nothing. Here such an answer becomes
the arguments of the asked tool: JSON that fits is taken, and anything else is corrected with the reason, as ever.
"""

from collections.abc import Awaitable, Callable

from openai.types.chat import ChatCompletion, ChatCompletionMessage
from openai.types.chat.chat_completion_message_function_tool_call import ChatCompletionMessageFunctionToolCall, Function
from pydantic import TypeAdapter

from agent_core.llm.chat import Tool, UnreadableAnswer
from agent_core.llm.metering import current_meter
from agent_core.llm.options import ModelOptions

_TOOLS = TypeAdapter(tuple[Tool, ...])
_EMPTY = "{}"

type Create = Callable[..., Awaitable[ChatCompletion]]


class Refused(Exception):
    """The model will not answer. It is not asked again: it would be the same question."""


class Asking:
    """Asks one provider for all callers; the running call's meter tells them apart."""

    def __init__(self, create: Create, options: ModelOptions) -> None:
        self._create = create
        self._options = options

    async def create(self, **arguments: object) -> ChatCompletion:
        """Raises Refused, UnreadableAnswer, the SDK's errors and those of the transport."""
        completion = await self._create(**arguments)
        self._record_usage(completion, str(arguments["model"]))
        # The SDK gives whatever came, should it be no completion at all.
        if not isinstance(completion, ChatCompletion) or not completion.choices:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UnreadableAnswer
        choice = completion.choices[0]
        if choice.message.refusal is not None:
            raise Refused
        tools = _TOOLS.validate_python(arguments.get("tools", ()))
        if tools and choice.finish_reason != "length":
            choice.message = _with_one_call(choice.message, tools[0].function.name)
        return completion

    def _record_usage(self, completion: object, model: str) -> None:
        meter = current_meter()
        prompt, completed = meter.estimated_tokens
        usage: object = getattr(completion, "usage", None)
        reported = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
        if isinstance(reported[0], int) and isinstance(reported[1], int):
            prompt, completed = max(0, reported[0]), max(0, reported[1])
        cost = self._options.cost(model, prompt_tokens=prompt, completion_tokens=completed)
        meter.budget.record_tokens(prompt=prompt, completion=completed, cost=cost)


def _with_one_call(message: ChatCompletionMessage, name: str) -> ChatCompletionMessage:
    """The message with exactly one call, of the asked tool; text stands for its arguments, any other call for none."""
    calls = message.tool_calls or []
    if [call.function.name for call in calls if call.type == "function"] == [name]:
        return message
    function = Function(name=name, arguments=_EMPTY if calls else message.content or _EMPTY)
    call = ChatCompletionMessageFunctionToolCall(id="call_0", type="function", function=function)
    return message.model_copy(update={"content": None, "tool_calls": [call]})
