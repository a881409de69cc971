"""Runs the outbox relay until told to stop."""
