"""Far ends of links are shown from the link's own row where nothing is selected that only theirs has."""

from uuid import UUID

import pytest
from datastore.postgres.entity_rows import EntityRow
from datastore.vocabulary import EntityType
from graphql import GraphQLObjectType
from graphql_bff.catalogue.entity import WITHOUT_DETAILS, entity_of
from graphql_bff.schema import Schema
from graphql_bff.settings import Settings
from graphql_bff.shortcuts import ValueOf

OF_A_LINK = {"id": UUID(int=1), "name": "Name", "popularity": 0.5, "version": 2}
SHOWN = {"id": str(UUID(int=1)), "name": "Name", "popularity": 0.5, "version": 2}


@pytest.fixture(scope="module")
def schema() -> Schema:
    return Schema(Settings())


@pytest.mark.parametrize("entity_type", EntityType)
def test_fields_without_details_are_shown_from_a_links_row_and_no_other_ones(
    schema: Schema, entity_type: EntityType
) -> None:
    entity = entity_of(EntityRow(UUID(int=1), entity_type, OF_A_LINK))
    view = schema.core.type_map[type(entity).__name__]
    assert isinstance(view, GraphQLObjectType)
    shown: dict[str, object] = {}
    for name, field in view.fields.items():
        if isinstance(field.resolve, ValueOf):
            try:
                shown[name] = field.resolve.get(entity)
            except KeyError:
                assert name not in WITHOUT_DETAILS
    assert shown == {**SHOWN, "entityType": entity_type}
    # What else needs no details, asks for more by the entity's id.
    assert shown.keys() < WITHOUT_DETAILS
