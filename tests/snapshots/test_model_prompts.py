"""What models are told, word for word: a change here is a change of prompt and needs a look."""

import json
from typing import Any
from uuid import UUID

import pytest
from agent_core.agents.prompts import ANSWER, JUDGE, REWRITE, SELECT
from agent_core.agents.wire import (
    AnswerInput,
    JudgeInput,
    QueryRewriteWire,
    QuestionInput,
    SelectorInput,
    SufficiencyReportWire,
    draft_answer_type,
    next_step_type,
)
from agent_core.context.retrieved_context import RetrievedContextProvider
from agent_core.context.session_history import history_card
from agent_core.evidence import EntityRef
from agent_core.protocols import StagePrompt
from agent_core.turns import PastMention, PastTurn
from atomic_agents import BaseIOSchema
from atomic_agents.context import SystemPromptGenerator
from datastore.vocabulary import EntityType
from syrupy.assertion import SnapshotAssertion

ACTIONS = ("qdrant_search", "pg_graph", "graph_query", "plan", "final")
OUTPUTS: dict[str, type[BaseIOSchema]] = {
    "rewrite": QueryRewriteWire,
    "next_step": next_step_type(ACTIONS, ("n1", "n2")),
    "next_step_of_few_relations": next_step_type(("pg_graph", "final"), ("n1",), (), ("sequel", "voiced_by")),
    "next_step_without_entities": next_step_type(("qdrant_search", "plan", "final"), ()),
    "next_step_final_only": next_step_type(("final",), ()),
    "draft": draft_answer_type(("e1", "e2"), ("n1",)),
    "report": SufficiencyReportWire,
}


def schema_of(wire: type[BaseIOSchema]) -> dict[str, Any]:
    return wire.model_json_schema()  # pyright: ignore[reportUnknownMemberType] - the framework's arguments are untyped


@pytest.mark.parametrize("prompt", [REWRITE, SELECT, ANSWER, JUDGE], ids=["rewrite", "select", "answer", "judge"])
def test_system_prompts(prompt: StagePrompt, snapshot: SnapshotAssertion) -> None:
    generator = SystemPromptGenerator(
        background=list(prompt.background),
        steps=list(prompt.steps),
        output_instructions=list(prompt.output_instructions),
        context_providers={"retrieved": RetrievedContextProvider(("EVIDENCE e1\nA card.",), marker="0123456789abcdef")},
    )
    assert generator.generate_prompt() == snapshot


def test_earlier_turns_stand_last_and_fenced(snapshot: SnapshotAssertion) -> None:
    luffy = EntityRef(entity_type=EntityType.CHARACTER, id=UUID(int=1), name="Monkey D. Luffy")
    works = tuple(
        EntityRef(entity_type=EntityType.ANIME, id=UUID(int=number), name=f"Work {number}") for number in range(12)
    )
    turns = (
        PastTurn(question="Which anime\nis he in?", mentions=(PastMention(text="Luffy", entity=luffy),), results=works),
        PastTurn(question="What is there about pirates?", mentions=(PastMention(text="pirates"),)),
    )
    generator = SystemPromptGenerator(
        background=list(REWRITE.background),
        steps=list(REWRITE.steps),
        output_instructions=list(REWRITE.output_instructions),
        context_providers={"retrieved": RetrievedContextProvider((history_card(turns),), marker="0123456789abcdef")},
    )
    assert generator.generate_prompt().partition("# EXTRA INFORMATION AND CONTEXT")[2] == snapshot


@pytest.mark.parametrize("name", list(OUTPUTS))
def test_output_schemas(name: str, snapshot: SnapshotAssertion) -> None:
    assert json.dumps(schema_of(OUTPUTS[name]), indent=1, ensure_ascii=False) == snapshot


@pytest.mark.parametrize("schema", [QuestionInput, SelectorInput, AnswerInput, JudgeInput])
def test_inputs_have_no_defaults(schema: type[BaseIOSchema]) -> None:
    assert all(field.is_required() for field in schema.model_fields.values())


@pytest.mark.parametrize("name", list(OUTPUTS))
def test_every_output_field_is_required_and_described(name: str) -> None:
    schema = schema_of(OUTPUTS[name])
    objects = [schema, *schema.get("$defs", {}).values()]
    for part in objects:
        if part.get("type") != "object":
            continue
        assert sorted(part["required"]) == sorted(part["properties"]), part["title"]
        assert all("default" not in field for field in part["properties"].values())
        assert part["description"]
        for field_name, field in part["properties"].items():
            assert "description" in field, (part["title"], field_name)
            assert "oneOf" not in field


def test_the_reason_comes_before_the_choice() -> None:
    assert list(OUTPUTS["next_step"].model_fields) == [
        "rationale",
        "action",
        "search_intent",
        "graph_intent",
        "graph_query_intent",
        "plan",
        "final",
    ]
    assert all(next(iter(schema.model_fields)) == "rationale" for schema in OUTPUTS.values())


def test_types_of_one_shape_are_made_once() -> None:
    assert next_step_type(ACTIONS, ("n1", "n2")) is OUTPUTS["next_step"]


def test_labels_are_few_enough_for_strict_modes() -> None:
    labels = tuple(f"n{number}" for number in range(1, 121))
    schema = schema_of(next_step_type(ACTIONS, labels))
    longest = max(
        len(field.get("enum", ())) for part in schema["$defs"].values() for field in part.get("properties", {}).values()
    )
    assert longest < 250
