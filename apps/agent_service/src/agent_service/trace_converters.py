"""Records of runs between contracts and proto: translation only."""

from agent_api.v1 import traces_pb2
from agent_api.values import from_value
from agent_core.recording import Difference, RunRecord
from google.protobuf import json_format


def record_to_proto(record: RunRecord) -> traces_pb2.Trace:
    """Contract and message have the same fields, but for the principal, whom the caller knows."""
    document = record.model_dump(mode="json", exclude_none=True, exclude={"principal"})
    return json_format.ParseDict(document, traces_pb2.Trace())


def record_from_proto(message: traces_pb2.Trace, *, principal: str) -> RunRecord:
    """The inverse of `record_to_proto`; whole numbers are integers."""
    document = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    events = [
        {**fields, "data": from_value(event.data)}
        for fields, event in zip(document["events"], message.events, strict=True)
    ]
    calls = [
        {**fields, "output": from_value(call.output)}
        for fields, call in zip(document["calls"], message.calls, strict=True)
    ]
    return RunRecord.model_validate({**document, "events": events, "calls": calls, "principal": principal})


def difference_to_proto(difference: Difference) -> traces_pb2.TraceDifference:
    """Contract and message have the same fields."""
    return traces_pb2.TraceDifference(**difference.model_dump())
