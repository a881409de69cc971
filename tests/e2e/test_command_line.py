"""The commands beside a running stack, on bad input, and on a folder they can't use."""

import json
import socket
import subprocess
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from agent_core.schemas import AgentResponse, AnswerStatus
from fixtures.stack import DemoRuns, Home

pytestmark = [pytest.mark.timeout(900)]


def anime(ref: str, name: str, *, episodes: int) -> dict[str, object]:
    """One record of the interchange format."""
    return {"record": "anime", "ref": ref, "names": [{"name": name, "kind": "main"}], "episodes": episodes}


def test_one_json_answer_whose_entities_carry_names(running_home: Home) -> None:
    done = running_home.run("ask", "--json", "Who directed Cowboy Bebop?")

    assert done.returncode == 0, done.stderr
    response = AgentResponse.model_validate_json(done.stdout)
    assert response.status is AnswerStatus.ANSWERED
    assert [ref.name for ref in response.result_entities] == ["Shinichiro Watanabe"]
    assert all(ref.name for ref in response.source_entities)


def test_a_question_is_followed_as_it_is_answered(running_home: Home) -> None:
    done = running_home.call("ask", "--json", "--stream", "--batch", "-", given="Who directed Cowboy Bebop?\n\n")

    *events, refusal = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert (events[0]["kind"], events[-1]["kind"]) == ("run_started", "run_finished")
    response = AgentResponse.model_validate(events[-1]["response"])
    assert [ref.name for ref in response.result_entities] == ["Shinichiro Watanabe"]
    finished = [event["stage_finished"] for event in events if event["kind"] == "stage_finished"]
    assert [step["n"] for step in finished] == [step.n for step in response.steps]
    assert (refusal["error"]["field"], done.returncode) == ("query", 1)


def test_a_batch_is_answered_line_by_line_in_order(running_home: Home) -> None:
    questions = ["Who directed Cowboy Bebop?", "", "How many episodes does Cowboy Bebop have?", "a" * 10_000]

    done = running_home.call("ask", "--json", "--batch", "-", given="\n".join(questions) + "\n")

    lines = done.stdout.splitlines()
    assert len(lines) == len(questions)
    assert done.returncode == 1
    assert "Watanabe" in AgentResponse.model_validate_json(lines[0]).answer
    assert json.loads(lines[1])["error"]["field"] == "query"
    assert "26" in AgentResponse.model_validate_json(lines[2]).answer
    assert "2000" in json.loads(lines[3])["error"]["message"]


def test_questions_of_one_session_follow_on_each_other(running_home: Home) -> None:
    session = str(uuid4())
    running_home.call("ask", "--json", "--session", session, "Who directed Cowboy Bebop?")

    done = running_home.call("ask", "--json", "--session", session, "What else has he directed?")
    document = {
        "query": 'query ($id: ID!) { searchAi(question: "Who directed it?", sessionId: $id) { rewrittenQuery } }',
        "variables": {"id": session},
    }
    answer = httpx.post(running_home.state["graphql_url"], json=document, timeout=60).json()

    assert "Samurai Champloo" in AgentResponse.model_validate_json(done.stdout).answer
    assert "errors" not in answer, answer
    assert "Cowboy Bebop" in answer["data"]["searchAi"]["rewrittenQuery"]


@pytest.mark.parametrize("question", ["Who directed\x00 Cowboy Bebop?", "Who directed \x07\x1bCowboy Bebop?"])
def test_control_characters_change_nothing(running_home: Home, question: str) -> None:
    done = running_home.call("ask", "--json", "--batch", "-", given=question)

    assert done.returncode == 0, done.stdout
    assert "Watanabe" in AgentResponse.model_validate_json(done.stdout).answer


def test_an_answer_for_people_shows_its_evidence(running_home: Home) -> None:
    done = running_home.call("ask", "How many episodes does Cowboy Bebop have?", NO_COLOR="1")

    assert "26" in done.stdout
    assert "Evidence" in done.stdout
    assert "[1]" in done.stdout
    assert "\x1b" not in done.stdout


