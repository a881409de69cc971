"""Nothing is spent that the budget does not hold."""

from uuid import uuid4

import pytest
from agent_core.budget import Budget, Limits
from agent_core.errors import BudgetExhausted
from agent_core.orchestrator.options import limits_of
from agent_core.schemas import AgentRequest
from agent_core.testing import FakeClock


def budget(clock: FakeClock | None = None, **limits: float) -> Budget:
    return Budget.start(Limits(**limits), (clock or FakeClock()).monotonic)  # pyright: ignore[reportArgumentType]


def refused(spend: object) -> str:
    with pytest.raises(BudgetExhausted) as caught:
        spend()  # pyright: ignore[reportCallIssue, reportUnknownVariableType]
    return caught.value.what


def test_each_spend_is_checked_before_it_counts() -> None:
    spent = budget(turns=1, model_calls=1, tool_calls=1)
    spent.spend_turn()
    spent.spend_model_call()
    spent.spend_tool_call()
    assert refused(spent.spend_turn) == "turns"
    assert refused(spent.spend_model_call) == "model_calls"
    assert refused(spent.spend_tool_call) == "tool_calls"
    assert (spent.turns, spent.model_calls, spent.tool_calls, spent.tool_calls_left) == (1, 1, 1, 0)
    assert spent.is_last_turn


def test_tokens_and_money_stop_the_next_call() -> None:
    tokens = budget(tokens=100)
    tokens.record_tokens(prompt=60, completion=40, cost=None)
    assert refused(tokens.spend_model_call) == "tokens"
    money = budget(cost=0.5)
    money.record_tokens(prompt=1, completion=1, cost=0.5)
    assert refused(money.spend_model_call) == "cost"


def test_when_time_is_up_nothing_more_begins() -> None:
    clock = FakeClock()
    spent = budget(clock, seconds=10)
    clock.advance(4)
    assert spent.timeout(20) == 6
    assert spent.timeout(2) == 2
    clock.advance(7)
    assert spent.remaining_seconds == 0
    assert refused(spent.spend_tool_call) == "time"
    assert refused(lambda: spent.timeout(1)) == "time"


def test_times_of_a_step_add_up() -> None:
    spent = budget()
    spent.record_ms("pg_graph_ms", 1.5)
    spent.record_ms("pg_graph_ms", 2.0)
    assert spent.ms == {"pg_graph_ms": 3.5}


def test_a_request_lowers_the_servers_limits_and_never_raises_them() -> None:
    server = Limits(turns=6, model_calls=12, tool_calls=24, tokens=1_000, cost=1.0, seconds=30)
    lower = AgentRequest(
        query="q",
        request_id=uuid4(),
        max_turns=2,
        max_model_calls=0,
        max_tool_calls=3,
        max_tokens=0,
        timeout_seconds=1.5,
    )
    assert limits_of(lower, server) == Limits(turns=2, model_calls=0, tool_calls=3, tokens=0, cost=1.0, seconds=1.5)
    higher = AgentRequest(
        query="q",
        request_id=uuid4(),
        max_turns=20,
        max_model_calls=100,
        max_tool_calls=200,
        max_tokens=10_000_000,
        timeout_seconds=300,
    )
    assert limits_of(higher, server) == server
    assert limits_of(AgentRequest(query="q", request_id=uuid4()), server) == server
