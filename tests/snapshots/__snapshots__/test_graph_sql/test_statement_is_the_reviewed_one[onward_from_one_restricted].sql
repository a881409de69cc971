SELECT far.dst, $1::INTEGER AS src 
FROM (SELECT DISTINCT edges.dst_popularity AS dst_popularity, edges.dst AS dst 
FROM edges 
WHERE edges.src = $1::INTEGER AND (edges.dst NOT IN (SELECT seen.node 
FROM unnest($2::INTEGER[]) AS seen(node))) AND ($3::BIGINT >> CAST(edges.rel AS INTEGER)) & 1 = 1 ORDER BY edges.dst_popularity DESC, edges.dst 
 LIMIT $4::INTEGER) AS far ORDER BY far.dst_popularity DESC, far.dst
