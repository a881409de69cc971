WITH direct AS MATERIALIZED 
(SELECT ($2::INTEGER[])[(direct_edges.rel + 1)] AS rank 
FROM edges AS direct_edges 
WHERE direct_edges.src = $3::INTEGER AND direct_edges.dst = $4::INTEGER AND ($5::BIGINT >> CAST(direct_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT 1), 
left_side AS MATERIALIZED 
(SELECT left_side_edges.dst AS dst, left_side_edges.dst_popularity AS popularity, min(($2::INTEGER[])[(left_side_edges.rel + 1)]) AS rank 
FROM edges AS left_side_edges 
WHERE left_side_edges.src = $3::INTEGER AND ($5::BIGINT >> CAST(left_side_edges.rel AS INTEGER)) & 1 = 1 GROUP BY left_side_edges.dst_popularity, left_side_edges.dst 
 LIMIT 10000), 
right_side AS MATERIALIZED 
(SELECT right_side_edges.dst AS dst, right_side_edges.dst_popularity AS popularity, min(($2::INTEGER[])[(right_side_edges.rel + 1)]) AS rank 
FROM edges AS right_side_edges 
WHERE right_side_edges.src = $4::INTEGER AND ($6::BIGINT >> CAST(right_side_edges.rel AS INTEGER)) & 1 = 1 GROUP BY right_side_edges.dst_popularity, right_side_edges.dst 
 LIMIT 10000), 
two AS MATERIALIZED 
(SELECT left_side.dst AS dst, left_side.rank + right_side.rank AS rank, left_side.popularity AS popularity 
FROM left_side FULL OUTER JOIN right_side ON left_side.dst = right_side.dst 
WHERE num_nonnulls(left_side.dst, right_side.dst) = 2 AND 2 <= $7::INTEGER AND NOT (EXISTS (SELECT 1 
FROM direct))), 
side AS MATERIALIZED 
(SELECT (SELECT count(*) AS count_3 
FROM left_side) <= (SELECT count(*) AS count_4 
FROM right_side) AS is_left 
WHERE 3 <= $7::INTEGER AND NOT (EXISTS (SELECT 1 
FROM direct)) AND NOT (EXISTS (SELECT 1 
FROM two))), 
near AS MATERIALIZED 
(SELECT left_side.dst AS dst, left_side.popularity AS popularity, left_side.rank AS rank 
FROM side JOIN left_side ON side.is_left UNION ALL SELECT right_side.dst AS dst, right_side.popularity AS popularity, right_side.rank AS rank 
FROM side JOIN right_side ON NOT side.is_left ORDER BY rank, popularity DESC, dst), 
near_beyond AS MATERIALIZED 
(SELECT near.dst AS mid, near.rank + ($2::INTEGER[])[(onward.rel + 1)] AS rank, near.popularity AS popularity, onward.dst AS dst, onward.dst_popularity AS dst_popularity 
FROM side JOIN near ON true JOIN LATERAL (SELECT onward.dst AS dst, onward.rel AS rel, onward.dst_popularity AS dst_popularity 
FROM edges AS onward 
WHERE onward.src = near.dst AND (CASE WHEN side.is_left THEN $5::BIGINT ELSE $6::BIGINT END >> CAST(onward.rel AS INTEGER)) & 1 = 1
 LIMIT ALL OFFSET 0) AS onward ON true), 
far AS MATERIALIZED 
(SELECT right_side.dst AS dst, right_side.popularity AS popularity, right_side.rank AS rank 
FROM side JOIN right_side ON side.is_left UNION ALL SELECT left_side.dst AS dst, left_side.popularity AS popularity, left_side.rank AS rank 
FROM side JOIN left_side ON NOT side.is_left ORDER BY rank, popularity DESC, dst), 
three AS MATERIALIZED 
(SELECT near_beyond.mid AS mid, near_beyond.dst AS dst, near_beyond.rank + far.rank AS rank, near_beyond.popularity + far.popularity AS popularity 
FROM near_beyond FULL OUTER JOIN far ON near_beyond.dst = far.dst 
WHERE num_nonnulls(near_beyond.dst, far.dst) = 2 
 LIMIT $1::INTEGER), 
four AS MATERIALIZED 
(SELECT unmet.mid AS mid, unmet.dst AS dst, far_beyond.mid AS far_mid, unmet.rank + far_beyond.rank AS rank, unmet.popularity + unmet.dst_popularity + far_beyond.popularity AS popularity 
FROM (SELECT far.dst AS mid, far.rank + ($2::INTEGER[])[(onward.rel + 1)] AS rank, far.popularity AS popularity, onward.dst AS dst, onward.dst_popularity AS dst_popularity 
FROM side JOIN far ON true JOIN LATERAL (SELECT onward.dst AS dst, onward.rel AS rel, onward.dst_popularity AS dst_popularity 
FROM edges AS onward 
WHERE onward.src = far.dst AND (CASE WHEN side.is_left THEN $6::BIGINT ELSE $5::BIGINT END >> CAST(onward.rel AS INTEGER)) & 1 = 1
 LIMIT ALL OFFSET 0) AS onward ON true 
WHERE 4 <= $7::INTEGER AND NOT (EXISTS (SELECT 1 
FROM three))) AS far_beyond FULL OUTER JOIN (SELECT near_beyond.mid AS mid, near_beyond.rank AS rank, near_beyond.popularity AS popularity, near_beyond.dst AS dst, near_beyond.dst_popularity AS dst_popularity 
FROM near_beyond 
WHERE NOT (EXISTS (SELECT 1 
FROM three))) AS unmet ON far_beyond.dst = unmet.dst 
WHERE num_nonnulls(far_beyond.dst, unmet.dst) = 2 
 LIMIT $1::INTEGER)
 SELECT found.way AS way, sum(count(*)) OVER () >= $1::INTEGER OR NOT (EXISTS (SELECT 1 
FROM direct)) AND ((SELECT count(*) AS count_1 
FROM left_side) >= 10000 OR (SELECT count(*) AS count_2 
FROM right_side) >= 10000) AS is_cut 
FROM (SELECT ARRAY[$3::INTEGER, $4::INTEGER] AS way, direct.rank AS rank, CAST(0 AS FLOAT) AS popularity 
FROM direct UNION ALL SELECT ARRAY[$3::INTEGER, two.dst, $4::INTEGER] AS anon_1, two.rank AS rank, two.popularity AS popularity 
FROM two UNION ALL SELECT CASE WHEN side.is_left THEN ARRAY[$3::INTEGER, three.mid, three.dst, $4::INTEGER] ELSE ARRAY[$3::INTEGER, three.dst, three.mid, $4::INTEGER] END AS anon_2, three.rank AS rank, three.popularity AS popularity 
FROM three JOIN side ON true UNION ALL SELECT CASE WHEN side.is_left THEN ARRAY[$3::INTEGER, four.mid, four.dst, four.far_mid, $4::INTEGER] ELSE ARRAY[$3::INTEGER, four.far_mid, four.dst, four.mid, $4::INTEGER] END AS anon_3, four.rank AS rank, four.popularity AS popularity 
FROM four JOIN side ON true) AS found GROUP BY found.way ORDER BY min(found.rank), max(found.popularity) DESC, found.way 
 LIMIT $8::INTEGER
