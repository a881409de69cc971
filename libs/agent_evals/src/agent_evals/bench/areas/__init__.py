"""What is measured, a module an area."""
