"""Which code a run measures: areas of two states of it may not stand in one report."""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

MEASURED_CODE = (
    "agent_core",
    "agent_evals",
    "agent_service",
    "datastore",
    "embeddings",
    "enishi",
    "graphql_bff",
    "ingestion",
)


def measured_code(packages: Sequence[str] = MEASURED_CODE) -> str:
    """A digest of the packages' modules; those that are not installed count for nothing."""
    digest = hashlib.sha256()
    for package in packages:
        spec = find_spec(package)
        for folder in sorted(spec.submodule_search_locations or ()) if spec is not None else ():
            for path in sorted(Path(folder).rglob("*.py")):
                digest.update(f"{package} {path.relative_to(folder)}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
