SELECT studio_credits.id AS row_id, studio_credits.version, studio_credits.studio_id AS first, studio_credits.work_id AS second, studio_credits.is_main 
FROM studio_credits 
WHERE studio_credits.id = ANY ($1::BIGINT[]) ORDER BY studio_credits.id;
