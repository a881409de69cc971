SELECT left_side.rel, left_side.qualifiers AS left_qualifiers, right_side.qualifiers AS right_qualifiers, entities.id, entities.entity_type, entities.name, entities.version, entities.popularity 
FROM (SELECT edges.rel AS rel, edges.dst AS dst, array_agg(DISTINCT edges.qualifier) AS qualifiers, max(edges.dst_popularity) AS popularity 
FROM entities AS left_source JOIN edges ON edges.src = left_source.node 
WHERE left_source.id = $1::UUID AND edges.rel = ANY ($2::SMALLINT[]) GROUP BY edges.rel, edges.dst) AS left_side JOIN (SELECT edges.rel AS rel, edges.dst AS dst, array_agg(DISTINCT edges.qualifier) AS qualifiers, max(edges.dst_popularity) AS popularity 
FROM entities AS right_source JOIN edges ON edges.src = right_source.node 
WHERE right_source.id = $3::UUID AND edges.rel = ANY ($2::SMALLINT[]) GROUP BY edges.rel, edges.dst) AS right_side ON right_side.rel = left_side.rel AND right_side.dst = left_side.dst JOIN entities ON entities.node = left_side.dst 
WHERE (cardinality($4::TEXT[]) = $5::INTEGER OR entities.entity_type = ANY ($4::TEXT[])) AND (cardinality($6::TEXT[]) = $7::INTEGER OR (EXISTS (SELECT * 
FROM unnest(left_side.qualifiers) AS common(word) 
WHERE common.word = ANY ($6::TEXT[]) AND common.word = ANY (right_side.qualifiers)))) ORDER BY array_position($2::SMALLINT[], left_side.rel), entities.popularity DESC, entities.name, entities.id 
 LIMIT $8::INTEGER
