WITH near AS MATERIALIZED 
(SELECT near_edges.dst AS node, near_edges.rel AS rel, near_edges.dst_popularity AS popularity 
FROM edges AS near_edges 
WHERE near_edges.src = $1::INTEGER 
 LIMIT 10000), 
met AS MATERIALIZED 
(SELECT met_edges.dst AS node, met_edges.src AS begin, met_edges.rel AS rel 
FROM edges AS met_edges 
WHERE met_edges.dst = $2::INTEGER AND met_edges.src + 0 = ANY (array((SELECT near.node 
FROM near))))
 SELECT ARRAY[near.node] AS stops 
FROM near FULL OUTER JOIN met ON near.node = met.begin 
WHERE num_nonnulls(near.node, met.begin) = 2 ORDER BY ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(near.rel + 1)] + ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(met.rel + 1)], near.popularity DESC, near.node 
 LIMIT $3::INTEGER
