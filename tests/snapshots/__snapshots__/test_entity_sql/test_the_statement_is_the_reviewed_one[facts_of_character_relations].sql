SELECT character_relations.id AS row_id, character_relations.version, character_relations.character_id AS first, character_relations.related_character_id AS second, character_relations.kind, character_relations.note 
FROM character_relations 
WHERE character_relations.id = ANY ($1::BIGINT[]) ORDER BY character_relations.id;
