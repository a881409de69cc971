"""`enishi migrate`: the schema of a database that is not embedded."""

from agent_service.settings import Settings as AgentSettings

from enishi.migrating import upgrade
from enishi.terminal import make_console


async def run_migrate() -> int:
    """0 when the database has the newest schema."""
    await upgrade(AgentSettings().postgres_dsn.get_secret_value())
    make_console(stderr=True).print("the schema is up to date")
    return 0
