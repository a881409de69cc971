"""What GraphQL refuses: each refusal names the field and its limit, and none is a server error."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable
from uuid import uuid4

import httpx
import pytest
from fixtures.graphql import NO_DATABASE, GraphqlClient, Json, serving_graphql

SOME_ID = "01234567-89ab-cdef-0123-456789abcdef"
JSON_TYPE = {"Content-Type": "application/json"}


@pytest.fixture
async def graphql() -> AsyncGenerator[GraphqlClient]:
    """Nothing here gets as far as the database."""
    async with serving_graphql(NO_DATABASE) as client:
        yield client


def errors_of(answer: httpx.Response) -> list[Json]:
    """The errors of an answer, in the one form that all have."""
    body: Json = answer.json()
    assert body["data"] is None
    assert all(error["message"] and error["extensions"]["code"] for error in body["errors"])
    return body["errors"]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 400, "body: must be JSON"),
        (b"null", 400, "body: must be a JSON object"),
        (b"[]", 400, "body: must be a JSON object"),
        (b'[{"query": "{__typename}"}]', 400, "body: must be a JSON object"),
        (b'"query"', 400, "body: must be a JSON object"),
        (b"{}", 400, "query: must be a string that is not empty"),
        (b'{"query": null}', 400, "query: must be a string that is not empty"),
        (b'{"query": ""}', 400, "query: must be a string that is not empty"),
        (b'{"query": 5}', 400, "query: must be a string that is not empty"),
        (b'{"query": "{__typename}", "variables": []}', 400, "variables: must be an object"),
        (b'{"query": "{__typename}", "variables": 0}', 400, "variables: must be an object"),
        (b'{"query": "{__typename}", "extensions": "a"}', 400, "extensions: must be an object"),
        (b'{"query": "{__typename}", "operationName": {}}', 400, "operationName: must be a string"),
        (b'{"query": "{__typename}", "variables": {"a": NaN}}', 400, "body: must be JSON"),
        (b'{"query": "{__typename}", "variables": {"a": -Infinity}}', 400, "body: must be JSON"),
        (b'{"query": "{__typename}", "variables": {"a": ' + b"9" * 100_000 + b"}}", 400, "body: must be JSON"),
        (b'{"query": "\xff\xfe"}', 400, "body: must be UTF-8"),
        (b"[" * 100_000, 400, "body: JSON may nest 32 deep"),
        (b'{"a":' * 33 + b"1" + b"}" * 33, 400, "body: JSON may nest 32 deep"),
        (b'{"query": "' + b"a" * 256 * 1024 + b'"}', 413, "body: at most 262144 bytes"),
    ],
)
async def test_a_body_that_is_no_request_is_refused(
    graphql: GraphqlClient, body: bytes, status: int, message: str
) -> None:
    answer = await graphql.http.post("/graphql", content=body, headers=JSON_TYPE)
    assert answer.status_code == status
    assert [error["message"] for error in errors_of(answer)] == [message]


async def test_brackets_within_strings_do_not_nest(graphql: GraphqlClient) -> None:
    text = "[" * 100 + '"\\' + "{" * 100
    answer = await graphql.post("{ __typename }", {"unused": text})
    assert answer.json() == {"data": {"__typename": "Query"}}


async def test_a_body_in_pieces_is_refused_as_soon_as_it_is_too_large(graphql: GraphqlClient) -> None:
    sent = 0

    async def pieces() -> AsyncGenerator[bytes]:
        nonlocal sent
        for _ in range(1_000):
            sent += 10_000
            yield b"a" * 10_000

    answer = await graphql.http.post("/graphql", content=pieces(), headers=JSON_TYPE)
    assert answer.status_code == 413
    assert sent <= 280_000


async def test_the_body_of_another_method_is_passed_over(graphql: GraphqlClient) -> None:
    async def pieces() -> AsyncGenerator[bytes]:
        for _ in range(100):
            yield b"a" * 10_000

    answer = await graphql.http.put("/graphql", content=pieces(), headers=JSON_TYPE)
    assert answer.status_code == 405


async def test_a_body_that_drips_is_given_up() -> None:
    async def drip() -> AsyncGenerator[bytes]:
        for _ in range(50):
            yield b" "
            await asyncio.sleep(0.05)

    async with serving_graphql(NO_DATABASE, body_seconds=0.2) as graphql:
        answer = await graphql.http.post("/graphql", content=drip(), headers=JSON_TYPE)
    assert answer.status_code == 408
    assert [error["message"] for error in errors_of(answer)] == ["body: must arrive within 0.2 seconds"]


def deep(levels: int) -> str:
    """A query of so many levels."""
    inner = "name"
    for _ in range((levels - 2) // 2):
        inner = f"links {{ entity {{ {inner} }} }}"
    return f'{{ anime(id: "{SOME_ID}") {{ {inner} }} }}'


def doubling(fragments: int) -> str:
    """Fragments each of which spreads the next one twice: two to the power of their number fields."""
    chain = " ".join(f"fragment F{n} on Query {{ ...F{n + 1} ...F{n + 1} }}" for n in range(fragments))
    return f"{{ ...F0 }} {chain} fragment F{fragments} on Query {{ __typename }}"


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (deep(12), "query depth: at most 10, this one has 12"),
        ("{ " + " ".join(f"a{n}: __typename" for n in range(16)) + " }", "query aliases: at most 15, this one has 16"),
        ("{ " + "__typename " * 501 + "}", "query fields: at most 500, this one has 501"),
        (doubling(39), f"query fields: at most 500, this one has {2**39}"),
        ("{ " + "__typename " * 102 + "}", "query repeats: at most 100 fields twice, this one has 101"),
        ("{ " + "__typename " * 1_000 + "}", "Syntax Error: Document contains more than 1000 tokens. Parsing aborted."),
        ("{a" * 400, "Syntax Error: Document is nested too deeply. Parsing aborted."),
        ("{ entities(ids: " + "[" * 450 + "1" + "]" * 450 + ") { id } }",
         "Syntax Error: Document is nested too deeply. Parsing aborted."),
        ("{ search(query: \"a\", first: " + "1" * 100_000 + ") { id } }", "query numbers: at most 40 characters"),
        ("{ search(query: \"a\", first: 1e" + "9" * 1_000 + ") { id } }", "query numbers: at most 40 characters"),
        ("query Q { __typename } " * 11, "query operations: at most 10, this one has 11"),
        ("{ __typename } " + "fragment F on Query { __typename } " + " ".join(
            f"fragment F{n} on Query {{ __typename }}" for n in range(40)
        ), "query fragments: at most 40, this one has 41"),
        ("{ __typename } fragment F on Query { " + "__typename " * 501 + "}",
         "query fields: at most 500, this one has 502"),
        ("{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }", "a fragment spreads itself"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)  # fmt: skip
async def test_a_document_over_a_limit_is_refused(graphql: GraphqlClient, document: str, message: str) -> None:
    answer = await graphql.post(document)
    assert answer.status_code == 200
    assert message in [error["message"] for error in errors_of(answer)]


async def test_a_document_at_its_limits_is_answered(graphql: GraphqlClient) -> None:
    aliases = " ".join(f"a{n}: __typename" for n in range(15))
    data = await graphql.data(f"{{ {aliases} {'__typename ' * 100} }}")
    assert len(data) == 16


def spreading(fragments: int) -> str:
    """Fragments each of which spreads the seven after it."""
    parts = [
        f"fragment F{n} on Query {{ {' '.join(f'...F{m}' for m in range(n + 1, min(n + 8, fragments)))} __typename }}"
        for n in range(fragments)
    ]
    return "{ ...F0 } " + " ".join(parts)


def fan(fragments: int) -> str:
    """Many fragments in one place, each by way of another, so that nothing repeats."""
    spreads = " ".join(f"...F{n}" for n in range(fragments - 1))
    parts = " ".join(f"fragment F{n} on Query {{ ...G }}" for n in range(fragments - 1))
    return f"{{ {spreads} }} {parts} fragment G on Query {{ __typename }}"


def repeating(fields: int) -> str:
    """One field often."""
    return f'{{ anime(id: "{SOME_ID}") {{ {" ".join(["name"] * fields)} }} }}'


def unknown(fields: int) -> str:
    """Many fields that don't exist."""
    return "{ " + " ".join(f"x{n}" for n in range(fields)) + " }"


