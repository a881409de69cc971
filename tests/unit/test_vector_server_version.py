"""The stack's Qdrant is of a version that has what the vector store asks of it."""

import re
from pathlib import Path

from datastore.vectors.server import MINIMUM_SERVER_VERSION

_COMPOSE = Path(__file__).parents[2] / "docker-compose.yaml"


def test_the_compose_file_names_a_server_that_is_new_enough() -> None:
    image = re.search(r"image: qdrant/qdrant:v(\d+)\.(\d+)\.\d+", _COMPOSE.read_text())
    assert image is not None
    assert tuple(map(int, image.groups())) >= tuple(map(int, MINIMUM_SERVER_VERSION.split(".")))
