WITH near AS MATERIALIZED 
(SELECT near_links.dst AS node, near_links.dst_popularity AS popularity, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(near_links.rel + 1)]) AS rank 
FROM (SELECT near_edges.dst AS dst, near_edges.rel AS rel, near_edges.dst_popularity AS dst_popularity 
FROM edges AS near_edges 
WHERE near_edges.src = $1::INTEGER 
 LIMIT 10000) AS near_links GROUP BY near_links.dst, near_links.dst_popularity), 
met AS MATERIALIZED 
(SELECT met_links.node AS node, met_links.begin AS begin, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(met_links.rel + 1)]) AS rank 
FROM (SELECT met_edges.dst AS node, met_edges.src AS begin, met_edges.rel AS rel 
FROM edges AS met_edges 
WHERE met_edges.dst = $2::INTEGER AND met_edges.src + 0 = ANY (array((SELECT near.node 
FROM near)))) AS met_links GROUP BY met_links.node, met_links.begin)
 SELECT ARRAY[near.node] AS stops, false AS is_cut 
FROM near FULL OUTER JOIN met ON near.node = met.begin 
WHERE num_nonnulls(near.node, met.begin) = 2 ORDER BY near.rank + met.rank, near.popularity DESC, near.node 
 LIMIT $3::INTEGER
