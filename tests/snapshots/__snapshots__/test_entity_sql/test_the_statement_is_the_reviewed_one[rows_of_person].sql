SELECT entities.id, entities.name, entities.version, entities.updated_at, entities.popularity, people.occupations, people.description 
FROM entities JOIN people ON people.id = entities.id 
WHERE entities.id = ANY ($1::UUID[]) ORDER BY entities.id;
