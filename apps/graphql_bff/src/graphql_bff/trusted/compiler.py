"""Registered documents as plans. What no plan is made for is refused here and stays on the reference road."""

from collections.abc import Mapping
from dataclasses import dataclass

from datastore.postgres.entity_json import entities_statement
from datastore.vocabulary import EntityType
from graphql import DocumentNode, GraphQLObjectType, GraphQLSchema, OperationDefinitionNode, OperationType

from graphql_bff.trusted.arguments import Variables, sources_of, variables_of
from graphql_bff.trusted.hits import HitWriter
from graphql_bff.trusted.plan import (
    EntitiesRoot,
    EntityTree,
    HitPart,
    Plan,
    Root,
    SearchRoot,
    TypeNameRoot,
    Unsupported,
)
from graphql_bff.trusted.selections import Selected, Selections, settings_of, switches_of
from graphql_bff.trusted.shapes import ShapeBuilder

_MAX_ROOTS = 8
_BY_ID = {entity_type.value: entity_type for entity_type in EntityType}
_HIT_PARTS: Mapping[str, HitPart] = {
    "entityType": "entity_type",
    "id": "id",
    "name": "name",
    "matchedName": "matched_name",
    "matchedKind": "matched_kind",
    "match": "match",
    "popularity": "popularity",
    "version": "version",
}


@dataclass(frozen=True, slots=True)
class Compiled:
    """One operation: its name, how its variables are read, and a plan for each setting of its `switches`."""

    name: str | None
    variables: Variables
    switches: tuple[str, ...]
    plans: Mapping[tuple[bool, ...], Plan]


def compiled(schema: GraphQLSchema, document: DocumentNode) -> Compiled:
    """The one operation of a document that was validated against the schema. Raises Unsupported."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    if len(operations) != 1 or operations[0].operation is not OperationType.QUERY:
        raise Unsupported("not exactly one query")
    (operation,) = operations
    switches = switches_of(document)
    return Compiled(
        name=operation.name.value if operation.name else None,
        variables=variables_of(schema, operation),
        switches=switches,
        plans={
            tuple(setting.values()): _plan(Selections(schema, document, operation, setting))
            for setting in settings_of(switches)
        },
    )


def _plan(selections: Selections) -> Plan:
    query_type = selections.schema.query_type
    assert query_type is not None
    selected = selections.of_operation(query_type)
    if len(selected) > _MAX_ROOTS:
        raise Unsupported(f"more than {_MAX_ROOTS} fields of the query")
    try:
        return Plan({field.key: _root(selections, query_type, field) for field in selected})
    except ValueError as exc:  # a shape that would make too large a statement
        raise Unsupported(str(exc)) from exc


def _root(selections: Selections, query_type: GraphQLObjectType, selected: Selected) -> Root:
    if selected.name == "__typename":
        return TypeNameRoot(query_type.name)
    if selected.name == "search":
        return _search(selections, query_type, selected)
    field = query_type.fields.get(selected.name)
    if field is None:
        raise Unsupported(selected.name)
    if selected.name == "entities":
        ids = sources_of(field, selected.node)["ids"]
        return EntitiesRoot(ids, is_list=True, tree=_tree(selections, selected))
    if selected.name in _BY_ID:
        source = sources_of(field, selected.node)["id"]
        tree = _tree(selections, selected, _BY_ID[selected.name])
        return EntitiesRoot(source, is_list=False, tree=tree)
    raise Unsupported(f"{query_type.name}.{selected.name}")


def _search(selections: Selections, query_type: GraphQLObjectType, selected: Selected) -> SearchRoot:
    if any(argument.name.value == "after" for argument in selected.node.arguments or ()):
        raise Unsupported(f"{query_type.name}.search(after:)")
    sources = sources_of(query_type.fields["search"], selected.node)
    hit_type = selections.schema.type_map["SearchHit"]
    assert isinstance(hit_type, GraphQLObjectType)
    members: dict[str, HitPart | EntityTree | TypeNameRoot] = {}
    for inner in selections.below(selected, hit_type):
        if inner.name == "__typename":
            members[inner.key] = TypeNameRoot(hit_type.name)
        elif inner.name == "entity":
            members[inner.key] = _tree(selections, inner)
        elif inner.name in _HIT_PARTS:
            members[inner.key] = _HIT_PARTS[inner.name]
        else:
            raise Unsupported(f"{hit_type.name}.{inner.name}")
    return SearchRoot(
        sources["query"],
        sources["types"],
        sources["first"],
        members,
        trees=tuple(member for member in members.values() if isinstance(member, EntityTree)),
        write=HitWriter(members).write,
    )


def _tree(selections: Selections, selected: Selected, only: EntityType | None = None) -> EntityTree:
    builder = ShapeBuilder(selections)
    shape = builder.entity(selected) if only is None else builder.entity(selected, (only,))
    return EntityTree(entities_statement(shape), tuple(builder.pages))
