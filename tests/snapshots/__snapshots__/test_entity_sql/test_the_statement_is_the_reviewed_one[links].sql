SELECT asked.id AS asked, chosen.rel, chosen.qualifier, target.id, target.entity_type, target.name, target.version, target.popularity 
FROM unnest($1::UUID[]) AS asked(id) LEFT OUTER JOIN redirects ON redirects.from_id = asked.id JOIN entities AS source ON source.id = coalesce(redirects.to_id, asked.id) JOIN LATERAL (SELECT of_one_rel.dst AS dst, of_one_rel.rel AS rel, of_one_rel.origin AS origin, of_one_rel.origin_id AS origin_id, of_one_rel.qualifier AS qualifier, of_one_rel.dst_popularity AS dst_popularity, asked_rels.preference AS preference 
FROM unnest($2::SMALLINT[]) WITH ORDINALITY AS asked_rels(rel, preference) JOIN LATERAL (SELECT edges.dst AS dst, edges.rel AS rel, edges.origin AS origin, edges.origin_id AS origin_id, edges.qualifier AS qualifier, edges.dst_popularity AS dst_popularity 
FROM edges 
WHERE edges.src = source.node AND edges.rel = asked_rels.rel ORDER BY edges.dst_popularity DESC, edges.dst, edges.origin, edges.origin_id 
 LIMIT $3::INTEGER + $4::INTEGER) AS of_one_rel ON true ORDER BY of_one_rel.dst_popularity DESC, of_one_rel.dst, asked_rels.preference, of_one_rel.origin, of_one_rel.origin_id 
 LIMIT $3::INTEGER OFFSET $4::INTEGER) AS chosen ON true JOIN entities AS target ON target.node = chosen.dst ORDER BY asked.id, chosen.dst_popularity DESC, chosen.dst, chosen.preference, chosen.origin, chosen.origin_id;
