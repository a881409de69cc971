SELECT rows_4.column_1 AS column_1 
FROM (SELECT node_1.name AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_1 
WHERE (NOT (EXISTS (SELECT true AS anon_1 
FROM (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_2 JOIN (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_3 ON node_3.id = edge_2.target 
WHERE node_1.id IS NOT NULL AND edge_2.source = node_1.id AND edge_2.type = $1::INTEGER AND node_3.year = $2::BIGINT)))) AS rows_4 
 LIMIT $3::INTEGER;
