"""How much work a query may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that hold before a query runs.

    `rows` is the most that come back; `path_length` the longest variable-length relationship; `relationships` how many
    relationship patterns a query may have in all; `walk_steps` the most steps that one variable-length pattern may be
    expected to take, counting `fan_out` relationships at each node.
    """

    rows: int = 200
    path_length: int = 6
    relationships: int = 12
    clauses: int = 16
    fan_out: int = 20
    walk_steps: int = 200_000_000
