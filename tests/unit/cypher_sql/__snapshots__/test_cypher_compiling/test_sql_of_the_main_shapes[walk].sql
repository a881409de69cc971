SELECT rows_7.column_1 AS column_1 
FROM (SELECT rows_6.column_1 AS column_1 
FROM (SELECT DISTINCT node_5.name AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_1 JOIN LATERAL (WITH RECURSIVE walk_3("end", edges) AS 
(SELECT node_1.id AS "end", CAST(ARRAY[]::INTEGER[] AS INTEGER[]) AS edges UNION ALL SELECT edge_2.target AS "end", array_append(walk_3.edges, edge_2.id) AS edges 
FROM walk_3 JOIN (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_2 ON edge_2.source = walk_3."end" 
WHERE edge_2.type = $1::INTEGER AND cardinality(walk_3.edges) < $2::INTEGER AND edge_2.id != ALL (walk_3.edges))
 SELECT walk_3."end" AS "end", walk_3.edges AS edges 
FROM walk_3 
WHERE cardinality(walk_3.edges) >= $3::INTEGER) AS steps_4 ON true JOIN (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_5 ON node_5.id = steps_4."end" 
WHERE node_1.name = $4::VARCHAR) AS rows_6) AS rows_7 
 LIMIT $5::INTEGER;
