"""From which average score on passages of documents are trusted: bands that were fitted for an embedding model."""

from importlib.resources import files

from embeddings.protocol import ModelIdentity
from pydantic import BaseModel, ConfigDict, Field, RootModel

from agent_core.document_contracts import Bands

FILE = "bands.json"


class FittedBands(BaseModel):
    """The bands of one model, and how often they are right on what they were fitted on.

    Half of the answers counted here had to be given without the documents that hold the right one. *Stray* are
    questions that no document is about.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bands: Bands
    fitted_on: str
    digest: str = Field(description="SHA-256 of the questions and the documents.")
    high: int = Field(ge=0, description="Answers in the high band.")
    high_right: float = Field(ge=0, le=1, description="The share of them that is right.")
    medium: int = Field(ge=0)
    medium_right: float = Field(ge=0, le=1)
    stray: int = Field(ge=0)
    stray_refused: float = Field(ge=0, le=1, description="The share of them below all bands.")

    def in_words(self) -> str:
        """All of it on one line."""
        bands = self.bands
        low = "nothing is low" if bands.low == bands.medium else f"low from {bands.low:g}"
        return (
            f"high from {bands.high:g}, medium from {bands.medium:g}, {low}; fitted on {self.fitted_on} "
            f"({self.digest[:12]}): {self.high_right:.1%} of {self.high} high and {self.medium_right:.1%} of "
            f"{self.medium} medium answers are right, {self.stray_refused:.1%} of {self.stray} stray questions are "
            "below all"
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
