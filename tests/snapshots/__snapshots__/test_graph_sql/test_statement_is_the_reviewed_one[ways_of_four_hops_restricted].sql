WITH near AS MATERIALIZED 
(SELECT near_edges.dst AS node, near_edges.rel AS rel, near_edges.dst_popularity AS popularity 
FROM edges AS near_edges 
WHERE near_edges.src = $1::INTEGER AND ($2::BIGINT >> CAST(near_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT 10000), 
far AS MATERIALIZED 
(SELECT far_edges.dst AS node, far_edges.rel AS rel, far_edges.dst_popularity AS popularity 
FROM edges AS far_edges 
WHERE far_edges.src = $3::INTEGER AND ($4::BIGINT >> CAST(far_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT 10000), 
met AS MATERIALIZED 
(SELECT met_edges.dst AS node, met_edges.src AS begin, met_edges.rel AS rel 
FROM edges AS met_edges 
WHERE met_edges.dst = ANY (array((SELECT far.node 
FROM far))) AND met_edges.src + 0 = ANY (array((SELECT beyond.src 
FROM edges AS beyond 
WHERE beyond.dst = ANY (array((SELECT near.node 
FROM near))) AND ($4::BIGINT >> CAST(beyond.rel AS INTEGER)) & 1 = 1))) AND ($2::BIGINT >> CAST(met_edges.rel AS INTEGER)) & 1 = 1 
 LIMIT $5::INTEGER * 5), 
middle AS MATERIALIZED 
(SELECT far.node AS node, far.popularity AS popularity, met.begin AS beyond, ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(far.rel + 1)] + ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(met.rel + 1)] AS rank 
FROM far FULL OUTER JOIN met ON far.node = met.node 
WHERE num_nonnulls(far.node, met.node) = 2 ORDER BY rank, far.popularity DESC, met.node, beyond 
 LIMIT $5::INTEGER), 
onward AS MATERIALIZED 
(SELECT onward_edges.dst AS node, onward_edges.src AS begin, onward_edges.rel AS rel 
FROM edges AS onward_edges 
WHERE onward_edges.dst = ANY (array((SELECT middle.beyond 
FROM middle))) AND onward_edges.src + 0 = ANY (array((SELECT near.node 
FROM near))) AND ($2::BIGINT >> CAST(onward_edges.rel AS INTEGER)) & 1 = 1), 
whole AS MATERIALIZED 
(SELECT middle.node AS node, middle.beyond AS beyond, middle.popularity AS popularity, onward.begin AS begin, middle.rank + ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(onward.rel + 1)] AS rank 
FROM middle FULL OUTER JOIN onward ON middle.beyond = onward.node 
WHERE num_nonnulls(middle.beyond, onward.node) = 2)
 SELECT ARRAY[near.node, whole.beyond, whole.node] AS stops 
FROM near FULL OUTER JOIN whole ON near.node = whole.begin 
WHERE num_nonnulls(near.node, whole.begin) = 2 ORDER BY whole.rank + ('{0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,2,2,3,3,4,4,5,5,2,2,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,6,6,6,0,0,6,0,0,0,0,0,0,0,0,0,7,7,7,7,7}'::integer[])[(near.rel + 1)], near.popularity + whole.popularity DESC, near.node, whole.beyond, whole.node 
 LIMIT $5::INTEGER
