"""What a benchmark says: timings, named goals, and the conditions under which all of it was measured."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

REPORT_VERSION = 1


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Timing(_Value):
    """One contender over one class of queries: medians over blocks, in microseconds.

    What is no query, as a start is none, has no floor.
    """

    contender: str
    blocks: int
    calls: int
    p50_us: float
    p99_us: float
    floor_p50_us: float | None = None
    p50_over_floor: float | None = None


class Refusal(_Value):
    """A contender that was not timed, and why: it is missing, or it answers something else."""

    contender: str
    reason: str


class Series(_Value):
    """One class of queries: who was timed, who was not, and whether the machine was quiet.

    `blocks_left_out` were taken while the machine was faster or slower than in those that count.
    """

    name: str
    queries: int
    timings: tuple[Timing, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    floor_p50_us: float = 0.0
    floor_spread: float = 0.0
    blocks_left_out: int = 0
    contended: bool = False
    quality: Mapping[str, float] = Field(default_factory=dict[str, float])


class Measured(_Value):
    """A value for a goal, or the reason why there is none. `contended` values count for nothing."""

    value: float | None = None
    why_not: str | None = None
    contended: bool = False


class AreaReport(_Value):
    """One area: its series, the values for its goals, what was set up for it, and the seconds each phase took."""

    area: str
    status: Literal["measured", "not_measured"]
    why_not: str | None = None
    seconds: float = 0.0
    phases: Mapping[str, float] = Field(default_factory=dict[str, float])
    series: tuple[Series, ...] = ()
    measured: Mapping[str, Measured] = Field(default_factory=dict[str, Measured])
    notes: tuple[str, ...] = ()


class Goal(_Value):
    """A goal of the project, as this run met it or not. `value` and `goal` are ratios unless the name says a unit."""

    name: str
    area: str
    comparison: Literal["at most", "at least"]
    goal: float
    value: float | None
    met: bool
    why_not: str | None = None
    stretch: float | None = None


class Machine(_Value):
    """What the numbers were measured on."""

    processor: str
    cores: int
    usable_cores: int
    cpu_flags: tuple[str, ...]
    memory_gb: float
    system: str
    interpreter: str
    load_average: tuple[float, float, float]


class Conditions(_Value):
    """Everything that another run would have to repeat."""

    mode: Literal["quick", "full"]
    started_at: str
    seconds: float
    seed: int
    generator_version: int
    catalogue_digest: str
    catalogue: Mapping[str, int]
    machine: Machine
    versions: Mapping[str, str]
    missing: tuple[str, ...]
    settings: Mapping[str, str]
    pinned_core: int | None
    rounds: int
    load_stages: Mapping[str, float] = Field(default_factory=dict[str, float])


class BenchReport(_Value):
    """One run of the benchmark."""

    version: int = REPORT_VERSION
    conditions: Conditions
    contended: bool
    publishable: bool
    why_not_publishable: tuple[str, ...]
    areas: tuple[AreaReport, ...]
    goals: tuple[Goal, ...]

    def to_json(self) -> str:
        """Everything, for machines."""
        return self.model_dump_json(indent=1)
