SELECT external_ids.entity_id, external_ids.source, external_ids.kind, external_ids.external_id 
FROM external_ids 
WHERE external_ids.entity_id = ANY ($1::UUID[]) ORDER BY external_ids.entity_id, external_ids.source, external_ids.kind, external_ids.external_id;
