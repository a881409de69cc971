SELECT found.stops, ends.is_forth, ends.is_narrow 
FROM (SELECT CASE WHEN (cardinality(sides."left") <= cardinality(sides."right")) THEN sides."left" ELSE sides."right" END AS near, CASE WHEN (cardinality(sides."left") <= cardinality(sides."right")) THEN sides."right" ELSE sides."left" END AS far, CASE WHEN (cardinality(sides."left") <= cardinality(sides."right")) THEN $1::INTEGER ELSE $2::INTEGER END AS far_end, cardinality(sides."left") <= cardinality(sides."right") AS is_forth, greatest(cardinality(sides."left"), cardinality(sides."right")) >= 10000 AS is_narrow, CASE WHEN (cardinality(sides."left") <= cardinality(sides."right")) THEN $3::BIGINT ELSE $4::BIGINT END AS near_mask, CASE WHEN (cardinality(sides."left") <= cardinality(sides."right")) THEN $4::BIGINT ELSE $3::BIGINT END AS far_mask 
FROM (SELECT array((SELECT beside.src 
FROM edges AS beside 
WHERE beside.dst = $2::INTEGER AND ($3::BIGINT >> CAST(beside.rel AS INTEGER)) & 1 = 1 
 LIMIT 10000)) AS "left", array((SELECT beside.src 
FROM edges AS beside 
WHERE beside.dst = $1::INTEGER AND ($4::BIGINT >> CAST(beside.rel AS INTEGER)) & 1 = 1 
 LIMIT 10000)) AS "right"
 LIMIT ALL OFFSET 0) AS sides
 LIMIT ALL OFFSET 0) AS ends LEFT OUTER JOIN LATERAL (SELECT CAST(ARRAY[] AS INTEGER[]) AS stops 
WHERE ends.far_end = ANY (ends.near) UNION ALL (SELECT CAST(ARRAY[second.src] AS INTEGER[]) AS stops 
FROM edges AS second 
WHERE second.dst = ends.far_end AND second.src + 0 = ANY (ends.near) AND (ends.far_mask >> CAST(second.rel AS INTEGER)) & 1 = 1 
 LIMIT 1) UNION ALL (SELECT CAST(ARRAY[third.dst, third.src] AS INTEGER[]) AS stops 
FROM edges AS third 
WHERE third.dst = ANY (ends.near) AND third.src + 0 = ANY (ends.far) AND (ends.near_mask >> CAST(third.rel AS INTEGER)) & 1 = 1 
 LIMIT 1) UNION ALL (SELECT CAST(ARRAY[(SELECT led.src 
FROM edges AS led 
WHERE led.dst = fourth.src AND led.src + 0 = ANY (ends.near) AND (ends.far_mask >> CAST(led.rel AS INTEGER)) & 1 = 1 
 LIMIT 1), fourth.src, fourth.dst] AS INTEGER[]) AS stops 
FROM edges AS fourth 
WHERE fourth.dst = ANY (ends.far) AND fourth.src + 0 = ANY (array((SELECT beyond.src 
FROM edges AS beyond 
WHERE beyond.dst = ANY (ends.near) AND (ends.near_mask >> CAST(beyond.rel AS INTEGER)) & 1 = 1))) AND (ends.far_mask >> CAST(fourth.rel AS INTEGER)) & 1 = 1 
 LIMIT 1) 
 LIMIT 1) AS found ON true
