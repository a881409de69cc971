"""Readers of catalogue dumps: one module per format, every one of them yields interchange records."""
