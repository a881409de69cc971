SELECT row.prefix, row.entries 
FROM unnest(CAST($1::VARCHAR AS TEXT[])) AS anon_1(prefix) JOIN LATERAL (SELECT name_pages.prefix AS prefix, name_pages.entries AS entries 
FROM name_pages 
WHERE name_pages.shelf = $2::SMALLINT AND name_pages.prefix <= anon_1.prefix ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS row ON true;
