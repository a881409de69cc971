import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EntityType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENTITY_TYPE_UNSPECIFIED: _ClassVar[EntityType]
    ENTITY_TYPE_ANIME: _ClassVar[EntityType]
    ENTITY_TYPE_MANGA: _ClassVar[EntityType]
    ENTITY_TYPE_CHARACTER: _ClassVar[EntityType]
    ENTITY_TYPE_EPISODE: _ClassVar[EntityType]
    ENTITY_TYPE_PERSON: _ClassVar[EntityType]
    ENTITY_TYPE_STUDIO: _ClassVar[EntityType]
    ENTITY_TYPE_DOCUMENT: _ClassVar[EntityType]

class Strategy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STRATEGY_UNSPECIFIED: _ClassVar[Strategy]
    STRATEGY_AUTO: _ClassVar[Strategy]
    STRATEGY_GRAPH: _ClassVar[Strategy]
    STRATEGY_HYBRID: _ClassVar[Strategy]
    STRATEGY_DOCUMENTS: _ClassVar[Strategy]
ENTITY_TYPE_UNSPECIFIED: EntityType
ENTITY_TYPE_ANIME: EntityType
ENTITY_TYPE_MANGA: EntityType
ENTITY_TYPE_CHARACTER: EntityType
ENTITY_TYPE_EPISODE: EntityType
ENTITY_TYPE_PERSON: EntityType
ENTITY_TYPE_STUDIO: EntityType
ENTITY_TYPE_DOCUMENT: EntityType
STRATEGY_UNSPECIFIED: Strategy
STRATEGY_AUTO: Strategy
STRATEGY_GRAPH: Strategy
STRATEGY_HYBRID: Strategy
STRATEGY_DOCUMENTS: Strategy

class Budgets(_message.Message):
    __slots__ = ("max_turns", "max_model_calls", "max_tool_calls", "max_tokens")
    MAX_TURNS_FIELD_NUMBER: _ClassVar[int]
    MAX_MODEL_CALLS_FIELD_NUMBER: _ClassVar[int]
    MAX_TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    max_turns: int
    max_model_calls: int
    max_tool_calls: int
    max_tokens: int
    def __init__(self, max_turns: _Optional[int] = ..., max_model_calls: _Optional[int] = ..., max_tool_calls: _Optional[int] = ..., max_tokens: _Optional[int] = ...) -> None: ...

class SearchAIRequest(_message.Message):
    __slots__ = ("query", "image_query", "session_id", "strategy", "budgets", "language", "entity_types", "collections")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    IMAGE_QUERY_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    ENTITY_TYPES_FIELD_NUMBER: _ClassVar[int]
    COLLECTIONS_FIELD_NUMBER: _ClassVar[int]
    query: str
    image_query: str
    session_id: str
    strategy: Strategy
    budgets: Budgets
    language: str
    entity_types: _containers.RepeatedScalarFieldContainer[EntityType]
    collections: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, query: _Optional[str] = ..., image_query: _Optional[str] = ..., session_id: _Optional[str] = ..., strategy: _Optional[_Union[Strategy, str]] = ..., budgets: _Optional[_Union[Budgets, _Mapping]] = ..., language: _Optional[str] = ..., entity_types: _Optional[_Iterable[_Union[EntityType, str]]] = ..., collections: _Optional[_Iterable[str]] = ...) -> None: ...

