"""What every area is given: the loaded catalogue, where it is, how much to measure, and where to say what goes on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from agent_evals.bench.harness import Clock, Comparison, Plan
from agent_evals.bench.invented_catalogue import InventedCatalogue
from agent_evals.bench.kept import Keep
from agent_evals.bench.report import Measured, Refusal, Series

OURS = "enishi"
"""What the product is called among its peers."""


@dataclass(frozen=True, slots=True)
class BenchContext:
    """One run's surroundings. `folder` is scratch space that may be used and left; `keep` is for runs to come.

    `peers` keeps what peers are made of that no Python package brings; `fetches_peers` allows to fetch it.
    """

    dsn: str
    catalogue: InventedCatalogue
    ids: tuple[UUID, ...]
    folder: Path
    keep: Keep
    plan: Plan
    queries: int
    clock: Clock
    progress: Callable[[str], None]
    peers: Path | None = None
    fetches_peers: bool = False


@dataclass(frozen=True, slots=True)
class Ratios:
    """Goal values out of an area's series; each knows whether its series were contended, and why one is missing."""

    series: tuple[Series, ...]

    def p50(self, above: tuple[str, str], below: tuple[str, str]) -> Measured:
        """The ratio of two median times; each of (series, contender)."""
        return self._ratio(above, below, "p50_us")

    def p99(self, above: tuple[str, str], below: tuple[str, str]) -> Measured:
        """The ratio of two 99th percentiles."""
        return self._ratio(above, below, "p99_us")

    def over_floor(self, series: str, contender: str) -> Measured:
        """A median as a multiple of the floor in the same block."""
        value = self._value(series, contender, "p50_over_floor")
        return value if isinstance(value, Measured) else Measured(value=value, contended=self._contended(series))

    def p99_spread(self, contender: str, series: tuple[str, ...]) -> Measured:
        """The slowest series' 99th percentile over the fastest one's."""
        values = [self._value(each, contender, "p99_us") for each in series]
        for value in values:
            if isinstance(value, Measured):
                return value
        times = [value for value in values if isinstance(value, float)]
        return Measured(value=max(times) / min(times), contended=any(map(self._contended, series)))

    def _ratio(self, above: tuple[str, str], below: tuple[str, str], field: str) -> Measured:
        top, bottom = self._value(*above, field), self._value(*below, field)
        if isinstance(top, Measured):
            return top
        if isinstance(bottom, Measured):
            return bottom
        return Measured(value=top / bottom, contended=self._contended(above[0]) or self._contended(below[0]))

    def _value(self, series: str, contender: str, field: str) -> float | Measured:
        found = self._series(series)
        if found is None:
            return Measured(why_not=f"{series} was not measured")
        for timing in found.timings:
            if timing.contender == contender:
                value: float | None = getattr(timing, field)
                return Measured(why_not=f"{contender} has no floor") if value is None else value
        reasons = [refusal.reason for refusal in found.refusals if refusal.contender == contender]
        return Measured(why_not=f"{contender}: {reasons[0] if reasons else 'not measured'}")

    def _contended(self, series: str) -> bool:
        found = self._series(series)
        return found is not None and found.contended

    def _series(self, name: str) -> Series | None:
        return next((each for each in self.series if each.name == name), None)


def series_of(
    name: str,
    queries: int,
    comparison: Comparison,
    refusals: tuple[Refusal, ...] = (),
    quality: dict[str, float] | None = None,
) -> Series:
    """A comparison as the report shows it."""
    return Series(
        name=name,
        queries=queries,
        timings=comparison.timings,
        refusals=refusals,
        floor_p50_us=comparison.floor_p50_us,
        floor_spread=comparison.floor_spread,
        blocks_left_out=comparison.blocks_left_out,
        contended=comparison.is_contended,
        quality=quality or {},
    )
