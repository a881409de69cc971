"""Invented vectors: deterministic, of length one, with the exact neighbours that recall is measured against."""

import numpy as np
from agent_evals.bench.invented_vectors import DIMENSIONS, FIRST_YEAR, WANTED_TYPE, invent_vectors, recall
from agent_evals.bench.peers.pgvector import vector_text


def test_a_seed_means_the_same_vectors() -> None:
    one, other, third = invent_vectors(1, 200, 5), invent_vectors(1, 200, 5), invent_vectors(2, 200, 5)
    assert np.array_equal(one.vectors, other.vectors)
    assert one.years == other.years
    assert not np.array_equal(one.vectors, third.vectors)


def test_vectors_have_length_one() -> None:
    vectors = invent_vectors(1, 200, 5).vectors
    assert vectors.shape == (200, DIMENSIONS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_the_nearest_are_those_of_a_plain_search() -> None:
    invented = invent_vectors(3, 300, 4)
    for query, found in zip(invented.queries, invented.nearest(), strict=True):
        scores = [float(query @ vector) for vector in invented.vectors]
        assert found == frozenset(sorted(range(300), key=lambda place: -scores[place])[:10])


def test_filtered_neighbours_pass_the_filter() -> None:
    invented = invent_vectors(3, 2000, 4)
    for found in invented.nearest(invented.matching):
        assert len(found) == 10
        assert {invented.types[place] for place in found} == {WANTED_TYPE}
        assert min(invented.years[place] for place in found) >= FIRST_YEAR


def test_recall_counts_what_was_found_of_what_there_is() -> None:
    wanted = [frozenset({1, 2}), frozenset({3, 4})]
    assert recall([[1, 2], [4, 3]], wanted) == 1.0
    assert recall([[1, 9], [9, 9]], wanted) == 0.25
    assert recall([], []) == 0.0


def test_vectors_are_written_as_pgvector_reads_them() -> None:
    assert vector_text([0.5, -0.25]) == "[0.500000,-0.250000]"
