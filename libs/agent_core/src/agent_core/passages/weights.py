"""What each sign of an answer weighs: a logistic rule that was fitted, and what it was fitted on."""

import math
from collections.abc import Sequence
from importlib.resources import files
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

FILE = "weights.json"

FEATURES = (
    "bias",
    "sentence",
    "own",
    "around",
    "document",
    "unsaid",
    "deed_said",
    "deed_elsewhere",
    "typed",
    "counted",
    "score",
    "first",
)
"""What is told of a sentence, in this order: the share of the asked words that it says, alone and with its title and
heading, and that its document says; what is unsaid there; where the deed stands; what is wanted; how it was found."""


class Judged(BaseModel):
    """What the rule makes of questions that no sentence answers for certain. *Answerable* ones a document answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answerable: int = Field(ge=0)
    right: float = Field(ge=0, le=1, description="The share of them whose right sentence is quoted.")
    wrong: float = Field(ge=0, le=1, description="The share of them that another sentence is quoted for.")
    unanswerable: int = Field(ge=0)
    refused: float = Field(ge=0, le=1, description="The share of them that nothing is quoted for.")

    def in_words(self) -> str:
        """All of it in a few words."""
        return (
            f"{self.right:.1%} of {self.answerable} answerable right and {self.wrong:.1%} wrong, "
            f"{self.refused:.1%} of {self.unanswerable} unanswerable refused"
        )


class FittedWeights(BaseModel):
    """The weights with their data: the same questions, documents and scores give the same ones again.

    Half of the questions, those of even places in their files, were fitted on; the odd ones judge.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    weights: dict[str, float]
    margin: float = Field(ge=0, description="From which log-odds against no answer a sentence answers.")
    fitted_on: str
    model: str = Field(description="The embedding model whose scores were weighed.")
    digest: str = Field(description="SHA-256 of the questions and the documents.")
    samples: int = Field(ge=0, description="Questions fitted on, those asked without the answering documents included.")
    even: Judged
    odd: Judged

    @model_validator(mode="after")
    def _of_all_features(self) -> Self:
        if tuple(self.weights) != FEATURES:
            raise ValueError(f"weights: must be those of {', '.join(FEATURES)}, in this order")
        return self

    def odds(self, features: Sequence[float]) -> float:
        """The log-odds of a sentence against no answer at all, by its `FEATURES`."""
        return math.fsum(weight * value for weight, value in zip(self.weights.values(), features, strict=True))

    def in_words(self) -> str:
        """All of it on one line."""
        return (
            f"answers from odds of {self.margin:g}; fitted on {self.samples} of {self.fitted_on} ({self.digest[:12]}) "
            f"with scores of {self.model}: {self.even.in_words()}; of those not fitted on, {self.odd.in_words()}"
        )


def _read() -> FittedWeights:
    return FittedWeights.model_validate_json(files(__package__ or "").joinpath(FILE).read_bytes())


FITTED = _read()
"""What this release goes by; `enishi eval calibrate` writes it."""
