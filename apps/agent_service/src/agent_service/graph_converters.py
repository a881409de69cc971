"""Graph queries and descriptions between proto and contracts: translation only."""

from collections.abc import Sequence

from agent_api.v1 import graph_pb2
from agent_api.values import from_struct, from_value
from agent_core.graph_description import GraphDescription, GraphQueryCheck, LabelDescription
from agent_core.query_results import GraphQueryResult, QueryRefusal
from agent_core.schemas import GraphQueryIntent
from google.protobuf import json_format
from google.protobuf.struct_pb2 import ListValue
from pydantic import JsonValue, ValidationError

from agent_service.converters import invalid_request, refs_to_proto

_REASON = "asked by a caller"

_ROW_OVERHEAD_BYTES = 6
"""A field's tag and the length of a row."""


def intent_from_proto(message: graph_pb2.GraphQuery) -> GraphQueryIntent:
    """The contract of a query. Raises InvalidRequest with the field and its limit."""
    try:
        return GraphQueryIntent(text=message.text, parameters=from_struct(message.parameters), reason=_REASON)
    except ValidationError as exc:
        raise invalid_request(exc) from exc


def description_to_proto(description: GraphDescription) -> graph_pb2.DescribeGraphResponse:
    """Contract and message have the same fields."""
    document = description.model_dump(mode="json", exclude_none=True)
    return json_format.ParseDict(document, graph_pb2.DescribeGraphResponse())


def description_from_proto(message: graph_pb2.DescribeGraphResponse) -> GraphDescription:
    """The inverse of `description_to_proto`; whole numbers among the samples are integers."""
    document = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    description = GraphDescription.model_validate({"data_date": None, **document})
    labels = zip(description.labels, message.labels, strict=True)
    return description.model_copy(update={"labels": tuple(_with_samples(*each) for each in labels)})


def _with_samples(label: LabelDescription, message: graph_pb2.GraphLabel) -> LabelDescription:
    """The samples as values: protobuf's own JSON makes every number a float."""
    properties = tuple(
        each.model_copy(update={"samples": tuple(map(from_value, said.samples))})
        for each, said in zip(label.properties, message.properties, strict=True)
    )
    return label.model_copy(update={"properties": properties})


def check_to_proto(check: GraphQueryCheck) -> graph_pb2.CheckGraphQueryResponse:
    """Contract and message have the same fields."""
    document = check.model_dump(mode="json", exclude_none=True)
    return json_format.ParseDict(document, graph_pb2.CheckGraphQueryResponse())


def result_to_proto(result: GraphQueryResult, max_bytes: int) -> graph_pb2.RunGraphQueryResponse:
    """The rows, as many of the first as fit into `max_bytes` beside all else."""
    message = graph_pb2.RunGraphQueryResponse(
        columns=result.columns, row_count=result.row_count, truncated=result.truncated, refusal=_refusal(result.refusal)
    )
    if result.data_date is not None:
        message.data_date.FromDatetime(result.data_date)
    for warning in result.warnings:
        message.warnings.add(code=warning.code, message=warning.message, subject=warning.subject or "")
    message.entities.extend(refs_to_proto(result.entities))
    size = message.ByteSize()
    for row in result.rows:
        values = _list_value(row)
        size += values.ByteSize() + _ROW_OVERHEAD_BYTES
        if size > max_bytes:
            message.truncated = True
            break
        message.rows.append(values)
    return message


def _list_value(row: Sequence[JsonValue]) -> ListValue:
    values = ListValue()
    values.extend(row)  # pyright: ignore[reportArgumentType] - the stubs know no nested JSON
    return values


def _refusal(refusal: QueryRefusal | None) -> graph_pb2.GraphQueryRefusal | None:
    return None if refusal is None else graph_pb2.GraphQueryRefusal(**refusal.model_dump())
