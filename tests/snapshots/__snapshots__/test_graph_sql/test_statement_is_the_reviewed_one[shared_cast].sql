SELECT left_side.qualifiers AS left_qualifiers, right_side.qualifiers AS right_qualifiers, entities.id, entities.entity_type, entities.name, entities.version, entities.popularity 
FROM (SELECT left_side_voices.person_id AS person_id, array_agg(DISTINCT left_side_voices.language) AS qualifiers 
FROM (SELECT voices.person_id AS person_id, voices.language AS language 
FROM voices 
WHERE voices.work_id = $1::UUID UNION SELECT voices.person_id AS person_id, voices.language AS language 
FROM appearances JOIN voices ON voices.character_id = appearances.character_id 
WHERE appearances.work_id = $1::UUID AND voices.work_id IS NULL) AS left_side_voices GROUP BY left_side_voices.person_id) AS left_side JOIN (SELECT right_side_voices.person_id AS person_id, array_agg(DISTINCT right_side_voices.language) AS qualifiers 
FROM (SELECT voices.person_id AS person_id, voices.language AS language 
FROM voices 
WHERE voices.work_id = $2::UUID UNION SELECT voices.person_id AS person_id, voices.language AS language 
FROM appearances JOIN voices ON voices.character_id = appearances.character_id 
WHERE appearances.work_id = $2::UUID AND voices.work_id IS NULL) AS right_side_voices GROUP BY right_side_voices.person_id) AS right_side ON right_side.person_id = left_side.person_id JOIN entities ON entities.id = left_side.person_id 
WHERE (cardinality($3::TEXT[]) = $4::INTEGER OR entities.entity_type = ANY ($3::TEXT[])) AND (cardinality($5::TEXT[]) = $6::INTEGER OR (EXISTS (SELECT * 
FROM unnest(left_side.qualifiers) AS common(word) 
WHERE common.word = ANY ($5::TEXT[]) AND common.word = ANY (right_side.qualifiers)))) ORDER BY entities.popularity DESC, entities.name, entities.id 
 LIMIT $7::INTEGER
