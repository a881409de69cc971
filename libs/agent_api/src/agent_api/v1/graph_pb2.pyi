import datetime

from agent_api.v1 import search_pb2 as _search_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DescribeGraphRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GraphProperty(_message.Message):
    __slots__ = ("name", "type", "samples")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: str
    samples: _containers.RepeatedCompositeFieldContainer[_struct_pb2.Value]
    def __init__(self, name: _Optional[str] = ..., type: _Optional[str] = ..., samples: _Optional[_Iterable[_Union[_struct_pb2.Value, _Mapping]]] = ...) -> None: ...

class GraphLabel(_message.Message):
    __slots__ = ("name", "description", "count", "properties")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    count: int
    properties: _containers.RepeatedCompositeFieldContainer[GraphProperty]
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., count: _Optional[int] = ..., properties: _Optional[_Iterable[_Union[GraphProperty, _Mapping]]] = ...) -> None: ...

class GraphRelationship(_message.Message):
    __slots__ = ("name", "description", "starts", "ends", "count", "properties")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    starts: _containers.RepeatedScalarFieldContainer[str]
    ends: _containers.RepeatedScalarFieldContainer[str]
    count: int
    properties: _containers.RepeatedCompositeFieldContainer[GraphProperty]
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., starts: _Optional[_Iterable[str]] = ..., ends: _Optional[_Iterable[str]] = ..., count: _Optional[int] = ..., properties: _Optional[_Iterable[_Union[GraphProperty, _Mapping]]] = ...) -> None: ...

class DescribeGraphResponse(_message.Message):
    __slots__ = ("labels", "relationships", "data_date", "read_at")
    LABELS_FIELD_NUMBER: _ClassVar[int]
    RELATIONSHIPS_FIELD_NUMBER: _ClassVar[int]
    DATA_DATE_FIELD_NUMBER: _ClassVar[int]
    READ_AT_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.RepeatedCompositeFieldContainer[GraphLabel]
    relationships: _containers.RepeatedCompositeFieldContainer[GraphRelationship]
    data_date: _timestamp_pb2.Timestamp
    read_at: _timestamp_pb2.Timestamp
    def __init__(self, labels: _Optional[_Iterable[_Union[GraphLabel, _Mapping]]] = ..., relationships: _Optional[_Iterable[_Union[GraphRelationship, _Mapping]]] = ..., data_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., read_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GraphQuery(_message.Message):
    __slots__ = ("text", "parameters")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    text: str
    parameters: _struct_pb2.Struct
    def __init__(self, text: _Optional[str] = ..., parameters: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class GraphQueryRefusal(_message.Message):
    __slots__ = ("line", "column", "message", "hint")
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    line: int
    column: int
    message: str
    hint: str
    def __init__(self, line: _Optional[int] = ..., column: _Optional[int] = ..., message: _Optional[str] = ..., hint: _Optional[str] = ...) -> None: ...

class GraphColumn(_message.Message):
    __slots__ = ("name", "type")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: str
    def __init__(self, name: _Optional[str] = ..., type: _Optional[str] = ...) -> None: ...

class CheckGraphQueryResponse(_message.Message):
    __slots__ = ("columns", "cost", "refusal")
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    columns: _containers.RepeatedCompositeFieldContainer[GraphColumn]
    cost: float
    refusal: GraphQueryRefusal
    def __init__(self, columns: _Optional[_Iterable[_Union[GraphColumn, _Mapping]]] = ..., cost: _Optional[float] = ..., refusal: _Optional[_Union[GraphQueryRefusal, _Mapping]] = ...) -> None: ...

class RunGraphQueryRequest(_message.Message):
    __slots__ = ("query", "max_rows")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    MAX_ROWS_FIELD_NUMBER: _ClassVar[int]
    query: GraphQuery
    max_rows: int
    def __init__(self, query: _Optional[_Union[GraphQuery, _Mapping]] = ..., max_rows: _Optional[int] = ...) -> None: ...

class RunGraphQueryResponse(_message.Message):
    __slots__ = ("columns", "rows", "row_count", "truncated", "data_date", "entities", "warnings", "refusal")
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    ROW_COUNT_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    DATA_DATE_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    columns: _containers.RepeatedScalarFieldContainer[str]
    rows: _containers.RepeatedCompositeFieldContainer[_struct_pb2.ListValue]
    row_count: int
    truncated: bool
    data_date: _timestamp_pb2.Timestamp
    entities: _containers.RepeatedCompositeFieldContainer[_search_pb2.EntityRef]
    warnings: _containers.RepeatedCompositeFieldContainer[_search_pb2.Warning]
    refusal: GraphQueryRefusal
    def __init__(self, columns: _Optional[_Iterable[str]] = ..., rows: _Optional[_Iterable[_Union[_struct_pb2.ListValue, _Mapping]]] = ..., row_count: _Optional[int] = ..., truncated: _Optional[bool] = ..., data_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., entities: _Optional[_Iterable[_Union[_search_pb2.EntityRef, _Mapping]]] = ..., warnings: _Optional[_Iterable[_Union[_search_pb2.Warning, _Mapping]]] = ..., refusal: _Optional[_Union[GraphQueryRefusal, _Mapping]] = ...) -> None: ...
