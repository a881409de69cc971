SELECT rows_5.column_1 AS column_1 
FROM (SELECT rows_2.column_1 AS column_1 
FROM (SELECT node_1.title AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS title, films.year AS year, films.score AS score, films.genres AS genres 
FROM nodes JOIN films ON films.id = nodes.id) AS node_1) AS rows_2 UNION SELECT rows_4.column_1 AS column_1 
FROM (SELECT node_3.name AS column_1 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_3) AS rows_4) AS rows_5 
 LIMIT $1::INTEGER;
