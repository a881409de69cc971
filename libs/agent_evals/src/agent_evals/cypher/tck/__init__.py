"""The openCypher TCK: its scenarios read, chosen, asked and judged."""
