"""Registered operations, compiled once to SQL: the fast lane beside Strawberry's road, which stays the reference."""
