SELECT entities.node AS row_id, entities.version, episodes.id AS first, episodes.anime_id AS second, episodes.number 
FROM episodes JOIN entities ON entities.id = episodes.id 
WHERE entities.node = ANY ($1::BIGINT[]) ORDER BY entities.node;
