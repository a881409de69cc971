"""SQL written by hand for the drawn questions, by the question's number; it knows the tables and nothing of Cypher."""

from collections.abc import Mapping

from agent_evals.cypher.agreement import HandWritten

HAND_WRITTEN: Mapping[int, HandWritten] = {
    1167: HandWritten(
        "SELECT json_strip_nulls(json_build_object('name', name, 'born', born)) FROM person WHERE born > 1960", 3
    ),
    1171: HandWritten(
        """SELECT m.title FROM link l JOIN movie m ON m.id = l.target
        WHERE l.type = 'PRODUCED' AND l.source IN (SELECT id FROM person WHERE born = 1952)""",
        3,
    ),
    1226: HandWritten(
        """SELECT json_build_object('name', name, 'born', born) FROM person
        WHERE born = 1949 AND id IN (SELECT source FROM link WHERE type = 'DIRECTED')"""
    ),
    1240: HandWritten(
        """SELECT p.name, m.title FROM person p, movie m
        WHERE (p.id, m.id) IN (SELECT source, target FROM link WHERE type = 'WROTE')
        AND (p.id, m.id) IN (SELECT source, target FROM link WHERE type = 'DIRECTED')""",
        3,
    ),
    1245: HandWritten(
        """SELECT p.name, l.roles FROM link l JOIN person p ON p.id = l.source
        WHERE l.type = 'ACTED_IN' AND l.target = (SELECT id FROM movie WHERE title = 'Speed Racer')"""
    ),
    1254: HandWritten(
        """SELECT m.title FROM link l JOIN movie m ON m.id = l.target
        WHERE l.type = 'ACTED_IN' AND l.source = (SELECT id FROM person WHERE name = 'Keanu Reeves')""",
        3,
    ),
    1265: HandWritten(
        """SELECT p.name FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'ACTED_IN' AND m.tagline LIKE '%Real World%'""",
        5,
    ),
    1377: HandWritten(
        """SELECT p.name, p.born, array_agg(m.title), p.born
        FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'DIRECTED' GROUP BY p.id ORDER BY p.born""",
        3,
        keys=1,
    ),
    1401: HandWritten(
        """SELECT p.name, count(DISTINCT m.tagline), count(DISTINCT m.tagline)
        FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'ACTED_IN' GROUP BY p.id ORDER BY 2 DESC""",
        3,
        keys=1,
    ),
    1439: HandWritten(
        "SELECT m.title FROM link l JOIN movie m ON m.id = l.target WHERE l.type = 'REVIEWED' AND l.rating = 100"
    ),
    1458: HandWritten(
        """SELECT m.title, p.name FROM link made JOIN link led USING (source, target)
        JOIN person p ON p.id = source JOIN movie m ON m.id = target
        WHERE made.type = 'PRODUCED' AND led.type = 'DIRECTED'"""
    ),
    2981: HandWritten(
        """SELECT m.title, l.rating, l.summary FROM link l JOIN movie m ON m.id = l.target
        WHERE l.type = 'REVIEWED' AND l.rating > 80"""
    ),
    2994: HandWritten("SELECT title, tagline FROM movie WHERE char_length(tagline) > 30"),
    3001: HandWritten("SELECT title, released FROM movie WHERE released IN (1970, 1980, 1990, 2000, 2010)"),
    3029: HandWritten(
        """SELECT p.name, count(*), count(*)
        FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'ACTED_IN' AND m.released BETWEEN 1990 AND 1999 GROUP BY p.id ORDER BY 2 DESC""",
        1,
        keys=1,
    ),
    3038: HandWritten(
        """SELECT p.name, count(*), count(*)
        FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'WROTE' AND m.released > 2000 GROUP BY p.id ORDER BY 2 DESC""",
        1,
        keys=1,
    ),
    3052: HandWritten(
        """SELECT p.name, count(*), count(*)
        FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'ACTED_IN' AND m.released < 1985 GROUP BY p.id ORDER BY 2 DESC""",
        1,
        keys=1,
    ),
    3076: HandWritten(
        """SELECT a.name, b.name, abs(a.born - b.born), abs(a.born - b.born)
        FROM person a JOIN person b ON a.id <> b.id WHERE a.born IS NOT NULL AND b.born IS NOT NULL ORDER BY 3""",
        3,
        keys=1,
    ),
    3083: HandWritten(
        """SELECT a.name, b.name, array_agg(m.title)
        FROM link one JOIN link other ON one.target = other.target AND one.source <> other.source
        JOIN person a ON a.id = one.source JOIN person b ON b.id = other.source JOIN movie m ON m.id = one.target
        WHERE one.type = 'ACTED_IN' AND other.type = 'ACTED_IN'
        AND a.born BETWEEN 1920 AND 1999 AND b.born BETWEEN 1920 AND 1999
        AND substr(a.born::text, 1, 3) = substr(b.born::text, 1, 3)
        GROUP BY a.name, b.name"""
    ),
    3093: HandWritten(
        """SELECT m.title, cardinality(l.roles), cardinality(l.roles)
        FROM link l JOIN movie m ON m.id = l.target WHERE l.type = 'ACTED_IN' ORDER BY 2 DESC""",
        3,
        keys=1,
    ),
    3100: HandWritten(
        """SELECT m.title FROM link l JOIN movie m ON m.id = l.target
        WHERE l.type = 'ACTED_IN' AND cardinality(l.roles) = 3""",
        3,
    ),
    3115: HandWritten(
        """SELECT p.name FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'DIRECTED' AND strpos(m.tagline, 'limits') > 0""",
        3,
    ),
    3124: HandWritten(
        """SELECT p.name, count(DISTINCT l.roles), count(DISTINCT l.roles)
        FROM link l JOIN person p ON p.id = l.source
        WHERE l.type = 'ACTED_IN' GROUP BY p.id ORDER BY 2 DESC""",
        3,
        keys=1,
    ),
    3130: HandWritten(
        """SELECT p.name, count(*), count(*)
        FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'DIRECTED' AND m.tagline IS NOT NULL GROUP BY p.id ORDER BY 2 DESC""",
        3,
        keys=1,
    ),
    3146: HandWritten(
        'SELECT title, tagline, tagline FROM movie WHERE tagline IS NOT NULL ORDER BY tagline COLLATE "C"', 3, keys=1
    ),
    3167: HandWritten(
        """SELECT l.roles FROM link l WHERE l.type = 'ACTED_IN'
        AND l.source = (SELECT id FROM person WHERE name = 'Laurence Fishburne')
        AND l.target = (SELECT id FROM movie WHERE title = 'The Matrix Revolutions')"""
    ),
    3172: HandWritten("SELECT max(rating) FROM link WHERE type = 'REVIEWED'"),
    3205: HandWritten(
        """SELECT role, count(*), count(*)
        FROM link l JOIN movie m ON m.id = l.target CROSS JOIN unnest(l.roles) AS role
        WHERE l.type = 'ACTED_IN' AND m.released < 1980 GROUP BY role ORDER BY 2 DESC""",
        10,
        keys=1,
    ),
    3220: HandWritten(
        """SELECT p.name, p.born, p.born FROM link l JOIN person p ON p.id = l.source
        WHERE l.type = 'DIRECTED' ORDER BY p.born DESC NULLS FIRST""",
        3,
        keys=1,
    ),
    3236: HandWritten(
        """SELECT p.name, m.title, m.released
        FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'DIRECTED' AND m.released IN (1960, 1980, 2000, 2020)"""
    ),
    3240: HandWritten(
        """SELECT p.name, count(*), count(*) FROM link l JOIN person p ON p.id = l.source
        WHERE l.type = 'DIRECTED' GROUP BY p.name ORDER BY 2 DESC""",
        1,
        keys=1,
    ),
    3242: HandWritten(
        """SELECT p.name, p.born, p.born FROM link l JOIN person p ON p.id = l.source
        WHERE l.type = 'REVIEWED' ORDER BY p.born NULLS LAST""",
        3,
        keys=1,
    ),
    3247: HandWritten(
        """SELECT m.title FROM link made JOIN link led USING (source, target) JOIN movie m ON m.id = target
        WHERE made.type = 'PRODUCED' AND led.type = 'DIRECTED'"""
    ),
    3270: HandWritten(
        """SELECT p.name, m.title FROM link wrote JOIN link played USING (source, target)
        JOIN person p ON p.id = source JOIN movie m ON m.id = target
        WHERE wrote.type = 'WROTE' AND played.type = 'ACTED_IN'"""
    ),
    3271: HandWritten(
        """SELECT avg(l.rating)::float FROM link l JOIN person p ON p.id = l.source
        WHERE l.type = 'REVIEWED' AND p.born < 1970"""
    ),
    3287: HandWritten(
        """SELECT m.title FROM link l JOIN movie m ON m.id = l.target
        WHERE l.type = 'REVIEWED' AND l.summary = 'Dark, but compelling'"""
    ),
    3302: HandWritten(
        """SELECT m.title FROM link l JOIN movie m ON m.id = l.target
        WHERE l.type = 'PRODUCED' AND l.source = (SELECT id FROM person WHERE name = 'Joel Silver')"""
    ),
    3318: HandWritten(
        """SELECT p.name, count(*), count(*)
        FROM link l JOIN person p ON p.id = l.source JOIN movie m ON m.id = l.target
        WHERE l.type = 'PRODUCED' AND m.released BETWEEN 1990 AND 1999 GROUP BY p.name ORDER BY 2 DESC""",
        1,
        keys=1,
    ),
    3325: HandWritten(
        """SELECT avg(cardinality(l.roles))::float FROM link l JOIN movie m ON m.id = l.target
        WHERE l.type = 'ACTED_IN' AND m.title = 'The Matrix'"""
    ),
    3328: HandWritten(
        """SELECT m.title FROM link l JOIN movie m ON m.id = l.target
        WHERE l.type = 'REVIEWED' AND l.summary = 'Silly, but fun'"""
    ),
}
