"""Names for references: whatever leaves the loop carries the catalogue's name of each entity. Pure."""

from collections.abc import Mapping
from operator import is_
from typing import cast
from uuid import UUID

from datastore.vocabulary import EntityType
from pydantic import BaseModel

from agent_core.evidence import EntityRef

_HOLDERS = (BaseModel, tuple)

Names = Mapping[tuple[EntityType, UUID], str]


def named[T](value: T, names: Names) -> T:
    """A copy of a contract, or of a tuple of contracts, in which every EntityRef carries its name, or none."""
    return cast(T, _named(value, names))


def _named(value: object, names: Names) -> object:
    """What holds no reference under another name stays the same object."""
    if isinstance(value, EntityRef):
        name = names.get(value.key)
        return value if value.name == name else EntityRef(entity_type=value.entity_type, id=value.id, name=name)
    if isinstance(value, tuple):
        parts = cast(tuple[object, ...], value)
        renamed = tuple(_named(part, names) if isinstance(part, _HOLDERS) else part for part in parts)
        return value if all(map(is_, parts, renamed)) else renamed
    if isinstance(value, BaseModel):
        fields: dict[str, object] = value.__dict__
        inner = ((name, part, _named(part, names)) for name, part in fields.items() if isinstance(part, _HOLDERS))
        changed = {name: new for name, part, new in inner if new is not part}
        return value.model_copy(update=changed) if changed else value
    return value
