SELECT (SELECT jsonb_build_object($1::VARCHAR, to_jsonb(node_3.id), $2::VARCHAR, to_jsonb(node_3.labels), $3::VARCHAR, (CAST($4::VARCHAR AS JSONB) || jsonb_strip_nulls(jsonb_build_object($5::VARCHAR, to_jsonb(node_3.name)))) || coalesce((SELECT CAST($6::VARCHAR AS JSONB) || jsonb_strip_nulls(jsonb_build_object($7::VARCHAR, to_jsonb(node_4.title), $8::VARCHAR, to_jsonb(node_4.year), $9::VARCHAR, CAST(CAST(CAST(CAST(node_4.score AS TEXT) AS NUMERIC) + CAST($10::VARCHAR AS NUMERIC) AS TEXT) AS JSONB), $11::VARCHAR, to_jsonb(node_4.genres))) AS anon_1 
FROM (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_4 
WHERE node_4.id = node_3.id), CAST($12::VARCHAR AS JSONB))) AS jsonb_build_object_1 
FROM (SELECT nodes.id AS id, ARRAY[nodes.kind] AS labels, nodes.name AS name 
FROM nodes) AS node_3 
WHERE node_3.id = rows_2.column_1) AS column_1 
FROM (SELECT node_1.id AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_1) AS rows_2 
 LIMIT $13::INTEGER;
