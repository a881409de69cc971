"""Stage and executor contracts: what crosses a boundary inside the loop, and what leaves it."""

from enum import StrEnum
from typing import Literal, Self
from uuid import UUID

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType, Season, WorkFormat, WorkSource, WorkStatus
from pydantic import Field, JsonValue, model_validator

from agent_core.document_contracts import DateSpan, DocumentIntent, DocumentQuestion, FollowIntent, LookupIntent
from agent_core.evidence import Contract, EntityRef, Evidence, GraphPath
from agent_core.set_question import SetQuestion

MAX_HOPS = 4
MAX_RESULTS = 100
MAX_FANOUT = 200
MAX_TOP_K = 50


# --- rewrite ---------------------------------------------------------------------------------------------------


class AnswerKind(StrEnum):
    """What shape of answer the question asks for."""

    ENTITY = "entity"
    LIST = "list"
    RELATION = "relation"
    PATH = "path"
    COMPARISON = "comparison"
    COUNT = "count"
    EXPLANATION = "explanation"
    RECOMMENDATION = "recommendation"
    DOCUMENT = "document"


class AskedField(StrEnum):
    """A property of one entity that a question can ask for."""

    SYNOPSIS = "synopsis"
    EPISODES = "episodes"
    CHAPTERS = "chapters"
    VOLUMES = "volumes"
    START_DATE = "start_date"
    END_DATE = "end_date"
    YEAR = "year"
    SEASON = "season"
    FORMAT = "format"
    STATUS = "status"
    GENRES = "genres"
    SCORE = "score"
    SOURCE = "source"
    DURATION = "duration"
    NAMES = "names"
    DESCRIPTION = "description"
    GENDER = "gender"
    AIR_DATE = "air_date"
    UNSUPPORTED = "unsupported"


class AskedRelation(Contract):
    """One step from a known entity to the wanted ones, e.g. has_staff with the role director."""

    edge: EdgeType
    qualifier: str | None = Field(
        default=None,
        description="Role, relation kind or language that the edge must carry; alternatives are separated by `|`.",
    )
    entity_type: EntityType | None = Field(default=None, description="What the far end must be.")
    gender: Literal["female", "male"] | None = Field(
        default=None, description="The far end's gender as its row gives it: `sister` is a sibling who is female."
    )


class DateRange(Contract):
    """Years, both ends inclusive; an open end is None."""

    first_year: int | None = Field(default=None, ge=1800, le=2100)
    last_year: int | None = Field(default=None, ge=1800, le=2100)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.first_year and self.last_year and self.first_year > self.last_year:
            raise ValueError("date_range: first_year must not be after last_year")
        return self


