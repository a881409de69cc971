"""The fast lane: answers the registered operations that have a plan, and leaves all else to the reference road."""

from collections import Counter
from collections.abc import Mapping

import structlog
from datastore.errors import DatastoreError
from datastore.postgres.hot import HotPool
from graphql import GraphQLError, GraphQLSchema
from observability.tracing import span

from graphql_bff.checking import DocumentChecker
from graphql_bff.errors import BadInput
from graphql_bff.settings import Settings
from graphql_bff.trusted.compiler import Compiled, compiled
from graphql_bff.trusted.execution import PlanRunner
from graphql_bff.trusted.plan import Passed, Unsupported

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class FastLane:
    """Answers registered operations; every other answer, errors included, is the reference road's.

    Attributes:
        answered: How many requests were answered here.
        passed: How many requests for a registered operation went on to the reference road, by reason.
    """

    def __init__(self, pool: HotPool, settings: Settings, schema: GraphQLSchema, checker: DocumentChecker) -> None:
        self._runner = PlanRunner(pool, settings)
        self._schema = schema
        self._checker = checker
        self._operations: dict[str, Compiled] = {}
        self.answered = 0
        self.passed: Counter[str] = Counter()

    def register(self, text: str) -> bool:
        """Compile a document. False where the reference road keeps it; the log says why."""
        try:
            checked = self._checker.check(text)
            if checked.errors:
                raise Unsupported(checked.errors[0].message)
            self._operations[text] = compiled(self._schema, checked.document)
        except (GraphQLError, Unsupported) as exc:
            _log.warning("document_has_no_plan", reason=str(exc), document=text[:80])
            return False
        return True

    def __contains__(self, text: object) -> bool:
        """Whether a document has a plan."""
        return text in self._operations

    async def answer(
        self, text: str, variables: Mapping[str, object] | None, operation_name: str | None, *, request_id: str = ""
    ) -> bytes | None:
        """The body of an answer without errors; None where the reference road has to answer."""
        operation = self._operations.get(text)
        if operation is None:
            return None
        try:
            data = await self._run(operation, variables or {}, operation_name)
        except (Passed, BadInput, DatastoreError) as exc:
            reason = str(exc) if isinstance(exc, Passed) else type(exc).__name__
            self.passed[reason] += 1
            _log.debug("fast_lane_passed", reason=reason, request_id=request_id)
            return None
        except Exception as exc:  # noqa: BLE001 - the reference road answers, and says what is wrong
            self.passed[type(exc).__name__] += 1
            _log.warning("fast_lane_failed", exc_info=exc, request_id=request_id)
            return None
        self.answered += 1
        return f'{{"data":{data}}}'.encode()

    async def _run(self, operation: Compiled, given: Mapping[str, object], operation_name: str | None) -> str:
        if operation_name is not None and operation_name != operation.name:
            raise Passed("another operation's name")
        variables = operation.variables.read(given)
        setting = tuple(variables.get(name) for name in operation.switches)
        for plan_setting, plan in operation.plans.items():
            if plan_setting == setting:
                with span(f"query {operation.name}" if operation.name else "query"):
                    return await self._runner.run(plan, variables)
        raise Passed("null where a boolean belongs")
