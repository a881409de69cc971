SELECT chunks.id, entities.version, chunks.text_hash AS content_hash 
FROM chunks JOIN entities ON entities.id = chunks.document_id ORDER BY chunks.id 
 LIMIT $1::INTEGER;
