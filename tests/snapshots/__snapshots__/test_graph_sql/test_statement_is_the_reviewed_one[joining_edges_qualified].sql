SELECT best.src, best.dst, best.rel, best.dst_popularity AS popularity 
FROM (SELECT DISTINCT ON (edges.src, edges.dst) edges.src AS src, edges.dst AS dst, edges.rel AS rel, edges.dst_popularity AS dst_popularity, array_position($1::SMALLINT[], edges.rel) AS preference 
FROM edges 
WHERE edges.src = ANY ($2::INTEGER[]) AND edges.rel = ANY ($1::SMALLINT[]) AND edges.dst = ANY ($3::INTEGER[]) AND edges.qualifier = ANY ($4::TEXT[]) ORDER BY edges.src, edges.dst, array_position($1::SMALLINT[], edges.rel)) AS best ORDER BY best.preference, best.dst_popularity DESC, best.src, best.dst 
 LIMIT $5::INTEGER
