SELECT voices.id AS row_id, voices.version, voices.person_id AS first, voices.character_id AS second, voices.language, (SELECT entities.name 
FROM entities 
WHERE entities.id = voices.work_id) AS work 
FROM voices 
WHERE voices.id = ANY ($1::BIGINT[]) ORDER BY voices.id;
