"""The composition root of the loop: open resources in, an orchestrator out. Only this module sees both sides."""

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.hot import HotPool
from datastore.vectors.protocol import VectorStore
from embeddings.protocol import Embedder

from agent_core.agents.rule_based.answer import RuleBasedAnswer
from agent_core.agents.rule_based.follow_up_reader import RuleBasedFollowUps
from agent_core.agents.rule_based.picture_questions import RuleBasedPictureQuestions
from agent_core.agents.rule_based.rewrite import RuleBasedRewrite
from agent_core.agents.rule_based.source_selector import RuleBasedSourceSelector
from agent_core.agents.rule_based.sufficiency import RuleBasedSufficiency
from agent_core.budget import QueryLimits
from agent_core.llm.providers import ModelClient, ModelOptions, open_model
from agent_core.orchestrator import Conversation, LoopOptions, Orchestrator, Sources
from agent_core.protocols import DocumentExecutor, MentionFinder, SessionStore, Stages, WebSearch
from agent_core.recording.seams import (
    RecordedCatalogue,
    RecordedDocuments,
    RecordedExecutor,
    RecordedFollowUps,
    RecordedReferences,
    RecordedResolver,
    RecordedWeb,
    recorded_stages,
)
from agent_core.retrieval.bands import name_of, read_fits
from agent_core.retrieval.catalogue import PostgresCatalogue
from agent_core.retrieval.chunk_search import ChunkSearch
from agent_core.retrieval.document_executor import PostgresDocumentExecutor
from agent_core.retrieval.graph_access import GraphAccess
from agent_core.retrieval.graph_describer import GraphDescriber
from agent_core.retrieval.graph_query_executor import PostgresGraphQueryExecutor
from agent_core.retrieval.mention_finder import CatalogueMentionFinder
from agent_core.retrieval.picture_search import Pictures, PictureSearch
from agent_core.retrieval.postgres_graph_executor import PostgresGraphExecutor
from agent_core.retrieval.qdrant_executor import QdrantExecutor
from agent_core.retrieval.reference_executor import FollowingReferences
from agent_core.retrieval.resolver import NameResolver
from agent_core.retrieval.stored_references import StoredReferences
from agent_core.schemas import Action

__all__ = ["FurtherSources", "Pictures", "SystemClock", "build_graph_access", "build_orchestrator"]


class SystemClock:
    """The time of this machine."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class FurtherSources:
    """Sources beside the catalogue and its index; without one, no search by picture or on the web is offered."""

    pictures: Pictures | None = None
    web: WebSearch | None = None


def build_orchestrator(
    *,
    read_only: ReadOnlyEngine,
    hot: HotPool | None = None,
    vector_store: VectorStore | None,
    embedder: Embedder | None,
    further: FurtherSources | None = None,
    model: ModelOptions | None = None,
    options: LoopOptions | None = None,
    sessions: SessionStore | None = None,
) -> Orchestrator:
    """Assemble the loop over open resources, which stay their owner's to close.

    Names, walks and paths are read through `hot`, if given. Without a vector store or an embedder the search by meaning
    and documents are not offered; without a model the rules answer alone; without sessions every question stands by
    itself. The model's client is opened here: close it with `Orchestrator.close`.
    """
    further, options = further or FurtherSources(), _with_bands(options or LoopOptions(), embedder)
    catalogue, clock = PostgresCatalogue(read_only), SystemClock()
    search = _search(vector_store, embedder, further.pictures, catalogue) if vector_store and embedder else None
    resolver = NameResolver(read_only, search, hot=hot)
    chunks = ChunkSearch(vector_store, embedder) if vector_store and embedder else None
    documents = PostgresDocumentExecutor(read_only, chunks, resolver) if chunks else None
    sources = Sources(
        resolver=RecordedResolver(resolver),
        catalogue=RecordedCatalogue(catalogue),
        search=RecordedExecutor(search, Action.QDRANT_SEARCH) if search else None,
        graph=RecordedExecutor(PostgresGraphExecutor(read_only, hot=hot), Action.PG_GRAPH),
        graph_query=RecordedExecutor(PostgresGraphQueryExecutor(read_only, options.queries), Action.GRAPH_QUERY),
        graph_schema=GraphDescriber(read_only, clock),
        documents=RecordedDocuments(documents) if documents else None,
        references=RecordedReferences(FollowingReferences(StoredReferences(read_only), documents, options.following))
        if documents
        else None,
        web=RecordedWeb(further.web) if further.web else None,
    )
    finder = CatalogueMentionFinder(read_only, hot=hot)
    rules = recorded_stages(_rule_based(finder), "rules")
    follow_ups = RecordedFollowUps(RuleBasedFollowUps(finder))
    client = open_model(model) if model is not None else None
    return Orchestrator(
        stages=recorded_stages(_modelled(client), "model") if client is not None else rules,
        rule_based=rules,
        sources=sources,
        clock=clock,
        options=options,
        conversation=Conversation(sessions, follow_ups) if sessions is not None else None,
        on_close=client.close if client is not None else None,
    )


def open_documents(read_only: ReadOnlyEngine, store: VectorStore, embedder: Embedder) -> DocumentExecutor:
    """The documents for callers outside the loop."""
    return PostgresDocumentExecutor(read_only, ChunkSearch(store, embedder), NameResolver(read_only))


def build_graph_access(read_only: ReadOnlyEngine, queries: QueryLimits | None = None) -> GraphAccess:
    """The graph for callers outside the loop."""
    return GraphAccess(GraphDescriber(read_only, SystemClock()), PostgresGraphQueryExecutor(read_only, queries))


def _with_bands(options: LoopOptions, embedder: Embedder | None) -> LoopOptions:
    """The options with the bands that were fitted for the model, unless they say others."""
    if options.bands is not None or embedder is None:
        return options
    return replace(options, bands=read_fits().of(name_of(embedder.identity)))


def _search(
    store: VectorStore, embedder: Embedder, pictures: Pictures | None, catalogue: PostgresCatalogue
) -> QdrantExecutor:
    seen = PictureSearch(store, pictures.embedder, pictures.reader) if pictures else None
    return QdrantExecutor(store, embedder, catalogue, pictures=seen)


def _rule_based(finder: MentionFinder) -> Stages:
    return Stages(
        rewrite=RuleBasedRewrite(finder),
        source_selector=RuleBasedSourceSelector(),
        answer=RuleBasedAnswer(),
        sufficiency=RuleBasedSufficiency(),
        pictures=RuleBasedPictureQuestions(finder),
    )


def _modelled(client: ModelClient) -> Stages:
    # Imported where a model is configured: the framework costs a second and a half and 80 MB.
    from agent_core.agents.answer import ModelAnswer
    from agent_core.agents.rewrite import ModelRewrite
    from agent_core.agents.source_selector import ModelSourceSelector
    from agent_core.agents.sufficiency import ModelSufficiency
    from agent_core.llm.stage_runner import ModelStageRunner

    runner = ModelStageRunner(client)
    return Stages(ModelRewrite(runner), ModelSourceSelector(runner), ModelAnswer(runner), ModelSufficiency(runner))
