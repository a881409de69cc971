"""Structured logging with a request id through every hop."""
