SELECT rows_8.column_1 AS column_1, rows_8.column_2 AS column_2 
FROM (SELECT node_7.name AS column_1, rows_5.column_2 AS column_2 
FROM (SELECT inputs_4.input_1 AS column_1, count(inputs_4.input_2) AS column_2 
FROM (SELECT node_1.id AS input_1, node_3.id AS input_2 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_1 JOIN (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_2 ON edge_2.source = node_1.id AND edge_2.type = $1::INTEGER JOIN (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_3 ON node_3.id = edge_2.target) AS inputs_4 GROUP BY inputs_4.input_1) AS rows_5 JOIN (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_6 ON edge_6.source = rows_5.column_1 AND edge_6.type = $2::INTEGER JOIN (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_7 ON node_7.id = edge_6.target 
WHERE (rows_5.column_2 > $3::BIGINT) AND rows_5.column_1 IS NOT NULL) AS rows_8 
 LIMIT $4::INTEGER;
