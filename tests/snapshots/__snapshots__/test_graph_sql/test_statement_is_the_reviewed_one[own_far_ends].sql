WITH left_ends AS 
(SELECT edges.rel AS rel, edges.dst AS dst, array_agg(DISTINCT edges.qualifier) AS qualifiers, max(edges.dst_popularity) AS popularity 
FROM entities AS left_source JOIN edges ON edges.src = left_source.node 
WHERE left_source.id = $1::UUID AND edges.rel = ANY ($2::SMALLINT[]) GROUP BY edges.rel, edges.dst), 
right_ends AS 
(SELECT edges.rel AS rel, edges.dst AS dst, array_agg(DISTINCT edges.qualifier) AS qualifiers, max(edges.dst_popularity) AS popularity 
FROM entities AS right_source JOIN edges ON edges.src = right_source.node 
WHERE right_source.id = $3::UUID AND edges.rel = ANY ($2::SMALLINT[]) GROUP BY edges.rel, edges.dst)
 SELECT counted.of_left, counted.rel, counted.count, entities.id, entities.entity_type, entities.name, entities.version, entities.popularity 
FROM (SELECT own.of_left AS of_left, own.rel AS rel, own.dst AS dst, row_number() OVER (PARTITION BY own.of_left, own.rel ORDER BY own.popularity DESC, own.dst) AS place, count(*) OVER (PARTITION BY own.of_left, own.rel) AS count 
FROM (SELECT True AS of_left, left_ends.rel AS rel, left_ends.dst AS dst, left_ends.popularity AS popularity 
FROM left_ends 
WHERE NOT (EXISTS (SELECT * 
FROM right_ends 
WHERE right_ends.rel = left_ends.rel AND right_ends.dst = left_ends.dst)) UNION ALL SELECT False AS of_left, right_ends.rel AS rel, right_ends.dst AS dst, right_ends.popularity AS popularity 
FROM right_ends 
WHERE NOT (EXISTS (SELECT * 
FROM left_ends 
WHERE left_ends.rel = right_ends.rel AND left_ends.dst = right_ends.dst))) AS own) AS counted JOIN entities ON entities.node = counted.dst 
WHERE counted.place <= $4::INTEGER ORDER BY counted.of_left DESC, array_position($2::SMALLINT[], counted.rel), counted.place
