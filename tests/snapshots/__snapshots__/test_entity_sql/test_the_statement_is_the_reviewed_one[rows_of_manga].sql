SELECT entities.id, entities.name, entities.version, entities.updated_at, entities.popularity, manga.format, manga.status, manga.start_year, manga.start_month, manga.start_day, manga.start_raw, manga.end_year, manga.end_month, manga.end_day, manga.end_raw, manga.score, manga.score_source, manga.genres, manga.tags, manga.synopsis, manga.country, manga.chapters, manga.volumes, manga.year 
FROM entities JOIN manga ON manga.id = entities.id 
WHERE entities.id = ANY ($1::UUID[]) ORDER BY entities.id;
