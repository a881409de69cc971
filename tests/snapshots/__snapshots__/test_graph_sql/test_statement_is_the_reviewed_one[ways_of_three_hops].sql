WITH far AS MATERIALIZED 
(SELECT far_links.dst AS node, far_links.dst_popularity AS popularity, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(far_links.rel + 1)]) AS rank 
FROM (SELECT far_edges.dst AS dst, far_edges.rel AS rel, far_edges.dst_popularity AS dst_popularity 
FROM edges AS far_edges 
WHERE far_edges.src = $1::INTEGER 
 LIMIT 10000) AS far_links GROUP BY far_links.dst, far_links.dst_popularity), 
near AS MATERIALIZED 
(SELECT near_links.dst AS node, near_links.dst_popularity AS popularity, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(near_links.rel + 1)]) AS rank 
FROM (SELECT near_edges.dst AS dst, near_edges.rel AS rel, near_edges.dst_popularity AS dst_popularity 
FROM edges AS near_edges 
WHERE near_edges.src = $2::INTEGER 
 LIMIT 10000) AS near_links GROUP BY near_links.dst, near_links.dst_popularity), 
met AS MATERIALIZED 
(SELECT met_links.node AS node, met_links.begin AS begin, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(met_links.rel + 1)]) AS rank 
FROM (SELECT met_edges.dst AS node, met_edges.src AS begin, met_edges.rel AS rel 
FROM edges AS met_edges 
WHERE met_edges.dst = ANY (array((SELECT near.node 
FROM near))) AND met_edges.src + 0 = ANY (array((SELECT far.node 
FROM far)))) AS met_links GROUP BY met_links.node, met_links.begin), 
led AS MATERIALIZED 
(SELECT near.node AS node, near.popularity AS popularity, met.begin AS beyond, near.rank + met.rank AS rank 
FROM near FULL OUTER JOIN met ON near.node = met.node 
WHERE num_nonnulls(near.node, met.node) = 2)
 SELECT ARRAY[led.node, far.node] AS stops, false AS is_cut 
FROM far FULL OUTER JOIN led ON far.node = led.beyond 
WHERE num_nonnulls(far.node, led.beyond) = 2 ORDER BY led.rank + far.rank, led.popularity + far.popularity DESC, led.node, far.node 
 LIMIT $3::INTEGER
