SELECT rows_3.column_1 AS column_1 
FROM (SELECT rows_2.column_1 AS column_1 
FROM (SELECT node_1.name AS column_1, (node_1.born = $1::BIGINT) AS kept 
FROM (SELECT nodes.id AS id, nodes.name AS name, people.born AS born 
FROM nodes JOIN people ON people.id = nodes.id) AS node_1) AS rows_2 
WHERE rows_2.kept) AS rows_3 
 LIMIT $2::INTEGER;
