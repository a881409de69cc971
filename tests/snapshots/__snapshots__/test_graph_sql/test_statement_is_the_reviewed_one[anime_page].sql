SELECT entities.id, entities.entity_type, entities.name, entities.version, entities.updated_at, entities.popularity, entities.popularity_count, entities.extra, (SELECT coalesce(jsonb_agg(jsonb_build_array(names.name, names.kind, names.language) ORDER BY names.name COLLATE "C", names.id), '[]'::jsonb) AS coalesce_1 
FROM names 
WHERE names.entity_id = entities.id) AS names, (SELECT coalesce(jsonb_agg(jsonb_build_array(external_ids.source, external_ids.kind, external_ids.external_id) ORDER BY external_ids.source, external_ids.kind, external_ids.external_id), '[]'::jsonb) AS coalesce_2 
FROM external_ids 
WHERE external_ids.entity_id = entities.id) AS external_ids, (SELECT coalesce(jsonb_agg(jsonb_build_array(value_conflicts.field, value_conflicts.source, value_conflicts.value, value_conflicts.is_shown) ORDER BY value_conflicts.field, value_conflicts.is_shown DESC, value_conflicts.source), '[]'::jsonb) AS coalesce_3 
FROM value_conflicts 
WHERE value_conflicts.entity_id = entities.id) AS conflicts, anime.format, anime.status, anime.start_year, anime.start_month, anime.start_day, anime.start_raw, anime.end_year, anime.end_month, anime.end_day, anime.end_raw, anime.score, anime.score_source, anime.genres, anime.tags, anime.synopsis, anime.country, anime.episodes, anime.duration_minutes, anime.season, anime.season_year, anime.year, anime.source 
FROM entities JOIN anime ON anime.id = entities.id 
WHERE entities.entity_type = $1::VARCHAR AND anime.season = $2::VARCHAR AND anime.year >= $3::INTEGER AND cardinality(anime.genres) > $4::INTEGER AND NOT (anime.genres && $5::TEXT[]) AND (entities.popularity < $6::FLOAT OR entities.popularity = $7::FLOAT AND entities.id > $8::UUID) ORDER BY entities.popularity DESC, entities.id 
 LIMIT $9::INTEGER
