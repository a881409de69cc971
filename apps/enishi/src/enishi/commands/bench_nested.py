"""Twenty entities with five nested ones each: the fast lane, the reference road, and one SQL statement that makes JSON.

All in one process, without HTTP: what is compared is the work between a request's variables and the answer's bytes.
"""

import gc
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from random import Random
from uuid import UUID, uuid4

from agent_api.client import Caller
from agent_evals.bench.conditions import client_backends, pinned
from agent_evals.bench.context import BenchContext, Ratios, series_of
from agent_evals.bench.floor import open_floor
from agent_evals.bench.goals import NESTED
from agent_evals.bench.harness import Contender, compare
from agent_evals.bench.peers.one_sql_json import NESTED as NESTED_EACH
from agent_evals.bench.peers.one_sql_json import open_one_sql
from agent_evals.bench.report import AreaReport, Refusal
from datastore.vocabulary import EntityType
from graphql_bff.app import open_resources
from graphql_bff.context import RequestContext
from graphql_bff.endpoint import GraphqlEndpoint, json_bytes
from graphql_bff.settings import Settings
from graphql_bff.trusted.registry import shipped_documents

FAST, REFERENCE, ONE_SQL = "fast lane", "reference road", "one-SQL JSON"
SERIES = "20 entities x 5 nested"

_ENTITIES, _PAGES = 20, 200
type _Answer = Callable[[tuple[UUID, ...]], Awaitable[bytes]]


async def measure_nested(context: BenchContext) -> AreaReport:
    """The three answer the same pages; one that answers otherwise is reported and not timed."""
    began = context.clock()
    context.progress("nested: twenty entities with five nested ones each")
    pages = _pages(context)
    async with open_floor(context.dsn) as floor, _answers(context.dsn) as answers:
        refusals = await _refusals(answers, pages[:3])
        asked = {name: answer for name, answer in answers.items() if name not in {each.contender for each in refusals}}
        contenders = [Contender(name, ask=answer) for name, answer in asked.items()]
        with pinned(await client_backends(context.dsn)), _collecting_as_the_backend_does():
            comparison = await compare(contenders, pages, floor.contender, context.plan, clock=context.clock)
    series = series_of(SERIES, len(pages), comparison, tuple(refusals))
    ratios = Ratios((series,))
    return AreaReport(
        area=NESTED,
        status="measured",
        seconds=context.clock() - began,
        series=(series,),
        measured={
            f"{SERIES}: {name} / {ONE_SQL}": ratios.p50((SERIES, name), (SERIES, ONE_SQL)) for name in (FAST, REFERENCE)
        },
        notes=("from variables to the answer's bytes, in one process, without HTTP",),
    )


def _pages(context: BenchContext) -> list[tuple[UUID, ...]]:
    """Works drawn anew for each page."""
    works = [
        entity_id for place, entity_id in enumerate(context.ids) if context.catalogue.type_of(place) is EntityType.ANIME
    ]
    draw = Random(20)
    return [tuple(draw.sample(works, min(_ENTITIES, len(works)))) for _ in range(min(_PAGES, context.queries))]


async def _refusals(answers: dict[str, _Answer], pages: Sequence[tuple[UUID, ...]]) -> list[Refusal]:
    refused: list[Refusal] = []
    for name, answer in answers.items():
        for page in pages:
            if json.loads(await answer(page)) != json.loads(await answers[ONE_SQL](page)):
                refused.append(Refusal(contender=name, reason=f"answers otherwise than {ONE_SQL}"))
                break
    return refused


@contextmanager
def _collecting_as_the_backend_does() -> Generator[None]:
    before = gc.get_threshold()
    gc.set_threshold(Settings.model_fields["young_objects"].default)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@asynccontextmanager
async def _answers(dsn: str) -> AsyncGenerator[dict[str, _Answer]]:
    """What each contender gives for a page, as bytes."""
    resources = open_resources(Settings.model_validate({"postgres_dsn": dsn}))
    endpoint = GraphqlEndpoint(resources)
    document = next(text for text in shipped_documents().values() if text.startswith("query WorksWithCasts("))

    async def fast(page: tuple[UUID, ...]) -> bytes:
        body = await endpoint.fast_lane.answer(document, {"ids": list(map(str, page)), "first": NESTED_EACH}, None)
        if body is None:
            raise RuntimeError("the fast lane passed")
        return body

    async def reference(page: tuple[UUID, ...]) -> bytes:
        own = RequestContext(resources, Caller(request_id=uuid4(), principal="local"))
        variables = {"ids": list(map(str, page)), "first": NESTED_EACH}
        result = await endpoint.schema.execute(document, variable_values=variables, context_value=own)
        return json_bytes({"data": result.data})

    try:
        async with open_one_sql(dsn) as one_sql:
            yield {FAST: fast, REFERENCE: reference, ONE_SQL: one_sql}
    finally:
        await resources.agent.close()
        await resources.hot.close()
        await resources.engine.close()
