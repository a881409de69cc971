"""Command line and the embedded stack."""
