WITH onward_1 AS MATERIALIZED 
(SELECT best_1.dst AS dst, best_1.src AS src, best_1.rel AS rel, best_1.origin AS origin, best_1.origin_id AS origin_id, best_1.qualifier AS qualifier, best_1.popularity AS popularity, best_1.rank AS rank, row_number() OVER (PARTITION BY best_1.src ORDER BY best_1.popularity DESC, best_1.dst) AS place 
FROM (SELECT DISTINCT ON (edge_1.dst_popularity, edge_1.dst) edge_1.dst AS dst, edge_1.src AS src, edge_1.rel AS rel, edge_1.origin AS origin, edge_1.origin_id AS origin_id, edge_1.qualifier AS qualifier, edge_1.dst_popularity AS popularity, ($2::INTEGER[])[(edge_1.rel + 1)] AS rank 
FROM edges AS edge_1 
WHERE edge_1.src = $3::INTEGER AND ($4::BIGINT >> CAST(edge_1.rel AS INTEGER)) & 1 = 1 AND edge_1.dst != $3::INTEGER ORDER BY edge_1.dst_popularity DESC, edge_1.dst, ($2::INTEGER[])[(edge_1.rel + 1)], edge_1.rel, edge_1.origin, edge_1.origin_id 
 LIMIT least($5::INTEGER, $1::INTEGER) + 1) AS best_1), 
level_1 AS MATERIALIZED 
(SELECT new_1.dst AS dst, new_1.src AS src, new_1.rel AS rel, new_1.origin AS origin, new_1.origin_id AS origin_id, new_1.qualifier AS qualifier, new_1.popularity AS popularity, new_1.rank AS rank 
FROM (SELECT DISTINCT ON (onward_1.dst) onward_1.dst AS dst, onward_1.src AS src, onward_1.rel AS rel, onward_1.origin AS origin, onward_1.origin_id AS origin_id, onward_1.qualifier AS qualifier, onward_1.popularity AS popularity, onward_1.rank AS rank 
FROM onward_1 
WHERE onward_1.place <= $5::INTEGER ORDER BY onward_1.dst, onward_1.rank, onward_1.src) AS new_1 ORDER BY new_1.popularity DESC, new_1.dst 
 LIMIT $1::INTEGER), 
onward_2 AS MATERIALIZED 
(SELECT best_2.dst AS dst, best_2.src AS src, best_2.rel AS rel, best_2.origin AS origin, best_2.origin_id AS origin_id, best_2.qualifier AS qualifier, best_2.popularity AS popularity, best_2.rank AS rank, row_number() OVER (PARTITION BY best_2.src ORDER BY best_2.popularity DESC, best_2.dst) AS place 
FROM level_1 JOIN LATERAL (SELECT DISTINCT ON (edge_2.dst_popularity, edge_2.dst) edge_2.dst AS dst, edge_2.src AS src, edge_2.rel AS rel, edge_2.origin AS origin, edge_2.origin_id AS origin_id, edge_2.qualifier AS qualifier, edge_2.dst_popularity AS popularity, ($2::INTEGER[])[(edge_2.rel + 1)] AS rank 
FROM edges AS edge_2 
WHERE edge_2.src = level_1.dst AND ($4::BIGINT >> CAST(edge_2.rel AS INTEGER)) & 1 = 1 AND edge_2.dst != $3::INTEGER AND (edge_2.dst NOT IN (SELECT level_1.dst 
FROM level_1)) ORDER BY edge_2.dst_popularity DESC, edge_2.dst, ($2::INTEGER[])[(edge_2.rel + 1)], edge_2.rel, edge_2.origin, edge_2.origin_id 
 LIMIT least($5::INTEGER, $1::INTEGER - (SELECT count(*) AS count_2 
FROM level_1)) + 1) AS best_2 ON true), 
level_2 AS MATERIALIZED 
(SELECT new_2.dst AS dst, new_2.src AS src, new_2.rel AS rel, new_2.origin AS origin, new_2.origin_id AS origin_id, new_2.qualifier AS qualifier, new_2.popularity AS popularity, new_2.rank AS rank 
FROM (SELECT DISTINCT ON (onward_2.dst) onward_2.dst AS dst, onward_2.src AS src, onward_2.rel AS rel, onward_2.origin AS origin, onward_2.origin_id AS origin_id, onward_2.qualifier AS qualifier, onward_2.popularity AS popularity, onward_2.rank AS rank 
FROM onward_2 
WHERE onward_2.place <= $5::INTEGER ORDER BY onward_2.dst, onward_2.rank, onward_2.src) AS new_2 ORDER BY new_2.popularity DESC, new_2.dst 
 LIMIT $1::INTEGER - (SELECT count(*) AS count_3 
FROM level_1))
 SELECT reached.depth, reached.dst AS node, reached.src, reached.rel, reached.origin, reached.origin_id, reached.qualifier, entities.id, entities.entity_type, entities.name, entities.version, entities.popularity, $1::INTEGER > 0 AND (EXISTS (SELECT 1 
FROM onward_1 
WHERE onward_1.place > $5::INTEGER)) OR $1::INTEGER - (SELECT count(*) AS count_1 
FROM level_1) > 0 AND (EXISTS (SELECT 1 
FROM onward_2 
WHERE onward_2.place > $5::INTEGER)) AS is_cut 
FROM (SELECT 1 AS depth, level_1.dst AS dst, level_1.src AS src, level_1.rel AS rel, level_1.origin AS origin, level_1.origin_id AS origin_id, level_1.qualifier AS qualifier, level_1.popularity AS popularity, level_1.rank AS rank 
FROM level_1 UNION ALL SELECT 2 AS depth, level_2.dst AS dst, level_2.src AS src, level_2.rel AS rel, level_2.origin AS origin, level_2.origin_id AS origin_id, level_2.qualifier AS qualifier, level_2.popularity AS popularity, level_2.rank AS rank 
FROM level_2) AS reached JOIN entities ON entities.node = reached.dst ORDER BY reached.depth, reached.popularity DESC, reached.dst
