"""Calls of the vector store, with what goes wrong as the loop knows it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from datastore.errors import DatastoreError, VectorStoreUnavailable
from datastore.vocabulary import EntityType

from agent_core.errors import SourceUnavailable

SOURCE = "qdrant"


class Deadline:
    """What is left of a call's time, for each step in turn."""

    def __init__(self, seconds: float) -> None:
        self._end = asyncio.get_running_loop().time() + seconds

    def left(self) -> float:
        """Seconds left. Raises SourceUnavailable when there are none."""
        left = self._end - asyncio.get_running_loop().time()
        if left <= 0:
            raise SourceUnavailable(SOURCE, timed_out=True)
        return left


@asynccontextmanager
async def asking() -> AsyncGenerator[None]:
    """The store's errors as SourceUnavailable: a missing collection or other vectors are as good as no index."""
    try:
        yield
    except DatastoreError as error:
        timed_out = isinstance(error, VectorStoreUnavailable) and error.timed_out
        raise SourceUnavailable(SOURCE, timed_out=timed_out) from error


async def ask_each[T](types: Sequence[EntityType], ask: Callable[[EntityType], Awaitable[T]]) -> list[T]:
    """Ask the store for every type at once. Raises SourceUnavailable when one of them can't be asked."""

    async def attempt(entity_type: EntityType) -> T | DatastoreError:
        try:
            return await ask(entity_type)
        except DatastoreError as error:
            return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(attempt(each)) for each in types]
    answers: list[T] = []
    for task in tasks:
        answer = task.result()
        if isinstance(answer, DatastoreError):
            async with asking():
                raise answer
        answers.append(answer)
    return answers
