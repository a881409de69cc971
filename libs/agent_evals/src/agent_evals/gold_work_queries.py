"""Gold queries over many works: filters, extremes, averages, groups, recommendations. SQL of its own."""

from agent_evals.gold_query import GoldQuery, sql

CONDITIONS = (
    "type",
    "format",
    "status",
    "source",
    "genres",
    "without_genres",
    "studio",
    "person",
    "role",
    "first_year",
    "last_year",
    "min_episodes",
    "max_episodes",
    "season",
    "lead_gender",
)
"""What restricts works. All `genres` must be there; years are those of the start; a lead is a main character."""

_WORK = """
WITH work AS (
    SELECT id, 'anime' AS type, format, status, source, genres, tags, season, season_year, start_year,
           start_year * 10000 + coalesce(start_month, 0) * 100 + coalesce(start_day, 0) AS start_date,
           episodes, duration_minutes AS duration, NULL::integer AS chapters, NULL::integer AS volumes, score
    FROM anime
    UNION ALL
    SELECT id, 'manga', format, status, NULL, genres, tags, NULL, NULL, start_year,
           start_year * 10000 + coalesce(start_month, 0) * 100 + coalesce(start_day, 0),
           NULL, NULL, chapters, volumes, score
    FROM manga
)"""


_CHOSEN = """
(:type:::text IS NULL OR w.type = :type:)
AND (:format:::text IS NULL OR w.format = :format:)
AND (:status:::text IS NULL OR w.status = :status:)
AND (:source:::text IS NULL OR w.source = :source:)
AND (:genres:::text[] IS NULL OR w.genres @> :genres:)
AND (:without_genres:::text[] IS NULL OR NOT w.genres && :without_genres:)
AND (:studio:::uuid IS NULL OR EXISTS (
    SELECT FROM studio_credits c WHERE c.work_id = w.id AND c.studio_id = :studio:))
AND (:person:::uuid IS NULL OR EXISTS (
    SELECT FROM staff_credits c WHERE c.work_id = w.id AND c.person_id = :person:
    AND (:role:::text IS NULL OR c.role = :role:)))
AND (:first_year:::integer IS NULL OR w.start_year >= :first_year:)
AND (:last_year:::integer IS NULL OR w.start_year <= :last_year:)
AND (:min_episodes:::integer IS NULL OR w.episodes >= :min_episodes:)
AND (:max_episodes:::integer IS NULL OR w.episodes <= :max_episodes:)
AND (:season:::text IS NULL OR w.season || ' ' || w.season_year = :season:)
AND (:lead_gender:::text IS NULL OR EXISTS (
    SELECT FROM appearances a JOIN characters c ON c.id = a.character_id
    WHERE a.work_id = w.id AND a.role = 'main' AND c.gender = :lead_gender:))
"""


def _chosen(first: int) -> str:
    """The condition on `work w` whose arguments start at `$first`."""
    condition = _CHOSEN
    for at, name in enumerate(CONDITIONS, start=first):
        condition = condition.replace(f":{name}:", f"${at}")
    return condition


_MEASURE = """
CASE $1::text WHEN 'episodes' THEN w.episodes WHEN 'duration' THEN w.duration WHEN 'chapters' THEN w.chapters
    WHEN 'volumes' THEN w.volumes WHEN 'start_date' THEN w.start_date WHEN 'score' THEN w.score END::numeric
"""

# Facts that a recommendation can give as its reason, one string a work.
_FACTS = """
concat_ws('|', w.format, w.status, w.source, w.start_year::text, w.episodes || ' episode', w.duration || ' min',
    array_to_string(w.genres, '|'), array_to_string(w.tags, '|'),
    (SELECT string_agg(e.name, '|') FROM entities e WHERE e.id IN (
        SELECT studio_id FROM studio_credits WHERE work_id = w.id
        UNION SELECT person_id FROM staff_credits WHERE work_id = w.id)))
"""

