"""What models are given of a text."""


def encodable(text: str) -> str:
    """The text without lone surrogates, which no encoding of Unicode has."""
    return text.encode("utf-8", "replace").decode("utf-8")
