"""Everything that writes the catalogue and keeps the index in step."""
