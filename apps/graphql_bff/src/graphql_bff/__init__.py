"""GraphQL backend for frontends."""
