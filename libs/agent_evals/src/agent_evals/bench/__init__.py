"""Benchmarks beside peers: an invented catalogue, an oracle before every timing, and named goals."""
