"""The gold queries: plain SQL over the truth tables, written apart from the product's own queries."""

from agent_evals.gold_link_queries import LINK_QUERIES
from agent_evals.gold_query import GoldQuery
from agent_evals.gold_work_queries import WORK_QUERIES

_WORK_FIELD = """
WITH work AS (
    SELECT id, episodes, NULL::integer AS chapters, NULL::integer AS volumes, duration_minutes, source, status, genres,
           concat_ws('-', start_year, lpad(start_month::text, 2, '0'), lpad(start_day::text, 2, '0')) AS start_date,
           concat_ws('-', end_year, lpad(end_month::text, 2, '0'), lpad(end_day::text, 2, '0')) AS end_date
    FROM anime
    UNION ALL
    SELECT id, NULL, chapters, volumes, NULL, NULL, status, genres,
           concat_ws('-', start_year, lpad(start_month::text, 2, '0'), lpad(start_day::text, 2, '0')),
           concat_ws('-', end_year, lpad(end_month::text, 2, '0'), lpad(end_day::text, 2, '0'))
    FROM manga
), field AS (
    SELECT id, 'episodes' AS name, episodes::text AS value FROM work
    UNION ALL SELECT id, 'chapters', chapters::text FROM work
    UNION ALL SELECT id, 'volumes', volumes::text FROM work
    UNION ALL SELECT id, 'duration', duration_minutes::text FROM work
    UNION ALL SELECT id, 'source', source FROM work
    UNION ALL SELECT id, 'status', status FROM work
    UNION ALL SELECT id, 'start_date', nullif(start_date, '') FROM work
    UNION ALL SELECT id, 'end_date', nullif(end_date, '') FROM work
    UNION ALL SELECT id, 'genres', unnest(genres) FROM work
)
SELECT id AS entity, value FROM field
WHERE value IS NOT NULL AND name = $2 AND id = ANY($1::uuid[])
"""

_SHORTEST_PATH = """
WITH RECURSIVE one_way(a, b) AS (
    SELECT work_id, related_work_id FROM work_relations
    UNION SELECT character_id, work_id FROM appearances
    UNION SELECT character_id, related_character_id FROM character_relations
    UNION SELECT person_id, character_id FROM voices
    UNION SELECT person_id, work_id FROM staff_credits
    UNION SELECT studio_id, work_id FROM studio_credits
    UNION SELECT id, anime_id FROM episodes
), link(a, b) AS (
    SELECT a, b FROM one_way UNION SELECT b, a FROM one_way
), reached(node, hops) AS (
    SELECT $1::uuid, 0
    UNION
    SELECT link.b, reached.hops + 1 FROM reached JOIN link ON link.a = reached.node WHERE reached.hops < $3::integer
)
SELECT NULL::uuid AS entity, min(hops)::text AS value FROM reached WHERE node = $2::uuid HAVING min(hops) IS NOT NULL
"""

