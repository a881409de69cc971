SELECT chunks.id, chunks.document_id, entities.version, entities.name AS title, documents.collection, documents.document_date AS date, documents.date_precision, documents.language, chunks.position, chunks.start_offset, chunks.end_offset, chunks.heading, chunks.text, chunks.text_hash 
FROM chunks JOIN documents ON documents.id = chunks.document_id JOIN entities ON entities.id = chunks.document_id 
WHERE chunks.document_id = $1::UUID AND chunks.position = ANY ($2::INTEGER[]) ORDER BY chunks.position;
