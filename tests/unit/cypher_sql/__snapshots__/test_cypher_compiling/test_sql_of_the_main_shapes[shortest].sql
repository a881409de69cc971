SELECT rows_8.column_1 AS column_1 
FROM (SELECT CAST(jsonb_array_length(CAST(jsonb_build_object($1::VARCHAR, jsonb_build_array(node_1.id) || to_jsonb(steps_7.nodes), $2::VARCHAR, jsonb_build_array() || to_jsonb(steps_7.relationships)) AS JSONB) -> $3::VARCHAR) AS BIGINT) AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_1 JOIN (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_2 ON true JOIN LATERAL (WITH RECURSIVE walk_6("end", edges, nodes, relationships) AS 
(SELECT node_1.id AS "end", CAST(ARRAY[]::INTEGER[] AS INTEGER[]) AS edges, CAST(ARRAY[]::INTEGER[] AS INTEGER[]) AS nodes, CAST(ARRAY[]::JSONB[] AS JSONB[]) AS relationships UNION ALL SELECT edge_3.there AS "end", array_append(walk_6.edges, edge_3.id) AS edges, array_append(walk_6.nodes, edge_3.there) AS nodes, array_append(walk_6.relationships, jsonb_build_object($4::VARCHAR, to_jsonb(edge_3.id), $5::VARCHAR, to_jsonb($6::VARCHAR), $7::VARCHAR, to_jsonb(edge_3.source), $8::VARCHAR, to_jsonb(edge_3.target), $9::VARCHAR, CAST($10::VARCHAR AS JSONB))) AS relationships 
FROM walk_6 JOIN (SELECT edge_4.id AS id, edge_4.source AS source, edge_4.target AS target, edge_4.type AS type, edge_4.note AS note, edge_4.source AS here, edge_4.target AS there 
FROM (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_4 
WHERE edge_4.type = $11::INTEGER UNION ALL SELECT edge_5.id AS id, edge_5.source AS source, edge_5.target AS target, edge_5.type AS type, edge_5.note AS note, edge_5.target AS here, edge_5.source AS there 
FROM (SELECT edges.id AS id, edges.src AS source, edges.dst AS target, edges.rel AS type, edges.note AS note 
FROM edges) AS edge_5 
WHERE edge_5.type = $12::INTEGER AND edge_5.source != edge_5.target) AS edge_3 ON edge_3.here = walk_6."end" 
WHERE cardinality(walk_6.edges) < $13::INTEGER AND edge_3.id != ALL (walk_6.edges))
 SELECT walk_6."end" AS "end", walk_6.edges AS edges, walk_6.nodes AS nodes, walk_6.relationships AS relationships 
FROM walk_6 
WHERE cardinality(walk_6.edges) >= $14::INTEGER AND walk_6."end" = node_2.id ORDER BY cardinality(walk_6.edges), walk_6.edges 
 LIMIT $15::INTEGER) AS steps_7 ON true 
WHERE node_1.name = $16::VARCHAR AND node_2.name = $17::VARCHAR) AS rows_8 
 LIMIT $18::INTEGER;
