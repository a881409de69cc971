"""Text to references, names to documents, and which references to follow; pure, knows no store and no model."""
