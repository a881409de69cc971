SELECT rows.prefix, rows.starts, rows.hits 
FROM (SELECT corrected.prefix AS prefix, row.starts AS starts, row.hits AS hits 
FROM (SELECT anon_1.prefix AS prefix 
FROM unnest(CAST($1::VARCHAR AS TEXT[])) AS anon_1(prefix) UNION SELECT start_gaps.block || anon_2.rest AS prefix 
FROM unnest(CAST($2::VARCHAR AS TEXT[]), CAST($3::VARCHAR AS TEXT[])) AS anon_2(gapped, rest) JOIN start_gaps ON start_gaps.gapped = anon_2.gapped) AS corrected JOIN LATERAL (SELECT 1 
FROM name_starts 
WHERE name_starts.shelf = 0 AND name_starts.start >= corrected.prefix AND name_starts.start < (corrected.prefix || '􏿿') 
 LIMIT 1) AS begun ON true JOIN LATERAL (SELECT name_pages.prefix AS prefix, name_pages.starts AS starts, name_pages.hits AS hits 
FROM name_pages 
WHERE name_pages.shelf = 0 AND name_pages.prefix <= corrected.prefix ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS row ON true UNION ALL SELECT anon_3.prefix AS prefix, row.starts AS starts, row.hits AS hits 
FROM unnest(CAST($4::VARCHAR AS TEXT[])) AS anon_3(prefix) JOIN LATERAL (SELECT name_pages.prefix AS prefix, name_pages.starts AS starts, name_pages.hits AS hits 
FROM name_pages 
WHERE name_pages.shelf = 0 AND name_pages.prefix <= anon_3.prefix ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS row ON true 
WHERE starts_with(anon_3.prefix, row.prefix)) AS rows;
