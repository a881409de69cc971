"""From a setting to an image embedder."""

from embeddings.images.options import FASTEMBED_PREFIX, HASH, NONE, SETTING, ImageOptions
from embeddings.images.protocol import ImageEmbedder
from embeddings.protocol import EmbedderUnavailable


def open_image_embedder(options: ImageOptions) -> ImageEmbedder | None:
    """The embedder that the options name; None where pictures are not to be looked at.

    Raises:
        EmbedderUnavailable: a package or a model is missing.
    """
    # Imported where they are used: no process without pictures needs their libraries.
    if options.choice == NONE:
        return None
    if options.choice == HASH:
        from embeddings.images.hashing import HashImageEmbedder

        return HashImageEmbedder()
    if not options.choice.startswith(FASTEMBED_PREFIX):
        raise EmbedderUnavailable(f"unknown {SETTING} '{options.choice}'")
    from embeddings.images.clip import ClipImageEmbedder

    return ClipImageEmbedder(options.choice.removeprefix(FASTEMBED_PREFIX), cache=options.cache)
