SELECT coalesce(array_agg(CASE WHEN (entity.entity_type = 'anime') THEN coalesce((SELECT concat('{"episodes":', coalesce(CAST(details_1.episodes AS TEXT), 'null'), ',"studios":', (SELECT coalesce('[' || string_agg(concat('{"name":', to_json(target_3.name), '}'), ',' ORDER BY page_2.dst_popularity DESC, page_2.dst, page_2.preference, page_2.origin, page_2.origin_id) || ']', '[]') AS coalesce_1 
FROM (SELECT edges_2.src AS src, edges_2.rel AS rel, edges_2.dst AS dst, edges_2.origin AS origin, edges_2.origin_id AS origin_id, edges_2.qualifier AS qualifier, edges_2.dst_popularity AS dst_popularity, 1 AS preference 
FROM edges AS edges_2 
WHERE edges_2.src = entity.node AND edges_2.rel = 26 ORDER BY edges_2.dst_popularity DESC, edges_2.dst, edges_2.origin, edges_2.origin_id 
 LIMIT $1::INTEGER OFFSET $2::INTEGER) AS page_2 JOIN entities AS target_3 ON target_3.node = page_2.dst), '}') AS concat_1 
FROM anime AS details_1 
WHERE details_1.id = entity.id), 'null') WHEN (entity.entity_type IN ('manga', 'character', 'episode', 'person', 'studio', 'document')) THEN '{}' ELSE 'null' END ORDER BY asked.place), '{}'::text[]) AS found 
FROM unnest($3::UUID[]) WITH ORDINALITY AS asked(id, place) LEFT OUTER JOIN redirects ON redirects.from_id = asked.id LEFT OUTER JOIN entities AS entity ON entity.id = coalesce(redirects.to_id, asked.id);
