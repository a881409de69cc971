SELECT names.entity_id, names.name, names.kind, names.language 
FROM names 
WHERE names.entity_id = ANY ($1::UUID[]) ORDER BY names.entity_id, names.name COLLATE "C", names.id;