@pytest.mark.parametrize("make", [doubling, spreading, fan, repeating, unknown])
async def test_the_worst_documents_are_judged_in_linear_time(
    graphql: GraphqlClient, make: Callable[[int], str]
) -> None:
    """Of the processor. Twice the document may take a few times as long; exponential work would not end."""

    async def best_of_three(document: str) -> float:
        times: list[float] = []
        for number in range(3):
            started = time.process_time()
            answer = await graphql.post(f"{document} # {number}")
            times.append(time.process_time() - started)
            assert answer.status_code == 200
        return min(times)

    small, large = await best_of_three(make(19)), await best_of_three(make(38))
    assert large < 0.1, f"{large * 1000:.1f} ms"
    assert large < 8 * small + 0.02, f"{small * 1000:.1f} ms, {large * 1000:.1f} ms"


SEARCH = """query($query: String!, $first: Int!, $types: [EntityType!]) {
    search(query: $query, first: $first, types: $types) { id }
}"""


@pytest.mark.parametrize("first", [-1, 0, 51, 2**31 - 1])
async def test_a_page_size_outside_its_range_is_refused(graphql: GraphqlClient, first: int) -> None:
    assert await graphql.error(SEARCH, query="a", first=first) == {
        "message": "first: must be between 1 and 50",
        "code": "BAD_INPUT",
        "field": "first",
    }


