SELECT appearances.id AS row_id, appearances.version, appearances.character_id AS first, appearances.work_id AS second, appearances.role 
FROM appearances 
WHERE appearances.id = ANY ($1::BIGINT[]) ORDER BY appearances.id;
