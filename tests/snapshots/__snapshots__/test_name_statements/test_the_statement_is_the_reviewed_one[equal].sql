SELECT placed.id, placed.entity_type, placed.name, placed.popularity, placed.version, placed.wanted, placed.name_id, placed.place, name.matched_name, name.kind, 0 AS match_class 
FROM (SELECT found.id AS id, found.entity_type AS entity_type, found.name AS name, found.popularity AS popularity, found.version AS version, found.wanted AS wanted, found.name_id AS name_id, row_number() OVER (PARTITION BY found.wanted ORDER BY found.popularity DESC, found.name COLLATE "C", found.id) AS place 
FROM (SELECT DISTINCT ON (met.folded, met.node) entity.id AS id, entity.entity_type AS entity_type, entity.name AS name, entity.popularity AS popularity, entity.version AS version, met.folded AS wanted, met.name_id AS name_id 
FROM (SELECT anon_1.node AS node, anon_1.name_id AS name_id, anon_1.preference AS preference, anon_2.folded AS folded 
FROM unnest(CAST($1::VARCHAR AS TEXT[]), CAST($2::VARCHAR AS SMALLINT[]), CAST($3::VARCHAR AS TEXT[])) AS anon_2(folded, shelf, key) JOIN name_tops AS tops ON tops.shelf = anon_2.shelf AND tops.prefix = anon_2.key AND tops.entity_type = ANY (CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_3) AS TEXT[])) JOIN LATERAL unnest(tops.nodes[1:$5::INTEGER], tops.name_ids[1:$5::INTEGER], tops.preferences[1:$5::INTEGER]) AS anon_1(node, name_id, preference) ON true UNION ALL SELECT key.node AS node, key.name_id AS name_id, key.preference AS preference, anon_2.folded AS folded 
FROM unnest(CAST($1::VARCHAR AS TEXT[]), CAST($2::VARCHAR AS SMALLINT[]), CAST($3::VARCHAR AS TEXT[])) AS anon_2(folded, shelf, key) JOIN LATERAL (SELECT name_starts.node AS node, name_starts.name_id AS name_id, name_starts.preference AS preference 
FROM name_starts 
WHERE name_starts.shelf = anon_2.shelf AND name_starts.start >= anon_2.key AND name_starts.start < (anon_2.key || '􏿿') 
 LIMIT 1000000) AS key ON true 
WHERE NOT (EXISTS (SELECT 1 
FROM name_tops AS name_tops_1 
WHERE name_tops_1.shelf = anon_2.shelf AND name_tops_1.prefix = anon_2.key AND name_tops_1.entity_type = ''))) AS met JOIN LATERAL (SELECT entities.id AS id, entities.entity_type AS entity_type, entities.name AS name, entities.popularity AS popularity, entities.version AS version 
FROM entities 
WHERE entities.node = met.node 
 LIMIT 1) AS entity ON true 
WHERE met.preference < 4000 ORDER BY met.folded, met.node, met.preference, met.name_id) AS found) AS placed JOIN LATERAL (SELECT names.name AS matched_name, names.kind AS kind 
FROM names 
WHERE names.id = placed.name_id 
 LIMIT 1) AS name ON true 
WHERE placed.place <= $5::INTEGER ORDER BY placed.wanted, placed.place;