@pytest.mark.parametrize("first", [2**31, 10**30, 1.5, True, "1", 1e308])
async def test_a_page_size_that_is_no_int_is_refused(graphql: GraphqlClient, first: object) -> None:
    error = await graphql.error(SEARCH, query="a", first=first)
    assert error["code"] == "BAD_QUERY"
    assert error["message"].startswith("Variable '$first' has invalid value: Int cannot represent")


async def test_an_unknown_entity_type_is_refused(graphql: GraphqlClient) -> None:
    by_variable = await graphql.error(SEARCH, query="a", first=1, types=["ANIM"])
    in_document = await graphql.error('{ search(query: "a", types: [ANIM]) { id } }')
    assert by_variable["code"] == in_document["code"] == "BAD_QUERY"
    assert "'ANIM' does not exist in 'EntityType' enum." in by_variable["message"]
    assert "'ANIM' does not exist in 'EntityType' enum." in in_document["message"]
    assert "ANIME" not in by_variable["message"] + in_document["message"]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", "must not be empty"),
        (" \t\n　", "must not be empty"),
        ("a" * 201, "at most 200 characters, this one has 201"),
        ("a" * 10_000, "at most 200 characters, this one has 10000"),
        ("act\0one", "must not have control characters or unpaired surrogates"),
        ("act\x1b[31mone", "must not have control characters or unpaired surrogates"),
        ("act\x85one", "must not have control characters or unpaired surrogates"),
        ("act\ud800one", "must not have control characters or unpaired surrogates"),
    ],
)
async def test_a_search_text_over_its_limit_is_refused(graphql: GraphqlClient, text: str, limit: str) -> None:
    assert await graphql.error(SEARCH, query=text, first=1) == {
        "message": f"query: {limit}",
        "code": "BAD_INPUT",
        "field": "query",
    }


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", "must not be empty"),
        ("a" * 2_001, "at most 2000 characters, this one has 2001"),
        ("a" * 10_000, "at most 2000 characters, this one has 10000"),
        ("act\0one", "must not have control characters or unpaired surrogates"),
        ("act\udfffone", "must not have control characters or unpaired surrogates"),
    ],
)
async def test_a_question_over_its_limit_is_refused(graphql: GraphqlClient, text: str, limit: str) -> None:
    document = "query($question: String!) { searchAi(question: $question) { answer } }"
    assert await graphql.error(document, question=text) == {
        "message": f"question: {limit}",
        "code": "BAD_INPUT",
        "field": "question",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('language: "a\\u0000"', "language: must not have control characters or unpaired surrogates"),
        ('language: "abcdefghijklmnopq"', "language: at most 16 characters, this one has 17"),
        ('imageQuery: ""', "imageQuery: must not be empty"),
        ("budgets: {maxTurns: -1}", "budgets.maxTurns: must not be negative"),
        ("budgets: {maxTokens: -1}", "budgets.maxTokens: must not be negative"),
    ],
)
async def test_a_question_with_a_bad_option_is_refused(graphql: GraphqlClient, arguments: str, message: str) -> None:
    error = await graphql.error(f'{{ searchAi(question: "Who?", {arguments}) {{ answer }} }}')
    assert (error["code"], error["message"]) == ("BAD_INPUT", message)


