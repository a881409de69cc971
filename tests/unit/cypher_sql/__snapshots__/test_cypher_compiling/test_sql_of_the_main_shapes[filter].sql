SELECT rows_2.column_1 AS column_1 
FROM (SELECT node_1.title AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_1 
WHERE ((node_1.year >= $1::BIGINT) AND (strpos(node_1.title, $2::VARCHAR) > $3::INTEGER)) ORDER BY node_1.title COLLATE "C" ASC 
 LIMIT $4::INTEGER) AS rows_2 
 LIMIT $5::INTEGER;
