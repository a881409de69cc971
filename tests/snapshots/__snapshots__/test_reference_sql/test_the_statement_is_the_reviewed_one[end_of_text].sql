SELECT right(documents.text, $1::INTEGER) AS right_1 
FROM documents 
WHERE documents.id = ANY ($2::UUID[]);
