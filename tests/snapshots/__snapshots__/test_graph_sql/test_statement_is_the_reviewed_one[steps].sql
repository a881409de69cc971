SELECT step.src, step.dst, step.rel, step.origin, step.origin_id, step.qualifier, entities.id, entities.entity_type, entities.name, entities.version, entities.popularity 
FROM unnest($1::INTEGER[], $2::INTEGER[]) AS pairs(src, dst) JOIN entities ON entities.node = pairs.dst JOIN LATERAL (SELECT edges.src AS src, edges.dst AS dst, edges.rel AS rel, edges.origin AS origin, edges.origin_id AS origin_id, edges.qualifier AS qualifier 
FROM edges 
WHERE edges.src = pairs.src AND edges.dst = pairs.dst AND ($3::BIGINT >> CAST(edges.rel AS INTEGER)) & 1 = 1 AND edges.dst_popularity = entities.popularity
 LIMIT ALL OFFSET 0) AS step ON true ORDER BY step.src, step.dst, ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(step.rel + 1)], step.rel, step.origin, step.origin_id
