"""What a gold query is: plain SQL over the truth tables, with named parameters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """One query; `parameters` and then `conditions` are its `$1`, `$2`, …

    It yields `entity` (uuid or null) and `value` (text or null). No rows means that the catalogue has no answer. A
    condition that a case leaves out is null and restricts nothing.
    """

    sql: str
    parameters: tuple[str, ...]
    conditions: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """All names, in the order of the arguments."""
        return (*self.parameters, *self.conditions)


def sql(*parts: str) -> str:
    """One statement of constant parts."""
    return " ".join(parts)
