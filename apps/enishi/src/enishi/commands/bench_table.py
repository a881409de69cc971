"""A benchmark's report as people read it: a table of times an area, then the goals."""

from collections.abc import Iterator

from agent_evals.bench.report import AreaReport, BenchReport, Goal
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text


def bench_tables(report: BenchReport) -> Iterator[RenderableType]:
    """Areas, goals, and whether the run is fit to be published."""
    for area in report.areas:
        yield _area(area)
    yield _goals(report.goals)
    machine = report.conditions.machine
    core = report.conditions.pinned_core
    where = "not pinned" if core is None else f"pinned to core {core}"
    yield Text(f"{machine.processor}, {machine.cores} cores, {where}; {report.conditions.seconds:.0f} s")
    if report.publishable:
        yield Text("fit to be published", style="green")
    for reason in report.why_not_publishable:
        yield Text(f"not to be published: {reason}", style="yellow")


def _area(area: AreaReport) -> RenderableType:
    if area.status == "not_measured":
        return Text(f"{area.area}: not measured: {area.why_not}", style="yellow")
    table = Table(title=area.area, title_justify="left")
    table.add_column("queries")
    table.add_column("contender")
    for heading in ("p50 µs", "p99 µs", "x floor", "calls"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for series in area.series:
        for timing in series.timings:
            over_floor = "-" if timing.p50_over_floor is None else f"{timing.p50_over_floor:.2f}"
            figures = (f"{timing.p50_us:,.1f}", f"{timing.p99_us:,.1f}", over_floor)
            note = "contended" if series.contended else ""
            table.add_row(series.name, timing.contender, *figures, str(timing.calls), note)
        for refusal in series.refusals:
            table.add_row(series.name, refusal.contender, "-", "-", "-", "0", refusal.reason)
        for name, value in series.quality.items():
            table.add_row(series.name, name, f"{value:.3f}", "", "", "", "")
    return table


def _goals(goals: tuple[Goal, ...]) -> Table:
    table = Table(title=f"goals: {sum(goal.met for goal in goals)} of {len(goals)} met", title_justify="left")
    for heading in ("goal", "wanted", "value", "", "why not"):
        table.add_column(heading)
    for goal in goals:
        value = "-" if goal.value is None else f"{goal.value:.3g}"
        wanted = f"{goal.comparison} {goal.goal:g}"
        verdict = Text("met", style="green") if goal.met else Text("missed", style="red")
        table.add_row(goal.name, wanted, value, verdict, goal.why_not or "")
    return table