@pytest.mark.parametrize(
    "text",
    ["", "1", "not-a-uuid", "a" * 10_000, "\0", "{01234567-89ab-cdef-0123-456789abcdef}", "0123456789abcdef" * 2,
     "０１２３４５６７-89ab-cdef-0123-456789abcdef", "01234567-89ab-cdef-0123-456789abcdef\n"],
)  # fmt: skip
async def test_a_malformed_id_is_refused(graphql: GraphqlClient, text: str) -> None:
    limit = "must be a UUID such as 01234567-89ab-cdef-0123-456789abcdef"
    one = await graphql.error("query($id: ID!) { anime(id: $id) { name } }", id=text)
    many = await graphql.error("query($ids: [ID!]!) { entities(ids: $ids) { name } }", ids=[str(uuid4()), text])
    assert one == {"message": f"id: {limit}", "code": "BAD_INPUT", "field": "id"}
    assert many == {"message": f"ids[1]: {limit}", "code": "BAD_INPUT", "field": "ids[1]"}


async def test_too_many_ids_are_refused(graphql: GraphqlClient) -> None:
    document = "query($ids: [ID!]!) { entities(ids: $ids) { name } }"
    assert await graphql.error(document, ids=[str(uuid4())] * 501) == {
        "message": "ids: at most 500, these are 501",
        "code": "BAD_INPUT",
        "field": "ids",
    }


@pytest.mark.parametrize(
    "document",
    ["{ search(query: \"a\0b\") { id } }", "{ se\0arch }", "\ufeff{ nope }", "{ \ud800 }", "query Q", "}{", "#", "\\",
     "{ search(query: \"\ud800\", nope: 1) { id } }", "subscription { search }", "mutation { search }",
     "{ __typename @nope }", "query($a: Nope) { __typename }", "{ ...Nope }"],
)  # fmt: skip
async def test_a_document_that_makes_no_sense_is_refused(graphql: GraphqlClient, document: str) -> None:
    answer = await graphql.post(document)
    assert answer.status_code in (200, 400)
    assert {error["extensions"]["code"] for error in errors_of(answer)} <= {"BAD_QUERY", "BAD_REQUEST", "BAD_INPUT"}


@pytest.mark.parametrize("name", ["Nope", "\ud800", "\0", "a" * 10_000])
async def test_an_unknown_operation_is_refused(graphql: GraphqlClient, name: str) -> None:
    body = json.dumps({"query": "query Q { __typename }", "operationName": name})
    answer = await graphql.http.post("/graphql", content=body, headers=JSON_TYPE)
    assert answer.status_code == 400
    (error,) = errors_of(answer)
    assert error["message"].startswith("Unknown operation named")
    assert len(error["message"]) <= 600


async def test_one_of_several_operations_must_be_named(graphql: GraphqlClient) -> None:
    several = "query A { __typename } query B { b: __typename }"
    assert [each["message"] for each in errors_of(await graphql.post(several))] == [
        "operationName: a document of several operations needs one of their names"
    ]
    body = json.dumps({"query": several, "operationName": "B"})
    named = await graphql.http.post("/graphql", content=body, headers=JSON_TYPE)
    assert named.json()["data"] == {"b": "Query"}
    alone = await graphql.post("query A { ...F } fragment F on Query { __typename }")
    assert alone.json()["data"] == {"__typename": "Query"}


async def test_what_was_sent_comes_back_shortened(graphql: GraphqlClient) -> None:
    error = await graphql.error(SEARCH, query="a", first="x" * 100_000)
    assert len(error["message"]) <= 501
