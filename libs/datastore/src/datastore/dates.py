"""Dates whose precision is kept: a year, a month or a day may be all that is known."""

import calendar
import re
from dataclasses import dataclass
from typing import Self

_TEXT = re.compile(r"^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$")
MIN_YEAR, MAX_YEAR = 1000, 9999


@dataclass(frozen=True, slots=True, order=True)
class PartialDate:
    """A date known to the year, month or day. `month` and `day` are None when not known."""

    year: int
    month: int | None = None
    day: int | None = None

    @classmethod
    def from_parts(cls, year: int | None, month: int | None = None, day: int | None = None) -> Self | None:
        """The most precise date that the parts allow; an impossible part is dropped, never guessed."""
        if year is None or not MIN_YEAR <= year <= MAX_YEAR:
            return None
        if month is None or not 1 <= month <= 12:
            return cls(year)
        if day is None or not 1 <= day <= calendar.monthrange(year, month)[1]:
            return cls(year, month)
        return cls(year, month, day)

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """`2009`, `2009-04` or `2009-04-05`; None when the text is no date or an impossible one."""
        match = _TEXT.match(text.strip())
        if match is None:
            return None
        year, month, day = (int(part) if part else None for part in match.groups())
        parsed = cls.from_parts(year, month, day)
        return parsed if parsed is not None and (parsed.month, parsed.day) == (month, day) else None

    @property
    def precision(self) -> str:
        """`year`, `month` or `day`."""
        if self.month is None:
            return "year"
        return "month" if self.day is None else "day"

    def __str__(self) -> str:
        return "-".join(f"{part:02d}" for part in (self.year, self.month, self.day) if part is not None)
