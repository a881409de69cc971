"""Cursors of the name lane: opaque to callers, a place in the order of hits to us."""

import base64
import binascii
from typing import Annotated
from uuid import UUID

from datastore.name_hits import MatchKind, NameHit
from datastore.postgres.name_search import SearchPosition
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphql_bff.errors import BadInput

# The longest name, all of it escaped, needs 4,200.
_MAX_CURSOR_CHARACTERS = 5_000
# Far behind what is kept ready, a page is read the same way whatever its number is.
_MAX_NUMBER = 100_000


class _Place(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    number: Annotated[int, Field(ge=1, le=_MAX_NUMBER)]
    match: MatchKind
    popularity: Annotated[float, Field(allow_inf_nan=False)]
    name: Annotated[str, Field(pattern="^[^\\x00]*$")]
    entity_id: UUID


def cursor_of(hit: NameHit, number: int) -> str:
    """The cursor of a hit up to which there are `number`, itself included; from 100,000 on they aren't counted."""
    place = _Place(
        number=min(number, _MAX_NUMBER),
        match=hit.match,
        popularity=hit.popularity,
        name=hit.name,
        entity_id=hit.entity_id,
    )
    return base64.urlsafe_b64encode(place.model_dump_json().encode()).decode()


def position_of(cursor: str) -> SearchPosition:
    """The place that a cursor stands for. Raises BadInput."""
    try:
        if len(cursor) > _MAX_CURSOR_CHARACTERS:
            raise BadInput("after", "is no cursor of a hit")
        place = _Place.model_validate_json(base64.b64decode(cursor, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, ValidationError) as exc:
        raise BadInput("after", "is no cursor of a hit") from exc
    return SearchPosition(place.number, place.match, place.popularity, place.name, place.entity_id)
