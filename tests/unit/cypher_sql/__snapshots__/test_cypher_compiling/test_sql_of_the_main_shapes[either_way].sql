SELECT rows_6.column_1 AS column_1 
FROM (SELECT node_5.name AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_1 JOIN (SELECT edge_3.id AS id, edge_3.source AS source, edge_3.target AS target, edge_3.type AS type, edge_3.note AS note, edge_3.source AS here, edge_3.target AS there 
FROM (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_3 
WHERE edge_3.type IN ($1::INTEGER, $2::INTEGER) UNION ALL SELECT edge_4.id AS id, edge_4.source AS source, edge_4.target AS target, edge_4.type AS type, edge_4.note AS note, edge_4.target AS here, edge_4.source AS there 
FROM (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_4 
WHERE edge_4.type IN ($3::INTEGER, $4::INTEGER) AND edge_4.source != edge_4.target) AS edge_2 ON edge_2.here = node_1.id JOIN (SELECT nodes.id AS id, ARRAY[nodes.kind] AS labels, nodes.name AS name 
FROM nodes) AS node_5 ON node_5.id = edge_2.there) AS rows_6 
 LIMIT $5::INTEGER;
