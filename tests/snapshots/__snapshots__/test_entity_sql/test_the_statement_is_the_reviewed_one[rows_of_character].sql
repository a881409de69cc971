SELECT entities.id, entities.name, entities.version, entities.updated_at, entities.popularity, characters.description, characters.gender 
FROM entities JOIN characters ON characters.id = entities.id 
WHERE entities.id = ANY ($1::UUID[]) ORDER BY entities.id;
