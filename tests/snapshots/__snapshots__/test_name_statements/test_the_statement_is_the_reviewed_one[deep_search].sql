SELECT page.id, page.entity_type, page.name, page.popularity, page.version, page.node, page.name_id, page.match_class, name.matched_name, name.kind 
FROM (SELECT hits.id AS id, hits.entity_type AS entity_type, hits.name AS name, hits.popularity AS popularity, hits.version AS version, hits.node AS node, hits.name_id AS name_id, hits.match_class AS match_class 
FROM (SELECT DISTINCT ON (met.node) entities.id AS id, entities.entity_type AS entity_type, entities.name AS name, entities.popularity AS popularity, entities.version AS version, met.node AS node, met.name_id AS name_id, CASE WHEN met.is_exact THEN 0 WHEN (met.preference < 4000) THEN 1 ELSE 2 END AS match_class 
FROM (SELECT name_starts.node AS node, name_starts.name_id AS name_id, name_starts.preference AS preference, anon_1.is_exact AS is_exact 
FROM unnest(CAST($1::VARCHAR AS TEXT[]), CAST($2::VARCHAR AS BOOLEAN[])) AS anon_1(prefix, is_exact) JOIN name_starts ON name_starts.shelf = $3::SMALLINT AND name_starts.start >= anon_1.prefix AND name_starts.start < (anon_1.prefix || '􏿿')) AS met JOIN entities ON entities.node = met.node 
WHERE (NOT met.is_exact OR met.preference < 4000) AND (cardinality(CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_2) AS TEXT[])) = 0 OR entities.entity_type = ANY (CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_2) AS TEXT[]))) ORDER BY met.node, CASE WHEN met.is_exact THEN 0 WHEN (met.preference < 4000) THEN 1 ELSE 2 END, met.preference, met.name_id) AS hits 
WHERE (hits.match_class, -hits.popularity, hits.name COLLATE "C", hits.id) > ($5::INTEGER, -$6::FLOAT, $7::VARCHAR, $8::UUID) ORDER BY hits.match_class, hits.popularity DESC, hits.name COLLATE "C", hits.id 
 LIMIT $9::INTEGER) AS page JOIN LATERAL (SELECT names.name AS matched_name, names.kind AS kind 
FROM names 
WHERE names.id = page.name_id 
 LIMIT 1) AS name ON true ORDER BY page.match_class, page.popularity DESC, page.name COLLATE "C", page.id;
