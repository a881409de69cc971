SELECT rows_5.column_1 AS column_1, rows_5.column_2 AS column_2 
FROM (SELECT inputs_4.input_1 AS column_1, count(inputs_4.input_2) AS column_2 
FROM (SELECT node_1.name AS input_1, node_3.id AS input_2 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_1 JOIN (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_2 ON edge_2.source = node_1.id AND edge_2.type = $1::INTEGER JOIN (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_3 ON node_3.id = edge_2.target) AS inputs_4 GROUP BY inputs_4.input_1 ORDER BY count(inputs_4.input_2) DESC, inputs_4.input_1 COLLATE "C" ASC 
 LIMIT $2::INTEGER) AS rows_5 
 LIMIT $3::INTEGER;
