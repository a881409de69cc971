SELECT page.id, page.entity_type, page.name, page.popularity, page.version, page.node, page.name_id, page.match_class, name.matched_name, name.kind 
FROM (SELECT hits.id AS id, hits.entity_type AS entity_type, hits.name AS name, hits.popularity AS popularity, hits.version AS version, hits.node AS node, hits.name_id AS name_id, hits.match_class AS match_class 
FROM (SELECT DISTINCT ON (met.node) entity.id AS id, entity.entity_type AS entity_type, entity.name AS name, entity.popularity AS popularity, entity.version AS version, met.node AS node, met.name_id AS name_id, CASE WHEN met.is_exact THEN 0 WHEN (met.preference < 4000) THEN 1 ELSE 2 END AS match_class 
FROM (SELECT anon_1.node AS node, anon_1.name_id AS name_id, anon_1.preference AS preference, anon_2.is_exact AS is_exact 
FROM unnest(CAST($1::VARCHAR AS TEXT[]), CAST($2::VARCHAR AS BOOLEAN[])) AS anon_2(prefix, is_exact) JOIN name_tops AS tops ON tops.shelf = $3::SMALLINT AND tops.prefix = anon_2.prefix AND tops.entity_type = ANY (CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_3) AS TEXT[])) JOIN LATERAL unnest(tops.nodes[1:$5::INTEGER], tops.name_ids[1:$5::INTEGER], tops.preferences[1:$5::INTEGER]) AS anon_1(node, name_id, preference) ON true UNION ALL SELECT key.node AS node, key.name_id AS name_id, key.preference AS preference, anon_2.is_exact AS is_exact 
FROM unnest(CAST($1::VARCHAR AS TEXT[]), CAST($2::VARCHAR AS BOOLEAN[])) AS anon_2(prefix, is_exact) JOIN LATERAL (SELECT name_starts.node AS node, name_starts.name_id AS name_id, name_starts.preference AS preference 
FROM name_starts 
WHERE name_starts.shelf = $3::SMALLINT AND name_starts.start >= anon_2.prefix AND name_starts.start < (anon_2.prefix || '􏿿') 
 LIMIT 1000000) AS key ON true 
WHERE NOT (EXISTS (SELECT 1 
FROM name_tops AS name_tops_1 
WHERE name_tops_1.shelf = $3::SMALLINT AND name_tops_1.prefix = anon_2.prefix AND name_tops_1.entity_type = ''))) AS met JOIN LATERAL (SELECT entities.id AS id, entities.entity_type AS entity_type, entities.name AS name, entities.popularity AS popularity, entities.version AS version 
FROM entities 
WHERE entities.node = met.node 
 LIMIT 1) AS entity ON true 
WHERE (NOT met.is_exact OR met.preference < 4000) AND (cardinality(CAST((SELECT CAST($6::VARCHAR AS TEXT[]) AS anon_4) AS TEXT[])) = 0 OR entity.entity_type = ANY (CAST((SELECT CAST($6::VARCHAR AS TEXT[]) AS anon_4) AS TEXT[]))) ORDER BY met.node, CASE WHEN met.is_exact THEN 0 WHEN (met.preference < 4000) THEN 1 ELSE 2 END, met.preference, met.name_id) AS hits 
WHERE (hits.match_class, -hits.popularity, hits.name COLLATE "C", hits.id) > ($7::INTEGER, -$8::FLOAT, $9::VARCHAR, $10::UUID) ORDER BY hits.match_class, hits.popularity DESC, hits.name COLLATE "C", hits.id 
 LIMIT $11::INTEGER) AS page JOIN LATERAL (SELECT names.name AS matched_name, names.kind AS kind 
FROM names 
WHERE names.id = page.name_id 
 LIMIT 1) AS name ON true ORDER BY page.match_class, page.popularity DESC, page.name COLLATE "C", page.id;
