"""What the AI lane adds to its executors: whole runs with the rule-based stages over executors that answer from memory.

No model, no embedding, no database. The executors' own time is taken off, so that what is left is the loop, its rules
and its checks.
"""

import time
from collections.abc import Awaitable, Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from statistics import median
from typing import Any
from uuid import UUID

from agent_core.agents.rule_based.answer import RuleBasedAnswer
from agent_core.agents.rule_based.rewrite import RuleBasedRewrite
from agent_core.agents.rule_based.source_selector import RuleBasedSourceSelector
from agent_core.agents.rule_based.sufficiency import RuleBasedSufficiency
from agent_core.bootstrap import SystemClock
from agent_core.orchestrator import Orchestrator, Sources
from agent_core.protocols import Stages
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus, Mention
from agent_core.testing import MemoryCatalogue
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_evals.bench.conditions import pinned
from agent_evals.bench.context import OURS, BenchContext, series_of
from agent_evals.bench.floor import Floor, open_floor
from agent_evals.bench.goals import AI_LANE, AI_LANE_GOAL
from agent_evals.bench.harness import Block, compare_blocks
from agent_evals.bench.report import AreaReport, Measured, Refusal, Series

_TEMPLATES = (
    "Which anime is {hero} in?",
    "Who directed {anime}?",
    "Who voices {hero}?",
    "When did {anime} air?",
    "Which studio made {anime}?",
    "How are {voice} and {anime} connected?",
    "What is the sequel of {anime}?",
    "Who is in {anime} Nights?",
)
_WORLDS = 24
"""Small worlds of one shape and other names, so that no question comes again while it is still remembered."""

_ANSWERED = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})
_REQUEST_ID = UUID(int=1)
_NAME = "whole runs"
_MILLISECONDS = 1e3


@dataclass(slots=True)
class OwnTime:
    """The seconds that calls took, those inside of others counted once."""

    seconds: float = 0.0
    _depth: int = field(default=0)

    async def of[Result](self, call: Awaitable[Result]) -> Result:
        """The result of a call, its time added."""
        self._depth += 1
        began = time.perf_counter()
        try:
            return await call
        finally:
            self._depth -= 1
            if not self._depth:
                self.seconds += time.perf_counter() - began


class _Timed:
    """Anything whose methods are coroutines, with their time taken. It speaks whatever protocol that speaks."""

    def __init__(self, of: object, own: OwnTime) -> None:
        self._of = of
        self._own = own

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._of, name)

        def timed(*args: object, **kwargs: object) -> Awaitable[object]:
            return self._own.of(method(*args, **kwargs))

        return timed


class _Finder:
    """Finds the names of a small catalogue where they stand in a text, the longest first."""

    def __init__(self, catalogue: MemoryCatalogue) -> None:
        self._names = sorted((row.title for row in catalogue.entities.values()), key=len, reverse=True)

    async def find(self, text: str, *, timeout: float) -> tuple[Mention, ...]:
        """The names in the text; nothing takes long enough for a time-out."""
        found: list[Mention] = []
        left = text
        for name in self._names:
            if name in left:
                left = left.replace(name, " " * len(name))
                found.append(Mention(text=name))
        return tuple(sorted(found, key=lambda mention: text.index(mention.text)))


class MemoryLane:
    """The product's loop over catalogues in memory; `executors` has the time of all that stands for a store."""

    def __init__(self) -> None:
        self.executors = OwnTime()
        self._loops = {
            question: loop for world in WORLDS for loop in (self._loop(world),) for question in _asked(world)
        }

    def _loop(self, world: "_World") -> Orchestrator:
        catalogue = _catalogue(world)
        stages = Stages(
            RuleBasedRewrite(self._timed(_Finder(catalogue))),
            RuleBasedSourceSelector(),
            RuleBasedAnswer(),
            RuleBasedSufficiency(),
        )
        return Orchestrator(
            stages=stages,
            rule_based=stages,
            sources=Sources(
                self._timed(catalogue),
                self._timed(catalogue),
                self._timed(catalogue.search),
                self._timed(catalogue.graph),
            ),
            clock=SystemClock(),
        )

    def _timed(self, of: object) -> Any:
        """Stands for whatever protocol `of` speaks."""
        return _Timed(of, self.executors)

    async def ask(self, question: str) -> AgentResponse:
        """One run, for one of QUESTIONS."""
        return await self._loops[question].run(AgentRequest(query=question, request_id=_REQUEST_ID))


@dataclass(frozen=True, slots=True)
class _Run:
    """One run: seconds without the executors', and the loop's own account of its stages in milliseconds."""

    seconds: float
    stages: Mapping[str, float]


