SELECT given.place, row.entries 
FROM unnest(CAST($1::VARCHAR AS SMALLINT[]), CAST($2::VARCHAR AS TEXT[])) WITH ORDINALITY AS given(shelf, prefix, place) JOIN LATERAL (SELECT name_pages.prefix AS prefix, name_pages.entries AS entries 
FROM name_pages 
WHERE name_pages.shelf = given.shelf AND name_pages.prefix <= given.prefix ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS row ON true;
