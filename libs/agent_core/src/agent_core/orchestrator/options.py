"""What a loop is made of: its sources and its constants."""

from dataclasses import dataclass, field

from references.following import FollowLimits

from agent_core.budget import Limits, QueryLimits
from agent_core.document_contracts import Bands
from agent_core.protocols import (
    Catalogue,
    DocumentExecutor,
    GraphExecutor,
    GraphQueryExecutor,
    GraphSchemaReader,
    ReferenceExecutor,
    Resolver,
    SearchExecutor,
    WebSearch,
)
from agent_core.schemas import Action, AgentRequest, Strategy


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the loop reads. An executor that isn't configured is None, and its action is never offered.

    Without `graph_schema` no model is offered a query: it could not know what to ask of.
    """

    resolver: Resolver
    catalogue: Catalogue
    search: SearchExecutor | None = None
    graph: GraphExecutor | None = None
    graph_query: GraphQueryExecutor | None = None
    graph_schema: GraphSchemaReader | None = None
    documents: DocumentExecutor | None = None
    references: ReferenceExecutor | None = None
    web: WebSearch | None = None

    def offered(self, strategy: Strategy) -> frozenset[Action]:
        """The actions of a strategy whose sources are configured, `plan` and `final` with them."""
        configured = {
            action
            for action, executor in (
                (Action.QDRANT_SEARCH, self.search),
                (Action.PG_GRAPH, self.graph),
                (Action.GRAPH_QUERY, self.graph_query),
                (Action.DOCUMENT_SEARCH, self.documents),
                (Action.DOCUMENT_LOOKUP, self.documents),
                (Action.FOLLOW_REFERENCES, self.references),
                (Action.WEB_SEARCH, self.web),
            )
            if executor is not None
        }
        retrieval = _ALLOWED[strategy] & configured
        return frozenset({*retrieval, *((Action.PLAN,) if retrieval else ()), Action.FINAL})


@dataclass(frozen=True, slots=True)
class LoopOptions:
    """Constants of the loop. Times are seconds.

    `finalize_seconds` is kept from the deadline for the last checks and the answer; `validation_calls` are kept from
    the tool calls for the same. A source that did not answer in time is not asked again, one that could not be reached
    is, `retries` times. `graph_tokens` is what the graph's description may take of a model's context beside
    `context_tokens`; of a session a model is shown the last `history_turns`, as far as `history_tokens` hold them. A
    query that was refused is written anew `max_query_repairs` times. `bands` part the average
    scores of passages; None takes those of the model, else those before calibration. `following` bounds how far
    references are followed. With `fast_path` a model is not asked where the rules understand all of a simple question.
    """

    limits: Limits = field(default_factory=Limits)
    queries: QueryLimits = field(default_factory=QueryLimits)
    source_seconds: float = 3.0
    finalize_seconds: float = 1.0
    validation_calls: int = 2
    retries: int = 2
    backoff_seconds: float = 0.05
    max_backoff_seconds: float = 0.5
    context_tokens: int = 6_000
    graph_tokens: int = 1_500
    history_turns: int = 10
    history_tokens: int = 800
    max_query_repairs: int = 2
    fast_path: bool = True
    bands: Bands | None = None
    following: FollowLimits = field(default_factory=FollowLimits)
    max_expansions: int = 4
    max_proposals: int = 3
    max_idle_turns: int = 2
    max_empty_steps: int = 3


_ALLOWED: dict[Strategy, frozenset[Action]] = {
    Strategy.AUTO: frozenset(Action),
    Strategy.GRAPH: frozenset({Action.PG_GRAPH, Action.GRAPH_QUERY}),
    Strategy.HYBRID: frozenset({Action.QDRANT_SEARCH, Action.PG_GRAPH}),
    Strategy.DOCUMENTS: frozenset(
        {Action.DOCUMENT_SEARCH, Action.DOCUMENT_LOOKUP, Action.FOLLOW_REFERENCES, Action.WEB_SEARCH}
    ),
}


def limits_of(request: AgentRequest, server: Limits) -> Limits:
    """What a request may spend: its own limits where they are set, never above the server's."""
    return Limits(
        turns=min(request.max_turns or server.turns, server.turns),
        model_calls=_least(request.max_model_calls, server.model_calls),
        tool_calls=min(request.max_tool_calls or server.tool_calls, server.tool_calls),
        tokens=_least(request.max_tokens, server.tokens),
        cost=server.cost,
        seconds=min(request.timeout_seconds or server.seconds, server.seconds),
    )


def _least(asked: int | None, allowed: int) -> int:
    return allowed if asked is None else min(asked, allowed)
