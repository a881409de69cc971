"""Collections of passages: what is read of them, and how rankings are judged."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from agent_evals.kept_vectors import GivenVectors, KeptVectors, read_unit_vectors
from agent_evals.retrieval import CollectionMissing, Passage, Shares, Wanted, load_hotpot, load_scifact, ndcg, recall
from agent_evals.retrieval_report import Measured, RetrievalReport
from agent_evals.retrieval_run import indexed_text
from embeddings.protocol import EmbedderUnavailable

RELEVANT = frozenset({"a", "b"})


@pytest.mark.parametrize(
    ("ranking", "gain", "share"),
    [("abc", 1.0, 1.0), ("acb", 0.9197, 0.5), ("cba", 0.6934, 0.5), ("cde", 0.0, 0.0), ("", 0.0, 0.0)],
)
def test_rankings_are_judged(ranking: str, gain: float, share: float) -> None:
    assert ndcg(list(ranking), RELEVANT, 3) == pytest.approx(gain, abs=1e-4)
    assert recall(list(ranking), RELEVANT, 2) == share


def test_shares_are_of_even_odd_and_all_questions() -> None:
    questions = [Wanted(str(place), "?", RELEVANT, place % 2 == 0) for place in range(3)]
    assert Shares.of(questions, [1.0, 0.0, 0.5]) == Shares(even=0.75, odd=0.0, all=0.5)


def test_a_goal_that_is_missed_is_named() -> None:
    measured = Measured("hybrid", {"ndcg@10": Shares(0.8, 0.6, 0.7)}, {"ndcg@10": 0.71})
    report = RetrievalReport("scifact", 2, 3, "model", (measured,))
    assert report.shortfalls == ("hybrid: ndcg@10 0.7000, 0.71 wanted",)
    assert json.loads(report.to_json())["searches"][0]["measures"]["ndcg@10"]["odd"] == 0.6
    assert "0.8000  0.6000  0.7000" in report.to_table()


def test_a_collection_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CollectionMissing, match=r"qrels\.test\.tsv is not in"):
        load_scifact(tmp_path)


class Counting(GivenVectors):
    """Counts the texts that it embeds."""

    asked = 0

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        self.asked += len(texts)
        return await super().embed(texts, timeout=timeout)


async def test_vectors_are_kept_between_runs(tmp_path: Path) -> None:
    path = tmp_path / "evals" / "x.npz"
    model = Counting("m", {"one": [1.0, 0.0], "two": [0.0, 1.0]}, 2)
    first = KeptVectors(model, path)
    assert await first.embed(["one", "two", "one"], timeout=1) == [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    await first.close()
    second = KeptVectors(model, path)
    assert await second.embed(["two"], timeout=1) == [[0.0, 1.0]]
    assert model.asked == 2
    path.write_bytes(b"damaged")
    await KeptVectors(model, path).embed(["two"], timeout=1)
    assert model.asked == 3
    with pytest.raises(EmbedderUnavailable):
        await KeptVectors(model, path).embed(["three"], timeout=1)


def test_given_vectors_are_brought_to_length_one(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([[3.0, 4.0], [0.0, 0.0]], np.float16))
    (tmp_path / "ids.txt").write_text("a\nb\n")
    vectors = read_unit_vectors(tmp_path / "v.npy", tmp_path / "ids.txt")
    assert vectors["a"] == pytest.approx([0.6, 0.8])
    assert vectors["b"] == [0.0, 0.0]


def test_a_passage_is_indexed_as_a_chunk_is() -> None:
    assert indexed_text(Passage("k", "A title.", "Its text.")) == "A title. Its text."


@pytest.mark.data
def test_the_pools_are_as_large_as_published(data_folder: Path) -> None:
    pool = load_hotpot(data_folder / "bench" / "multihop")
    assert (len(pool.passages), len(pool.questions)) == (1_971, 200)
    keys = {passage.key for passage in pool.passages}
    assert all(question.relevant <= keys for question in pool.questions)
    claims = load_scifact(data_folder / "bench" / "scifact")
    assert (len(claims.passages), len(claims.questions)) == (5_183, 300)
    assert sum(len(question.relevant) for question in claims.questions) == 339