def test_doctor_checks_each_part_and_hides_secrets(running_home: Home) -> None:
    done = running_home.call("doctor", "--json", ENISHI_INTERNAL_TOKEN="a-secret", ENISHI_NO_SUCH_THING="1")

    document = json.loads(done.stdout)
    checks = {check["name"]: check for check in document["checks"]}
    assert done.returncode == 1
    for name in ("postgresql", "outbox", "vector index", "answer service", "embeddings"):
        assert checks[name]["ok"] is True, checks[name]
    assert checks["environment"]["ok"] is False
    assert "ENISHI_NO_SUCH_THING" in checks["environment"]["details"]
    assert "a-secret" not in done.stdout + done.stderr


def test_an_import_beside_the_running_stack_is_answered_from_at_once(running_home: Home, tmp_path: Path) -> None:
    records = [
        {
            "record": "anime",
            "ref": "mine:anime:1",
            "names": [{"name": "Quelbrath Vantorium", "kind": "main"}],
            "episodes": 17,
        },
        {"record": "anime", "ref": "mine:anime:2", "names": [{"name": "Broken", "kind": "main"}], "episodes": -3},
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")

    first = running_home.call("import", "--json", "interchange", str(tmp_path))
    second = running_home.call("import", "--json", "interchange", str(tmp_path))

    assert first.returncode == 1
    report = json.loads(first.stdout)
    assert report["refused_count"] == 1
    assert "episodes" in report["refused"][0]["reason"]
    kept = {each["record"]: each for each in json.loads(second.stdout)["kept"]}
    assert (kept["anime"]["created"], kept["anime"]["changed"], kept["anime"]["unchanged"]) == (0, 0, 1)
    answer = running_home.call("ask", "--json", "How many episodes does Quelbrath Vantorium have?")
    assert "17" in AgentResponse.model_validate_json(answer.stdout).answer


@pytest.mark.slow
def test_documents_are_added_listed_and_removed_beside_the_running_stack(running_home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "cranes.md").write_text("---\ntitle: Of cranes\ndate: 2024-03\n---\nCranes fly.\n", encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 no")

    added = running_home.call("documents", "add", "--json", str(folder), "--collection", "birds")
    listed = running_home.call("documents", "list", "--json", "--collection", "birds")
    removed = running_home.call("documents", "remove", "--json", "--collection", "birds")
    again = running_home.call("documents", "remove", "--json", "--collection", "birds")
    misnamed = running_home.call("documents", "add", str(folder), "--collection", "Birds!")

    assert added.returncode == 1, added.stderr
    report = json.loads(added.stdout)
    assert [each["created"] for each in report["kept"]] == [1]
    assert [each["place"]["file"] for each in report["refused"]] == ["broken.pdf"]
    document = json.loads(listed.stdout)
    assert (document["ref"], document["title"], document["date"]) == (
        "birds:document:cranes.md",
        "Of cranes",
        "2024-03",
    )
    assert (json.loads(removed.stdout), removed.returncode) == ({"removed": 1}, 0)
    assert (json.loads(again.stdout), again.returncode) == ({"removed": 0}, 2)
    assert (misnamed.returncode, "--collection" in misnamed.stderr) == (2, True)


@pytest.mark.slow
def test_an_export_is_a_file_or_printed_and_says_what_it_wrote(running_home: Home, tmp_path: Path) -> None:
    target = tmp_path / "all.jsonl"

    written = running_home.call("export", "--json", str(target))
    printed = running_home.call("export", "-", "--json", "--source", "demo")
    missing = running_home.call("export", "-", "--source", "nobody")

    assert (written.returncode, printed.returncode, missing.returncode) == (0, 0, 2)
    lines = target.read_text(encoding="utf-8").splitlines()
    report = json.loads(written.stdout)
    assert report["lines"] == len(lines)
    assert "demo" in report["sources"]
    of_demo = printed.stdout.splitlines()
    assert of_demo[0] == '{"record":"source","source":"demo"}'
    assert json.loads(printed.stderr.splitlines()[-1])["lines"] == len(of_demo)
    assert set(of_demo) <= set(lines)
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl"]
    assert "the catalogue holds nothing from 'nobody'; its sources are " in missing.stderr


def test_a_second_stack_on_the_folder_is_refused(running_home: Home) -> None:
    done = running_home.run("up")

    assert done.returncode == 1
    assert f"in use by process {running_home.state['pid']}" in done.stderr
    assert "ENISHI_HOME" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_named_with_the_setting_that_changes_it(home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = home.run("up", ENISHI_GRAPHQL_PORT=port)

    assert done.returncode == 1
    assert f":{port} is in use" in done.stderr
    assert "ENISHI_GRAPHQL_PORT" in done.stderr
    assert "Traceback" not in done.stderr


def test_data_of_a_newer_version_is_refused(home: Home) -> None:
    home.path.mkdir()
    (home.path / "FORMAT").write_text("999\n", encoding="ascii")

    done = home.call("up")

    assert done.returncode == 1
    assert "format 999" in done.stderr
    assert sorted(path.name for path in home.path.iterdir()) == ["FORMAT", "stack.lock"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ask",), "QUESTION or --batch FILE"),
        (("ask", "--batch", "/no/such/file"), "can't be read"),
        (("import", "nonsense", "."), "'nonsense' is not known; choose one of anilist, "),
        (("import", "anilist", "/no/such/folder"), "does not exist"),
        (("import", "anilist"), "PATH"),
        (("export", "/no/such/folder/all.jsonl"), "there is no folder /no/such/folder"),
    ],
)
def test_bad_arguments_are_explained_at_once(home: Home, arguments: tuple[str, ...], message: str) -> None:
    done = home.call(*arguments)

    assert done.returncode == (1 if arguments[0] == "ask" and len(arguments) > 1 else 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not home.path.exists()


def test_a_setting_out_of_range_is_named(home: Home) -> None:
    done = home.call("up", ENISHI_GRAPHQL_PORT="100000")

    assert done.returncode == 2
    assert "ENISHI_GRAPHQL_PORT" in done.stderr


def answers_three_questions(run: "subprocess.CompletedProcess[str]") -> None:
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("Evidence") == 3
    assert "/graphql" in run.stderr


def test_demo_once_answers_three_questions(demo_runs: DemoRuns) -> None:
    answers_three_questions(demo_runs.first)


@pytest.mark.slow
def test_the_second_start_of_the_demo_answers_as_well(demo_runs: DemoRuns) -> None:
    second = demo_runs.copy.run("demo", "--once", NO_COLOR="1")

    answers_three_questions(second)


def test_a_killed_stack_leaves_nothing_that_stops_the_next(demo_runs: DemoRuns) -> None:
    used_home = demo_runs.copy
    process = used_home.start()
    process.kill()
    process.wait(30)
    if process.stderr is not None:
        process.stderr.close()

    done = used_home.run("ask", "--json", "How many episodes does Cowboy Bebop have?")

    assert done.returncode == 0, done.stderr
    assert "26" in AgentResponse.model_validate_json(done.stdout).answer


def test_help_is_immediate_and_lists_the_commands() -> None:
    from fixtures.stack import ENISHI

    done = subprocess.run([ENISHI, "--help"], capture_output=True, text=True, timeout=30, check=True)
    for command in ("demo", "up", "ask", "import", "export", "doctor", "migrate"):
        assert command in done.stdout


@pytest.mark.slow
def test_a_home_of_an_older_version_answers_from_documents_after_its_next_start(home: Home) -> None:
    question = "How many layout sheets were hung for the Cowboy Bebop exhibition?"
    assert home.run("import", "demo").returncode == 0

    first, second = (home.run("ask", "--json", question) for _ in range(2))

    assert "212 layout sheets" in AgentResponse.model_validate_json(first.stdout).answer
    assert "loading the demo documents" in first.stderr
    assert "212 layout sheets" in AgentResponse.model_validate_json(second.stdout).answer
    assert "loading" not in second.stderr
