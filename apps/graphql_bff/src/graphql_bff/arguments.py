"""Checks of arguments: each raises BadInput, which names the field and its limit."""

import re
import unicodedata
from uuid import UUID

from graphql_bff.errors import BadInput

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_WHITE_SPACE = frozenset("\t\n\r")
_MAX_OFFSET = 10_000


def checked_count(first: int, limit: int, field: str = "first") -> int:
    """A page size from 1 to `limit`."""
    if not 1 <= first <= limit:
        raise BadInput(field, f"must be between 1 and {limit}")
    return first


def checked_offset(offset: int) -> int:
    """How many items to pass over."""
    if not 0 <= offset <= _MAX_OFFSET:
        raise BadInput("offset", f"must be between 0 and {_MAX_OFFSET}")
    return offset


def checked_id(text: str, field: str = "id") -> UUID:
    """A UUID in its usual form of 36 characters."""
    if not is_id(text):
        raise BadInput(field, "must be a UUID such as 01234567-89ab-cdef-0123-456789abcdef")
    return UUID(text)


def is_id(text: str) -> bool:
    """Whether a text is a UUID in its usual form."""
    return _UUID.fullmatch(text) is not None


def checked_text(text: str, field: str, max_characters: int) -> str:
    """A text that isn't blank, isn't too long, and that every store can hold."""
    if len(text) > max_characters:
        raise BadInput(field, f"at most {max_characters} characters, this one has {len(text)}")
    if not text.strip():
        raise BadInput(field, "must not be empty")
    # Printable texts have none of those, and are told apart much faster.
    if not text.isprintable() and any(
        unicodedata.category(character) in ("Cc", "Cs") for character in set(text) - _WHITE_SPACE
    ):
        raise BadInput(field, "must not have control characters or unpaired surrogates")
    return text
