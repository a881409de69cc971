SELECT asked_nodes.node AS src, of_one_node.dst, of_one_node.rel, of_one_node.dst_popularity AS popularity 
FROM unnest($1::INTEGER[]) AS asked_nodes(node) JOIN LATERAL (SELECT DISTINCT ON (of_one_rel.dst_popularity, of_one_rel.dst) of_one_rel.dst AS dst, of_one_rel.rel AS rel, of_one_rel.dst_popularity AS dst_popularity 
FROM unnest($2::SMALLINT[]) WITH ORDINALITY AS asked_rels(rel, preference) JOIN LATERAL (SELECT DISTINCT ON (edges.dst_popularity, edges.dst) edges.dst AS dst, edges.rel AS rel, edges.dst_popularity AS dst_popularity 
FROM edges 
WHERE edges.src = asked_nodes.node AND edges.rel = asked_rels.rel AND edges.dst != ALL ($3::INTEGER[]) ORDER BY edges.dst_popularity DESC, edges.dst 
 LIMIT $4::INTEGER) AS of_one_rel ON true ORDER BY of_one_rel.dst_popularity DESC, of_one_rel.dst, asked_rels.preference 
 LIMIT $4::INTEGER) AS of_one_node ON true ORDER BY asked_nodes.node, of_one_node.dst_popularity DESC, of_one_node.dst
