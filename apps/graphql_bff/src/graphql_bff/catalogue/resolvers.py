"""Entities by id."""

from collections.abc import Sequence

from graphql_bff.arguments import checked_id
from graphql_bff.catalogue.entity import Entity, Request, entity_of
from graphql_bff.errors import BadInput


async def find_entity[View: Entity](info: Request, text: str, view: type[View]) -> View | None:
    """The entity with an id, when it is shown as `view`. Raises BadInput."""
    row = await info.context.rows.load(checked_id(text))
    entity = entity_of(row) if row is not None else None
    return entity if isinstance(entity, view) else None


async def find_entities(info: Request, texts: Sequence[str]) -> list[Entity | None]:
    """Entities in the order of their ids, None where there is none. Raises BadInput."""
    limit = info.context.resources.settings.max_ids
    if len(texts) > limit:
        raise BadInput("ids", f"at most {limit}, these are {len(texts)}")
    ids = [checked_id(text, f"ids[{index}]") for index, text in enumerate(texts)]
    # By the loader, though many at once: fields beside this one share its statements.
    return [entity_of(row) if row is not None else None for row in await info.context.rows.load_many(ids)]
