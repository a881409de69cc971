"""References between PEPs beside the published edges: a small archive of our own, and the public one."""

import io
import json
import tarfile
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from agent_core.evidence import EntityRef
from agent_core.schemas import AgentResponse, AnswerStatus
from agent_evals.cypher.files import DataMissing
from agent_evals.peps import Collected, compare, detect_edges, pep_files, published_edges, read_documents
from agent_evals.peps_questions import WORDINGS, ask_edges
from agent_evals.peps_report import PepEdge, PepQuestions
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from enishi.commands.errors import UsageError
from enishi.commands.evaluating_peps import run_peps_eval
from enishi.settings import Settings
from fixtures.agents import agent_response

_E = EdgeType
_ONE = "PEP: 1\nTitle: Of Zorblax\nRequires: 2\n\nSee PEP 2, Section 3 of PEP 4, and PEP 1 itself.\n"
_TWO = "PEP: 2\nTitle: Of Quux\nSuperseded-By: 4\n\nNothing is mentioned.\n"
_PUBLISHED = (
    {"src": 1, "rel": "mentions", "dst": 2, "count": 1},
    {"src": 1, "rel": "mentions", "dst": 4, "count": 1},
    {"src": 1, "rel": "Requires", "dst": 2},
    {"src": 2, "rel": "Superseded-By", "dst": 4},
    {"src": 4, "rel": "Replaces", "dst": 2},
    {"src": 4, "rel": "mentions", "dst": 2},
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "docs" / "peps"
    folder.mkdir(parents=True)
    with tarfile.open(folder / "peps_public_domain.tar.xz", "w:xz") as archive:
        for name, text in (("pep-0001.rst", _ONE), ("pep-0002.rst", _TWO), ("README", "no header")):
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    lines = "".join(f"{json.dumps(each)}\n" for each in _PUBLISHED)
    (folder / "peps_edges.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_edges_come_from_the_documents_alone(data: Path) -> None:
    collected = detect_edges(read_documents(pep_files(data).archive))

    assert collected.numbers == {1, 2}
    assert sorted(collected.edges) == [
        PepEdge(1, "mentions", 2),
        PepEdge(1, "mentions", 4),
        PepEdge(1, "requires", 2),
        PepEdge(2, "superseded_by", 4),
    ]


def test_all_goals_are_met(data: Path) -> None:
    files = pep_files(data)
    documents = read_documents(files.archive)

    report = compare(detect_edges(documents), published_edges(files), documents)

    assert report.shortfalls == ()
    assert (report.precision, report.recall, len(report.stated), len(report.outside)) == (1.0, 1.0, 2, 1)
    assert report.dangling == 1
    assert json.loads(report.to_json())["outside"] == {"asked": 1, "not_in_the_collection": 1}


def test_what_is_missed_is_named(data: Path) -> None:
    files = pep_files(data)
    edges = frozenset({PepEdge(1, "mentions", 2), PepEdge(1, "mentions", 9)})
    collected = Collected(frozenset({1, 2, 4}), edges, unanswered=frozenset({PepEdge(1, "requires", 2)}))
    collected = replace(collected, questions=PepQuestions(3, 1, ("What requires PEP 2?",)))

    report = compare(collected, published_edges(files), read_documents(files.archive))

    assert report.shortfalls == (
        "precision of mentions 0.500, less than 0.98",
        "recall of mentions 0.500, less than 0.99",
        "2 edges of headers missing or invented",
        "1 edges of documents outside of the collection",
        "1 edges of headers that the graph doesn't show",
        "1 questions answered wrongly",
    )
    assert report.to_failures().splitlines() == [
        "MISSED 1 mentions 4",
        "MISSED 1 requires 2",
        "MISSED 2 superseded_by 4",
        "BESIDE 1 mentions 9",
        "WRONG What requires PEP 2?",
    ]
    assert "precision, recall of mentions             0.5000  0.5000" in report.to_table()


async def test_questions_are_right_where_the_target_and_nothing_else_is_told() -> None:
    numbers = {number: UUID(int=number) for number in (1, 2, 3)}
    edges = [PepEdge(1, "requires", 2), PepEdge(2, "superseded_by", 4), PepEdge(4, "supersedes", 2)]
    said: dict[str, tuple[str, AnswerStatus, list[int]]] = {
        "requires PEP 2": ("It is 1.", AnswerStatus.ANSWERED, [1]),
        "PEP 1": ("It is 2.", AnswerStatus.ANSWERED, [2]),
        "PEP 2": ("It is PEP 4, which is not in the collection.", AnswerStatus.NOT_FOUND, []),
        "PEP 4": ("“PEP 4” is not in the collection.", AnswerStatus.NOT_FOUND, []),
    }

    async def ask(question: str, /) -> AgentResponse:
        is_back = any(word in question for word in ("requires PEP", "require PEP", "depends on"))
        key = next(key for key in said if (key == "requires PEP 2") == is_back and key.split()[-1] in question)
        text, status, told = said[key]
        found = [EntityRef(entity_type=EntityType.DOCUMENT, id=numbers[each]) for each in told]
        return agent_response(answer=text, status=status, result_entities=tuple(found))

    right = await ask_edges(edges, numbers, ask)
    assert (right.asked, right.outside, right.failed) == (16, 4, ())

    said["PEP 1"] = ("It is 2 and 3.", AnswerStatus.ANSWERED, [2, 3])
    said["PEP 4"] = ("Nothing was found.", AnswerStatus.NOT_FOUND, [])
    wrong = await ask_edges(edges, numbers, ask)
    assert wrong.failed == tuple(
        sorted(
            wording.format(n=number)
            for edge, number in ((_E.REQUIRES, 1), (_E.SUPERSEDES, 4))
            for wording in WORDINGS[edge]
        )
    )


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=r"peps_public_domain\.tar\.xz"):
        pep_files(tmp_path)


async def test_the_command_names_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"needs a folder.*--data .*ENISHI_DATA"):
        await run_peps_eval(Settings(data=None), None, show_failures=False, as_json=False)
    with pytest.raises(UsageError, match=r"docs/.* is not there; --data or ENISHI_DATA"):
        await run_peps_eval(Settings(), tmp_path, show_failures=False, as_json=False)


@pytest.mark.slow
async def test_the_command_imports_and_asks(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await run_peps_eval(Settings(data=data), None, show_failures=True, as_json=True) == 0

    report = json.loads(capsys.readouterr().out)
    assert report["documents"] == 2
    assert report["mentions"]["recall"] == 1.0
    assert report["stated"] == {"published": 2, "right": 2, "missed": [], "beside": [], "unanswered": []}
    # Of 1: what it requires; of 2: what requires it, what it is superseded by; of 4, which isn't there.
    assert report["questions"] == {"asked": 16, "about_documents_outside": 4, "right": 16, "failed": []}


@pytest.mark.slow
@pytest.mark.data
def test_the_public_archive(data_folder: Path) -> None:
    files = pep_files(data_folder)
    documents = read_documents(files.archive)

    report = compare(detect_edges(documents), published_edges(files), documents)

    assert report.shortfalls == ()
    assert (report.documents, len(report.mentions), len(report.stated), len(report.outside)) == (703, 1626, 107, 12)
    assert report.recall == 1.0


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(900)
async def test_the_public_edges_are_told_when_they_are_asked_in_words(
    data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        await run_peps_eval(Settings(data=data_folder, log_level="error"), None, show_failures=True, as_json=True) == 0
    )

    questions = json.loads(capsys.readouterr().out)["questions"]
    assert questions == {"asked": 565, "about_documents_outside": 21, "right": 565, "failed": []}
