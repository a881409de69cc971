"""When namesakes are told apart by popularity: a threshold that was fitted, and what it was fitted on."""

from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

FILE = "ambiguity.json"


class AmbiguityThreshold(BaseModel):
    """The fitted value with its data: the same questions and the same catalogue give the same one again.

    A mention is *clear* where the best of its candidates is the entity meant, *unclear* where it is another one or the
    question says itself that several are meant. `clear_lead` is the smallest lead in popularity, as a share of 1, by
    which the best is chosen; below it the choice is left open.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    clear_lead: float = Field(ge=0, le=1)
    fitted_on: str
    digest: str = Field(description="SHA-256 of the questions and the catalogue.")
    clear: int = Field(ge=0, description="Mentions whose best candidate is meant.")
    clear_right: float = Field(ge=0, le=1, description="The share of them that is chosen.")
    unclear: int = Field(ge=0)
    unclear_right: float = Field(ge=0, le=1, description="The share of them that is left open.")

    def in_words(self) -> str:
        """All of it on one line."""
        return (
            f"a lead of {self.clear_lead:g} tells namesakes apart; fitted on {self.fitted_on} ({self.digest[:12]}): "
            f"{self.clear_right:.1%} of {self.clear} clear mentions chosen, "
            f"{self.unclear_right:.1%} of {self.unclear} unclear ones left open"
        )


def _read() -> AmbiguityThreshold:
    return AmbiguityThreshold.model_validate_json(files(__package__ or "").joinpath(FILE).read_bytes())


FITTED = _read()
"""What this release goes by; `enishi eval fit` writes it."""
