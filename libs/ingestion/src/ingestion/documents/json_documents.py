"""Documents as JSON, one a line: what a program writes that has documents of its own. See docs/formats/documents.md."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ingestion.documents.decoding import safe_text
from ingestion.documents.incoming import COLLECTION
from ingestion.documents.model import Heading, ParsedText
from ingestion.text import Repairs

type TextFormat = Literal["text", "markdown", "rst", "html"]


class JsonSection(BaseModel):
    """A part of a document: a heading and what stands below it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str = Field(default="", max_length=1_000)
    level: int = Field(default=1, ge=1, le=9)
    text: str = ""


class JsonDocument(BaseModel):
    """One line. `text` is in `format`; `sections` are plain. `fields` are what a front matter would say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=2_000)
    title: str | None = Field(default=None, max_length=2_000)
    text: str | None = None
    sections: tuple[JsonSection, ...] | None = None
    format: TextFormat = "text"
    date: str | None = Field(default=None, max_length=200)
    language: str | None = Field(default=None, max_length=40)
    source: str | None = Field(default=None, max_length=2_000)
    collection: str | None = Field(default=None, pattern=rf"^{COLLECTION.pattern}$")
    aliases: tuple[str, ...] = ()
    fields: dict[str, str | list[str]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        if (self.text is None) == (self.sections is None):
            raise ValueError("text, sections: exactly one is required")
        return self

    def own_fields(self) -> dict[str, tuple[str, ...]]:
        """What the line says about its document, as fields."""
        said = {"title": self.title, "date": self.date, "language": self.language, "source": self.source}
        given = {
            name.lower(): (value,) if isinstance(value, str) else tuple(value) for name, value in self.fields.items()
        }
        return (
            given
            | {name: (value,) for name, value in said.items() if value}
            | ({"aliases": self.aliases} if self.aliases else {})
        )

    def joined_sections(self) -> ParsedText:
        """The text of the sections, each below its heading, an empty line between them."""
        parts: list[str] = []
        headings: list[Heading] = []
        length, repairs = 0, Repairs()
        for section in self.sections or ():
            heading, text = safe_text(section.heading.strip()), safe_text(section.text.strip())
            repairs += heading.repairs + text.repairs
            if block := "\n\n".join(part for part in (heading.value, text.value) if part):
                if heading.value:
                    headings.append(Heading(section.level, heading.value, length))
                parts.append(block)
                length += len(block) + 2
        return ParsedText(text="\n\n".join(parts), headings=tuple(headings), repairs=repairs)
