"""How much less a source may say than before until an import of it is held back. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class LossLimit:
    """What may go missing unasked: fewer than `minimum` items of a kind, or at most `share` of those there were."""

    share: float = 0.05
    minimum: int = 3

    def is_passed(self, lost: int, had: int) -> bool:
        """Whether losing `lost` of `had` is more than may happen unasked."""
        return lost >= self.minimum and lost > self.share * had


class Coverage(StrEnum):
    """What an entity's absence from a dump means.

    whole: the source no longer has it. extensible: the same, unless the dump shares no entity with what the source said
    before and so adds to it; it is removed only when the loss is accepted. part: nothing.
    """

    WHOLE = "whole"
    EXTENSIBLE = "extensible"
    PART = "part"


_COVERAGE: Mapping[str, Coverage] = {
    "bangumi": Coverage.WHOLE,
    "bangumi-data": Coverage.WHOLE,
    "manami": Coverage.WHOLE,
    "interchange": Coverage.EXTENSIBLE,
}


def coverage_of(format_name: str) -> Coverage:
    """What a dump of this format covers; a format that declares nothing holds a part of its source."""
    return _COVERAGE.get(format_name, Coverage.PART)
