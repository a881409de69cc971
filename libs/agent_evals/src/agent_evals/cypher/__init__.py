"""The graph language alone, on public graphs and questions: no catalogue, no loop, no model."""
