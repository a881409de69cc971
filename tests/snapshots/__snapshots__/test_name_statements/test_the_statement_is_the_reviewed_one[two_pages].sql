SELECT pages.prefix, pages.entries 
FROM (SELECT prefix.prefix AS prefix, prefix.entries AS entries 
FROM (SELECT name_pages.prefix AS prefix, name_pages.entries AS entries 
FROM name_pages 
WHERE name_pages.shelf = $1::SMALLINT AND name_pages.prefix <= $2::VARCHAR ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS prefix UNION ALL SELECT other_prefix.prefix AS prefix, other_prefix.entries AS entries 
FROM (SELECT name_pages.prefix AS prefix, name_pages.entries AS entries 
FROM name_pages 
WHERE name_pages.shelf = $1::SMALLINT AND name_pages.prefix <= $3::VARCHAR ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS other_prefix) AS pages;
