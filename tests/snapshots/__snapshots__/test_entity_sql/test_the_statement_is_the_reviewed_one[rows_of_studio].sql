SELECT entities.id, entities.name, entities.version, entities.updated_at, entities.popularity, studios.is_animation_studio 
FROM entities JOIN studios ON studios.id = entities.id 
WHERE entities.id = ANY ($1::UUID[]) ORDER BY entities.id;
