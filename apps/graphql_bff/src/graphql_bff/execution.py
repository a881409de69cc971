"""Execution of documents: the library's own, with a straight way for what only shows values that are there.

What objects of a list have to wait for, they wait for together, level by level (`Wanted`). What the straight way can't
show (a value that must be waited for, a null where none belongs, a class that the schema
does not expect, anything that raises) goes the library's way from the start, which finds the words for what is wrong.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from graphql import (
    GraphQLError,
    GraphQLField,
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
from graphql.execution.values import get_argument_values
from graphql.pyutils import AwaitableOrValue, Path
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from graphql_bff.shortcuts import CLASSES, AskedOf, ValueOf, Wanted

# By scalars of the library, whose writing such values is checking their class.
_PLAIN: Mapping[str, type] = {"String": str, "ID": str, "Boolean": bool}


class _NotStraight(Exception):
    """The library's way has to be taken."""


class _NotReady(Exception):
    """Something has to be waited for first; it is in the list of what is wanted."""


@dataclass(slots=True)
class _Below:
    """What is selected of objects that are declared to be of a type; of a list, whether one of them may be null.

    `by_class` has the fields for classes that were met; None where not all of them are shown.
    """

    declared: object
    details: list[FieldDetails]
    is_list: bool = False
    has_nulls: bool = False
    by_class: dict[type, tuple["_Shown", ...] | None] = field(default_factory=dict[type, "tuple[_Shown, ...] | None"])


