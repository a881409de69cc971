"""Proto to contracts and back: translation only."""

from collections.abc import Iterable, Iterator
from typing import cast
from uuid import UUID

from agent_api.v1 import search_pb2
from agent_core.errors import InvalidRequest
from agent_core.evidence import EntityRef, EvidenceBase
from agent_core.schemas import AgentRequest, AgentResponse, Strategy
from datastore.vocabulary import EntityType
from google.protobuf import json_format
from google.protobuf.message import Message
from pydantic import BaseModel, JsonValue, ValidationError

_ENTITY_TYPE_PREFIX = "ENTITY_TYPE_"
_STRATEGY_PREFIX = "STRATEGY_"
_EVIDENCE_COMMON = frozenset(EvidenceBase.model_fields)
_EVIDENCE_KINDS = (
    "entity_row", "path", "comparison", "ranked_list", "query_result", "chunk", "web_page",
)  # fmt: skip


def request_from_proto(
    message: search_pb2.SearchAIRequest, *, request_id: UUID, principal: str, seconds: float | None
) -> AgentRequest:
    """The contract of a request.

    Raises:
        InvalidRequest: Names the first field that breaks its limit, and the limit.
    """
    budgets = message.budgets
    try:
        return AgentRequest(
            query=message.query,
            image_query=message.image_query if message.HasField("image_query") else None,
            session_id=_uuid(message.session_id, "session_id") if message.HasField("session_id") else None,
            request_id=request_id,
            principal=principal,
            strategy=_strategy(message.strategy),
            max_turns=budgets.max_turns if budgets.HasField("max_turns") else None,
            max_model_calls=budgets.max_model_calls if budgets.HasField("max_model_calls") else None,
            max_tool_calls=budgets.max_tool_calls if budgets.HasField("max_tool_calls") else None,
            max_tokens=budgets.max_tokens if budgets.HasField("max_tokens") else None,
            timeout_seconds=seconds,
            language=message.language if message.HasField("language") else None,
            entity_types=tuple(entity_type_from_proto(value) for value in message.entity_types),
            collections=tuple(message.collections),
        )
    except ValidationError as exc:
        raise invalid_request(exc) from exc


def invalid_request(error: ValidationError) -> InvalidRequest:
    """The first thing wrong, as a field and its limit."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return InvalidRequest(".".join(str(part) for part in first["loc"]), first["msg"])


def entity_type_from_proto(value: int) -> EntityType:
    """Raises InvalidRequest for a value that isn't in the contract."""
    try:
        name = search_pb2.EntityType.Name(value)  # pyright: ignore[reportArgumentType]
        return EntityType(name.removeprefix(_ENTITY_TYPE_PREFIX).lower())
    except ValueError:
        allowed = ", ".join(member.value for member in EntityType)
        raise InvalidRequest("entity_types", f"must be one of {allowed}") from None


def refs_to_proto(refs: Iterable[EntityRef]) -> Iterator[search_pb2.EntityRef]:
    """References with their names."""
    for ref in refs:
        entity_type = f"{_ENTITY_TYPE_PREFIX}{ref.entity_type.upper()}"
        yield search_pb2.EntityRef(entity_type=entity_type, id=str(ref.id), name=ref.name)


def _strategy(value: int) -> Strategy:
    if value == search_pb2.STRATEGY_UNSPECIFIED:
        return Strategy.AUTO
    try:
        name = search_pb2.Strategy.Name(value)  # pyright: ignore[reportArgumentType]
    except ValueError:
        raise InvalidRequest("strategy", f"must be one of {', '.join(Strategy)}") from None
    return Strategy(name.removeprefix(_STRATEGY_PREFIX).lower())


def _uuid(text: str, field: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidRequest(field, "must be a UUID") from None


def response_to_proto(response: AgentResponse) -> search_pb2.SearchAIResponse:
    """The whole answer."""
    return contract_to_proto(response, search_pb2.SearchAIResponse())


def contract_to_proto[M: Message](contract: BaseModel, message: M) -> M:
    """`message`, filled. It has the same fields as its contract but for what `_to_message` renames."""
    fields = _to_message(contract.model_dump(mode="json", exclude_none=True))
    return json_format.ParseDict(cast("dict[str, JsonValue]", fields), message)


def response_from_proto(message: search_pb2.SearchAIResponse) -> AgentResponse:
    """The contract of an answer: the inverse of `response_to_proto`."""
    return contract_from_proto(message, AgentResponse)


def contract_from_proto[C: BaseModel](message: Message, contract: type[C]) -> C:
    """The inverse of `contract_to_proto`."""
    # Zeros too: a field that is 0 or empty is said, only one that has presence may be missing.
    document = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return contract.model_validate(_to_contract(document))


def _to_message(node: JsonValue) -> JsonValue:
    """Enum members get their prefix, `from_` its real name, evidence goes under the field of its kind."""
    if isinstance(node, list):
        return [_to_message(item) for item in node]
    if not isinstance(node, dict):
        return node
    fields = {"from" if key == "from_" else key: _to_message(value) for key, value in node.items()}
    if isinstance(entity_type := fields.get("entity_type"), str):
        fields["entity_type"] = _ENTITY_TYPE_PREFIX + entity_type.upper()
    if fields.get("kind") in _EVIDENCE_KINDS:
        kind = str(fields.pop("kind"))
        common = {key: value for key, value in fields.items() if key in _EVIDENCE_COMMON}
        return {**common, kind: {key: value for key, value in fields.items() if key not in _EVIDENCE_COMMON}}
    return fields


def _to_contract(node: JsonValue) -> JsonValue:
    """The inverse of `_to_message`."""
    if isinstance(node, list):
        return [_to_contract(item) for item in node]
    if not isinstance(node, dict):
        return node
    fields = {"from_" if key == "from" else key: _to_contract(value) for key, value in node.items()}
    if isinstance(entity_type := fields.get("entity_type"), str):
        fields["entity_type"] = entity_type.removeprefix(_ENTITY_TYPE_PREFIX).lower()
    if "id" in fields and "source" in fields:
        kind = next(kind for kind in _EVIDENCE_KINDS if kind in fields)
        inner = fields.pop(kind)
        return {**fields, "kind": kind, **(inner if isinstance(inner, dict) else {})}
    return fields