# Half of the genres, two tags, or somebody who shaped both.
_LIKED_BY = """
EXISTS (
    SELECT FROM work l WHERE l.id = ANY($1::uuid[]) AND (
        2 * cardinality(ARRAY(SELECT unnest(l.genres) INTERSECT SELECT unnest(w.genres))) >= cardinality(l.genres)
        OR cardinality(ARRAY(SELECT unnest(l.tags) INTERSECT SELECT unnest(w.tags))) >= 2
        OR EXISTS (SELECT FROM staff_credits a JOIN staff_credits b ON b.person_id = a.person_id
                   WHERE a.work_id = l.id AND b.work_id = w.id
                   AND a.role IN ('director', 'author', 'writer', 'series_composer')
                   AND b.role IN ('director', 'author', 'writer', 'series_composer'))))
"""

_RANKED = """
SELECT id AS entity, NULL AS value FROM ranked WHERE place <= $2::integer AND measure IS NOT NULL
"""

_COUNTED = "SELECT id AS entity, NULL AS value FROM counted WHERE place = 1"

WORK_QUERIES: dict[str, GoldQuery] = {
    "works_where": GoldQuery(
        sql(_WORK, "SELECT w.id AS entity, NULL AS value FROM work w WHERE", _chosen(1)), (), CONDITIONS
    ),
    "works_with_most": GoldQuery(
        sql(
            _WORK,
            ", ranked AS (SELECT w.id,",
            _MEASURE,
            "AS measure, rank() OVER (ORDER BY",
            _MEASURE,
            "DESC NULLS LAST) AS place FROM work w WHERE",
            _chosen(3),
            ")",
            _RANKED,
        ),
        ("measure", "places"),
        CONDITIONS,
    ),
    "works_with_least": GoldQuery(
        sql(
            _WORK,
            ", ranked AS (SELECT w.id,",
            _MEASURE,
            "AS measure, rank() OVER (ORDER BY",
            _MEASURE,
            "ASC NULLS LAST) AS place FROM work w WHERE",
            _chosen(3),
            ")",
            _RANKED,
        ),
        ("measure", "places"),
        CONDITIONS,
    ),
    "average": GoldQuery(
        sql(
            _WORK,
            "SELECT NULL::uuid AS entity, avg(",
            _MEASURE,
            ")::text AS value FROM work w WHERE",
            _chosen(2),
            "HAVING count(",
            _MEASURE,
            ") > 0",
        ),
        ("measure",),
        CONDITIONS,
    ),
    "busiest_studio": GoldQuery(
        sql(
            _WORK,
            """
            , counted AS (
                SELECT c.studio_id AS id, rank() OVER (ORDER BY count(DISTINCT w.id) DESC) AS place
                FROM work w JOIN studio_credits c ON c.work_id = w.id WHERE
            """,
            _chosen(1),
            "GROUP BY c.studio_id)",
            _COUNTED,
        ),
        (),
        CONDITIONS,
    ),
    "busiest_person": GoldQuery(
        sql(
            _WORK,
            """
            , counted AS (
                SELECT c.person_id AS id, rank() OVER (ORDER BY count(DISTINCT w.id) DESC) AS place
                FROM work w JOIN staff_credits c ON c.work_id = w.id AND c.role = $1 WHERE
            """,
            _chosen(2),
            "GROUP BY c.person_id)",
            _COUNTED,
        ),
        ("as_role",),
        CONDITIONS,
    ),
    "recommendable": GoldQuery(
        sql(
            _WORK,
            "SELECT w.id AS entity,",
            _FACTS,
            "AS value FROM work w WHERE (cardinality($1::uuid[]) = 0 OR",
            _LIKED_BY,
            ") AND NOT w.id = ANY($1::uuid[]) AND NOT w.id = ANY($2::uuid[]) AND",
            _chosen(3),
        ),
        ("liked", "disliked"),
        CONDITIONS,
    ),
}
