SELECT wanted.prefix, row.entries 
FROM (SELECT given.prefix AS prefix 
FROM (SELECT anon_1.prefix AS prefix 
FROM unnest(CAST($1::VARCHAR AS TEXT[])) AS anon_1(prefix) UNION ALL SELECT start_gaps.block || anon_3.rest AS anon_2 
FROM unnest(CAST($2::VARCHAR AS TEXT[]), CAST($3::VARCHAR AS TEXT[])) AS anon_3(gapped, rest) JOIN start_gaps ON start_gaps.gapped = anon_3.gapped 
WHERE (start_gaps.block || anon_3.rest) != ALL (CAST((SELECT CAST($4::VARCHAR AS TEXT[]) AS anon_4) AS TEXT[]))) AS given JOIN LATERAL (SELECT 1 
FROM name_starts 
WHERE name_starts.shelf = 0 AND name_starts.start >= given.prefix AND name_starts.start < (given.prefix || '􏿿') 
 LIMIT 1) AS begun ON true UNION ALL SELECT anon_5.prefix AS prefix 
FROM unnest(CAST($4::VARCHAR AS TEXT[])) AS anon_5(prefix)) AS wanted JOIN LATERAL (SELECT name_pages.prefix AS prefix, name_pages.entries AS entries 
FROM name_pages 
WHERE name_pages.shelf = 0 AND name_pages.prefix <= wanted.prefix ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS row ON true 
WHERE starts_with(wanted.prefix, row.prefix);
