SELECT entities.node, entities.id, entities.entity_type, entities.name, entities.version, entities.popularity 
FROM entities 
WHERE entities.node = ANY ($1::INTEGER[]) ORDER BY entities.node
