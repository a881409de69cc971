"""Who asks: an API key makes a principal."""

import hmac
from collections.abc import Mapping

from pydantic import SecretStr

from graphql_bff.errors import NotAuthenticated

LOCAL_PRINCIPAL = "local"


def principal_of(authorization: str | None, keys: Mapping[str, SecretStr]) -> str:
    """Whose key an Authorization header carries; `local` where no keys are set.

    Raises:
        NotAuthenticated: Keys are set and the header carries none of them.
    """
    if not keys:
        return LOCAL_PRINCIPAL
    scheme, _, presented = (authorization or "").partition(" ")
    found = None
    for principal, key in keys.items():  # every key is compared, so that time tells nothing
        if hmac.compare_digest(presented.strip().encode(), key.get_secret_value().encode()):
            found = principal
    if found is None or scheme.lower() != "bearer":
        raise NotAuthenticated
    return found
