"""What a reference is: its type, where it stands, and what it points at."""

from dataclasses import dataclass
from enum import StrEnum


class ReferenceType(StrEnum):
    """The seven types of references; which one decides how a reference is followed."""

    SECTION = "section"
    DOCUMENT = "document"
    EXTERNAL = "external"
    LEGAL_SECTION = "legal_section"
    ACADEMIC_NUMBERED = "academic_numbered"
    ACADEMIC_SHORTFORM = "academic_shortform"
    DOCUMENT_MENTION = "document_mention"


class Relation(StrEnum):
    """What a reference says about its two documents, read `(a)-[relation]->(b)` from the document that it stands in."""

    REFERENCES = "references"
    MENTIONS = "mentions"
    REQUIRES = "requires"
    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "superseded_by"


class Method(StrEnum):
    """Who found a reference: rules, a language model, or both."""

    RULES = "rules"
    LLM = "llm"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference of a text.

    `start` and `end` count code points, half-open: `text` is the text between them. `document` names the document that
    is meant, in its usual form (`PEP 8`, `Directive 2000/31`, `BDSG`), and is empty when it is the very document that
    the reference stands in. `section` is a part of it in its usual form (`§ 5 Abs. 2 Satz 1`, `Section 4.2`, `[3]`,
    `#anchor`), empty for all of it; `until` is the last section of a range, empty when there is none.
    """

    type: ReferenceType
    text: str
    start: int
    end: int
    document: str = ""
    section: str = ""
    until: str = ""
    relation: Relation = Relation.REFERENCES
    method: Method = Method.RULES

    @property
    def target(self) -> str:
        """What is referred to, in one line: the same for every way of writing it."""
        section = f"{self.section} – {self.until}" if self.until else self.section
        return " ".join(part for part in (self.document, section) if part)
