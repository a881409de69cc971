WITH lexical AS 
(SELECT DISTINCT ON (met.node) entities.id AS id, entities.entity_type AS entity_type, entities.name AS name, entities.popularity AS popularity, entities.version AS version, met.node AS node, met.name_id AS name_id, CASE WHEN met.is_exact THEN 0 WHEN (met.preference < 4000) THEN 1 ELSE 2 END AS match_class 
FROM (SELECT name_starts.node AS node, name_starts.name_id AS name_id, name_starts.preference AS preference, anon_1.is_exact AS is_exact 
FROM unnest(CAST($1::VARCHAR AS TEXT[]), CAST($2::VARCHAR AS BOOLEAN[])) AS anon_1(prefix, is_exact) JOIN name_starts ON name_starts.shelf = $3::SMALLINT AND name_starts.start >= anon_1.prefix AND name_starts.start < (anon_1.prefix || '􏿿')) AS met JOIN entities ON entities.node = met.node 
WHERE (NOT met.is_exact OR met.preference < 4000) AND (cardinality(CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_2) AS TEXT[])) = 0 OR entities.entity_type = ANY (CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_2) AS TEXT[]))) ORDER BY met.node, CASE WHEN met.is_exact THEN 0 WHEN (met.preference < 4000) THEN 1 ELSE 2 END, met.preference, met.name_id), 
corrected AS 
(SELECT anon_4.prefix AS prefix, false AS is_base 
FROM unnest(CAST($5::VARCHAR AS TEXT[])) AS anon_4(prefix) UNION ALL SELECT start_gaps.block || anon_6.rest AS anon_5, false AS anon_7 
FROM unnest(CAST($6::VARCHAR AS TEXT[]), CAST($7::VARCHAR AS TEXT[])) AS anon_6(gapped, rest) JOIN start_gaps ON start_gaps.gapped = anon_6.gapped UNION ALL SELECT shortest.prefix AS prefix, true AS anon_8 
FROM (SELECT DISTINCT ON (anon_9.form) anon_9.prefix AS prefix 
FROM unnest(CAST($8::VARCHAR AS TEXT[]), CAST($9::VARCHAR AS INTEGER[])) AS anon_9(prefix, form) 
WHERE NOT (EXISTS (SELECT 1 
FROM name_tops AS name_tops_1 
WHERE name_tops_1.shelf = 0 AND name_tops_1.prefix = anon_9.prefix AND name_tops_1.entity_type = '')) ORDER BY anon_9.form, length(anon_9.prefix)) AS shortest)
 SELECT page.id, page.entity_type, page.name, page.popularity, page.version, page.node, page.name_id, page.match_class, name.matched_name, name.kind 
FROM (SELECT hits.id AS id, hits.entity_type AS entity_type, hits.name AS name, hits.popularity AS popularity, hits.version AS version, hits.node AS node, hits.name_id AS name_id, hits.match_class AS match_class 
FROM (SELECT lexical.id AS id, lexical.entity_type AS entity_type, lexical.name AS name, lexical.popularity AS popularity, lexical.version AS version, lexical.node AS node, lexical.name_id AS name_id, lexical.match_class AS match_class 
FROM lexical UNION ALL SELECT typos.id AS id, typos.entity_type AS entity_type, typos.name AS name, typos.popularity AS popularity, typos.version AS version, typos.node AS node, typos.name_id AS name_id, typos.match_class AS match_class 
FROM (SELECT DISTINCT ON (near.node) entity.id AS id, entity.entity_type AS entity_type, entity.name AS name, entity.popularity AS popularity, entity.version AS version, near.node AS node, near.name_id AS name_id, 3 AS match_class 
FROM (SELECT anon_3.node AS node, anon_3.name_id AS name_id, anon_3.preference AS preference 
FROM corrected JOIN name_tops AS tops ON tops.shelf = 0 AND tops.prefix = corrected.prefix AND tops.entity_type = ANY (CAST((SELECT CAST($10::VARCHAR AS TEXT[]) AS anon_10) AS TEXT[])) JOIN LATERAL unnest(tops.nodes[1:20], tops.name_ids[1:20], tops.preferences[1:20]) AS anon_3(node, name_id, preference) ON true UNION ALL SELECT key.node AS node, key.name_id AS name_id, key.preference AS preference 
FROM corrected JOIN LATERAL (SELECT name_starts.node AS node, name_starts.name_id AS name_id, name_starts.preference AS preference 
FROM name_starts 
WHERE name_starts.shelf = 0 AND name_starts.start >= corrected.prefix AND name_starts.start < (corrected.prefix || '􏿿') AND (NOT corrected.is_base OR name_starts.start LIKE ANY (CAST((SELECT CAST($11::VARCHAR AS TEXT[]) AS anon_11) AS TEXT[]))) 
 LIMIT 1000) AS key ON true 
WHERE NOT (EXISTS (SELECT 1 
FROM name_tops AS name_tops_2 
WHERE name_tops_2.shelf = 0 AND name_tops_2.prefix = corrected.prefix AND name_tops_2.entity_type = ''))) AS near JOIN LATERAL (SELECT entities.id AS id, entities.entity_type AS entity_type, entities.name AS name, entities.popularity AS popularity, entities.version AS version 
FROM entities 
WHERE entities.node = near.node 
 LIMIT 1) AS entity ON true 
WHERE (SELECT count(*) AS count_1 
FROM lexical) < $12::INTEGER AND (cardinality(CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_12) AS TEXT[])) = 0 OR entity.entity_type = ANY (CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_12) AS TEXT[]))) AND (near.node NOT IN (SELECT lexical.node 
FROM lexical)) ORDER BY near.node, 3, near.preference, near.name_id) AS typos) AS hits 
WHERE (hits.match_class, -hits.popularity, hits.name COLLATE "C", hits.id) > ($13::INTEGER, -$14::FLOAT, $15::VARCHAR, $16::UUID) ORDER BY hits.match_class, hits.popularity DESC, hits.name COLLATE "C", hits.id 
 LIMIT $17::INTEGER) AS page JOIN LATERAL (SELECT names.name AS matched_name, names.kind AS kind 
FROM names 
WHERE names.id = page.name_id 
 LIMIT 1) AS name ON true ORDER BY page.match_class, page.popularity DESC, page.name COLLATE "C", page.id;
