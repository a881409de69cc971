"""The schema as it is published: a change of it is seen, and everything in it is described."""

import pytest
from graphql import (
    DirectiveDefinitionNode,
    InterfaceTypeDefinitionNode,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    TypeDefinitionNode,
    parse,
)
from graphql_bff.schema import Schema
from graphql_bff.settings import Settings
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode


class SdlExtension(SingleFileSnapshotExtension):
    """One `.graphql` file for each snapshot."""

    _write_mode = WriteMode.TEXT
    file_extension = "graphql"


@pytest.fixture
def sdl() -> str:
    return Schema(Settings()).as_str() + "\n"


def test_the_schema_is_the_published_one(sdl: str, snapshot: SnapshotAssertion) -> None:
    assert sdl == snapshot(name="schema", extension_class=SdlExtension)


def test_a_second_schema_of_the_process_is_the_same(sdl: str) -> None:
    assert Schema(Settings(dev_mode=True)).as_str() + "\n" == sdl


def test_types_and_the_fields_that_ask_are_described(sdl: str) -> None:
    definitions = parse(sdl).definitions
    types = [node for node in definitions if isinstance(node, TypeDefinitionNode)]
    assert len(types) > 40
    undescribed = [
        node.name.value
        for node in types
        if node.description is None and not isinstance(node, ScalarTypeDefinitionNode | DirectiveDefinitionNode)
    ]
    assert undescribed == []
    for node in types:
        if isinstance(node, ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode):
            asking = [field for field in node.fields or () if field.arguments]
            assert all(field.description is not None for field in asking), node.name.value