QUERIES: dict[str, GoldQuery] = {
    "entity": GoldQuery("SELECT id AS entity, NULL AS value FROM entities WHERE id = $1", ("entity",)),
    "work_field": GoldQuery(_WORK_FIELD, ("work", "field")),
    "compare_field": GoldQuery(_WORK_FIELD, ("works", "field")),
    "namesakes": GoldQuery(
        """
        SELECT DISTINCT e.id AS entity, NULL AS value
        FROM names n JOIN entities e ON e.id = n.entity_id
        WHERE lower(n.name) = lower($1) AND e.entity_type = ANY($2::text[])
        """,
        ("name", "types"),
    ),
    "staff": GoldQuery(
        "SELECT DISTINCT person_id AS entity, NULL AS value FROM staff_credits WHERE work_id = $1 AND role = $2",
        ("work", "role"),
    ),
    "staff_of_each": GoldQuery(
        """
        SELECT person_id AS entity, NULL AS value FROM staff_credits WHERE work_id = $1 AND role = $2
        UNION
        SELECT person_id, NULL FROM staff_credits WHERE work_id = $3 AND role = $4
        """,
        ("work", "role", "other", "other_role"),
    ),
    "staff_and_studio": GoldQuery(
        """
        SELECT person_id AS entity, NULL AS value FROM staff_credits WHERE work_id = $1 AND role = $2
        UNION
        SELECT studio_id, NULL FROM studio_credits WHERE work_id = $3
        """,
        ("work", "role", "other"),
    ),
    "staff_and_other_works": GoldQuery(
        """
        SELECT person_id AS entity, NULL AS value FROM staff_credits WHERE work_id = $1 AND role = $2
        UNION
        SELECT o.work_id, NULL
        FROM staff_credits s
        JOIN staff_credits o ON o.person_id = s.person_id AND o.role = s.role AND o.work_id <> s.work_id
        JOIN entities e ON e.id = o.work_id
        WHERE s.work_id = $1 AND s.role = $2 AND e.entity_type = $3
        """,
        ("work", "role", "type"),
    ),
    "sequel_and_staff": GoldQuery(
        """
        WITH sequel AS (
            SELECT related_work_id AS id FROM work_relations WHERE work_id = $1 AND relation = 'sequel'
            UNION SELECT work_id FROM work_relations WHERE related_work_id = $1 AND relation = 'prequel'
        )
        SELECT id AS entity, NULL AS value FROM sequel
        UNION SELECT c.person_id, NULL FROM staff_credits c JOIN sequel ON sequel.id = c.work_id WHERE c.role = $2
        """,
        ("work", "role"),
    ),
    "staff_by_name": GoldQuery(
        """
        SELECT DISTINCT s.person_id AS entity, NULL AS value
        FROM names n JOIN staff_credits s ON s.work_id = n.entity_id
        WHERE lower(n.name) = lower($1) AND s.role = $2
        """,
        ("name", "role"),
    ),
    "staff_works": GoldQuery(
        """
        SELECT DISTINCT s.work_id AS entity, NULL AS value
        FROM staff_credits s JOIN entities e ON e.id = s.work_id
        WHERE s.person_id = $1 AND s.role = $2 AND e.entity_type = $3
        """,
        ("person", "role", "type"),
    ),
    "shared_staff": GoldQuery(
        """
        SELECT DISTINCT a.person_id AS entity, NULL AS value
        FROM staff_credits a JOIN staff_credits b ON b.person_id = a.person_id
        WHERE a.work_id = $1 AND b.work_id = $2
        """,
        ("left", "right"),
    ),
    "studios": GoldQuery(
        "SELECT studio_id AS entity, NULL AS value FROM studio_credits WHERE work_id = $1",
        ("work",),
    ),
    "studio_works": GoldQuery(
        "SELECT work_id AS entity, NULL AS value FROM studio_credits WHERE studio_id = $1",
        ("studio",),
    ),
    "related_works": GoldQuery(
        """
        SELECT related_work_id AS entity, NULL AS value FROM work_relations WHERE work_id = $1 AND relation = $2
        UNION
        SELECT work_id, NULL FROM work_relations WHERE related_work_id = $1 AND relation = $3
        """,
        ("work", "relation", "inverse"),
    ),
    "adapted_from": GoldQuery(
        """
        SELECT related_work_id AS entity, NULL AS value FROM work_relations
        WHERE work_id = $1 AND relation = 'adaptation_of'
        UNION
        SELECT work_id, NULL FROM work_relations WHERE related_work_id = $1 AND relation = 'has_adaptation'
        """,
        ("work",),
    ),
    "appears_in": GoldQuery(
        """
        SELECT a.work_id AS entity, NULL AS value
        FROM appearances a JOIN entities e ON e.id = a.work_id
        WHERE a.character_id = $1 AND e.entity_type = $2
        """,
        ("character", "type"),
    ),
    "appearance": GoldQuery(
        """
        SELECT unnest(ARRAY[character_id, work_id]) AS entity, NULL AS value
        FROM appearances WHERE character_id = $1 AND work_id = $2
        """,
        ("character", "work"),
    ),
    "cast": GoldQuery(
        "SELECT character_id AS entity, NULL AS value FROM appearances WHERE work_id = $1 AND role = $2",
        ("work", "role"),
    ),
    "character_relations": GoldQuery(
        """
        SELECT related_character_id AS entity, NULL AS value FROM character_relations
        WHERE character_id = $1 AND kind = $2
        UNION
        SELECT character_id, NULL FROM character_relations WHERE related_character_id = $1 AND kind = $3
        """,
        ("character", "kind", "inverse"),
    ),
    "actors_of_character": GoldQuery(
        """
        SELECT DISTINCT person_id AS entity, NULL AS value
        FROM voices WHERE character_id = $1 AND ($2::uuid IS NULL OR work_id = $2)
        """,
        ("character", "work"),
    ),
    "characters_of_actor": GoldQuery(
        """
        SELECT DISTINCT character_id AS entity, NULL AS value
        FROM voices WHERE person_id = $1 AND ($2::uuid IS NULL OR work_id = $2)
        """,
        ("person", "work"),
    ),
    "actors_of_both": GoldQuery(
        """
        SELECT person_id AS entity, NULL AS value FROM voices WHERE character_id = $1
        INTERSECT
        SELECT person_id, NULL FROM voices WHERE character_id = $2
        """,
        ("first", "second"),
    ),
    "works_of_both_actors": GoldQuery(
        """
        SELECT work_id AS entity, NULL AS value FROM voices WHERE person_id = $1 AND work_id IS NOT NULL
        INTERSECT
        SELECT work_id, NULL FROM voices WHERE person_id = $2
        """,
        ("first", "second"),
    ),
    "shortest_path": GoldQuery(_SHORTEST_PATH, ("start", "end", "limit")),
    "described": GoldQuery(
        """
        WITH story(id, text) AS (
            SELECT id, synopsis FROM anime UNION ALL SELECT id, synopsis FROM manga
            UNION ALL SELECT id, description FROM characters
        )
        SELECT e.id AS entity, NULL AS value
        FROM story s JOIN entities e ON e.id = s.id
        WHERE e.entity_type = ANY($1::text[]) AND s.text IS NOT NULL
          AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS pattern WHERE s.text NOT ILIKE pattern)
        """,
        ("types", "patterns"),
    ),
    "other_roles": GoldQuery(
        """
        SELECT DISTINCT other.character_id AS entity, NULL AS value
        FROM voices known JOIN voices other ON other.person_id = known.person_id
        WHERE known.character_id = $1 AND other.character_id <> $1
        """,
        ("character",),
    ),
    "staff_of_sequel": GoldQuery(
        """
        WITH sequel AS (
            SELECT related_work_id AS id FROM work_relations WHERE work_id = $1 AND relation = 'sequel'
            UNION SELECT work_id FROM work_relations WHERE related_work_id = $1 AND relation = 'prequel'
        )
        SELECT DISTINCT person_id AS entity, NULL AS value
        FROM staff_credits WHERE work_id IN (SELECT id FROM sequel) AND role = $2
        """,
        ("work", "role"),
    ),
    "studios_of_sequel": GoldQuery(
        """
        WITH sequel AS (
            SELECT related_work_id AS id FROM work_relations WHERE work_id = $1 AND relation = 'sequel'
            UNION SELECT work_id FROM work_relations WHERE related_work_id = $1 AND relation = 'prequel'
        )
        SELECT DISTINCT studio_id AS entity, NULL AS value
        FROM studio_credits WHERE work_id IN (SELECT id FROM sequel)
        """,
        ("work",),
    ),
    "other_works_of_staff": GoldQuery(
        """
        SELECT DISTINCT other.work_id AS entity, NULL AS value
        FROM staff_credits known
        JOIN staff_credits other ON other.person_id = known.person_id AND other.role = known.role
        WHERE known.work_id = $1 AND known.role = $2 AND other.work_id <> $1
        """,
        ("work", "role"),
    ),
    "author_of_source": GoldQuery(
        """
        WITH source AS (
            SELECT related_work_id AS id FROM work_relations WHERE work_id = $1 AND relation = 'adaptation_of'
            UNION SELECT work_id FROM work_relations WHERE related_work_id = $1 AND relation = 'has_adaptation'
        )
        SELECT DISTINCT person_id AS entity, NULL AS value
        FROM staff_credits WHERE work_id IN (SELECT id FROM source) AND role = 'author'
        """,
        ("work",),
    ),
    "actors_of_related": GoldQuery(
        """
        WITH related AS (
            SELECT related_character_id AS id FROM character_relations WHERE character_id = $1 AND kind = $2
            UNION SELECT character_id FROM character_relations WHERE related_character_id = $1 AND kind = $3
        )
        SELECT DISTINCT person_id AS entity, NULL AS value FROM voices WHERE character_id IN (SELECT id FROM related)
        """,
        ("character", "kind", "inverse"),
    ),
    "studios_adapting_author": GoldQuery(
        """
        WITH written AS (
            SELECT s.work_id AS id FROM staff_credits s JOIN manga m ON m.id = s.work_id
            WHERE s.person_id = $1 AND s.role = 'author'
        ), adapted AS (
            SELECT work_id AS id FROM work_relations
            WHERE relation = 'adaptation_of' AND related_work_id IN (SELECT id FROM written)
            UNION
            SELECT related_work_id FROM work_relations
            WHERE relation = 'has_adaptation' AND work_id IN (SELECT id FROM written)
        )
        SELECT DISTINCT studio_id AS entity, NULL AS value
        FROM studio_credits WHERE work_id IN (SELECT id FROM adapted)
        """,
        ("person",),
    ),
    **WORK_QUERIES,
    **LINK_QUERIES,
}