class SearchFilters(Contract):
    """Conditions on entities. An unknown value never matches, and never matches `genres_none` either."""

    ids: tuple[UUID, ...] = ()
    anime_id: UUID | None = None
    years: DateRange | None = None
    started: DateSpan | None = Field(
        default=None, description="A closer condition than `years`, which holds its years."
    )
    season: Season | None = None
    format: WorkFormat | None = None
    status: WorkStatus | None = None
    genres_any: tuple[str, ...] = ()
    genres_all: tuple[str, ...] = ()
    genres_none: tuple[str, ...] = ()
    studio: str | None = None
    min_score: float | None = Field(default=None, ge=0, le=100)
    source: WorkSource | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is restricted."""
        return self is _NO_FILTERS or self == _NO_FILTERS


_NO_FILTERS = SearchFilters()


class Mention(Contract):
    """A name as the user wrote it, with what the words around it say about its type."""

    text: str = Field(min_length=1, max_length=300)
    entity_types: tuple[EntityType, ...] = Field(default=(), description="Types the context allows; empty when open.")
    year: int | None = Field(default=None, description="A year that tells namesakes apart, e.g. `(1999)`.")
    within: str | None = Field(default=None, max_length=300, description="The work this mention is said to belong to.")
    entity: EntityRef | None = Field(default=None, description="What an earlier turn of the session settled it to be.")
    is_quoted: bool = Field(default=False, description="It stood in quotation marks: spelt so on purpose.")
    is_film: bool = Field(default=False, description="It was called a film: of namesakes the film is meant.")


class QueryRewrite(Contract):
    """The question in normal form, and what an answer must contain."""

    rewritten_query: str
    needs_external_context: bool
    rationale: str
    answer_kind: AnswerKind = AnswerKind.ENTITY
    mentions: tuple[Mention, ...] = ()
    concepts: tuple[str, ...] = Field(default=(), description="Content words for semantic search.")
    asked_fields: tuple[AskedField, ...] = ()
    fields_of_mention: bool = Field(
        default=False, description="The asked fields are of the mention itself although there are relations."
    )
    relations: tuple[AskedRelation, ...] = Field(
        default=(), description="Steps from the mention to the wanted entities."
    )
    entity_types: tuple[EntityType, ...] = Field(default=(), description="What the wanted entities must be.")
    filters: SearchFilters = _NO_FILTERS
    date_range: DateRange | None = None
    max_hops: int | None = Field(default=None, ge=1, le=MAX_HOPS, description="How long a path may be, if it is said.")
    top_k: int = Field(default=10, ge=1, le=MAX_TOP_K)
    language: str = "en"
    is_whole: bool = Field(
        default=False, description="Every word of the question was understood, and its names are the catalogue's."
    )
    fixed_answer: Literal["greeting", "abilities", "limits", "referent"] | None = Field(
        default=None, description="Which fixed text answers a question that needs no retrieval."
    )
    excepted: tuple[str, ...] = Field(default=(), description="Names that are no answer: `besides X`.")
    set_question: SetQuestion | None = Field(
        default=None, description="What is asked of a whole set; where it can be asked, it goes before the rest."
    )
    set_mentions: tuple[Mention, ...] = Field(default=(), description="The names that the set question links to.")
    document_question: DocumentQuestion | None = Field(
        default=None, description="What is asked of documents, if it is or may be asked of them."
    )
    parts: tuple[str, ...] = Field(
        default=(), description="Questions of different names that this one consists of; each is answered by itself."
    )
    leaning: tuple[int, ...] = Field(
        default=(), description="The places of those parts that are about what a part before them asks for."
    )


# --- steps -----------------------------------------------------------------------------------------------------


class SearchIntent(Contract):
    """What to look for in the vector index. `ids` in the filters fetches exactly these, without embedding."""

    rationale: str
    entity_types: tuple[EntityType, ...] = Field(default=(), description="Empty searches all types.")
    query: str | None = Field(default=None, max_length=2_000)
    image_query: str | None = Field(default=None, max_length=8_000_000, description="URL or base64 of an image.")
    filters: SearchFilters = _NO_FILTERS
    top_k: int = Field(default=10, ge=1, le=MAX_TOP_K)


class GraphQueryType(StrEnum):
    """The graph primitives."""

    NEIGHBORS = "neighbors"
    K_HOP = "k_hop"
    PATH = "path"
    COMPARE = "compare"


class GraphFilters(Contract):
    """Conditions on what a traversal may pass through or return."""

    years: DateRange | None = None
    relations: tuple[EdgeType, ...] = ()
    entity_types: tuple[EntityType, ...] = ()
    qualifier: str | None = Field(default=None, description="Role, relation kind or language the edge must carry.")


class GraphLimits(Contract):
    """What a traversal may cost. The executor clamps to its hard maxima whatever is asked."""

    max_results: int = Field(default=50, ge=1)
    max_fanout_per_hop: int = Field(default=50, ge=1)


class GraphIntent(Contract):
    """One bounded traversal or comparison."""

    rationale: str
    query_type: GraphQueryType
    start: EntityRef
    end: EntityRef | None = None
    max_hops: int = Field(default=3, ge=1)
    edge_types: tuple[EdgeType, ...] = Field(default=(), description="Edges to follow; empty follows all stored edges.")
    filters: GraphFilters = GraphFilters()
    limits: GraphLimits = GraphLimits()

    @model_validator(mode="after")
    def _end_where_needed(self) -> Self:
        if self.query_type in (GraphQueryType.PATH, GraphQueryType.COMPARE) and self.end is None:
            raise ValueError(f"end: required for query_type '{self.query_type}'")
        return self


class GraphQueryIntent(Contract):
    """A read-only graph query text with its parameters.

    One that a model wrote may return nothing that stands in its own text: it would be evidence of the model's making.
    """

    text: str = Field(max_length=8_000)
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    reason: str
    by_model: bool = False


class WebIntent(Contract):
    """A search on the web; its results are untrusted documents."""

    query: str = Field(max_length=400)
    top_k: int = Field(default=5, ge=1, le=20)


class FinalOutcome(StrEnum):
    """Why no further step is needed."""

    ENOUGH = "enough"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"


class FinalIntent(Contract):
    """The selector's word that retrieval is over. No stage ever fills an AgentResponse."""

    outcome: FinalOutcome
    missing: tuple[str, ...] = ()


