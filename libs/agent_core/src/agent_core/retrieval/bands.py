"""From which average score on passages of documents are trusted: bands that were fitted for an embedding model."""

from importlib.resources import files

from embeddings.protocol import ModelIdentity
from pydantic import BaseModel, ConfigDict, Field, RootModel

from agent_core.document_contracts import Bands

FILE = "bands.json"


class FittedBands(BaseModel):
    """The bands of one model with what they were fitted on.

    *Right* are questions whose best passages hold what must be quoted, *stray* ones those that no document is about.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bands: Bands
    fitted_on: str
    digest: str = Field(description="SHA-256 of the questions and the documents.")
    right: int = Field(ge=0, description="Right questions.")
    right_kept: float = Field(ge=0, le=1, description="The share of them from the medium band on.")
    stray: int = Field(ge=0)
    stray_refused: float = Field(ge=0, le=1, description="The share of them below all bands.")

    def in_words(self) -> str:
        """All of it on one line."""
        bands = self.bands
        return (
            f"high from {bands.high:g}, medium from {bands.medium:g}, low from {bands.low:g}; fitted on "
            f"{self.fitted_on} ({self.digest[:12]}): {self.right_kept:.1%} of {self.right} right answers are medium or "
            f"high, {self.stray_refused:.1%} of {self.stray} stray questions below all"
        )


class BandFits(RootModel[dict[str, FittedBands]]):
    """The fits by the model that made the vectors, in whatever form it runs; see `name_of`."""

    def of(self, model: str) -> Bands:
        """The bands of a model; those before calibration for one that nobody has fitted."""
        return self.root[model].bands if model in self.root else Bands()

    def in_words(self, model: str) -> str:
        """What holds for a model, on one line."""
        if model in self.root:
            return self.root[model].in_words()
        before = Bands()
        return (
            f"high from {before.high:g}, medium from {before.medium:g}, low from {before.low:g}; not fitted for this "
            "model: run `enishi eval calibrate`"
        )


def name_of(model: ModelIdentity) -> str:
    """What a model is called here: its forms score alike."""
    return f"{model.name} ({model.revision})"


def read_fits() -> BandFits:
    """What this release goes by; `enishi eval calibrate` writes it."""
    return BandFits.model_validate_json(files(__package__ or "").joinpath(FILE).read_bytes())
