"""Execution of documents: the library's own, with a straight way for what only shows values that are there.

What the straight way can't show (a value that must be waited for, a null where none belongs, a class that the schema
does not expect, anything that raises) goes the library's way from the start, which finds the words for what is wrong.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from graphql import (
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLResolveInfo,
    GraphQLSchema,
    Undefined,
    is_abstract_type,
    is_leaf_type,
    is_object_type,
)
from graphql.execution.collect_fields import FieldDetails, GroupedFieldSet
from graphql.pyutils import AwaitableOrValue, Path
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from graphql_bff.shortcuts import CLASSES, ValueOf


class _NotStraight(Exception):
    """The library's way has to be taken."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A field that shows a value: how its type writes it, or for an object what is selected of it."""

    key: str
    get: Callable[[object], object]
    is_nullable: bool
    declared: object
    written: Callable[[object], object] | None
    details: list[FieldDetails]


@dataclass(frozen=True, slots=True)
class _Split:
    """A selection: all its keys in order, the fields that are shown, and the others."""

    selection: GroupedFieldSet
    keys: tuple[str, ...]
    shown: tuple[_Shown, ...]
    others: GroupedFieldSet


class ShortExecution(StrawberryGraphQLCoreExecutionContext):
    """One execution of one document."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._classes = _classes_of(self.schema)
        self._splits: dict[tuple[GraphQLObjectType, int], _Split] = {}
        self._wholes: dict[tuple[object, type, int], _Split | None] = {}

    def execute_fields(
        self,
        parent_type: GraphQLObjectType,
        source_value: Any,
        path: Path | None,
        grouped_field_set: GroupedFieldSet,
        position_context: Any,
    ) -> AwaitableOrValue[dict[str, Any]]:
        """The fields of one object, in order."""
        split = self._split(parent_type, grouped_field_set)
        results: dict[str, Any] = dict.fromkeys(split.keys)
        others = split.others
        for field in split.shown:
            try:
                results[field.key] = self._value(field, source_value)
            except Exception:  # noqa: BLE001 - the library's way raises it again, in its place
                others = {**others, field.key: grouped_field_set[field.key]}
        if not others:
            return results
        rest = super().execute_fields(parent_type, source_value, path, others, position_context)
        if isinstance(rest, dict):
            results.update(rest)
            return results
        return _with_rest(results, rest)

    def complete_list_value(
        self,
        return_type: GraphQLList[Any],
        field_details_list: list[FieldDetails],
        info: GraphQLResolveInfo[Any],
        path: Path,
        result: Any,
        position_context: Any,
    ) -> AwaitableOrValue[list[Any]]:
        """The objects of a list, where all of them can be shown straight."""
        declared: object = cast("Any", return_type).of_type  # pyright: ignore[reportUnknownMemberType] - the library leaves it open
        item_type: object = cast("Any", declared).of_type if isinstance(declared, GraphQLNonNull) else declared
        if isinstance(result, list) and not is_leaf_type(item_type) and not self._streams(field_details_list, path):
            items = cast("list[object]", result)
            nullable = item_type is declared
            try:
                return [
                    None if item is None and nullable else self._object(item, item_type, field_details_list)
                    for item in items
                ]
            except Exception:  # noqa: BLE001 - the library's way raises it again, in its place
                pass
        completed: AwaitableOrValue[list[Any]] = cast("Any", super()).complete_list_value(
            return_type, field_details_list, info, path, result, position_context
        )
        return completed

    def _streams(self, details: list[FieldDetails], path: Path) -> bool:
        return self.get_stream_usage(details, path) is not None

    def _value(self, field: _Shown, source: object) -> object:
        value = field.get(source)
        if value is None and field.is_nullable:
            return None
        if field.written is None:
            return self._object(value, field.declared, field.details)
        written = field.written(value)
        if written is None or written is Undefined:
            raise _NotStraight
        return written

    def _object(self, value: object, declared: object, details: list[FieldDetails]) -> dict[str, object]:
        """All that is selected of an object. Raises whatever speaks against it."""
        place = (declared, type(value), id(details))
        if place not in self._wholes:
            self._wholes[place] = self._whole(declared, type(value), details)
        split = self._wholes[place]
        if split is None:
            raise _NotStraight
        return {field.key: self._value(field, value) for field in split.shown}

    def _whole(self, declared: object, of: type, details: list[FieldDetails]) -> _Split | None:
        """What is selected of objects of a class; None where not all of it is shown."""
        object_type = self._classes.get(of)
        if object_type is None or not _allows(self.schema, declared, object_type):
            return None
        collected = self.collect_subfields(object_type, details)
        split = self._split(object_type, collected.grouped_field_set)
        return None if collected.new_defer_usages or split.others else split

    def _split(self, parent_type: GraphQLObjectType, selection: GroupedFieldSet) -> _Split:
        # The selection is kept with its split, so that no other one gets its id meanwhile.
        place = (parent_type, id(selection))
        split = self._splits.get(place)
        if split is None:
            split = self._splits[place] = _split(parent_type, selection)
        return split


async def _with_rest(results: dict[str, Any], rest: Any) -> dict[str, Any]:
    results.update(await rest)
    return results


def _split(parent_type: GraphQLObjectType, selection: GroupedFieldSet) -> _Split:
    shown = {key: _shown(parent_type, key, details) for key, details in selection.items()}
    others = {key: selection[key] for key, field in shown.items() if field is None}
    return _Split(selection, tuple(selection), tuple(field for field in shown.values() if field is not None), others)


def _shown(parent_type: GraphQLObjectType, key: str, details: list[FieldDetails]) -> _Shown | None:
    field = parent_type.fields.get(details[0].node.name.value)
    if field is None or not isinstance(field.resolve, ValueOf):
        return None
    declared = cast("object", field.type)
    is_nullable = not isinstance(declared, GraphQLNonNull)
    inner = declared if is_nullable else cast("object", field.type.of_type)
    if is_leaf_type(inner):
        written = inner.coerce_output_value
        return _Shown(key, field.resolve.get, is_nullable, inner, written, details)
    if is_object_type(inner) or is_abstract_type(inner):
        return _Shown(key, field.resolve.get, is_nullable, inner, None, details)
    return None


def _allows(schema: GraphQLSchema, declared: object, object_type: GraphQLObjectType) -> bool:
    return declared is object_type or (is_abstract_type(declared) and schema.is_sub_type(declared, object_type))


def _classes_of(schema: GraphQLSchema) -> Mapping[type, GraphQLObjectType]:
    return cast("Mapping[type, GraphQLObjectType]", schema.extensions.get(CLASSES, {}))
