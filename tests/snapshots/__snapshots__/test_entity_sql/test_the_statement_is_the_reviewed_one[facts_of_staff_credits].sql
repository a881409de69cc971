SELECT staff_credits.id AS row_id, staff_credits.version, staff_credits.person_id AS first, staff_credits.work_id AS second, staff_credits.role, staff_credits.raw_role 
FROM staff_credits 
WHERE staff_credits.id = ANY ($1::BIGINT[]) ORDER BY staff_credits.id;
