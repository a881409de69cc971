WITH one AS 
(SELECT name_pages.prefix AS prefix, name_pages.entries AS entries 
FROM name_pages 
WHERE name_pages.shelf = $1::SMALLINT AND name_pages.prefix <= $2::VARCHAR ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1)
 SELECT pages.prefix, pages.entries 
FROM (SELECT one.prefix AS prefix, one.entries AS entries 
FROM one UNION ALL SELECT other.prefix AS prefix, other.entries AS entries 
FROM (SELECT name_pages.prefix AS prefix, name_pages.entries AS entries 
FROM name_pages 
WHERE name_pages.shelf = $1::SMALLINT AND name_pages.prefix <= $3::VARCHAR ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS other 
WHERE NOT (EXISTS (SELECT 1 
FROM one 
WHERE one.prefix = other.prefix))) AS pages;
