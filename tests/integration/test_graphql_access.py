"""Who may ask, from where, and in which form: keys, other sites, switches that are off."""

from collections.abc import AsyncGenerator, Mapping
from uuid import UUID, uuid4

import pytest
from fixtures.graphql import NO_DATABASE, GraphqlClient, serving_graphql
from graphql_bff.settings import Settings
from pydantic import ValidationError

ALICE, BOB = "a-key-of-alice-0001", "a-key-of-bob-000002"
KEYS = {"alice": ALICE, "bob": BOB}
TYPENAME = "{ __typename }"


@pytest.fixture
async def graphql() -> AsyncGenerator[GraphqlClient]:
    async with serving_graphql(NO_DATABASE) as client:
        yield client


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {ALICE}"},
        {"Authorization": ALICE},
        {"Authorization": f"Bearer {ALICE}{BOB}"},
        {"Authorization": "Bearer alice"},
    ],
)
async def test_a_caller_without_a_key_is_refused_in_graphql_form(headers: Mapping[str, str]) -> None:
    async with serving_graphql(NO_DATABASE, api_keys=KEYS) as graphql:
        answer = await graphql.post(TYPENAME, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json() == {
        "data": None,
        "errors": [
            {
                "message": "an API key is required: send it as 'Authorization: Bearer KEY'",
                "extensions": {"code": "UNAUTHENTICATED"},
            }
        ],
    }


async def test_a_key_of_other_bytes_is_refused() -> None:
    async with serving_graphql(NO_DATABASE, api_keys=KEYS) as graphql:
        headers = [(b"Content-Type", b"application/json"), (b"Authorization", b"Bearer \xff\xfe\xfd")]
        answer = await graphql.http.post("/graphql", content=b'{"query": "{ __typename }"}', headers=headers)
    assert answer.status_code == 401


@pytest.mark.parametrize("authorization", [f"Bearer {ALICE}", f"bearer {BOB}", f"BEARER   {BOB}"])
async def test_a_key_opens(authorization: str) -> None:
    async with serving_graphql(NO_DATABASE, api_keys=KEYS) as graphql:
        answer = await graphql.post(TYPENAME, headers={"Authorization": authorization})
    assert answer.json() == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize(
    "keys",
    [{"alice": "short"}, {"alice": ""}, {"": ALICE}, {"two words": ALICE}, {"アリス": ALICE},
     {"alice": "clé-avec-accents-0001"}, {"alice": ALICE, "bob": ALICE}],
)  # fmt: skip
def test_keys_that_can_not_work_are_refused_at_the_start(keys: dict[str, str]) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate({"api_keys": keys})
    assert not any(key and key in str(caught.value.errors(include_input=False)) for key in keys.values())


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_a_bind_that_others_can_reach_needs_a_word_and_keys(host: str) -> None:
    with pytest.raises(ValidationError, match="ENISHI_ALLOW_REMOTE"):
        Settings(graphql_host=host)
    with pytest.raises(ValidationError, match="ENISHI_API_KEYS is required"):
        Settings(graphql_host=host, allow_remote=True)
    assert Settings.model_validate({"graphql_host": host, "allow_remote": True, "api_keys": KEYS}).graphql_port == 8000


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "text/plain;application/json", "application/x-www-form-urlencoded", "multipart/form-data",
     "multipart/form-data; boundary=x", "application/jsonp", "application/json; charset=utf-16", "",
     "application/graphql"],
)  # fmt: skip
async def test_forms_that_other_sites_can_send_are_refused(graphql: GraphqlClient, content_type: str) -> None:
    body = b'{"query": "{ __typename }"}'
    answer = await graphql.http.post("/graphql", content=body, headers={"Content-Type": content_type})
    assert answer.status_code == 415
    assert answer.json()["errors"][0]["message"] == "content-type: must be application/json in UTF-8"


@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=UTF-8", "Application/JSON"])
async def test_json_is_taken(graphql: GraphqlClient, content_type: str) -> None:
    body = b'{"query": "{ __typename }"}'
    answer = await graphql.http.post("/graphql", content=body, headers={"Content-Type": content_type})
    assert answer.json() == {"data": {"__typename": "Query"}}


