"""Gold queries along links: franchises and their order, adaptations, casts in common, two hops. SQL of its own."""

from agent_evals.gold_query import GoldQuery, sql

_ADAPTED = """
WITH adapted(anime, origin) AS (
    SELECT work_id, related_work_id FROM work_relations WHERE relation = 'adaptation_of'
    UNION SELECT related_work_id, work_id FROM work_relations WHERE relation = 'has_adaptation'
)"""

_FOLLOWS = """
WITH RECURSIVE follows(earlier, later) AS (
    SELECT work_id, related_work_id FROM work_relations WHERE relation = 'sequel'
    UNION SELECT related_work_id, work_id FROM work_relations WHERE relation = 'prequel'
)"""

# Everything that hangs together by relations between anime; what sequels and prequels alone lead to has to be watched.
_FRANCHISE = """
, near(a, b) AS (
    SELECT work_id, related_work_id FROM work_relations WHERE relation <> 'shares_character'
    UNION SELECT related_work_id, work_id FROM work_relations WHERE relation <> 'shares_character'
), all_of_it(id) AS (
    SELECT $1::uuid
    UNION SELECT near.b FROM near JOIN all_of_it ON near.a = all_of_it.id JOIN anime ON anime.id = near.b
), main_line(id) AS (
    SELECT $1::uuid
    UNION SELECT CASE WHEN follows.earlier = main_line.id THEN follows.later ELSE follows.earlier END
    FROM follows JOIN main_line ON main_line.id IN (follows.earlier, follows.later)
), height(id, steps) AS (
    SELECT id, 0 FROM all_of_it
    UNION SELECT follows.later, height.steps + 1
    FROM height JOIN follows ON follows.earlier = height.id WHERE height.steps < 20
)
SELECT anime.id AS entity, CASE WHEN anime.id IN (SELECT id FROM main_line) THEN NULL ELSE 'optional' END AS value
FROM all_of_it JOIN anime ON anime.id = all_of_it.id
"""

_RELEASED = "anime.start_year, coalesce(anime.start_month, 13), coalesce(anime.start_day, 32), anime.id"