class Action(StrEnum):
    """What a turn can do. An action is offered only when its source is configured and up."""

    QDRANT_SEARCH = "qdrant_search"
    PG_GRAPH = "pg_graph"
    GRAPH_QUERY = "graph_query"
    DOCUMENT_SEARCH = "document_search"
    DOCUMENT_LOOKUP = "document_lookup"
    FOLLOW_REFERENCES = "follow_references"
    WEB_SEARCH = "web_search"
    PLAN = "plan"
    FINAL = "final"


class PlannedStep(Contract):
    """One independent step of a plan."""

    action: Literal[Action.QDRANT_SEARCH, Action.PG_GRAPH, Action.DOCUMENT_SEARCH, Action.DOCUMENT_LOOKUP]
    search_intent: SearchIntent | None = None
    graph_intent: GraphIntent | None = None
    document_intent: DocumentIntent | None = None
    lookup_intent: LookupIntent | None = None


class NextStep(Contract):
    """One bounded action for this turn. Only the intent that the action names is present; the orchestrator checks."""

    action: Action
    rationale: str
    search_intent: SearchIntent | None = None
    graph_intent: GraphIntent | None = None
    graph_query_intent: GraphQueryIntent | None = None
    document_intent: DocumentIntent | None = None
    lookup_intent: LookupIntent | None = None
    follow_intent: FollowIntent | None = None
    web_intent: WebIntent | None = None
    plan: tuple[PlannedStep, ...] = ()
    final: FinalIntent | None = None


# --- results ---------------------------------------------------------------------------------------------------


class WarningCode(StrEnum):
    """What a caller should know about an answer."""

    NO_MATCH_AFTER_MAX_TURNS = "NO_MATCH_AFTER_MAX_TURNS"
    TURN_BUDGET_EXHAUSTED = "TURN_BUDGET_EXHAUSTED"
    MODEL_CALL_BUDGET_EXHAUSTED = "MODEL_CALL_BUDGET_EXHAUSTED"
    TOOL_CALL_BUDGET_EXHAUSTED = "TOOL_CALL_BUDGET_EXHAUSTED"
    TOKEN_BUDGET_EXHAUSTED = "TOKEN_BUDGET_EXHAUSTED"
    DEADLINE_REACHED = "DEADLINE_REACHED"
    LLM_UNAVAILABLE = "LLM_UNAVAILABLE"
    VECTOR_UNAVAILABLE = "VECTOR_UNAVAILABLE"
    DATABASE_UNAVAILABLE = "DATABASE_UNAVAILABLE"
    SOURCE_TIMEOUT = "SOURCE_TIMEOUT"
    GRAPH_TRUNCATED = "GRAPH_TRUNCATED"
    FILTER_RELAXED = "FILTER_RELAXED"
    CITATION_REMOVED = "CITATION_REMOVED"
    AMBIGUOUS_ENTITY = "AMBIGUOUS_ENTITY"
    DATA_CONFLICT = "DATA_CONFLICT"
    DATE_PRECISION = "DATE_PRECISION"
    STALE_INDEX = "STALE_INDEX"
    INJECTION_SUSPECTED = "INJECTION_SUSPECTED"
    SAMPLE_ONLY = "SAMPLE_ONLY"
    SPELLING_CORRECTED = "SPELLING_CORRECTED"
    NAME_GUESSED = "NAME_GUESSED"
    STEP_REFUSED = "STEP_REFUSED"
    CONTEXT_TRIMMED = "CONTEXT_TRIMMED"
    EVIDENCE_TRIMMED = "EVIDENCE_TRIMMED"
    SESSION_UNAVAILABLE = "SESSION_UNAVAILABLE"
    PICTURE_ONLY = "PICTURE_ONLY"
    WEB_UNAVAILABLE = "WEB_UNAVAILABLE"
    WEB_SOURCE = "WEB_SOURCE"


