"""`enishi eval` runs a stack of its own, asks, and says by its exit status whether the goals are met."""

import json
from pathlib import Path

import pytest
from agent_core.schemas import AnswerStatus
from agent_evals.dataset import Case, GoldSpec, Kind, Match
from agent_evals.renamed import AnyCatalogueRecord
from agent_evals.shipped import Dataset
from datastore.vocabulary import NameKind
from enishi.commands import evaluating
from enishi.commands.evaluating import Evaluation, run_eval
from enishi.settings import Settings
from enishi.stack_state import StackError
from ingestion.records import AnimeRecord, NameRecord

BEBOP = AnimeRecord(ref="enishi:anime:bebop", names=(NameRecord(name="Cowboy Bebop", kind=NameKind.MAIN),), episodes=26)
CASE = Case(
    id="only",
    kind=Kind.LOOKUP,
    wordings=(
        "How many episodes does {name:enishi:anime:bebop:main} have?",
        "{name:enishi:anime:bebop:main} episodes",
        "How many episodes are there in {name:enishi:anime:bebop:main}?",
    ),
    gold=GoldSpec(query="work_field", parameters={"work": BEBOP.ref, "field": "episodes"}),
    expect=(AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS),
    match=Match.VALUE,
)
IMPOSSIBLE = CASE.model_copy(update={"id": "other", "kind": Kind.AMBIGUOUS, "expect": (AnswerStatus.PARTIAL,)})


def asked(
    *, catalogue: str = "demo", dataset: str = "kinds", renamed: bool = False, as_json: bool = True
) -> Evaluation:
    return Evaluation(catalogue, dataset, renamed=renamed, show_failures=True, as_json=as_json)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "untouched", start_seconds=300, ask_seconds=120, log_level="error")


async def test_what_is_not_known_is_refused_before_anything_starts(settings: Settings) -> None:
    with pytest.raises(StackError, match="'marvel' is not known"):
        await run_eval(settings, asked(catalogue="marvel"))
    known = "choose one of kinds, kinds-more, kinds-wide, kinds-held-out, sets, several, demo, held-out"
    with pytest.raises(StackError, match=known):
        await run_eval(settings, asked(dataset="all"))


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_the_exit_status_says_whether_the_goals_are_met(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [CASE]

    def shipped(dataset: Dataset) -> tuple[Case, ...]:
        assert dataset is Dataset.KINDS
        return tuple(cases)

    def records() -> list[AnyCatalogueRecord]:
        return [BEBOP]

    monkeypatch.setattr(evaluating, "load_shipped", shipped)
    monkeypatch.setattr(evaluating, "demo_records", records)
    assert await run_eval(settings, asked(renamed=True)) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["totals"]["right"] == 3
    assert report["shortfalls"] == []
    assert "Cowboy Bebop" not in report["results"][0]["question"]
    cases.append(
        IMPOSSIBLE.model_copy(update={"id": "other", "kind": Kind.AMBIGUOUS, "expect": (AnswerStatus.PARTIAL,)})
    )
    assert await run_eval(settings, asked(as_json=False)) == 1
    shown = capsys.readouterr().out
    assert "UNANSWERED other: How many episodes does Cowboy Bebop have?" in shown
    assert "missed: ambiguous: 0.0% right, 60% wanted" in shown
    assert not settings.home.exists()
