"""One module for each way a document can be written: bytes in, text with headings out."""
