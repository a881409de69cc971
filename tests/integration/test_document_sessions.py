"""Questions of documents in a session and run again, while the documents change."""

from pathlib import Path
from uuid import uuid4

import pytest
from agent_core.recording.differences import first_difference
from agent_core.replay import replay
from agent_core.schemas import AgentRequest, AnswerStatus, Strategy
from embeddings.bundled import BundledEmbedder
from fixtures.document_files import write_files
from fixtures.recorded_runs import run_recorded
from fixtures.stored_documents import open_stored_documents

LAMP = "# The Lamp of Quindle\n\nMirelle Ostrander built the lamp in 1871. It burns {} litres of oil a night.\n"
BELL = "# The Bell of Vrell\n\nThe bell of Vrell was cast in 1902. It weighs 300 kilograms.\n"
OIL = "According to “The Lamp of Quindle”, how many litres of oil does the lamp burn a night?"


@pytest.mark.parametrize("strategy", [Strategy.DOCUMENTS, Strategy.AUTO])
async def test_a_follow_up_about_a_document_that_was_deleted_says_that_it_is_gone(
    database_url: str, short_folder: Path, tmp_path: Path, embedder: BundledEmbedder, strategy: Strategy
) -> None:
    async with open_stored_documents(database_url, short_folder / "store", embedder) as stored:
        await stored.add(write_files(tmp_path / "in", lamp_md=LAMP.format(40), bell_md=BELL))
        session = uuid4()
        await stored.ask("According to “The Lamp of Quindle”, who built the lamp?", session=session, strategy=strategy)
        oil = "How many litres of oil does it burn?"
        there = await stored.ask(oil, session=session, strategy=strategy)
        await stored.remove("notes:document:lamp.md")
        gone = await stored.ask(oil, session=session, strategy=strategy)
    assert (there.status, there.rewritten_query) == (
        AnswerStatus.ANSWERED,
        "According to “The Lamp of Quindle”, how many litres of oil does it burn?",
    )
    assert there.answer == "“The Lamp of Quindle”: “It burns 40 litres of oil a night” [1]."
    assert (gone.status, gone.missing, gone.evidence) == (
        AnswerStatus.NOT_FOUND,
        ("document:The Lamp of Quindle",),
        (),
    )
    assert gone.answer.endswith("“The Lamp of Quindle” is not in the collection.")


async def test_a_document_question_run_again_shows_what_changed_in_the_document(
    database_url: str, short_folder: Path, tmp_path: Path, embedder: BundledEmbedder
) -> None:
    async with open_stored_documents(database_url, short_folder / "store", embedder) as stored:
        await stored.add(write_files(tmp_path / "in", lamp_md=LAMP.format(40), bell_md=BELL))
        request = AgentRequest(query=OIL, request_id=uuid4(), strategy=Strategy.DOCUMENTS)
        response, recorded = await run_recorded(stored.loop, request)
        record = recorded(True)
        same = await replay(stored.loop, record, seconds=30)
        await stored.add(write_files(tmp_path / "in", lamp_md=LAMP.format(55)))
        other, changed = await replay(stored.loop, record, seconds=30), await stored.ask(OIL)
    assert "It burns 40 litres of oil a night" in response.answer
    assert first_difference(record, same) is None
    found = first_difference(record, other)
    assert found is not None
    ids = tuple(each.sources[0].evidence_id for each in (response, changed))
    assert (found.name, found.where, (found.recorded, found.replayed)) == ("document_lookup", "evidence", ids)
