"""What a read of documents brought, in the shape in which the loop keeps what any step brings."""

from dataclasses import dataclass

from agent_core.document_contracts import DocumentHit, DocumentResult
from agent_core.evidence import Evidence
from agent_core.schemas import StepStatus, Warning, WarningCode

_MAX_TITLES = 5


@dataclass(frozen=True, slots=True)
class PassagesFound:
    """A result of documents as a step's result."""

    found: DocumentResult

    @property
    def passages(self) -> tuple[DocumentHit, ...]:
        """The passages with their scores."""
        return self.found.hits

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The passages alone."""
        return tuple(hit.evidence for hit in self.found.hits)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.found.hits)

    @property
    def status(self) -> StepStatus:
        """How the step ended."""
        if not self.found.hits:
            return StepStatus.EMPTY
        return StepStatus.TRUNCATED if self.found.truncated else StepStatus.OK

    @property
    def summary(self) -> str:
        """One line for the next selection."""
        titles = list(dict.fromkeys(hit.evidence.title for hit in self.found.hits))
        more = ", …" if len(titles) > _MAX_TITLES else ""
        return f"{self.count} passages: {', '.join(titles[:_MAX_TITLES])}{more}"

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """What is true of any answer from them; what is wrong with the cited ones alone is told at the end."""
        warnings: list[Warning] = []
        if self.found.lacks_meaning:
            message = "The search by meaning is out of reach; the words of documents were compared."
            warnings.append(Warning(code=WarningCode.VECTOR_UNAVAILABLE, message=message))
        if self.found.left_out:
            message = "The index is behind the documents."
            subject = f"{self.found.left_out} left out"
            warnings.append(Warning(code=WarningCode.STALE_INDEX, message=message, subject=subject))
        return tuple(warnings)
