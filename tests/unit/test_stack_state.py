"""One owner a folder; others see where its stack is; data of a newer format is left alone."""

from pathlib import Path

import pytest
from enishi.stack_state import DATA_FORMAT, DataIsNewer, StackAlreadyRunning, StackError, StackFolder, StackState


def state(folder: StackFolder) -> StackState:
    return StackState(
        pid=1234,
        agent_target="127.0.0.1:50051",
        graphql_url="http://127.0.0.1:8000/graphql",
        postgres_dsn="postgresql://x",
        vector_socket=folder.home / "vectors.sock",
    )


def test_others_see_where_the_stack_is_until_its_owner_is_gone(tmp_path: Path) -> None:
    owner, other = StackFolder(tmp_path), StackFolder(tmp_path)
    assert other.running_stack() is None

    owner.lock()
    assert other.is_owned
    assert other.running_stack() is None
    owner.publish(state(owner))
    assert other.running_stack() == state(owner)

    owner.unlock()
    assert not other.is_owned
    assert other.running_stack() is None


def test_a_second_stack_on_the_folder_is_refused_and_names_the_first(tmp_path: Path) -> None:
    owner = StackFolder(tmp_path).lock()
    owner.publish(state(owner))

    with pytest.raises(StackAlreadyRunning, match=r"in use by process 1234.*ENISHI_HOME"):
        StackFolder(tmp_path).lock()

    owner.unlock()
    StackFolder(tmp_path).lock().unlock()


def test_data_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "FORMAT").write_text(f"{DATA_FORMAT + 1}\n", encoding="ascii")

    with pytest.raises(DataIsNewer, match=f"format {DATA_FORMAT + 1}.*use the newer Enishi"):
        StackFolder(tmp_path).lock()

    assert (tmp_path / "FORMAT").read_text(encoding="ascii") == f"{DATA_FORMAT + 1}\n"
    assert not StackFolder(tmp_path).is_owned


def test_a_state_left_by_a_killed_owner_is_not_believed(tmp_path: Path) -> None:
    owner = StackFolder(tmp_path).lock()
    owner.publish(state(owner))
    text = (tmp_path / "stack.json").read_bytes()
    owner.unlock()
    (tmp_path / "stack.json").write_bytes(text)

    assert StackFolder(tmp_path).running_stack() is None


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")

    with pytest.raises(StackError, match=r"can't be used.*ENISHI_HOME"):
        StackFolder(tmp_path / "file" / "home").lock()
