SELECT DISTINCT document_references.document_id, document_references.edge, document_references.target_text 
FROM document_references 
WHERE document_references.document_id = ANY ($1::UUID[]) AND document_references.edge IS NOT NULL AND document_references.target_id IS NULL ORDER BY document_references.document_id, document_references.edge, document_references.target_text 
 LIMIT $2::INTEGER;
