SELECT rows_6.column_1 AS column_1 
FROM (SELECT node_3.name AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_1 JOIN (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_2 ON edge_2.target = node_1.id AND edge_2.type = $1::INTEGER JOIN (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_3 ON node_3.id = edge_2.source JOIN (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_4 ON edge_4.source = node_3.id AND edge_4.type = $2::INTEGER JOIN (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_5 ON node_5.id = edge_4.target 
WHERE node_1.title = $3::VARCHAR AND node_5.title = $4::VARCHAR AND edge_2.id != edge_4.id) AS rows_6 
 LIMIT $5::INTEGER;
