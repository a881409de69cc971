"""Documents of files, folders and JSON lines: read, divided into sections and chunks, and stored."""
