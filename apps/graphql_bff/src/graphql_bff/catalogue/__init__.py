"""Entities, their names and their links."""
