WITH starts AS 
(SELECT anon_2.prefix AS prefix, anon_2.place AS place 
FROM unnest(CAST($1::VARCHAR AS TEXT[]), CAST($2::VARCHAR AS INTEGER[])) AS anon_2(prefix, place) UNION SELECT start_gaps.block AS block, anon_3.place AS place 
FROM unnest(CAST($3::VARCHAR AS TEXT[]), CAST($4::VARCHAR AS INTEGER[])) AS anon_3(gapped, place) JOIN start_gaps ON start_gaps.gapped = anon_3.gapped)
 SELECT entity.id, entity.entity_type, entity.name, entity.popularity, entity.version, name.matched_name, name.kind, 3 AS match_class 
FROM (SELECT met.node AS node, met.name_id AS name_id, count(DISTINCT met.place) AS agreeing 
FROM (SELECT anon_1.node AS node, anon_1.name_id AS name_id, anon_1.preference AS preference, starts.place AS place 
FROM starts JOIN name_tops AS tops ON tops.shelf = 0 AND tops.prefix = starts.prefix AND tops.entity_type = ANY (CAST((SELECT CAST($5::VARCHAR AS TEXT[]) AS anon_4) AS TEXT[])) JOIN LATERAL unnest(tops.nodes[1:32], tops.name_ids[1:32], tops.preferences[1:32]) AS anon_1(node, name_id, preference) ON true UNION ALL SELECT key.node AS node, key.name_id AS name_id, key.preference AS preference, starts.place AS place 
FROM starts JOIN LATERAL (SELECT name_starts.node AS node, name_starts.name_id AS name_id, name_starts.preference AS preference 
FROM name_starts 
WHERE name_starts.shelf = 0 AND name_starts.start >= starts.prefix AND name_starts.start < (starts.prefix || '􏿿') 
 LIMIT 1000000) AS key ON true 
WHERE NOT (EXISTS (SELECT 1 
FROM name_tops AS name_tops_1 
WHERE name_tops_1.shelf = 0 AND name_tops_1.prefix = starts.prefix AND name_tops_1.entity_type = ''))) AS met GROUP BY met.node, met.name_id) AS named JOIN LATERAL (SELECT entities.id AS id, entities.entity_type AS entity_type, entities.name AS name, entities.popularity AS popularity, entities.version AS version 
FROM entities 
WHERE entities.node = named.node 
 LIMIT 1) AS entity ON true JOIN LATERAL (SELECT names.name AS matched_name, names.kind AS kind 
FROM names 
WHERE names.id = named.name_id 
 LIMIT 1) AS name ON true 
WHERE cardinality(CAST((SELECT CAST($6::VARCHAR AS TEXT[]) AS anon_5) AS TEXT[])) = 0 OR entity.entity_type = ANY (CAST((SELECT CAST($6::VARCHAR AS TEXT[]) AS anon_5) AS TEXT[])) ORDER BY named.agreeing DESC, entity.popularity DESC, named.name_id 
 LIMIT $7::INTEGER;
