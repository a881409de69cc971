SELECT coalesce(json_agg(CASE WHEN (entity.entity_type = 'anime') THEN (SELECT json_build_object('episodes'::text, details_1.episodes, 'studios'::text, (SELECT coalesce(json_agg(json_build_object('name'::text, target_3.name) ORDER BY page_2.dst_popularity DESC, page_2.dst, page_2.preference, page_2.origin, page_2.origin_id), '[]'::json) AS coalesce_1 
FROM (SELECT edges_2.src AS src, edges_2.rel AS rel, edges_2.dst AS dst, edges_2.origin AS origin, edges_2.origin_id AS origin_id, edges_2.qualifier AS qualifier, edges_2.dst_popularity AS dst_popularity, 1 AS preference 
FROM edges AS edges_2 
WHERE edges_2.src = entity.node AND edges_2.rel = 26 ORDER BY edges_2.dst_popularity DESC, edges_2.dst, edges_2.origin, edges_2.origin_id 
 LIMIT $1::INTEGER OFFSET $2::INTEGER) AS page_2 JOIN entities AS target_3 ON target_3.node = page_2.dst)) AS json_build_object_1 
FROM anime AS details_1 
WHERE details_1.id = entity.id) WHEN (entity.entity_type IN ('manga', 'character', 'episode', 'person', 'studio', 'document')) THEN json_build_object() END ORDER BY asked.place), '[]'::json) AS found 
FROM unnest($3::UUID[]) WITH ORDINALITY AS asked(id, place) LEFT OUTER JOIN redirects ON redirects.from_id = asked.id LEFT OUTER JOIN entities AS entity ON entity.id = coalesce(redirects.to_id, asked.id);
