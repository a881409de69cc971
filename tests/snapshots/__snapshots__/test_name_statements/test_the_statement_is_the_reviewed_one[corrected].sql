SELECT corrected.prefix, row.entries 
FROM (SELECT anon_1.prefix AS prefix 
FROM unnest(CAST($1::VARCHAR AS TEXT[])) AS anon_1(prefix) UNION ALL SELECT start_gaps.block || anon_3.rest AS anon_2 
FROM unnest(CAST($2::VARCHAR AS TEXT[]), CAST($3::VARCHAR AS TEXT[])) AS anon_3(gapped, rest) JOIN start_gaps ON start_gaps.gapped = anon_3.gapped) AS corrected JOIN LATERAL (SELECT name_pages.prefix AS prefix, name_pages.entries AS entries 
FROM name_pages 
WHERE name_pages.shelf = 0 AND name_pages.prefix <= corrected.prefix ORDER BY name_pages.shelf DESC, name_pages.prefix DESC 
 LIMIT 1) AS row ON true 
WHERE starts_with(corrected.prefix, row.prefix);
