SELECT (SELECT name_pages.entries 
FROM name_pages 
WHERE name_pages.shelf = $1::SMALLINT AND name_pages.prefix <= $2::VARCHAR ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS entries, (SELECT name_pages.entries 
FROM name_pages 
WHERE name_pages.shelf = $1::SMALLINT AND name_pages.prefix <= $3::VARCHAR ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS other_entries;
