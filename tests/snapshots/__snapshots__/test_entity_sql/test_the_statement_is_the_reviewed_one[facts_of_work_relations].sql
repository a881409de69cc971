SELECT work_relations.id AS row_id, work_relations.version, work_relations.work_id AS first, work_relations.related_work_id AS second, work_relations.relation, work_relations.raw_type 
FROM work_relations 
WHERE work_relations.id = ANY ($1::BIGINT[]) ORDER BY work_relations.id;
