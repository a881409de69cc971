SELECT asked.id AS asked, entities.id, entities.entity_type 
FROM unnest($1::UUID[]) AS asked(id) LEFT OUTER JOIN redirects ON redirects.from_id = asked.id JOIN entities ON entities.id = coalesce(redirects.to_id, asked.id) ORDER BY asked.id;
