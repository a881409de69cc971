SELECT document_references.id AS row_id, entities.version, document_references.document_id AS first, document_references.target_id AS second, document_references.edge, document_references.target_text 
FROM document_references JOIN entities ON entities.id = document_references.document_id 
WHERE document_references.id = ANY ($1::BIGINT[]) AND document_references.target_id IS NOT NULL ORDER BY document_references.id;