@dataclass(frozen=True, slots=True)
class _Shown:
    """A field that shows a value: how its type writes it, or what is selected of the objects that it is.

    Values of the class `plain` are written as they are.
    """

    key: str
    get: Callable[[object], object]
    is_nullable: bool
    plain: type | None = None
    written: Callable[[object], object] | None = None
    below: _Below | None = None


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
        self._lists: dict[tuple[int, int], _Below] = {}
        self._wanted: list[Wanted] = []

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
        for shown in split.shown:
            try:
                results[shown.key] = self._written(shown, shown.get(source_value))
            except Exception:  # noqa: BLE001 - the library's way raises it again, in its place
                others = {**others, shown.key: grouped_field_set[shown.key]}
        self._taken()
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
        complete: Callable[..., AwaitableOrValue[list[Any]]] = cast("Any", super()).complete_list_value
        given = (return_type, field_details_list, info, path, result, position_context)
        declared: object = cast("Any", return_type).of_type  # pyright: ignore[reportUnknownMemberType] - the library leaves it open
        item_type: object = cast("Any", declared).of_type if isinstance(declared, GraphQLNonNull) else declared
        if isinstance(result, list) and not is_leaf_type(item_type) and not self._streams(field_details_list, path):
            items = cast("list[object]", result)
            below = self._below(item_type, field_details_list, has_nulls=item_type is declared)
            try:
                return self._objects(items, below)
            except _NotReady:
                return self._once_ready(items, below, lambda: complete(*given))
            except Exception:  # noqa: BLE001 - the library's way raises it again, in its place
                self._taken()
        return complete(*given)

    async def _once_ready(
        self, items: list[object], below: _Below, otherwise: Callable[[], AwaitableOrValue[list[Any]]]
    ) -> list[Any]:
        """The objects of a list, level by level: what all of them want is waited for together."""
        wanted = self._taken()
        with suppress(Exception):  # the library's way raises it again, in its place
            while wanted:
                for alike in _by_class(wanted):
                    await alike[0].together(alike)
                try:
                    return self._objects(items, below)
                except _NotReady:
                    # What was waited for is ready, or there would be no end.
                    wanted = [] if any(not each.is_ready for each in wanted) else self._taken()
        self._taken()
        completed = otherwise()
        return completed if isinstance(completed, list) else await completed

    def _taken(self) -> list[Wanted]:
        """What is wanted so far; from now on it isn't any more."""
        wanted, self._wanted = self._wanted, []
        return wanted

    def _below(self, declared: object, details: list[FieldDetails], *, has_nulls: bool) -> _Below:
        """What is selected of a list's objects, remembered: many lists may select the same."""
        # Both are kept in it, so that no other one gets their ids meanwhile.
        place = (id(declared), id(details))
        if place not in self._lists:
            self._lists[place] = _Below(declared, details, is_list=True, has_nulls=has_nulls)
        return self._lists[place]

    def _objects(self, items: list[object], below: _Below) -> list[Any]:
        """All that is selected of each object. Raises _NotReady once all that is to be waited for is known."""
        found: list[object] = []
        is_waiting = False
        for item in items:
            try:
                found.append(None if item is None and below.has_nulls else self._object(item, below))
            except _NotReady:
                is_waiting = True
        if is_waiting:
            raise _NotReady
        return found

    def _streams(self, details: list[FieldDetails], path: Path) -> bool:
        return self.get_stream_usage(details, path) is not None

    def _object(self, source: object, below: _Below) -> dict[str, object]:
        """All that is selected of an object. Raises whatever speaks against it."""
        by_class, of = below.by_class, type(source)
        if of not in by_class:
            by_class[of] = self._whole(below, of)
        fields = by_class[of]
        if fields is None:
            raise _NotStraight
        found: dict[str, object] = {}
        is_waiting = False
        for shown in fields:
            try:
                value = shown.get(source)
                found[shown.key] = value if type(value) is shown.plain else self._written(shown, value)
            except _NotReady:
                is_waiting = True
        if is_waiting:
            raise _NotReady
        return found

    def _written(self, shown: _Shown, value: object) -> object:
        if value is None and shown.is_nullable:
            return None
        if shown.written is not None:
            written = shown.written(value)
            if written is None or written is Undefined:
                raise _NotStraight
            return written
        assert shown.below is not None
        if not shown.below.is_list:
            return self._object(value, shown.below)
        if not isinstance(value, list):
            raise _NotStraight
        return self._objects(cast("list[object]", value), shown.below)

    def _whole(self, below: _Below, of: type) -> tuple[_Shown, ...] | None:
        """What is selected of objects of a class; None where not all of it is shown."""
        object_type = self._classes.get(of)
        if object_type is None or not _allows(self.schema, below.declared, object_type):
            return None
        collected = self.collect_subfields(object_type, below.details)
        split = self._split(object_type, collected.grouped_field_set)
        return None if collected.new_defer_usages or split.others else split.shown

    def _split(self, parent_type: GraphQLObjectType, selection: GroupedFieldSet) -> _Split:
        # The selection is kept with its split, so that no other one gets its id meanwhile.
        place = (parent_type, id(selection))
        split = self._splits.get(place)
        if split is None:
            split = self._splits[place] = self._new_split(parent_type, selection)
        return split

    def _new_split(self, parent_type: GraphQLObjectType, selection: GroupedFieldSet) -> _Split:
        shown = {key: self._shown(parent_type, key, details) for key, details in selection.items()}
        others = {key: selection[key] for key, field in shown.items() if field is None}
        fields = tuple(field for field in shown.values() if field is not None)
        return _Split(selection, tuple(selection), fields, others)

    def _shown(self, parent_type: GraphQLObjectType, key: str, details: list[FieldDetails]) -> _Shown | None:
        field = parent_type.fields.get(details[0].node.name.value)
        get = None if field is None else self._getter(parent_type, field, details)
        if field is None or get is None:
            return None
        declared = cast("object", field.type)
        is_nullable = not isinstance(declared, GraphQLNonNull)
        inner = declared if is_nullable else cast("object", field.type.of_type)
        if is_leaf_type(inner):
            return _Shown(key, get, is_nullable, _PLAIN.get(inner.name), inner.coerce_output_value)
        if is_object_type(inner) or is_abstract_type(inner):
            return _Shown(key, get, is_nullable, below=_Below(inner, details))
        if isinstance(inner, GraphQLList) and not any(map(_streams, details)):
            of: object = cast("Any", inner).of_type  # pyright: ignore[reportUnknownMemberType] - the library leaves it open
            item: object = cast("Any", of).of_type if isinstance(of, GraphQLNonNull) else of
            if is_object_type(item) or is_abstract_type(item):
                return _Shown(key, get, is_nullable, below=_Below(item, details, is_list=True, has_nulls=item is of))
        return None

    def _getter(
        self, parent_type: GraphQLObjectType, field: GraphQLField, details: list[FieldDetails]
    ) -> Callable[[object], object] | None:
        """What takes a field's value from an object; arguments and context are the same for all of them."""
        resolve = field.resolve
        if isinstance(resolve, ValueOf):
            return resolve.get
        if not isinstance(resolve, AskedOf) or resolve.is_async:
            return None
        node, of_fragment = details[0].node, details[0].fragment_variable_values
        try:
            given = get_argument_values(field, node, self.variable_values, of_fragment, self.hide_suggestions)
        except GraphQLError:
            return None
        arguments = resolve.arguments(given)
        nodes = [each.node for each in details]
        path = Path(None, node.name.value, None)
        info = resolve.info(cast("Any", self).build_resolve_info(field, nodes, parent_type, path))

        def get(source: object) -> object:
            value = resolve.ask(source, info, arguments)
            if not isinstance(value, Wanted):
                return value
            if not value.is_ready:
                self._wanted.append(value)
                raise _NotReady
            return value.value()

        return get


async def _with_rest(results: dict[str, Any], rest: Any) -> dict[str, Any]:
    results.update(await rest)
    return results


def _streams(details: FieldDetails) -> bool:
    return any(directive.name.value == "stream" for directive in details.node.directives or ())


def _by_class(wanted: Sequence[Wanted]) -> Iterable[list[Wanted]]:
    classes: dict[type, list[Wanted]] = {}
    for each in wanted:
        classes.setdefault(type(each), []).append(each)
    return classes.values()


def _allows(schema: GraphQLSchema, declared: object, object_type: GraphQLObjectType) -> bool:
    return declared is object_type or (is_abstract_type(declared) and schema.is_sub_type(declared, object_type))


def _classes_of(schema: GraphQLSchema) -> Mapping[type, GraphQLObjectType]:
    return cast("Mapping[type, GraphQLObjectType]", schema.extensions.get(CLASSES, {}))
