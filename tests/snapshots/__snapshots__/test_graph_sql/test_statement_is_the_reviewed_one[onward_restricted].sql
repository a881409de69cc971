SELECT found.dst, found.src 
FROM (SELECT DISTINCT ON (far.dst) far.dst AS dst, source.node AS src, far.dst_popularity AS dst_popularity 
FROM unnest($1::INTEGER[]) WITH ORDINALITY AS source(node, place) JOIN LATERAL (SELECT DISTINCT edges.dst_popularity AS dst_popularity, edges.dst AS dst 
FROM edges 
WHERE edges.src = source.node AND (edges.dst NOT IN (SELECT seen.node 
FROM unnest($2::INTEGER[]) AS seen(node))) AND ($3::BIGINT >> CAST(edges.rel AS INTEGER)) & 1 = 1 ORDER BY edges.dst_popularity DESC, edges.dst 
 LIMIT $4::INTEGER) AS far ON true ORDER BY far.dst, source.place) AS found ORDER BY found.dst_popularity DESC, found.dst 
 LIMIT $4::INTEGER
