"""Execution of documents: the library's own, with a straight way for fields that only show a value of their object."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from graphql import GraphQLLeafType, GraphQLNonNull, GraphQLObjectType, Undefined, is_leaf_type
from graphql.execution.collect_fields import GroupedFieldSet
from graphql.pyutils import AwaitableOrValue, Path
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from graphql_bff.shortcuts import ValueOf


@dataclass(frozen=True, slots=True)
class _Shown:
    """A field that shows a value, and how its type writes it."""

    key: str
    get: Callable[[object], object]
    written: Callable[[object], object]
    is_nullable: bool


@dataclass(frozen=True, slots=True)
class _Split:
    """A selection: all its keys in order, the fields that are shown, and the others."""

    selection: GroupedFieldSet
    keys: tuple[str, ...]
    shown: tuple[_Shown, ...]
    others: GroupedFieldSet


class ShortExecution(StrawberryGraphQLCoreExecutionContext):
    """One execution of one document.

    A value that can't be shown straight goes the library's way again, which finds the words for what is wrong.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._splits: dict[tuple[GraphQLObjectType, int], _Split] = {}

    def execute_fields(
        self,
        parent_type: GraphQLObjectType,
        source_value: Any,
        path: Path | None,
        grouped_field_set: GroupedFieldSet,
        position_context: Any,
    ) -> AwaitableOrValue[dict[str, Any]]:
        """The fields of one object, in order."""
        # The selection is kept with its split, so that no other one gets its id meanwhile.
        place = (parent_type, id(grouped_field_set))
        split = self._splits.get(place)
        if split is None:
            split = self._splits[place] = _split(parent_type, grouped_field_set)
        results: dict[str, Any] = dict.fromkeys(split.keys)
        for field in split.shown:
            try:
                value = field.get(source_value)
                written = None if value is None else field.written(value)
            except Exception:  # noqa: BLE001 - the library's way raises it again, in its place
                written, value = None, Undefined
            if written is None and not (value is None and field.is_nullable):
                alone = {field.key: grouped_field_set[field.key]}
                results |= super().execute_fields(parent_type, source_value, path, alone, position_context)
            else:
                results[field.key] = written
        if not split.others:
            return results
        others = super().execute_fields(parent_type, source_value, path, split.others, position_context)
        if isinstance(others, dict):
            return _put_in(results, cast("dict[str, Any]", others))
        return self._with_others(results, others)

    async def _with_others(self, results: dict[str, Any], others: Any) -> dict[str, Any]:
        return _put_in(results, await others)


def _put_in(results: dict[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """Fields that the schema does not know are no part of an answer; validation refuses them before."""
    results.update(others)
    return results


def _split(parent_type: GraphQLObjectType, selection: GroupedFieldSet) -> _Split:
    shown: list[_Shown] = []
    others: GroupedFieldSet = {}
    for key, details in selection.items():
        field = parent_type.fields.get(details[0].node.name.value)
        resolve = field.resolve if field is not None else None
        leaf = _leaf_of(field.type) if field is not None else None
        if isinstance(resolve, ValueOf) and leaf is not None and field is not None:
            nullable = not isinstance(field.type, GraphQLNonNull)
            shown.append(_Shown(key, resolve.get, leaf.coerce_output_value, nullable))
        else:
            others[key] = details
    return _Split(selection, tuple(selection), tuple(shown), others)


def _leaf_of(of: object) -> GraphQLLeafType | None:
    inner = cast("object", of.of_type) if isinstance(of, GraphQLNonNull) else of
    return cast("GraphQLLeafType", inner) if is_leaf_type(inner) else None
