"""What stages are shown: evidence as text, kept within a size and fenced as data."""
