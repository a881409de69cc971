"""What a picture that somebody else chose may cost."""

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLimits:
    """Bounds on reading one picture.

    `pixels` is width times height as the file's header has it: more is not unpacked. `seconds` and `redirects` are for
    fetching it. `at_once` pictures are unpacked at a time: each may take four bytes a pixel for a moment.
    """

    bytes: int = 8 * MEGABYTE
    pixels: int = 25_000_000
    redirects: int = 3
    seconds: float = 10.0
    at_once: int = 2
