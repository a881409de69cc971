WITH lexical AS 
(SELECT DISTINCT ON (entities.id) entities.id AS id, entities.entity_type AS entity_type, entities.name AS name, entities.popularity AS popularity, entities.version AS version, names.name AS matched_name, names.kind AS kind, begun.match_class AS match_class 
FROM (SELECT name_words.name_id AS name_id, CASE WHEN (name_words.is_whole AND name_words.squeezed = $1::VARCHAR) THEN 0 WHEN name_words.is_whole THEN 1 ELSE 2 END AS match_class 
FROM name_words 
WHERE name_words.squeezed >= $2::VARCHAR AND name_words.squeezed < $3::VARCHAR AND ($4::BOOLEAN OR starts_with(name_words.suffix, $5::VARCHAR)) UNION ALL SELECT name_words.name_id AS name_id, CASE WHEN (name_words.is_whole AND name_words.squeezed = $1::VARCHAR) THEN 0 WHEN name_words.is_whole THEN 1 ELSE 2 END AS match_class 
FROM name_words 
WHERE name_words.squeezed >= $1::VARCHAR AND name_words.squeezed < $6::VARCHAR AND ($4::BOOLEAN OR starts_with(name_words.suffix, $7::VARCHAR))) AS begun JOIN names ON names.id = begun.name_id JOIN entities ON entities.id = names.entity_id 
WHERE cardinality($8::TEXT[]) = 0 OR entities.entity_type = ANY ($8::TEXT[]) ORDER BY entities.id, begun.match_class, names.kind != 'main', length(names.folded), names.name COLLATE "C", names.id), 
typos AS 
(SELECT DISTINCT ON (entities.id) entities.id AS id, entities.entity_type AS entity_type, entities.name AS name, entities.popularity AS popularity, entities.version AS version, names.name AS matched_name, names.kind AS kind, 3 AS match_class 
FROM (SELECT name_tokens.name_id AS name_id 
FROM (SELECT DISTINCT anon_1.position AS position, word_deletions.word AS word 
FROM unnest($9::TEXT[], $10::INTEGER[]) AS anon_1(deletion, position) JOIN word_deletions ON word_deletions.deletion = anon_1.deletion) AS candidates JOIN name_tokens ON name_tokens.word = candidates.word GROUP BY name_tokens.name_id 
HAVING count(DISTINCT candidates.position) = $11::INTEGER) AS misspelled JOIN names ON names.id = misspelled.name_id JOIN entities ON entities.id = names.entity_id 
WHERE (SELECT count(*) AS count_1 
FROM lexical) < $12::INTEGER AND (cardinality($8::TEXT[]) = 0 OR entities.entity_type = ANY ($8::TEXT[])) AND (entities.id NOT IN (SELECT lexical.id 
FROM lexical)) ORDER BY entities.id, abs(length(names.folded) - $13::INTEGER), names.kind != 'main', names.name COLLATE "C", names.id)
 SELECT hits.id, hits.entity_type, hits.name, hits.popularity, hits.version, hits.matched_name, hits.kind, hits.match_class 
FROM (SELECT lexical.id AS id, lexical.entity_type AS entity_type, lexical.name AS name, lexical.popularity AS popularity, lexical.version AS version, lexical.matched_name AS matched_name, lexical.kind AS kind, lexical.match_class AS match_class 
FROM lexical UNION ALL SELECT typos.id AS id, typos.entity_type AS entity_type, typos.name AS name, typos.popularity AS popularity, typos.version AS version, typos.matched_name AS matched_name, typos.kind AS kind, typos.match_class AS match_class 
FROM typos) AS hits ORDER BY hits.match_class, hits.popularity DESC, hits.name COLLATE "C", hits.id 
 LIMIT $14::INTEGER;
