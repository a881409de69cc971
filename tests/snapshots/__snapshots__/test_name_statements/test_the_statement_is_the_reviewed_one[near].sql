SELECT entities.id, entities.entity_type, entities.name, entities.popularity, entities.version, names.name AS matched_name, names.kind, names.folded, 3 AS match_class 
FROM (SELECT name_tokens.name_id AS name_id 
FROM (SELECT DISTINCT anon_1.position AS position, word_deletions.word AS word 
FROM unnest($1::TEXT[], $2::INTEGER[]) AS anon_1(deletion, position) JOIN word_deletions ON word_deletions.deletion = anon_1.deletion) AS candidates JOIN name_tokens ON name_tokens.word = candidates.word GROUP BY name_tokens.name_id 
HAVING count(DISTINCT candidates.position) = $3::INTEGER) AS misspelled JOIN names ON names.id = misspelled.name_id JOIN entities ON entities.id = names.entity_id 
WHERE (cardinality($4::TEXT[]) = 0 OR entities.entity_type = ANY ($4::TEXT[])) AND abs(length(names.folded) - $5::INTEGER) <= 2 ORDER BY entities.popularity DESC, names.id 
 LIMIT $6::INTEGER;
