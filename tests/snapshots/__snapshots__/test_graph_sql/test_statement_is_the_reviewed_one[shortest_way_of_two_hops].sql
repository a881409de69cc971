SELECT found.stops, ends.is_forth, ends.is_narrow 
FROM (SELECT CASE WHEN (cardinality(sides."left") <= cardinality(sides."right")) THEN sides."left" ELSE sides."right" END AS near, CASE WHEN (cardinality(sides."left") <= cardinality(sides."right")) THEN sides."right" ELSE sides."left" END AS far, CASE WHEN (cardinality(sides."left") <= cardinality(sides."right")) THEN $1::INTEGER ELSE $2::INTEGER END AS far_end, cardinality(sides."left") <= cardinality(sides."right") AS is_forth, greatest(cardinality(sides."left"), cardinality(sides."right")) >= 10000 AS is_narrow 
FROM (SELECT array((SELECT beside.src 
FROM edges AS beside 
WHERE beside.dst = $2::INTEGER 
 LIMIT 10000)) AS "left", array((SELECT beside.src 
FROM edges AS beside 
WHERE beside.dst = $1::INTEGER 
 LIMIT 10000)) AS "right"
 LIMIT ALL OFFSET 0) AS sides
 LIMIT ALL OFFSET 0) AS ends LEFT OUTER JOIN LATERAL (SELECT CAST(ARRAY[] AS INTEGER[]) AS stops 
WHERE ends.far_end = ANY (ends.near) UNION ALL (SELECT CAST(ARRAY[second.src] AS INTEGER[]) AS stops 
FROM edges AS second 
WHERE second.dst = ends.far_end AND second.src + 0 = ANY (ends.near) 
 LIMIT 1) 
 LIMIT 1) AS found ON true
