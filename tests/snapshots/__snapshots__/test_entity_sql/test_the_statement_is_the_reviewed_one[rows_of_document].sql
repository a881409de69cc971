SELECT entities.id, entities.name, entities.version, entities.updated_at, entities.popularity, documents.collection, documents.source_uri, documents.media_type, documents.language, documents.document_date, documents.date_precision 
FROM entities JOIN documents ON documents.id = entities.id 
WHERE entities.id = ANY ($1::UUID[]) ORDER BY entities.id;
