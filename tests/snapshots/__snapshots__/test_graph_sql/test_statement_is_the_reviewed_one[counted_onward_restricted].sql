WITH counted AS MATERIALIZED 
(SELECT far.dst AS dst, source.node AS src, far.dst_popularity AS dst_popularity, source.place AS place, count(*) OVER (PARTITION BY source.place ORDER BY far.dst_popularity DESC, far.dst) AS count 
FROM unnest($1::INTEGER[]) WITH ORDINALITY AS source(node, place) JOIN LATERAL (SELECT DISTINCT edges.dst_popularity AS dst_popularity, edges.dst AS dst 
FROM edges 
WHERE edges.src = source.node AND (edges.dst NOT IN (SELECT seen.node 
FROM unnest($2::INTEGER[]) AS seen(node))) AND ($3::BIGINT >> CAST(edges.rel AS INTEGER)) & 1 = 1 ORDER BY edges.dst_popularity DESC, edges.dst 
 LIMIT $4::INTEGER + 1) AS far ON true)
 SELECT found.dst, found.src, EXISTS (SELECT counted.dst 
FROM counted 
WHERE counted.count > $4::INTEGER) AS is_cut 
FROM (SELECT DISTINCT ON (counted.dst) counted.dst AS dst, counted.src AS src, counted.dst_popularity AS dst_popularity 
FROM counted 
WHERE counted.count <= $4::INTEGER ORDER BY counted.dst, counted.place) AS found ORDER BY found.dst_popularity DESC, found.dst 
 LIMIT $5::INTEGER
