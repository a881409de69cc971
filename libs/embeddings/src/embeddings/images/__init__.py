"""Pictures to vectors: a URL, a file or base64 to pixels, and pixels to a vector whose cosine means likeness."""