async def measure_ai_lane(context: BenchContext) -> AreaReport:
    """Questions that are answered from the graph, each a run of its own."""
    began = context.clock()
    context.progress("AI lane: the loop over executors in memory")
    lane = MemoryLane()
    refusals = await _unanswered(lane)
    runs: list[_Run] = []
    async with open_floor(context.dsn) as floor:

        async def block() -> Block:
            before = await _floors(context, floor)
            taken = [await _run(lane, QUESTIONS[each % len(QUESTIONS)]) for each in range(context.queries)]
            runs.extend(taken)
            return Block(tuple(run.seconds for run in taken), (*before, *await _floors(context, floor)))

        with pinned([floor.backend_pid]):
            comparison = await compare_blocks({OURS: block}, context.plan)
    series = series_of(_NAME, len(QUESTIONS), comparison, tuple(refusals), _by_stage(runs))
    return AreaReport(
        area=AI_LANE,
        status="measured",
        seconds=context.clock() - began,
        series=(series,),
        measured={AI_LANE_GOAL: _measured(series, refusals)},
        notes=("no model, no embedding, no database: the executors' own time is taken off", _stages_in_words(series)),
    )


async def _unanswered(lane: MemoryLane) -> list[Refusal]:
    """A lane that answers nothing is fast for nothing."""
    failed: list[Refusal] = []
    for question in QUESTIONS:
        response = await lane.ask(question)
        if response.status not in _ANSWERED or not response.sources:
            failed.append(Refusal(contender=OURS, reason=f"{question} is {response.status}"))
    return failed


async def _run(lane: MemoryLane, question: str) -> _Run:
    lane.executors.seconds = 0.0
    began = time.perf_counter()
    response = await lane.ask(question)
    return _Run(time.perf_counter() - began - lane.executors.seconds, response.usage.ms)


async def _floors(context: BenchContext, floor: Floor) -> list[float]:
    """Half of a block's."""
    return [await _timed(context, floor.contender.answer(None)) for _ in range(context.plan.floor_calls // 2)]


async def _timed(context: BenchContext, call: Awaitable[object]) -> float:
    began = context.clock()
    await call
    return context.clock() - began


def _by_stage(runs: list[_Run]) -> dict[str, float]:
    names = sorted({name for run in runs for name in run.stages})
    return {name: median(run.stages.get(name, 0.0) for run in runs) for name in names}


def _measured(series: Series, refusals: list[Refusal]) -> Measured:
    if refusals:
        return Measured(why_not=f"answers otherwise: {refusals[0].reason}")
    return Measured(value=series.timings[0].p50_us / _MILLISECONDS, contended=series.contended)


def _stages_in_words(series: Series) -> str:
    spent = sorted(series.quality.items(), key=lambda stage: -stage[1])
    return "median milliseconds by stage, executors included: " + ", ".join(f"{name} {ms:.2f}" for name, ms in spent)


@dataclass(frozen=True, slots=True)
class _World:
    """The names of two anime, a manga, and who is in them and made them; all invented."""

    anime: str
    manga: str
    hero: str
    sister: str
    director: str
    voice: str
    studio: str


def _worlds() -> list[_World]:
    draw = Random(_WORLDS)

    def word() -> str:
        return "".join(draw.choice("BDFGKLMNPRTVZ") + draw.choice("aeiou") for _ in range(3)).capitalize() + "x"

    return [
        _World(
            anime=word(),
            manga=f"{word()} {word()}",
            hero=word(),
            sister=word(),
            director=f"{word()} {word()}",
            voice=f"{word()} {word()}",
            studio=f"Studio {word()}",
        )
        for _ in range(_WORLDS)
    ]


WORLDS = tuple(_worlds())


def _asked(world: _World) -> list[str]:
    return [template.format(**asdict(world)) for template in _TEMPLATES]


QUESTIONS = tuple(question for world in WORLDS for question in _asked(world))


def _catalogue(world: _World) -> MemoryCatalogue:
    catalogue = MemoryCatalogue()
    add, link = catalogue.add, catalogue.link
    first = add(EntityType.ANIME, world.anime, format="TV", year="2009", start_date="2009-04-05", episodes="64")
    second = add(EntityType.ANIME, f"{world.anime} Nights", format="movie", year="2011", start_date="2011-07")
    book = add(EntityType.MANGA, world.manga, year="2001", chapters="108")
    hero, sister = add(EntityType.CHARACTER, world.hero), add(EntityType.CHARACTER, world.sister)
    director, voice = add(EntityType.PERSON, world.director), add(EntityType.PERSON, world.voice)
    studio = add(EntityType.STUDIO, world.studio)
    link(first, EdgeType.HAS_STAFF, director, "director")
    link(director, EdgeType.STAFF_OF, first, "director")
    link(first, EdgeType.PRODUCED_BY, studio, "main")
    link(first, EdgeType.ADAPTATION_OF, book)
    link(first, EdgeType.SEQUEL, second)
    link(hero, EdgeType.VOICED_BY, voice, "ja")
    link(voice, EdgeType.VOICES, hero, "ja")
    for character in (hero, sister):
        for work in (first, second):
            link(work, EdgeType.FEATURES, character, "main")
            link(character, EdgeType.APPEARS_IN, work, "main")
    return catalogue
