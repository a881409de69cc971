SELECT rows_7.column_1 AS column_1, rows_7.column_2 AS column_2 
FROM (SELECT inputs_6.input_1 AS column_1, count(inputs_6.input_2) AS column_2 
FROM (SELECT nullif(members_5.member, CAST($1::VARCHAR AS JSONB)) AS input_1, true AS input_2 
FROM (SELECT coalesce(array_agg(to_jsonb(inputs_2.input_1)) FILTER (WHERE inputs_2.input_1 IS NOT NULL), CAST(ARRAY[]::JSONB[] AS JSONB[])) AS column_1 
FROM (SELECT node_1.genres AS input_1 
FROM (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_1) AS inputs_2) AS rows_3 JOIN unnest(rows_3.column_1) WITH ORDINALITY AS members_4(member, place) ON true JOIN jsonb_array_elements(nullif(members_4.member, CAST($2::VARCHAR AS JSONB))) WITH ORDINALITY AS members_5(member, place) ON true) AS inputs_6 GROUP BY inputs_6.input_1) AS rows_7 
 LIMIT $3::INTEGER;
