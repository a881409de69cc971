SELECT document_sections.position, document_sections.level, document_sections.number, document_sections.heading 
FROM document_sections 
WHERE document_sections.document_id = $1::UUID ORDER BY document_sections.position 
 LIMIT $2::INTEGER;
