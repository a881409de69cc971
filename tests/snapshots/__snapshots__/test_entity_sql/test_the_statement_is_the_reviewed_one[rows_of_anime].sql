SELECT entities.id, entities.name, entities.version, entities.updated_at, entities.popularity, anime.format, anime.status, anime.start_year, anime.start_month, anime.start_day, anime.start_raw, anime.end_year, anime.end_month, anime.end_day, anime.end_raw, anime.score, anime.score_source, anime.genres, anime.tags, anime.synopsis, anime.country, anime.episodes, anime.duration_minutes, anime.season, anime.season_year, anime.year, anime.source 
FROM entities JOIN anime ON anime.id = entities.id 
WHERE entities.id = ANY ($1::UUID[]) ORDER BY entities.id;
