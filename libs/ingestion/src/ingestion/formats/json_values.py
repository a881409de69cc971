"""Safe steps into parsed JSON whose shape nobody vouches for."""

from typing import Any, cast

JsonObject = dict[str, Any]


def as_object(value: Any) -> JsonObject | None:
    """`value` when it is a JSON object."""
    return cast("JsonObject", value) if isinstance(value, dict) else None


def as_list(value: Any) -> list[Any]:
    """`value` when it is a JSON array, else an empty list."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def objects_in(value: Any) -> list[JsonObject]:
    """The objects of a JSON array; whatever else it holds is skipped."""
    return [item for item in as_list(value) if isinstance(item, dict)]
