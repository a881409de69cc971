"""The short ways of execution give what the library's own ways give, errors included."""

import asyncio
import json
from collections.abc import Generator, Sequence
from typing import Any, cast

import pytest
import strawberry
from graphql_bff.execution import ShortExecution
from graphql_bff.shortcuts import READY, Wanted, shorten
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


class Shelves:
    """What is on shelves by their names, once it was looked for; each look is noted."""

    def __init__(self) -> None:
        self.looks: list[list[str]] = []
        self.ready: dict[str, list[Shelf] | Exception] = {}

    async def look(self, names: Sequence[str]) -> None:
        await asyncio.sleep(0)
        self.looks.append(list(names))
        for name in names:
            on_it = [Shelf(name=f"{name}{place}") for place in range(2)]
            self.ready[name] = ValueError(f"{name} fell") if name.endswith("11") else on_it


class OnShelf(Wanted):
    """What is on one shelf."""

    def __init__(self, shelves: Shelves, name: str) -> None:
        self._shelves = shelves
        self._name = name

    def __await__(self) -> Generator[Any, None, "list[Shelf]"]:
        if not self.is_ready:
            yield from self._shelves.look([self._name]).__await__()
        return self.value()

    @property
    def is_ready(self) -> bool:
        return self._name in self._shelves.ready

    def value(self) -> "list[Shelf]":
        found = self._shelves.ready[self._name]
        if isinstance(found, Exception):
            raise found
        return found

    async def together(self, all_of_them: "Sequence[OnShelf]") -> None:
        await self._shelves.look([each._name for each in all_of_them])


@strawberry.type
class Shelf(Thing):
    @strawberry.field
    def smaller(self, info: Info[Shelves, None], upto: int = 9) -> "list[Shelf]":
        if upto < 0:
            raise ValueError("upto: must not be negative")
        return cast("list[Shelf]", OnShelf(info.context, self.name))


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
    def shelves(self) -> list[Shelf]:
        return [Shelf(name=name) for name in ("a", "b")]

    @strawberry.field
    def odd(self, name: str) -> Thing | None:
        return Stranger(name=name) if name == "stranger" else Ball(name=name)  # pyright: ignore[reportReturnType] - on purpose


PLAIN = strawberry.Schema(Query, types=(Box, Ball))
SHORT = strawberry.Schema(Query, types=(Box, Ball), execution_context_class=ShortExecution)
shorten(SHORT)


async def answer(schema: strawberry.Schema, document: str, variables: dict[str, Any]) -> str:
    """Data and errors, keys in order."""
    result = await schema.execute(document, variable_values=variables, context_value=Shelves())
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
        "{ shelves { name smaller { name size } } again: shelves { smaller(upto: 3) { name } } }",
        "{ shelves { smaller { smaller { smaller { name } more: smaller { label } } name } } }",
        "{ shelves { name smaller(upto: -1) { name } } }",
        "query($upto: Int = 4) { shelves { smaller(upto: $upto) { name things: __typename } } }",
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


async def test_what_objects_of_a_list_wait_for_they_wait_for_together() -> None:
    shelves = Shelves()
    document = "{ shelves { name smaller { smaller { name } } } }"
    result = await SHORT.execute(document, context_value=shelves)

    assert result.data is not None
    assert [[each["name"] for each in shelf["smaller"][0]["smaller"]] for shelf in result.data["shelves"]] == [
        ["a00", "a01"],
        ["b00", "b01"],
    ]
    assert shelves.looks == [["a", "b"], ["a0", "a1", "b0", "b1"]]


async def test_what_could_not_be_had_fails_its_own_field_and_is_not_asked_for_again() -> None:
    shelves = Shelves()
    document = "{ shelves { smaller { smaller { smaller { name } } } } }"
    result = await SHORT.execute(document, context_value=shelves)

    assert [(error.message, error.path) for error in result.errors or ()] == [
        ("a11 fell", ["shelves", 0, "smaller", 1, "smaller", 1, "smaller"])
    ]
    assert shelves.looks == [
        ["a", "b"],
        ["a0", "a1", "b0", "b1"],
        [f"{of}{n}" for of in "ab" for n in ("00", "01", "10", "11")],
    ]
