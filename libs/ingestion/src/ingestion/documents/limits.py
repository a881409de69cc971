"""How large and how odd a document may be before it is refused."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """Each bound is named in the refusal of a document that passes it.

    `file_bytes` bound a file, or one line of JSON; `unpacked_bytes` all that a packed format holds; `characters` the
    text that is stored; `pages` a PDF; `depth` how far elements of HTML may stand inside each other; `sections` one
    document; `header_bytes` the front matter.
    """

    file_bytes: int = 64 * 1024 * 1024
    unpacked_bytes: int = 256 * 1024 * 1024
    characters: int = 20_000_000
    pages: int = 5_000
    depth: int = 500
    sections: int = 20_000
    header_bytes: int = 64 * 1024
