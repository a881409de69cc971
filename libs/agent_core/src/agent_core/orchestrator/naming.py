"""Names for references: whatever leaves the loop carries the catalogue's name of each entity. Pure."""

from collections.abc import Mapping
from typing import cast
from uuid import UUID

from datastore.vocabulary import EntityType
from pydantic import BaseModel

from agent_core.evidence import EntityRef

Names = Mapping[tuple[EntityType, UUID], str]


def named[T](value: T, names: Names) -> T:
    """A copy of a contract, or of a tuple of contracts, in which every EntityRef carries its name, or none."""
    return cast(T, _named(value, names))


def _named(value: object, names: Names) -> object:
    if isinstance(value, EntityRef):
        return value.model_copy(update={"name": names.get(value.key)})
    if isinstance(value, tuple):
        return tuple(_named(part, names) for part in cast(tuple[object, ...], value))
    if isinstance(value, BaseModel):
        fields: dict[str, object] = {name: getattr(value, name) for name in type(value).model_fields}
        return value.model_copy(update={name: _named(part, names) for name, part in fields.items()})
    return value
