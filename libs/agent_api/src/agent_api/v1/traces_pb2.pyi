import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetTraceRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListTracesRequest(_message.Message):
    __slots__ = ("limit", "before")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    limit: int
    before: str
    def __init__(self, limit: _Optional[int] = ..., before: _Optional[str] = ...) -> None: ...

class TraceEvent(_message.Message):
    __slots__ = ("sequence", "at", "kind", "ms", "data")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    at: _timestamp_pb2.Timestamp
    kind: str
    ms: float
    data: _struct_pb2.Value
    def __init__(self, sequence: _Optional[int] = ..., at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., kind: _Optional[str] = ..., ms: _Optional[float] = ..., data: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ...) -> None: ...

class TraceCall(_message.Message):
    __slots__ = ("name", "by", "failure", "digest", "evidence_ids", "output", "ms")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_IDS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    name: str
    by: str
    failure: str
    digest: str
    evidence_ids: _containers.RepeatedScalarFieldContainer[str]
    output: _struct_pb2.Value
    ms: float
    def __init__(self, name: _Optional[str] = ..., by: _Optional[str] = ..., failure: _Optional[str] = ..., digest: _Optional[str] = ..., evidence_ids: _Optional[_Iterable[str]] = ..., output: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., ms: _Optional[float] = ...) -> None: ...

class Trace(_message.Message):
    __slots__ = ("id", "request_id", "started_at", "ms", "status", "reason", "with_model", "has_text", "is_cut", "query", "usage", "request", "events", "calls")
    ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WITH_MODEL_FIELD_NUMBER: _ClassVar[int]
    HAS_TEXT_FIELD_NUMBER: _ClassVar[int]
    IS_CUT_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    id: str
    request_id: str
    started_at: _timestamp_pb2.Timestamp
    ms: float
    status: str
    reason: str
    with_model: bool
    has_text: bool
    is_cut: bool
    query: str
    usage: _struct_pb2.Struct
    request: _struct_pb2.Struct
    events: _containers.RepeatedCompositeFieldContainer[TraceEvent]
    calls: _containers.RepeatedCompositeFieldContainer[TraceCall]
    def __init__(self, id: _Optional[str] = ..., request_id: _Optional[str] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ms: _Optional[float] = ..., status: _Optional[str] = ..., reason: _Optional[str] = ..., with_model: _Optional[bool] = ..., has_text: _Optional[bool] = ..., is_cut: _Optional[bool] = ..., query: _Optional[str] = ..., usage: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., request: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., events: _Optional[_Iterable[_Union[TraceEvent, _Mapping]]] = ..., calls: _Optional[_Iterable[_Union[TraceCall, _Mapping]]] = ...) -> None: ...

class ListTracesResponse(_message.Message):
    __slots__ = ("traces",)
    TRACES_FIELD_NUMBER: _ClassVar[int]
    traces: _containers.RepeatedCompositeFieldContainer[Trace]
    def __init__(self, traces: _Optional[_Iterable[_Union[Trace, _Mapping]]] = ...) -> None: ...

class ReplayTraceRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class TraceDifference(_message.Message):
    __slots__ = ("n", "name", "where", "recorded", "replayed")
    N_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    WHERE_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    n: int
    name: str
    where: str
    recorded: str
    replayed: str
    def __init__(self, n: _Optional[int] = ..., name: _Optional[str] = ..., where: _Optional[str] = ..., recorded: _Optional[str] = ..., replayed: _Optional[str] = ...) -> None: ...

class ReplayTraceResponse(_message.Message):
    __slots__ = ("refusal", "difference", "calls")
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    refusal: str
    difference: TraceDifference
    calls: int
    def __init__(self, refusal: _Optional[str] = ..., difference: _Optional[_Union[TraceDifference, _Mapping]] = ..., calls: _Optional[int] = ...) -> None: ...
