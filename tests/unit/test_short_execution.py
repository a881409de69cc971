"""The short ways of execution give what the library's own ways give, errors included."""

import asyncio
import json
from typing import Any

import pytest
import strawberry
from graphql_bff.execution import ShortExecution
from graphql_bff.shortcuts import READY, shorten
from strawberry.types import Info


@strawberry.interface
class Thing:
    name: str

    @strawberry.field
    def size(self) -> float:
        return {"nan": float("nan"), "text": "wide"}.get(self.name, 1.5)  # pyright: ignore[reportReturnType] - on purpose

    @strawberry.field
    def label(self) -> str:
        if self.name == "broken":
            raise ValueError("no label")
        return None if self.name == "nameless" else self.name.upper()  # pyright: ignore[reportReturnType] - on purpose


def _lid(box: "Box") -> Thing | None:
    """The first thing, where there is one. Raises IndexError."""
    return box.inside[0]


@strawberry.type
class Box(Thing):
    inside: strawberry.Private[tuple[Thing | None, ...]] = ()

    @strawberry.field
    def things(self) -> list[Thing | None]:
        return list(self.inside)

    @strawberry.field
    async def later(self, info: Info[None, None], first: int = 1) -> list[Thing | None]:
        await asyncio.sleep(0)
        return list(self.inside)[:first]

    @strawberry.field(metadata={READY: _lid})
    async def top(self, info: Info[None, None]) -> Thing | None:
        return self.inside[0]


@strawberry.type
class Ball(Thing):
    pass


@strawberry.type
class Stranger:
    name: str


@strawberry.type
class Query:
    @strawberry.field
    def boxes(self) -> list[Box]:
        balls = tuple(Ball(name=name) for name in ("ball", "nan"))
        return [Box(name="full", inside=(*balls, None)), Box(name="empty"), Box(name="nested", inside=(Box(name="x"),))]

    @strawberry.field
    def odd(self, name: str) -> Thing | None:
        return Stranger(name=name) if name == "stranger" else Ball(name=name)  # pyright: ignore[reportReturnType] - on purpose


PLAIN = strawberry.Schema(Query, types=(Box, Ball))
SHORT = strawberry.Schema(Query, types=(Box, Ball), execution_context_class=ShortExecution)
shorten(SHORT)


async def answer(schema: strawberry.Schema, document: str, variables: dict[str, Any]) -> str:
    """Data and errors, keys in order."""
    result = await schema.execute(document, variable_values=variables)
    errors = [(error.message, error.path) for error in result.errors or ()]
    return json.dumps([result.data, errors])


@pytest.mark.parametrize(
    "document",
    [
        "{ boxes { b: name __typename a: label size } }",
        "{ boxes { name things { __typename name ... on Box { things { name } } } } }",
        "{ boxes { things { name size } name } }",
        "{ boxes { later { label } later2: later(first: 3) { name } name } }",
        "{ boxes { name top { name } } }",
        "{ boxes { top { name ... on Box { later { name } } } } }",
        "query($on: Boolean = true) { boxes { name @skip(if: $on) ...F } } fragment F on Box { size }",
        '{ a: odd(name: "broken") { name label } b: odd(name: "nameless") { label } c: odd(name: "ball") { label } }',
        '{ a: odd(name: "text") { size } b: odd(name: "stranger") { name } }',
        "{ __schema { queryType { name fields { name } } } boxes { __typename } }",
    ],
)
async def test_both_ways_give_the_same(document: str) -> None:
    assert await answer(SHORT, document, {}) == await answer(PLAIN, document, {})


async def test_errors_are_worded_by_the_library_and_keep_their_paths() -> None:
    result = await SHORT.execute('{ odd(name: "broken") { name label } boxes { things { size } name } }')

    assert [(error.message, error.path) for error in result.errors or ()] == [
        ("no label", ["odd", "label"]),
        ("Float cannot represent non numeric value: nan", ["boxes", 0, "things", 1, "size"]),
    ]
    assert result.data is not None
    assert result.data["odd"] is None
    assert result.data["boxes"][0] == {"things": [{"size": 1.5}, None, None], "name": "full"}
