"""One run of the benchmark over a loaded catalogue: area after area, then the goals."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from datastore.errors import DatastoreError

from agent_evals.bench.checkpoint import Checkpoint
from agent_evals.bench.conditions import (
    MEASURED_PACKAGES,
    PEER_PACKAGES,
    machine,
    package_versions,
    pinned,
    postgres_settings,
)
from agent_evals.bench.context import BenchContext
from agent_evals.bench.goals import GOALS, judge
from agent_evals.bench.harness import Plan
from agent_evals.bench.phases import Phases
from agent_evals.bench.report import AreaReport, BenchReport, Conditions
from agent_evals.bench.scale import FULL, GENERATOR_VERSION, QUICK, Scale

type Mode = Literal["quick", "full"]
type Area = Callable[[BenchContext], Awaitable[AreaReport]]
"""Measures one area. What is missing for it is said in its report; only what nobody planned is raised."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How large the catalogue is and how much is asked of it."""

    mode: Mode
    scale: Scale
    plan: Plan
    queries: int


QUICK_RUN = RunOptions("quick", QUICK, Plan(rounds=2, floor_calls=100, block_seconds=0.3), queries=40)
FULL_RUN = RunOptions(
    "full", FULL, Plan(rounds=5, most_rounds=12, floor_calls=300, block_seconds=4.0, fewest_calls=3), queries=300
)


async def measure_areas(
    context: BenchContext, areas: Mapping[str, Area], checkpoint: Checkpoint | None
) -> tuple[AreaReport, ...]:
    """Each area's report, in order; those of the checkpoint as they are."""
    reports: list[AreaReport] = []
    for name, measure in areas.items():
        known = checkpoint.read(name) if checkpoint is not None else None
        report = known or await _measured(name, measure, context)
        if checkpoint is not None and known is None:
            checkpoint.write(report)
        reports.append(report)
    return tuple(reports)


async def report_run(
    context: BenchContext,
    options: RunOptions,
    areas: Sequence[AreaReport],
    *,
    started_at: datetime,
    stages: Mapping[str, float],
) -> BenchReport:
    """The areas with their goals and the conditions; says whether it is fit to be published, and why not."""
    elapsed = (datetime.now(UTC) - started_at).total_seconds()
    # A run that was taken up again has spent before what its kept areas took.
    seconds = max(elapsed, sum(area.seconds for area in areas))
    conditions = await _conditions(context, options, started_at, seconds, stages)
    contended = tuple(f"{area.area}: {each.name}" for area in areas for each in area.series if each.contended)
    left_out = tuple(dict.fromkeys(spec.area for spec in GOALS if spec.area not in {area.area for area in areas}))
    reasons = _why_not_publishable(options, contended, conditions.missing, left_out)
    return BenchReport(
        conditions=conditions,
        contended=bool(contended),
        publishable=not reasons,
        why_not_publishable=reasons,
        areas=tuple(areas),
        goals=judge(areas),
    )


async def _conditions(
    context: BenchContext, options: RunOptions, started_at: datetime, seconds: float, stages: Mapping[str, float]
) -> Conditions:
    versions, _ = package_versions(MEASURED_PACKAGES)
    peers, missing = package_versions(PEER_PACKAGES)
    with pinned([]) as core:
        pinned_core = core
    catalogue = context.catalogue
    counts = {"names": len(catalogue.names.texts), "directed_edges": 2 * len(catalogue.links.pairs)}
    return Conditions(
        mode=options.mode,
        started_at=started_at.isoformat(timespec="seconds"),
        seconds=seconds,
        seed=catalogue.seed,
        generator_version=GENERATOR_VERSION,
        catalogue_digest=options.scale.digest(catalogue.seed),
        catalogue=asdict(options.scale) | counts,
        machine=machine(),
        versions=versions | peers,
        missing=missing,
        settings=await postgres_settings(context.dsn),
        pinned_core=pinned_core,
        rounds=options.plan.rounds,
        load_stages=stages,
    )


async def _measured(name: str, measure: Area, context: BenchContext) -> AreaReport:
    phases = Phases(context.progress, context.clock)
    try:
        report = await measure(replace(context, progress=phases.begin))
    except DatastoreError as exc:
        report = not_measured(name, f"the store failed: {exc}")
    return report.model_copy(update={"phases": phases.end()})


def not_measured(area: str, why_not: str) -> AreaReport:
    """The report of an area that can't be measured here."""
    return AreaReport(area=area, status="not_measured", why_not=why_not)


def _why_not_publishable(
    options: RunOptions, contended: Sequence[str], missing: Sequence[str], left_out: Sequence[str]
) -> tuple[str, ...]:
    reasons: list[str] = []
    if options.mode != "full":
        reasons.append("a small catalogue: goals are meant for bench full")
    if contended:
        reasons.append(f"contended: the machine was not quiet ({', '.join(contended)})")
    if missing:
        reasons.append(f"peers are missing: {', '.join(missing)}")
    if left_out:
        reasons.append(f"areas were left out: {', '.join(left_out)}")
    return tuple(reasons)
