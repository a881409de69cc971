SELECT rows_6.column_1 AS column_1, rows_6.column_2 AS column_2 
FROM (SELECT node_1.name AS column_1, (SELECT node_5.title 
FROM (SELECT nodes.id AS id, nodes.name AS title 
FROM nodes JOIN films ON films.id = nodes.id) AS node_5 
WHERE node_5.id = optional_4.column_1) AS column_2 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_1 LEFT OUTER JOIN LATERAL (SELECT node_3.id AS column_1 
FROM (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_2 JOIN (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_3 ON node_3.id = edge_2.target 
WHERE node_1.id IS NOT NULL AND edge_2.source = node_1.id AND edge_2.type = $1::INTEGER) AS optional_4 ON true) AS rows_6 
 LIMIT $2::INTEGER;
