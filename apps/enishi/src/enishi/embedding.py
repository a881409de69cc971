"""Which embedder the embedded stack uses: what the settings name, in the form that its index was built with."""

from agent_service.settings import Settings as AgentSettings
from datastore.vectors.collections import models_in_use
from datastore.vectors.protocol import VectorStore
from embeddings.images.limits import PictureLimits
from embeddings.images.opening import open_image_embedder
from embeddings.images.protocol import ImageEmbedder
from embeddings.opening import OpenedEmbedder, open_embedder

from enishi.settings import Settings

_ASK_SECONDS = 10.0


async def open_stack_embedder(settings: Settings, store: VectorStore | None) -> OpenedEmbedder:
    """Without a store, and on an empty one, the settings alone decide: so for an index that is yet to be built.

    Raises:
        EmbedderUnavailable: the model can't be used, or the settings don't fit together.
        VectorStoreUnavailable: the store is away.
    """
    in_use = await models_in_use(store, timeout=_ASK_SECONDS) if store is not None else frozenset[str]()
    options = AgentSettings(agent_host="127.0.0.1").embedder_options(settings.cache)
    return await open_embedder(options, index_models=in_use)


def picture_limits() -> PictureLimits:
    """What reading one picture may cost."""
    return AgentSettings(agent_host="127.0.0.1").picture_limits


def opened_images(settings: Settings) -> ImageEmbedder | None:
    """What ENISHI_IMAGES names. Raises EmbedderUnavailable."""
    return open_image_embedder(AgentSettings(agent_host="127.0.0.1").image_options(settings.cache))
