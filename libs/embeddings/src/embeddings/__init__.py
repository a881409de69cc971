"""Text to vectors: the bundled offline model behind one protocol."""
