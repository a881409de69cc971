from dataclasses import dataclass

from agent_evals.cypher.tck.judging import *


@dataclass(frozen=True, slots=True)
class TckReport:
    expanded: int
    verdicts: tuple[Verdict, ...]