LINK_QUERIES: dict[str, GoldQuery] = {
    "release_order": GoldQuery(sql(_FOLLOWS, _FRANCHISE, "ORDER BY", _RELEASED), ("work",)),
    "story_order": GoldQuery(
        sql(
            _FOLLOWS,
            _FRANCHISE,
            "ORDER BY (SELECT max(steps) FROM height WHERE height.id = anime.id),",
            _RELEASED,
        ),
        ("work",),
    ),
    "adaptations": GoldQuery(
        sql(_ADAPTED, "SELECT anime AS entity, NULL AS value FROM adapted WHERE origin = $1"), ("work",)
    ),
    "adaptations_of_author": GoldQuery(
        sql(
            _ADAPTED,
            """
        SELECT DISTINCT anime AS entity, NULL AS value
        FROM adapted JOIN staff_credits s ON s.work_id = origin JOIN manga m ON m.id = origin
        WHERE s.person_id = $1 AND s.role = 'author' AND ($2::text IS NULL OR m.format = $2)
        """,
        ),
        ("person",),
        ("format",),
    ),
    "field_of_origin": GoldQuery(
        sql(
            _ADAPTED,
            """
            SELECT m.id AS entity, field.value
            FROM adapted JOIN manga m ON m.id = origin, LATERAL (
                SELECT (CASE $2::text WHEN 'volumes' THEN m.volumes WHEN 'chapters' THEN m.chapters
                    WHEN 'start_year' THEN m.start_year END)::text AS value) field
            WHERE anime = $1 AND field.value IS NOT NULL
            """,
        ),
        ("work", "field"),
    ),
    "authors_adapted_by_studio": GoldQuery(
        sql(
            _ADAPTED,
            """
        SELECT DISTINCT s.person_id AS entity, NULL AS value
        FROM studio_credits c JOIN adapted ON anime = c.work_id
        JOIN staff_credits s ON s.work_id = origin AND s.role = 'author' WHERE c.studio_id = $1
        """,
        ),
        ("studio",),
    ),
    "other_works_of_origin_author": GoldQuery(
        sql(
            _ADAPTED,
            """
        SELECT DISTINCT other.work_id AS entity, NULL AS value
        FROM adapted JOIN staff_credits s ON s.work_id = origin AND s.role = 'author'
        JOIN staff_credits other ON other.person_id = s.person_id AND other.role = 'author'
        WHERE anime = $1 AND other.work_id <> origin
        """,
        ),
        ("work",),
    ),
    "staff_of_adaptations": GoldQuery(
        sql(
            _ADAPTED,
            """
        SELECT DISTINCT made.person_id AS entity, NULL AS value
        FROM staff_credits wrote JOIN adapted ON origin = wrote.work_id
        JOIN staff_credits made ON made.work_id = anime AND made.role = $2
        WHERE wrote.person_id = $1 AND wrote.role = 'author'
        """,
        ),
        ("person", "role"),
    ),
    "staff_of_staff": GoldQuery(
        """
        SELECT DISTINCT other.person_id AS entity, NULL AS value
        FROM staff_credits known JOIN staff_credits other ON other.work_id = known.work_id AND other.role = $3
        WHERE known.person_id = $1 AND known.role = $2
        """,
        ("person", "role", "wanted_role"),
    ),
    "studios_of_staff": GoldQuery(
        """
        SELECT DISTINCT c.studio_id AS entity, NULL AS value
        FROM staff_credits s JOIN studio_credits c ON c.work_id = s.work_id WHERE s.person_id = $1 AND s.role = $2
        """,
        ("person", "role"),
    ),
    "field_of_next": GoldQuery(
        sql(
            _FOLLOWS,
            """
            SELECT a.id AS entity, field.value
            FROM follows JOIN anime a ON a.id = follows.later, LATERAL (
                SELECT (CASE $2::text WHEN 'episodes' THEN a.episodes WHEN 'duration' THEN a.duration_minutes
                    WHEN 'start_year' THEN a.start_year END)::text AS value) field
            WHERE follows.earlier = $1 AND field.value IS NOT NULL
            """,
        ),
        ("work", "field"),
    ),
    "all_cast": GoldQuery(
        """
        SELECT character_id AS entity, NULL AS value FROM appearances
        WHERE work_id = $1 AND ($2::text IS NULL OR role = $2)
        """,
        ("work",),
        ("role",),
    ),
    "works_of_actor": GoldQuery(
        """
        SELECT DISTINCT v.work_id AS entity, NULL AS value
        FROM voices v JOIN anime a ON a.id = v.work_id
        WHERE v.person_id = $1 AND ($2::integer IS NULL OR a.start_year >= $2)
          AND ($3::integer IS NULL OR a.start_year <= $3)
        """,
        ("person",),
        ("first_year", "last_year"),
    ),
    "actors_of_all_works": GoldQuery(
        """
        SELECT person_id AS entity, NULL AS value FROM voices WHERE work_id = ANY($1::uuid[])
        GROUP BY person_id HAVING count(DISTINCT work_id) = cardinality($1::uuid[])
        """,
        ("works",),
    ),
    "related_of_related": GoldQuery(
        """
        WITH relation(a, kind, b) AS (
            SELECT character_id, kind, related_character_id FROM character_relations
            UNION SELECT related_character_id, CASE kind WHEN 'mentor' THEN 'student' WHEN 'student' THEN 'mentor'
                WHEN 'parent' THEN 'child' WHEN 'child' THEN 'parent' WHEN 'captain' THEN 'subordinate'
                WHEN 'subordinate' THEN 'captain' WHEN 'master' THEN 'servant' WHEN 'servant' THEN 'master'
                WHEN 'creator' THEN 'creation' WHEN 'creation' THEN 'creator' ELSE kind END, character_id
            FROM character_relations
        )
        SELECT DISTINCT second.b AS entity, NULL AS value
        FROM relation first JOIN relation second ON second.a = first.b AND second.kind = $3
        WHERE first.a = $1 AND first.kind = $2 AND second.b <> $1
        """,
        ("character", "kind", "then"),
    ),
    "related_as": GoldQuery(
        """
        SELECT $3::uuid AS entity, NULL AS value FROM character_relations
        WHERE kind = $2 AND (character_id, related_character_id) IN (($1, $3), ($3, $1)) LIMIT 1
        """,
        ("character", "kind", "other"),
    ),
    "not_recorded": GoldQuery("SELECT NULL::uuid AS entity, NULL AS value WHERE $1::text IS NULL", ("what",)),
}