class EntityRef(_message.Message):
    __slots__ = ("entity_type", "id", "name")
    ENTITY_TYPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    entity_type: EntityType
    id: str
    name: str
    def __init__(self, entity_type: _Optional[_Union[EntityType, str]] = ..., id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class FieldValue(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class PathStep(_message.Message):
    __slots__ = ("rel", "to", "direction", "qualifier", "evidence_id", "hub")
    FROM_FIELD_NUMBER: _ClassVar[int]
    REL_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    QUALIFIER_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    HUB_FIELD_NUMBER: _ClassVar[int]
    rel: str
    to: EntityRef
    direction: str
    qualifier: str
    evidence_id: str
    hub: EntityRef
    def __init__(self, rel: _Optional[str] = ..., to: _Optional[_Union[EntityRef, _Mapping]] = ..., direction: _Optional[str] = ..., qualifier: _Optional[str] = ..., evidence_id: _Optional[str] = ..., hub: _Optional[_Union[EntityRef, _Mapping]] = ..., **kwargs) -> None: ...

class EntityRowEvidence(_message.Message):
    __slots__ = ("entity", "names", "fields")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    entity: EntityRef
    names: _containers.RepeatedScalarFieldContainer[str]
    fields: _containers.RepeatedCompositeFieldContainer[FieldValue]
    def __init__(self, entity: _Optional[_Union[EntityRef, _Mapping]] = ..., names: _Optional[_Iterable[str]] = ..., fields: _Optional[_Iterable[_Union[FieldValue, _Mapping]]] = ...) -> None: ...

class GraphPath(_message.Message):
    __slots__ = ("steps",)
    STEPS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[PathStep]
    def __init__(self, steps: _Optional[_Iterable[_Union[PathStep, _Mapping]]] = ...) -> None: ...

class PathEvidence(_message.Message):
    __slots__ = ("path",)
    PATH_FIELD_NUMBER: _ClassVar[int]
    path: GraphPath
    def __init__(self, path: _Optional[_Union[GraphPath, _Mapping]] = ...) -> None: ...

class FieldDifference(_message.Message):
    __slots__ = ("field", "left", "right")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    field: str
    left: str
    right: str
    def __init__(self, field: _Optional[str] = ..., left: _Optional[str] = ..., right: _Optional[str] = ...) -> None: ...

class SharedRelation(_message.Message):
    __slots__ = ("edge", "qualifier", "entity")
    EDGE_FIELD_NUMBER: _ClassVar[int]
    QUALIFIER_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    edge: str
    qualifier: str
    entity: EntityRef
    def __init__(self, edge: _Optional[str] = ..., qualifier: _Optional[str] = ..., entity: _Optional[_Union[EntityRef, _Mapping]] = ...) -> None: ...

class ComparisonEvidence(_message.Message):
    __slots__ = ("left", "right", "fields", "shared")
    LEFT_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    left: EntityRef
    right: EntityRef
    fields: _containers.RepeatedCompositeFieldContainer[FieldDifference]
    shared: _containers.RepeatedCompositeFieldContainer[SharedRelation]
    def __init__(self, left: _Optional[_Union[EntityRef, _Mapping]] = ..., right: _Optional[_Union[EntityRef, _Mapping]] = ..., fields: _Optional[_Iterable[_Union[FieldDifference, _Mapping]]] = ..., shared: _Optional[_Iterable[_Union[SharedRelation, _Mapping]]] = ...) -> None: ...

class RankedEntry(_message.Message):
    __slots__ = ("entity", "score", "reason")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    entity: EntityRef
    score: float
    reason: str
    def __init__(self, entity: _Optional[_Union[EntityRef, _Mapping]] = ..., score: _Optional[float] = ..., reason: _Optional[str] = ...) -> None: ...

class RankedListEvidence(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[RankedEntry]
    def __init__(self, entries: _Optional[_Iterable[_Union[RankedEntry, _Mapping]]] = ...) -> None: ...

class QueryResultEvidence(_message.Message):
    __slots__ = ("query", "parameters", "row_count", "columns", "sample", "entities", "truncated", "data_date", "has_more")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    ROW_COUNT_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    DATA_DATE_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    query: str
    parameters: _struct_pb2.Struct
    row_count: int
    columns: _containers.RepeatedScalarFieldContainer[str]
    sample: _containers.RepeatedCompositeFieldContainer[_struct_pb2.ListValue]
    entities: _containers.RepeatedCompositeFieldContainer[EntityRef]
    truncated: bool
    data_date: _timestamp_pb2.Timestamp
    has_more: bool
    def __init__(self, query: _Optional[str] = ..., parameters: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., row_count: _Optional[int] = ..., columns: _Optional[_Iterable[str]] = ..., sample: _Optional[_Iterable[_Union[_struct_pb2.ListValue, _Mapping]]] = ..., entities: _Optional[_Iterable[_Union[EntityRef, _Mapping]]] = ..., truncated: _Optional[bool] = ..., data_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., has_more: _Optional[bool] = ...) -> None: ...

class ChunkEvidence(_message.Message):
    __slots__ = ("document", "chunk_id", "start_offset", "end_offset", "position", "section", "date", "collection", "reached_by")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    START_OFFSET_FIELD_NUMBER: _ClassVar[int]
    END_OFFSET_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    COLLECTION_FIELD_NUMBER: _ClassVar[int]
    REACHED_BY_FIELD_NUMBER: _ClassVar[int]
    document: EntityRef
    chunk_id: str
    start_offset: int
    end_offset: int
    position: int
    section: str
    date: str
    collection: str
    reached_by: str
    def __init__(self, document: _Optional[_Union[EntityRef, _Mapping]] = ..., chunk_id: _Optional[str] = ..., start_offset: _Optional[int] = ..., end_offset: _Optional[int] = ..., position: _Optional[int] = ..., section: _Optional[str] = ..., date: _Optional[str] = ..., collection: _Optional[str] = ..., reached_by: _Optional[str] = ...) -> None: ...

class WebPageEvidence(_message.Message):
    __slots__ = ("url",)
    URL_FIELD_NUMBER: _ClassVar[int]
    url: str
    def __init__(self, url: _Optional[str] = ...) -> None: ...

class Evidence(_message.Message):
    __slots__ = ("id", "source", "title", "text", "row_version", "content_hash", "locator", "entity_row", "path", "comparison", "ranked_list", "query_result", "chunk", "web_page")
    ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ROW_VERSION_FIELD_NUMBER: _ClassVar[int]
    CONTENT_HASH_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    ENTITY_ROW_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    COMPARISON_FIELD_NUMBER: _ClassVar[int]
    RANKED_LIST_FIELD_NUMBER: _ClassVar[int]
    QUERY_RESULT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    WEB_PAGE_FIELD_NUMBER: _ClassVar[int]
    id: str
    source: str
    title: str
    text: str
    row_version: int
    content_hash: str
    locator: str
    entity_row: EntityRowEvidence
    path: PathEvidence
    comparison: ComparisonEvidence
    ranked_list: RankedListEvidence
    query_result: QueryResultEvidence
    chunk: ChunkEvidence
    web_page: WebPageEvidence
    def __init__(self, id: _Optional[str] = ..., source: _Optional[str] = ..., title: _Optional[str] = ..., text: _Optional[str] = ..., row_version: _Optional[int] = ..., content_hash: _Optional[str] = ..., locator: _Optional[str] = ..., entity_row: _Optional[_Union[EntityRowEvidence, _Mapping]] = ..., path: _Optional[_Union[PathEvidence, _Mapping]] = ..., comparison: _Optional[_Union[ComparisonEvidence, _Mapping]] = ..., ranked_list: _Optional[_Union[RankedListEvidence, _Mapping]] = ..., query_result: _Optional[_Union[QueryResultEvidence, _Mapping]] = ..., chunk: _Optional[_Union[ChunkEvidence, _Mapping]] = ..., web_page: _Optional[_Union[WebPageEvidence, _Mapping]] = ...) -> None: ...

class SourceCitation(_message.Message):
    __slots__ = ("marker", "evidence_id", "title", "locator", "quote", "offsets", "row_version", "verdict")
    MARKER_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    OFFSETS_FIELD_NUMBER: _ClassVar[int]
    ROW_VERSION_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    marker: int
    evidence_id: str
    title: str
    locator: str
    quote: str
    offsets: _containers.RepeatedScalarFieldContainer[int]
    row_version: int
    verdict: str
    def __init__(self, marker: _Optional[int] = ..., evidence_id: _Optional[str] = ..., title: _Optional[str] = ..., locator: _Optional[str] = ..., quote: _Optional[str] = ..., offsets: _Optional[_Iterable[int]] = ..., row_version: _Optional[int] = ..., verdict: _Optional[str] = ...) -> None: ...

class Candidate(_message.Message):
    __slots__ = ("entity", "matched_name", "match", "score", "discriminators")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    MATCHED_NAME_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    DISCRIMINATORS_FIELD_NUMBER: _ClassVar[int]
    entity: EntityRef
    matched_name: str
    match: str
    score: float
    discriminators: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, entity: _Optional[_Union[EntityRef, _Mapping]] = ..., matched_name: _Optional[str] = ..., match: _Optional[str] = ..., score: _Optional[float] = ..., discriminators: _Optional[_Iterable[str]] = ...) -> None: ...

class NearMiss(_message.Message):
    __slots__ = ("entity", "reason", "score")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    entity: EntityRef
    reason: str
    score: float
    def __init__(self, entity: _Optional[_Union[EntityRef, _Mapping]] = ..., reason: _Optional[str] = ..., score: _Optional[float] = ...) -> None: ...

class Warning(_message.Message):
    __slots__ = ("code", "message", "subject")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    subject: str
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class RunStep(_message.Message):
    __slots__ = ("n", "stage", "action", "reason", "input_digest", "status", "hits", "ms", "error")
    N_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    INPUT_DIGEST_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    HITS_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    n: int
    stage: str
    action: str
    reason: str
    input_digest: str
    status: str
    hits: int
    ms: float
    error: str
    def __init__(self, n: _Optional[int] = ..., stage: _Optional[str] = ..., action: _Optional[str] = ..., reason: _Optional[str] = ..., input_digest: _Optional[str] = ..., status: _Optional[str] = ..., hits: _Optional[int] = ..., ms: _Optional[float] = ..., error: _Optional[str] = ...) -> None: ...

class Usage(_message.Message):
    __slots__ = ("turns", "model_calls", "tool_calls", "prompt_tokens", "completion_tokens", "cost", "ms")
    class MsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    TURNS_FIELD_NUMBER: _ClassVar[int]
    MODEL_CALLS_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COMPLETION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    turns: int
    model_calls: int
    tool_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    ms: _containers.ScalarMap[str, float]
    def __init__(self, turns: _Optional[int] = ..., model_calls: _Optional[int] = ..., tool_calls: _Optional[int] = ..., prompt_tokens: _Optional[int] = ..., completion_tokens: _Optional[int] = ..., cost: _Optional[float] = ..., ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class SearchAIResponse(_message.Message):
    __slots__ = ("answer", "status", "confidence", "confidence_band", "confidence_reasons", "source_entities", "result_entities", "evidence", "citations", "sources", "missing", "alternatives", "searched", "near_misses", "rewritten_query", "steps", "warnings", "usage", "trace_id", "session_id", "termination_reason", "evidence_truncated")
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_BAND_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_REASONS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ENTITIES_FIELD_NUMBER: _ClassVar[int]
    RESULT_ENTITIES_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    CITATIONS_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    SEARCHED_FIELD_NUMBER: _ClassVar[int]
    NEAR_MISSES_FIELD_NUMBER: _ClassVar[int]
    REWRITTEN_QUERY_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    TRACE_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TERMINATION_REASON_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    answer: str
    status: str
    confidence: float
    confidence_band: str
    confidence_reasons: _containers.RepeatedScalarFieldContainer[str]
    source_entities: _containers.RepeatedCompositeFieldContainer[EntityRef]
    result_entities: _containers.RepeatedCompositeFieldContainer[EntityRef]
    evidence: _containers.RepeatedCompositeFieldContainer[Evidence]
    citations: _containers.RepeatedScalarFieldContainer[str]
    sources: _containers.RepeatedCompositeFieldContainer[SourceCitation]
    missing: _containers.RepeatedScalarFieldContainer[str]
    alternatives: _containers.RepeatedCompositeFieldContainer[Candidate]
    searched: _containers.RepeatedScalarFieldContainer[str]
    near_misses: _containers.RepeatedCompositeFieldContainer[NearMiss]
    rewritten_query: str
    steps: _containers.RepeatedCompositeFieldContainer[RunStep]
    warnings: _containers.RepeatedCompositeFieldContainer[Warning]
    usage: Usage
    trace_id: str
    session_id: str
    termination_reason: str
    evidence_truncated: bool
    def __init__(self, answer: _Optional[str] = ..., status: _Optional[str] = ..., confidence: _Optional[float] = ..., confidence_band: _Optional[str] = ..., confidence_reasons: _Optional[_Iterable[str]] = ..., source_entities: _Optional[_Iterable[_Union[EntityRef, _Mapping]]] = ..., result_entities: _Optional[_Iterable[_Union[EntityRef, _Mapping]]] = ..., evidence: _Optional[_Iterable[_Union[Evidence, _Mapping]]] = ..., citations: _Optional[_Iterable[str]] = ..., sources: _Optional[_Iterable[_Union[SourceCitation, _Mapping]]] = ..., missing: _Optional[_Iterable[str]] = ..., alternatives: _Optional[_Iterable[_Union[Candidate, _Mapping]]] = ..., searched: _Optional[_Iterable[str]] = ..., near_misses: _Optional[_Iterable[_Union[NearMiss, _Mapping]]] = ..., rewritten_query: _Optional[str] = ..., steps: _Optional[_Iterable[_Union[RunStep, _Mapping]]] = ..., warnings: _Optional[_Iterable[_Union[Warning, _Mapping]]] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ..., trace_id: _Optional[str] = ..., session_id: _Optional[str] = ..., termination_reason: _Optional[str] = ..., evidence_truncated: _Optional[bool] = ...) -> None: ...

class StreamSearchAIRequest(_message.Message):
    __slots__ = ("start", "resume", "keep_running")
    START_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    KEEP_RUNNING_FIELD_NUMBER: _ClassVar[int]
    start: SearchAIRequest
    resume: ResumeRun
    keep_running: bool
    def __init__(self, start: _Optional[_Union[SearchAIRequest, _Mapping]] = ..., resume: _Optional[_Union[ResumeRun, _Mapping]] = ..., keep_running: _Optional[bool] = ...) -> None: ...

class ResumeRun(_message.Message):
    __slots__ = ("run_id", "after_sequence")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    after_sequence: int
    def __init__(self, run_id: _Optional[str] = ..., after_sequence: _Optional[int] = ...) -> None: ...

class RunStarted(_message.Message):
    __slots__ = ("run_id",)
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    def __init__(self, run_id: _Optional[str] = ...) -> None: ...

class StageStarted(_message.Message):
    __slots__ = ("stage", "action")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    stage: str
    action: str
    def __init__(self, stage: _Optional[str] = ..., action: _Optional[str] = ...) -> None: ...

class StepChosen(_message.Message):
    __slots__ = ("action", "reason", "parts", "turn", "by_model")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    BY_MODEL_FIELD_NUMBER: _ClassVar[int]
    action: str
    reason: str
    parts: _containers.RepeatedScalarFieldContainer[str]
    turn: int
    by_model: bool
    def __init__(self, action: _Optional[str] = ..., reason: _Optional[str] = ..., parts: _Optional[_Iterable[str]] = ..., turn: _Optional[int] = ..., by_model: _Optional[bool] = ...) -> None: ...

class EvidenceAdded(_message.Message):
    __slots__ = ("evidence", "truncated")
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    evidence: _containers.RepeatedCompositeFieldContainer[Evidence]
    truncated: bool
    def __init__(self, evidence: _Optional[_Iterable[_Union[Evidence, _Mapping]]] = ..., truncated: _Optional[bool] = ...) -> None: ...

class DraftMade(_message.Message):
    __slots__ = ("answer", "evidence_ids")
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_IDS_FIELD_NUMBER: _ClassVar[int]
    answer: str
    evidence_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, answer: _Optional[str] = ..., evidence_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class DraftJudged(_message.Message):
    __slots__ = ("sufficient", "reason", "missing", "by_code")
    SUFFICIENT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    BY_CODE_FIELD_NUMBER: _ClassVar[int]
    sufficient: bool
    reason: str
    missing: _containers.RepeatedScalarFieldContainer[str]
    by_code: bool
    def __init__(self, sufficient: _Optional[bool] = ..., reason: _Optional[str] = ..., missing: _Optional[_Iterable[str]] = ..., by_code: _Optional[bool] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SearchEvent(_message.Message):
    __slots__ = ("sequence", "at", "run_started", "stage_started", "stage_finished", "step_chosen", "evidence_added", "draft_made", "draft_judged", "warning_raised", "run_finished", "heartbeat")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    RUN_STARTED_FIELD_NUMBER: _ClassVar[int]
    STAGE_STARTED_FIELD_NUMBER: _ClassVar[int]
    STAGE_FINISHED_FIELD_NUMBER: _ClassVar[int]
    STEP_CHOSEN_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_ADDED_FIELD_NUMBER: _ClassVar[int]
    DRAFT_MADE_FIELD_NUMBER: _ClassVar[int]
    DRAFT_JUDGED_FIELD_NUMBER: _ClassVar[int]
    WARNING_RAISED_FIELD_NUMBER: _ClassVar[int]
    RUN_FINISHED_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    at: _timestamp_pb2.Timestamp
    run_started: RunStarted
    stage_started: StageStarted
    stage_finished: RunStep
    step_chosen: StepChosen
    evidence_added: EvidenceAdded
    draft_made: DraftMade
    draft_judged: DraftJudged
    warning_raised: Warning
    run_finished: SearchAIResponse
    heartbeat: Heartbeat
    def __init__(self, sequence: _Optional[int] = ..., at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., run_started: _Optional[_Union[RunStarted, _Mapping]] = ..., stage_started: _Optional[_Union[StageStarted, _Mapping]] = ..., stage_finished: _Optional[_Union[RunStep, _Mapping]] = ..., step_chosen: _Optional[_Union[StepChosen, _Mapping]] = ..., evidence_added: _Optional[_Union[EvidenceAdded, _Mapping]] = ..., draft_made: _Optional[_Union[DraftMade, _Mapping]] = ..., draft_judged: _Optional[_Union[DraftJudged, _Mapping]] = ..., warning_raised: _Optional[_Union[Warning, _Mapping]] = ..., run_finished: _Optional[_Union[SearchAIResponse, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...