class Warning(Contract):
    """One thing a caller should know, and what it is about."""

    code: WarningCode
    message: str
    subject: str = ""


class StepWarning(Warning):
    """What one step warns of. `concerns`: the ids of the evidence that it is about; none stands for all of the step."""

    concerns: tuple[str, ...] = ()


class StepStatus(StrEnum):
    """How a step ended. `empty` is a fact, not an error."""

    OK = "ok"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    SKIPPED = "skipped"
    FAILED = "failed"


class Hit(Contract):
    """One match of a search, best first."""

    entity: EntityRef
    score: float
    evidence_id: str
    row_version: int


class RetrievalResult(Contract):
    """What a search found. `summary` is the card that stages read."""

    status: StepStatus
    summary: str
    hits: tuple[Hit, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[Warning, ...] = ()

    @property
    def count(self) -> int:
        """How many hits are here, else pieces of evidence; no total."""
        return len(self.hits) or len(self.evidence)


class GraphResult(Contract):
    """What a traversal or comparison found."""

    status: StepStatus
    summary: str
    paths: tuple[GraphPath, ...] = ()
    nodes: tuple[EntityRef, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    truncated: bool = False
    warnings: tuple[StepWarning, ...] = ()

    @property
    def count(self) -> int:
        """Paths where there are any, else nodes."""
        return len(self.paths) or len(self.nodes)


class MatchKind(StrEnum):
    """How a mention met a name, strongest first."""

    EXACT = "exact"
    FOLDED = "folded"
    ALIAS = "alias"
    PREFIX = "prefix"
    WORD_PREFIX = "word_prefix"
    TYPO = "typo"
    VECTOR = "vector"


class Candidate(Contract):
    """An entity a mention may mean, with what tells it from its namesakes."""

    entity: EntityRef
    matched_name: str
    match: MatchKind
    score: float = Field(ge=0, le=1)
    discriminators: tuple[str, ...] = Field(default=(), description="E.g. `2011`, `tv`, `One Piece`.")


class ResolvedMention(Contract):
    """A mention with its candidates, best first. `chosen` is None when nothing, or nothing clear, was found.

    `is_ambiguous` with one chosen says that others bear the same name.
    """

    mention: Mention
    candidates: tuple[Candidate, ...] = ()
    chosen: Candidate | None = None
    margin: float = Field(default=0.0, description="Lead of the first candidate over the second, 0 to 1.")
    is_ambiguous: bool = False


# --- draft and judgement ---------------------------------------------------------------------------------------


class DraftAnswer(Contract):
    """A candidate answer. Every sentence with a fact carries a marker `[n]`: the n-th of `evidence_ids`."""

    answer: str
    evidence_ids: tuple[str, ...] = ()
    source_entities: tuple[EntityRef, ...] = ()
    result_entities: tuple[EntityRef, ...] = ()
    confidence: float = Field(ge=0, le=1)


class SufficiencyReport(Contract):
    """Whether the draft answers the question from the evidence shown."""

    sufficient: bool
    rationale: str
    missing: tuple[str, ...] = ()
    suggested_next_action: Literal[Action.QDRANT_SEARCH, Action.PG_GRAPH] | None = None


# --- request and response --------------------------------------------------------------------------------------


class Strategy(StrEnum):
    """Which actions a request allows. The resolver runs in all."""

    AUTO = "auto"
    GRAPH = "graph"
    HYBRID = "hybrid"
    DOCUMENTS = "documents"


class AgentRequest(Contract):
    """One question and what may be spent on it. Unset limits take the server's; higher ones are clamped to it."""

    query: str = Field(min_length=1, max_length=2_000)
    image_query: str | None = Field(default=None, max_length=8_000_000)
    session_id: UUID | None = None
    request_id: UUID
    principal: str = "local"
    strategy: Strategy = Strategy.AUTO
    max_turns: int | None = Field(default=None, ge=1, le=20)
    max_model_calls: int | None = Field(default=None, ge=0, le=100)
    max_tool_calls: int | None = Field(default=None, ge=1, le=200)
    max_tokens: int | None = Field(default=None, ge=0)
    timeout_seconds: float | None = Field(default=None, gt=0, le=300)
    language: str | None = Field(default=None, max_length=16)
    entity_types: tuple[EntityType, ...] = ()
    collections: tuple[str, ...] = ()


class AnswerStatus(StrEnum):
    """How the run ended, as a caller sees it."""

    ANSWERED = "answered"
    ANSWERED_WITH_CAVEATS = "answered_with_caveats"
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "not_found"
    UNANSWERABLE = "unanswerable"
    PARTIAL = "partial"


class ConfidenceBand(StrEnum):
    """How far an answer can be trusted."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INSUFFICIENT = "insufficient"


class TerminationReason(StrEnum):
    """Why the loop stopped."""

    SUFFICIENT = "sufficient"
    NO_RETRIEVAL_NEEDED = "no_retrieval_needed"
    AMBIGUOUS = "ambiguous"
    NO_MATCH_AFTER_MAX_TURNS = "no_match_after_max_turns"
    NO_PROGRESS = "no_progress"
    BUDGET_EXHAUSTED = "budget_exhausted"
    DEADLINE = "deadline"
    CANCELLED = "cancelled"
    DEPENDENCY_LOST = "dependency_lost"


class Verdict(StrEnum):
    """What validation said of a citation: `moved` was put in the place of one that did not say its sentence."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    MOVED = "moved"


class SourceCitation(Contract):
    """What stands behind a marker of the answer. `offsets` are characters into the evidence text."""

    marker: int
    evidence_id: str
    title: str
    locator: str
    quote: str
    offsets: tuple[int, int] | None = None
    row_version: int | None = None
    verdict: Verdict = Verdict.SUPPORTED


class Stage(StrEnum):
    """What a run step belongs to."""

    REWRITE = "rewrite"
    RESOLVE = "resolve"
    EXPAND = "expand"
    SELECT = "select"
    EXECUTE = "execute"
    OBSERVE = "observe"
    ANSWER = "answer"
    VALIDATE = "validate"
    SUFFICIENCY = "sufficiency"
    FINALIZE = "finalize"


class RunStep(Contract):
    """One entry of the reasoning trace and tool audit. `input_digest` is a short hash of the normalised input."""

    n: int
    stage: Stage
    action: str
    reason: str = ""
    input_digest: str = ""
    status: StepStatus = StepStatus.OK
    hits: int = 0
    ms: float = 0.0
    error: str | None = None


class Usage(Contract):
    """What a run cost. `cost` is None where no price is known; `ms` maps step names such as `pg_graph_ms`."""

    turns: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    ms: dict[str, float] = Field(default_factory=dict)


class NearMiss(Contract):
    """Something that was found, but is not what was asked for."""

    entity: EntityRef
    reason: str
    score: float | None = None


class AgentResponse(Contract):
    """The answer with everything that backs it."""

    answer: str
    status: AnswerStatus
    confidence: float = Field(ge=0, le=1)
    confidence_band: ConfidenceBand
    confidence_reasons: tuple[str, ...] = ()
    source_entities: tuple[EntityRef, ...] = ()
    result_entities: tuple[EntityRef, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    evidence_truncated: bool = Field(default=False, description="Uncited evidence was cut to keep a size limit.")
    citations: tuple[str, ...] = Field(default=(), description="Titles, unique, in marker order.")
    sources: tuple[SourceCitation, ...] = ()
    missing: tuple[str, ...] = ()
    alternatives: tuple[Candidate, ...] = ()
    searched: tuple[str, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    rewritten_query: str = ""
    steps: tuple[RunStep, ...] = ()
    warnings: tuple[Warning, ...] = ()
    usage: Usage = Usage()
    trace_id: UUID
    session_id: UUID | None = None
    termination_reason: TerminationReason
