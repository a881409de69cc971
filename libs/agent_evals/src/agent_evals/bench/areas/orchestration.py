"""What the loop itself costs: a whole run over scripted stages and a catalogue in memory, beside LangGraph."""

from collections.abc import Callable
from uuid import UUID

from agent_core.evidence import EntityRef
from agent_core.orchestrator import Orchestrator, Sources
from agent_core.protocols import LoopView
from agent_core.schemas import (
    Action,
    AgentRequest,
    AgentResponse,
    AnswerKind,
    AnswerStatus,
    AskedRelation,
    DraftAnswer,
    GraphIntent,
    GraphQueryType,
    Mention,
    NextStep,
    QueryRewrite,
    SufficiencyReport,
)
from agent_core.testing import FakeClock, MemoryCatalogue, scripted
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_evals.bench.conditions import pinned
from agent_evals.bench.context import OURS, BenchContext, series_of
from agent_evals.bench.floor import open_floor
from agent_evals.bench.goals import ORCHESTRATION
from agent_evals.bench.harness import Contender, compare
from agent_evals.bench.peers import langgraph_loop
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.report import AreaReport, Refusal

RUN = "one run"

_QUESTION = "Which anime is Aoi in?"
_REQUEST_ID = UUID(int=1)
_REWRITE = QueryRewrite(
    rewritten_query="Which anime features Aoi?",
    needs_external_context=True,
    rationale="a relation",
    answer_kind=AnswerKind.LIST,
    mentions=(Mention(text="Aoi"),),
    relations=(AskedRelation(edge=EdgeType.APPEARS_IN, entity_type=EntityType.ANIME),),
)
_ANSWERED = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})
_ENOUGH = SufficiencyReport(sufficient=True, rationale="complete")


class ScriptedLoop:
    """The product's loop, asked one question whose stages are scripted: five stages, one graph step, all checks."""

    def __init__(self) -> None:
        self._catalogue = MemoryCatalogue()
        self._work = self._catalogue.add(EntityType.ANIME, "Kaze no Machi")
        self._character = self._catalogue.add(EntityType.CHARACTER, "Aoi")
        self._catalogue.link(self._character, EdgeType.APPEARS_IN, self._work, "main")
        self._clock = FakeClock()

    async def run(self) -> AgentResponse:
        """One run from question to checked answer."""
        stages = scripted(
            _REWRITE, steps=[_walk(self._character)], drafts=[_cited(self._work)], reports=[_ENOUGH]
        ).stages
        catalogue = self._catalogue
        loop = Orchestrator(
            stages=stages,
            rule_based=stages,
            sources=Sources(catalogue, catalogue, catalogue.search, catalogue.graph),
            clock=self._clock,
        )
        return await loop.run(AgentRequest(query=_QUESTION, request_id=_REQUEST_ID))


async def measure_orchestration(context: BenchContext) -> AreaReport:
    """The loop does all its checks; LangGraph's stages are empty, so that its time is the least it can be."""
    began = context.clock()
    context.progress("orchestration")
    loop = ScriptedLoop()
    contenders: list[Contender[int]] = []
    refusals: list[Refusal] = []
    response = await loop.run()
    if response.status in _ANSWERED and response.sources:
        contenders.append(Contender(OURS, ask=lambda _: loop.run()))
    else:
        refusals.append(Refusal(contender=OURS, reason=f"answers otherwise: {response.status}"))
    try:
        peer = langgraph_loop.LanggraphPeer()
        contenders.append(Contender(langgraph_loop.NAME, ask=lambda _: peer.run()))
    except PeerMissing as exc:
        refusals.append(Refusal(contender=langgraph_loop.NAME, reason=str(exc)))
    queries = list(range(context.queries))
    async with open_floor(context.dsn) as floor:
        with pinned([floor.backend_pid]):
            comparison = await compare(contenders, queries, floor.contender, context.plan, clock=context.clock)
    return AreaReport(
        area=ORCHESTRATION,
        status="measured",
        seconds=context.clock() - began,
        series=(series_of(RUN, len(queries), comparison, tuple(refusals)),),
        notes=("no model, no database: the frame around the stages, with the product's grounding checks",),
    )


def _walk(start: EntityRef) -> NextStep:
    intent = GraphIntent(rationale="asked", query_type=GraphQueryType.NEIGHBORS, start=start)
    return NextStep(action=Action.PG_GRAPH, rationale="asked", graph_intent=intent)


def _cited(work: EntityRef) -> Callable[[LoopView], DraftAnswer]:
    def draft(view: LoopView) -> DraftAnswer:
        markers = "".join(f"[{number}]" for number in range(1, len(view.evidence) + 1))
        return DraftAnswer(
            answer=f"{work.name} fits {markers}.",
            evidence_ids=tuple(item.id for item in view.evidence),
            result_entities=(work,),
            confidence=0.9,
        )

    return draft
