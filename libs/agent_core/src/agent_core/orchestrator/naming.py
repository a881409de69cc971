"""Names for references: whatever leaves the loop carries the catalogue's name of each entity. Pure."""

from collections.abc import Mapping
from functools import cache
from operator import is_
from typing import Any, cast, get_args
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
        name = names.get((value.entity_type, value.id))
        return value if value.name == name else EntityRef(entity_type=value.entity_type, id=value.id, name=name)
    if isinstance(value, tuple):
        parts = cast(tuple[object, ...], value)
        renamed = tuple([_named(part, names) for part in parts])
        return parts if all(map(is_, parts, renamed)) else renamed
    if isinstance(value, BaseModel):
        fields: Mapping[str, object] = vars(value)
        changed: dict[str, object] = {}
        for name in _holders(type(value)):
            part = fields[name]
            new = _named(part, names)
            if new is not part:
                changed[name] = new
        return value.model_copy(update=changed) if changed else value
    return value


@cache
def _holders(contract: type[BaseModel]) -> tuple[str, ...]:
    """The fields of a contract in which references can be."""
    return tuple(name for name, field in contract.model_fields.items() if _may_hold(field.annotation))


def _may_hold(annotation: Any) -> bool:
    """Whether a value of this type can be a reference or hold one, in itself or in a tuple."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation is EntityRef or bool(_holders(annotation))
    return any(map(_may_hold, get_args(annotation)))
