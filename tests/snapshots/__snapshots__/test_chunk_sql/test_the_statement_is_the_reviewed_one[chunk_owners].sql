SELECT chunks.id, chunks.document_id 
FROM chunks 
WHERE chunks.id = ANY ($1::UUID[]) ORDER BY chunks.id;
