"""Vector stores: one protocol, an embedded engine behind its owner, and a Qdrant server."""
