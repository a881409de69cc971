SELECT entities.id, entities.name, entities.version, entities.updated_at, entities.popularity, documents.collection, documents.source_uri, documents.media_type, documents.document_date 
FROM entities JOIN documents ON documents.id = entities.id 
WHERE entities.id = ANY ($1::UUID[]) ORDER BY entities.id;
