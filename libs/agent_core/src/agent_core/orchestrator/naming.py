"""Names for references: whatever leaves the loop carries the catalogue's name of each entity. Pure."""

from collections.abc import Mapping
from operator import is_
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
    """What holds no reference under another name stays the same object."""
    if isinstance(value, EntityRef):
        name = names.get(value.key)
        return value if value.name == name else EntityRef(entity_type=value.entity_type, id=value.id, name=name)
    if isinstance(value, tuple):
        parts = cast(tuple[object, ...], value)
        renamed = tuple(_named(part, names) if _may_hold(part) else part for part in parts)
        return parts if all(map(is_, parts, renamed)) else renamed
    if isinstance(value, BaseModel):
        fields: Mapping[str, object] = vars(value)
        inner = ((name, part, _named(part, names)) for name, part in fields.items() if _may_hold(part))
        changed = {name: new for name, part, new in inner if new is not part}
        return value.model_copy(update=changed) if changed else value
    return value


def _may_hold(part: object) -> bool:
    """Whether references can be in it."""
    return isinstance(part, BaseModel | tuple)
