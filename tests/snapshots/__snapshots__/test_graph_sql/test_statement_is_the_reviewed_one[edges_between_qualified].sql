SELECT edges.src, edges.dst, edges.rel, edges.origin, edges.origin_id, edges.qualifier 
FROM unnest($1::INTEGER[], $2::INTEGER[]) AS pairs(src, dst) JOIN edges ON edges.src = pairs.src AND edges.dst = pairs.dst AND edges.rel = ANY ($3::SMALLINT[]) 
WHERE edges.qualifier = ANY ($4::TEXT[]) ORDER BY edges.src, edges.dst, array_position($3::SMALLINT[], edges.rel), edges.origin, edges.origin_id
