"""One text of the graph language for each type of MetaQA question. `$topic` is the entity that a question names."""

from collections.abc import Mapping

ONE_HOP: Mapping[str, str] = {
    "actor_to_movie": """MATCH (topic:Entity {name: $topic})<-[:STARRED_ACTORS]-(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "director_to_movie": """MATCH (topic:Entity {name: $topic})<-[:DIRECTED_BY]-(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_actor": """MATCH (topic:Entity {name: $topic})-[:STARRED_ACTORS]->(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_director": """MATCH (topic:Entity {name: $topic})-[:DIRECTED_BY]->(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_genre": """MATCH (topic:Entity {name: $topic})-[:HAS_GENRE]->(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_language": """MATCH (topic:Entity {name: $topic})-[:IN_LANGUAGE]->(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_tags": """MATCH (topic:Entity {name: $topic})-[:HAS_TAGS]->(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_writer": """MATCH (topic:Entity {name: $topic})-[:WRITTEN_BY]->(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_year": """MATCH (topic:Entity {name: $topic})-[:RELEASE_YEAR]->(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "tag_to_movie": """MATCH (topic:Entity {name: $topic})<-[:HAS_TAGS]-(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
    "writer_to_movie": """MATCH (topic:Entity {name: $topic})<-[:WRITTEN_BY]-(answer)
        WHERE answer <> topic RETURN DISTINCT answer.name""",
}

TWO_HOP: Mapping[str, str] = {
    "actor_to_movie_to_actor": """MATCH (topic:Entity {name: $topic})<-[:STARRED_ACTORS]-(film)
        -[:STARRED_ACTORS]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "actor_to_movie_to_director": """MATCH (topic:Entity {name: $topic})<-[:STARRED_ACTORS]-(film)
        -[:DIRECTED_BY]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "actor_to_movie_to_genre": """MATCH (topic:Entity {name: $topic})<-[:STARRED_ACTORS]-(film)-[:HAS_GENRE]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "actor_to_movie_to_language": """MATCH (topic:Entity {name: $topic})<-[:STARRED_ACTORS]-(film)
        -[:IN_LANGUAGE]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "actor_to_movie_to_writer": """MATCH (topic:Entity {name: $topic})<-[:STARRED_ACTORS]-(film)-[:WRITTEN_BY]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "actor_to_movie_to_year": """MATCH (topic:Entity {name: $topic})<-[:STARRED_ACTORS]-(film)-[:RELEASE_YEAR]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "director_to_movie_to_actor": """MATCH (topic:Entity {name: $topic})<-[:DIRECTED_BY]-(film)
        -[:STARRED_ACTORS]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "director_to_movie_to_director": """MATCH (topic:Entity {name: $topic})<-[:DIRECTED_BY]-(film)
        -[:DIRECTED_BY]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "director_to_movie_to_genre": """MATCH (topic:Entity {name: $topic})<-[:DIRECTED_BY]-(film)-[:HAS_GENRE]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "director_to_movie_to_language": """MATCH (topic:Entity {name: $topic})<-[:DIRECTED_BY]-(film)
        -[:IN_LANGUAGE]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "director_to_movie_to_writer": """MATCH (topic:Entity {name: $topic})<-[:DIRECTED_BY]-(film)-[:WRITTEN_BY]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "director_to_movie_to_year": """MATCH (topic:Entity {name: $topic})<-[:DIRECTED_BY]-(film)-[:RELEASE_YEAR]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_actor_to_movie": """MATCH (topic:Entity {name: $topic})-[:STARRED_ACTORS]->(actor)
        <-[:STARRED_ACTORS]-(answer)
        WHERE actor <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_director_to_movie": """MATCH (topic:Entity {name: $topic})-[:DIRECTED_BY]->(director)
        <-[:DIRECTED_BY]-(answer)
        WHERE director <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_writer_to_movie": """MATCH (topic:Entity {name: $topic})-[:WRITTEN_BY]->(writer)<-[:WRITTEN_BY]-(answer)
        WHERE writer <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "writer_to_movie_to_actor": """MATCH (topic:Entity {name: $topic})<-[:WRITTEN_BY]-(film)-[:STARRED_ACTORS]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "writer_to_movie_to_director": """MATCH (topic:Entity {name: $topic})<-[:WRITTEN_BY]-(film)-[:DIRECTED_BY]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "writer_to_movie_to_genre": """MATCH (topic:Entity {name: $topic})<-[:WRITTEN_BY]-(film)-[:HAS_GENRE]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "writer_to_movie_to_language": """MATCH (topic:Entity {name: $topic})<-[:WRITTEN_BY]-(film)-[:IN_LANGUAGE]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "writer_to_movie_to_writer": """MATCH (topic:Entity {name: $topic})<-[:WRITTEN_BY]-(film)-[:WRITTEN_BY]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "writer_to_movie_to_year": """MATCH (topic:Entity {name: $topic})<-[:WRITTEN_BY]-(film)-[:RELEASE_YEAR]->(answer)
        WHERE film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
}

THREE_HOP: Mapping[str, str] = {
    "movie_to_actor_to_movie_to_director": """MATCH (topic:Entity {name: $topic})-[:STARRED_ACTORS]->(actor)
        <-[:STARRED_ACTORS]-(film)-[:DIRECTED_BY]->(answer)
        WHERE actor <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_actor_to_movie_to_genre": """MATCH (topic:Entity {name: $topic})-[:STARRED_ACTORS]->(actor)
        <-[:STARRED_ACTORS]-(film)-[:HAS_GENRE]->(answer)
        WHERE actor <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_actor_to_movie_to_language": """MATCH (topic:Entity {name: $topic})-[:STARRED_ACTORS]->(actor)
        <-[:STARRED_ACTORS]-(film)-[:IN_LANGUAGE]->(answer)
        WHERE actor <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_actor_to_movie_to_writer": """MATCH (topic:Entity {name: $topic})-[:STARRED_ACTORS]->(actor)
        <-[:STARRED_ACTORS]-(film)-[:WRITTEN_BY]->(answer)
        WHERE actor <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_actor_to_movie_to_year": """MATCH (topic:Entity {name: $topic})-[:STARRED_ACTORS]->(actor)
        <-[:STARRED_ACTORS]-(film)-[:RELEASE_YEAR]->(answer)
        WHERE actor <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_director_to_movie_to_actor": """MATCH (topic:Entity {name: $topic})-[:DIRECTED_BY]->(director)
        <-[:DIRECTED_BY]-(film)-[:STARRED_ACTORS]->(answer)
        WHERE director <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_director_to_movie_to_genre": """MATCH (topic:Entity {name: $topic})-[:DIRECTED_BY]->(director)
        <-[:DIRECTED_BY]-(film)-[:HAS_GENRE]->(answer)
        WHERE director <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_director_to_movie_to_language": """MATCH (topic:Entity {name: $topic})-[:DIRECTED_BY]->(director)
        <-[:DIRECTED_BY]-(film)-[:IN_LANGUAGE]->(answer)
        WHERE director <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_director_to_movie_to_writer": """MATCH (topic:Entity {name: $topic})-[:DIRECTED_BY]->(director)
        <-[:DIRECTED_BY]-(film)-[:WRITTEN_BY]->(answer)
        WHERE director <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_director_to_movie_to_year": """MATCH (topic:Entity {name: $topic})-[:DIRECTED_BY]->(director)
        <-[:DIRECTED_BY]-(film)-[:RELEASE_YEAR]->(answer)
        WHERE director <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_writer_to_movie_to_actor": """MATCH (topic:Entity {name: $topic})-[:WRITTEN_BY]->(writer)
        <-[:WRITTEN_BY]-(film)-[:STARRED_ACTORS]->(answer)
        WHERE writer <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_writer_to_movie_to_director": """MATCH (topic:Entity {name: $topic})-[:WRITTEN_BY]->(writer)
        <-[:WRITTEN_BY]-(film)-[:DIRECTED_BY]->(answer)
        WHERE writer <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_writer_to_movie_to_genre": """MATCH (topic:Entity {name: $topic})-[:WRITTEN_BY]->(writer)
        <-[:WRITTEN_BY]-(film)-[:HAS_GENRE]->(answer)
        WHERE writer <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_writer_to_movie_to_language": """MATCH (topic:Entity {name: $topic})-[:WRITTEN_BY]->(writer)
        <-[:WRITTEN_BY]-(film)-[:IN_LANGUAGE]->(answer)
        WHERE writer <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
    "movie_to_writer_to_movie_to_year": """MATCH (topic:Entity {name: $topic})-[:WRITTEN_BY]->(writer)
        <-[:WRITTEN_BY]-(film)-[:RELEASE_YEAR]->(answer)
        WHERE writer <> topic AND film <> topic AND answer <> topic RETURN DISTINCT answer.name""",
}
