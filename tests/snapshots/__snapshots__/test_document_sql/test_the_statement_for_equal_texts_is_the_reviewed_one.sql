SELECT documents.text_hash, documents.id, (SELECT external_ids.source || $1::VARCHAR || external_ids.kind || $2::VARCHAR || external_ids.external_id AS anon_1 
FROM external_ids 
WHERE external_ids.entity_id = documents.id ORDER BY external_ids.source, external_ids.external_id 
 LIMIT $3::INTEGER) AS ref, entities.name, documents.collection, documents.document_date, documents.date_precision 
FROM documents JOIN entities ON entities.id = documents.id 
WHERE documents.text_hash IN (SELECT asked.text_hash 
FROM documents AS asked 
WHERE asked.id = ANY ($4::UUID[])) ORDER BY documents.text_hash, documents.document_date, documents.collection, documents.id;
