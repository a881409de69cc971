WITH direct AS MATERIALIZED 
(SELECT 1 AS found 
FROM edges AS direct_edges 
WHERE direct_edges.src = $1::INTEGER AND direct_edges.dst = $2::INTEGER AND ($3::BIGINT >> CAST(direct_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT 1), 
left_side AS MATERIALIZED 
(SELECT left_side_edges.dst AS dst, left_side_edges.rel AS rel, left_side_edges.dst_popularity AS popularity 
FROM edges AS left_side_edges 
WHERE left_side_edges.src = $1::INTEGER AND ($3::BIGINT >> CAST(left_side_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT 10000), 
right_side AS MATERIALIZED 
(SELECT right_side_edges.dst AS dst, right_side_edges.rel AS rel, right_side_edges.dst_popularity AS popularity 
FROM edges AS right_side_edges 
WHERE right_side_edges.src = $2::INTEGER AND ($4::BIGINT >> CAST(right_side_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT 10000), 
sizes AS MATERIALIZED 
(SELECT (SELECT count(*) AS count_1 
FROM left_side) AS left_size, (SELECT count(*) AS count_2 
FROM right_side) AS right_size), 
two AS MATERIALIZED 
(SELECT left_side.dst AS dst, left_side.rel AS rel, right_side.rel AS other_rel, left_side.popularity AS popularity 
FROM left_side FULL OUTER JOIN right_side ON left_side.dst = right_side.dst 
WHERE num_nonnulls(left_side.dst, right_side.dst) = 2 AND 2 <= $5::INTEGER AND NOT (EXISTS (SELECT 1 
FROM direct)) ORDER BY ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(left_side.rel + 1)] + ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(right_side.rel + 1)], left_side.popularity DESC, left_side.dst 
 LIMIT $6::INTEGER), 
side AS MATERIALIZED 
(SELECT sizes.left_size <= sizes.right_size AS is_left 
FROM sizes 
WHERE 3 <= $5::INTEGER AND NOT (EXISTS (SELECT 1 
FROM direct)) AND NOT (EXISTS (SELECT 1 
FROM two))), 
near AS MATERIALIZED 
(SELECT near_side.dst AS dst, near_side.rel AS rel, near_side.popularity AS popularity 
FROM (SELECT left_side.dst AS dst, left_side.rel AS rel, left_side.popularity AS popularity 
FROM left_side 
WHERE (SELECT side.is_left 
FROM side) UNION ALL SELECT right_side.dst AS dst, right_side.rel AS rel, right_side.popularity AS popularity 
FROM right_side 
WHERE NOT (SELECT side.is_left 
FROM side)) AS near_side ORDER BY ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(near_side.rel + 1)], near_side.popularity DESC, near_side.dst), 
near_beyond AS MATERIALIZED 
(SELECT near.dst AS mid, near.rel AS mid_rel, near.popularity AS popularity, onward.dst AS dst, onward.rel AS rel, onward.dst_popularity AS dst_popularity 
FROM near JOIN LATERAL (SELECT onward.dst AS dst, onward.rel AS rel, onward.dst_popularity AS dst_popularity 
FROM edges AS onward 
WHERE onward.src = near.dst AND (CASE WHEN (SELECT side.is_left 
FROM side) THEN $3::BIGINT ELSE $4::BIGINT END >> CAST(onward.rel AS INTEGER)) & 1 = 1
 LIMIT ALL OFFSET 0) AS onward ON true), 
far AS MATERIALIZED 
(SELECT far_side.dst AS dst, far_side.rel AS rel, far_side.popularity AS popularity 
FROM (SELECT right_side.dst AS dst, right_side.rel AS rel, right_side.popularity AS popularity 
FROM right_side 
WHERE (SELECT side.is_left 
FROM side) UNION ALL SELECT left_side.dst AS dst, left_side.rel AS rel, left_side.popularity AS popularity 
FROM left_side 
WHERE NOT (SELECT side.is_left 
FROM side)) AS far_side ORDER BY ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(far_side.rel + 1)], far_side.popularity DESC, far_side.dst), 
three AS MATERIALIZED 
(SELECT near_beyond.mid AS mid, near_beyond.mid_rel AS mid_rel, near_beyond.popularity AS popularity, near_beyond.dst AS dst, near_beyond.rel AS rel, near_beyond.dst_popularity AS dst_popularity 
FROM near_beyond 
WHERE (near_beyond.dst IN (SELECT far.dst 
FROM far)) IS true 
 LIMIT $6::INTEGER), 
four AS MATERIALIZED 
(SELECT far.dst AS mid, far.rel AS mid_rel, far.popularity AS popularity, onward.dst AS dst, onward.rel AS rel, onward.dst_popularity AS dst_popularity 
FROM far JOIN LATERAL (SELECT onward.dst AS dst, onward.rel AS rel, onward.dst_popularity AS dst_popularity 
FROM edges AS onward 
WHERE onward.src = far.dst AND (CASE WHEN (SELECT side.is_left 
FROM side) THEN $4::BIGINT ELSE $3::BIGINT END >> CAST(onward.rel AS INTEGER)) & 1 = 1 AND (onward.dst IN (SELECT near_beyond.dst 
FROM near_beyond)) IS true
 LIMIT ALL OFFSET 0) AS onward ON true 
WHERE 4 <= $5::INTEGER AND NOT (EXISTS (SELECT 1 
FROM three)) 
 LIMIT $6::INTEGER)
 SELECT found.way, found.rels, found.popularity, NOT (EXISTS (SELECT 1 
FROM direct)) AND (SELECT greatest(sizes.left_size, sizes.right_size) AS greatest_1 
FROM sizes) >= 10000 AS is_narrow 
FROM (SELECT ARRAY[$1::INTEGER, $2::INTEGER] AS way, CAST(ARRAY[] AS SMALLINT[]) AS rels, CAST(0 AS FLOAT) AS popularity 
FROM direct UNION ALL SELECT ARRAY[$1::INTEGER, two.dst, $2::INTEGER] AS anon_1, ARRAY[two.rel, two.other_rel] AS anon_2, two.popularity AS popularity 
FROM two UNION ALL SELECT CASE WHEN (SELECT side.is_left 
FROM side) THEN ARRAY[$1::INTEGER, three.mid, three.dst, $2::INTEGER] ELSE ARRAY[$1::INTEGER, three.dst, three.mid, $2::INTEGER] END AS anon_3, ARRAY[three.mid_rel, three.rel, far.rel] AS anon_4, three.popularity + far.popularity AS anon_5 
FROM three FULL OUTER JOIN far ON three.dst = far.dst 
WHERE num_nonnulls(three.dst, far.dst) = 2 UNION ALL SELECT CASE WHEN (SELECT side.is_left 
FROM side) THEN ARRAY[$1::INTEGER, near_beyond.mid, near_beyond.dst, four.mid, $2::INTEGER] ELSE ARRAY[$1::INTEGER, four.mid, near_beyond.dst, near_beyond.mid, $2::INTEGER] END AS anon_6, ARRAY[near_beyond.mid_rel, near_beyond.rel, four.rel, four.mid_rel] AS anon_7, near_beyond.popularity + four.dst_popularity + four.popularity AS anon_8 
FROM four FULL OUTER JOIN near_beyond ON four.dst = near_beyond.dst 
WHERE num_nonnulls(four.dst, near_beyond.dst) = 2) AS found 
 LIMIT $6::INTEGER
