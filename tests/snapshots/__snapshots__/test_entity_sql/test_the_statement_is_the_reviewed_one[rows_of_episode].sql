SELECT entities.id, entities.name, entities.version, entities.updated_at, entities.popularity, episodes.anime_id, episodes.number, episodes.air_year, episodes.air_month, episodes.air_day, episodes.air_raw, episodes.synopsis 
FROM entities JOIN episodes ON episodes.id = entities.id 
WHERE entities.id = ANY ($1::UUID[]) ORDER BY entities.id;