async def test_a_packed_body_is_refused(graphql: GraphqlClient) -> None:
    answer = await graphql.post(TYPENAME, headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 415


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
@pytest.mark.parametrize("query", ["", "?query={__typename}", "?query=mutation{a}", "?query=subscription{a}"])
async def test_only_post_asks(graphql: GraphqlClient, method: str, query: str) -> None:
    answer = await graphql.http.request(method, f"/graphql{query}", headers={"Accept": "text/html"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert "__typename" not in answer.text
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1", 200), ("localhost:8000", 200), ("[::1]:8000", 200), ("LOCALHOST", 200), ("evil.example", 421),
     ("127.0.0.1.evil.example:8000", 421), ("", 421), ("[::2]", 421)],
)  # fmt: skip
async def test_without_keys_other_names_of_this_machine_are_refused(
    graphql: GraphqlClient, host: str, status: int
) -> None:
    answer = await graphql.post(TYPENAME, headers={"Host": host})
    assert answer.status_code == status


async def test_with_keys_any_host_name_will_do() -> None:
    async with serving_graphql(NO_DATABASE, api_keys=KEYS) as graphql:
        answer = await graphql.post(TYPENAME, headers={"Host": "api.example", "Authorization": f"Bearer {ALICE}"})
    assert answer.status_code == 200


INTROSPECTION = ["{ __schema { types { name } } }", '{ __type(name: "Query") { name } }']
WITH_SUGGESTIONS = {
    "{ serach { id } }": "Cannot query field 'serach' on type 'Query'.",
    '{ search(qery: "a") { id } }': "Unknown argument 'qery' on field 'Query.search'.",
    '{ search(query: "a", types: [ANIM]) { id } }': "Value 'ANIM' does not exist in 'EntityType' enum.",
    "query($a: Strin) { __typename }": "Unknown type 'Strin'.",
    "{ __typename @skp(if: true) }": "Unknown directive '@skp'.",
    '{ search(query: "a") }': "Field 'search' of type '[SearchHit!]!' must have a selection of subfields.",
}


@pytest.mark.parametrize("document", INTROSPECTION)
async def test_introspection_is_off_unless_in_dev_mode(graphql: GraphqlClient, document: str) -> None:
    errors = await graphql.errors(document)
    assert "introspection" in errors[0]["message"].lower()
    async with serving_graphql(NO_DATABASE, dev_mode=True) as dev:
        assert await dev.data(document)


@pytest.mark.parametrize(("document", "message"), WITH_SUGGESTIONS.items())
async def test_suggestions_are_off(graphql: GraphqlClient, document: str, message: str) -> None:
    messages = [error["message"] for error in await graphql.errors(document)]
    assert message in messages
    assert not any("Did you mean" in text for text in messages)


async def test_values_of_variables_get_no_suggestions(graphql: GraphqlClient) -> None:
    document = 'query($types: [EntityType!]) { search(query: "a", types: $types) { id } }'
    assert "Did you mean" not in str(await graphql.errors(document, types=["ANIM"]))


async def test_suggestions_are_made_in_dev_mode() -> None:
    async with serving_graphql(NO_DATABASE, dev_mode=True) as graphql:
        error = await graphql.error("{ serach { id } }")
    suggested = "Did you mean 'search', 'searchAi', or 'trace'?"
    assert error["message"] == f"Cannot query field 'serach' on type 'Query'. {suggested}"


async def test_graphiql_is_shown_in_dev_mode_only(graphql: GraphqlClient) -> None:
    page = {"Accept": "text/html"}
    assert (await graphql.http.get("/graphql", headers=page)).status_code == 405
    async with serving_graphql(NO_DATABASE, dev_mode=True) as dev:
        shown = await dev.http.get("/graphql", headers=page)
        asked = await dev.http.get("/graphql?query={__typename}", headers=page)
    assert shown.status_code == 200
    assert "graphiql" in shown.text.lower()
    assert asked.status_code == 405


async def test_the_media_type_of_graphql_answers_is_spoken(graphql: GraphqlClient) -> None:
    accepts = {"Accept": "application/graphql-response+json, application/json;q=0.9"}
    good, bad = await graphql.post(TYPENAME, headers=accepts), await graphql.post("{ nope }", headers=accepts)
    failed = await graphql.post('{ search(query: "") { id } }', headers=accepts)

    for answer in (good, bad, failed):
        assert answer.headers["content-type"] == "application/graphql-response+json"
    assert (good.status_code, bad.status_code, failed.status_code) == (200, 400, 200)
    plain = await graphql.post("{ nope }")
    assert (plain.status_code, plain.headers["content-type"]) == (200, "application/json")


async def test_only_streams_of_events_are_offered(graphql: GraphqlClient) -> None:
    parts = await graphql.post(TYPENAME, headers={"Accept": 'multipart/mixed; subscriptionSpec="1.0"'})
    assert parts.json() == {"data": {"__typename": "Query"}}
    events = await graphql.post(TYPENAME, headers={"Accept": "text/event-stream"})
    assert (
        events.text == 'event: next\r\ndata: {"data":{"__typename":"Query"}}\r\n\r\nevent: complete\r\ndata: \r\n\r\n'
    )


async def test_the_request_id_of_a_caller_is_kept(graphql: GraphqlClient) -> None:
    given = str(uuid4())
    kept = await graphql.post(TYPENAME, headers={"X-Request-Id": given})
    made = await graphql.post(TYPENAME, headers={"X-Request-Id": "not an id\t"})

    assert kept.headers["x-request-id"] == given
    assert UUID(made.headers["x-request-id"]).version == 4
