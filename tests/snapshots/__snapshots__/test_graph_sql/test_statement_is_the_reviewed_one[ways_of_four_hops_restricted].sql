WITH far AS MATERIALIZED 
(SELECT far_links.dst AS node, far_links.dst_popularity AS popularity, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(far_links.rel + 1)]) AS rank 
FROM (SELECT far_edges.dst AS dst, far_edges.rel AS rel, far_edges.dst_popularity AS dst_popularity 
FROM edges AS far_edges 
WHERE far_edges.src = $2::INTEGER AND ($3::BIGINT >> CAST(far_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT 10000) AS far_links GROUP BY far_links.dst, far_links.dst_popularity), 
near AS MATERIALIZED 
(SELECT near_links.dst AS node, near_links.dst_popularity AS popularity, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(near_links.rel + 1)]) AS rank 
FROM (SELECT near_edges.dst AS dst, near_edges.rel AS rel, near_edges.dst_popularity AS dst_popularity 
FROM edges AS near_edges 
WHERE near_edges.src = $4::INTEGER AND ($5::BIGINT >> CAST(near_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT 10000) AS near_links GROUP BY near_links.dst, near_links.dst_popularity), 
ranked AS MATERIALIZED 
(SELECT met_edges.dst AS node, met_edges.src AS begin, met_edges.rel AS rel 
FROM edges AS met_edges 
WHERE met_edges.dst = ANY (array((SELECT far.node 
FROM far))) AND met_edges.src + 0 = ANY (array((SELECT beyond.src 
FROM edges AS beyond 
WHERE beyond.dst = ANY (array((SELECT near.node 
FROM near))) AND ($3::BIGINT >> CAST(beyond.rel AS INTEGER)) & 1 = 1))) AND ($5::BIGINT >> CAST(met_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT $1::INTEGER * 100 + 1), 
met AS MATERIALIZED 
(SELECT ranked.node AS node, ranked.begin AS begin, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(ranked.rel + 1)]) AS rank 
FROM ranked GROUP BY ranked.node, ranked.begin), 
middle AS MATERIALIZED 
(SELECT far.node AS node, far.popularity AS popularity, met.begin AS beyond, far.rank + met.rank AS rank 
FROM far FULL OUTER JOIN met ON far.node = met.node 
WHERE num_nonnulls(far.node, met.node) = 2 ORDER BY rank, far.popularity DESC, met.node, beyond 
 LIMIT $1::INTEGER * 20), 
onward AS MATERIALIZED 
(SELECT onward_links.node AS node, onward_links.begin AS begin, min(('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(onward_links.rel + 1)]) AS rank 
FROM (SELECT onward_edges.dst AS node, onward_edges.src AS begin, onward_edges.rel AS rel 
FROM edges AS onward_edges 
WHERE onward_edges.dst = ANY (array((SELECT middle.beyond 
FROM middle))) AND onward_edges.src + 0 = ANY (array((SELECT near.node 
FROM near))) AND ($5::BIGINT >> CAST(onward_edges.rel AS INTEGER)) & 1 = 1) AS onward_links GROUP BY onward_links.node, onward_links.begin), 
whole AS MATERIALIZED 
(SELECT middle.node AS node, middle.beyond AS beyond, middle.popularity AS popularity, onward.begin AS begin, middle.rank + onward.rank AS rank 
FROM middle FULL OUTER JOIN onward ON middle.beyond = onward.node 
WHERE num_nonnulls(middle.beyond, onward.node) = 2)
 SELECT ARRAY[near.node, whole.beyond, whole.node] AS stops, (SELECT count(*) > $1::INTEGER * 100 AS anon_1 
FROM ranked) AS is_cut 
FROM near FULL OUTER JOIN whole ON near.node = whole.begin 
WHERE num_nonnulls(near.node, whole.begin) = 2 ORDER BY whole.rank + near.rank, near.popularity + whole.popularity DESC, near.node, whole.beyond, whole.node 
 LIMIT $1::INTEGER
