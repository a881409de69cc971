"""Question files, gold answers by SQL, the independent checker."""
