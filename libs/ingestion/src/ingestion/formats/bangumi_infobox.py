"""The infobox of a Bangumi page: `{{Infobox …}}` with a line a field, read as far as its markup goes. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_FIELD = re.compile(r"\|([^=]*)=(.*)")
_ITEM = re.compile(r"\[(?:([^|\]]*)\|)?(.*)\]")


@dataclass(frozen=True, slots=True)
class InfoboxItem:
    """One value of a field; `label` is empty where the value has none."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Infobox:
    """The values of each field, without empty ones."""

    fields: Mapping[str, tuple[InfoboxItem, ...]]

    def text(self, *names: str) -> str | None:
        """The first value of the first of these fields that has one."""
        for name in names:
            for item in self.fields.get(name, ()):
                return item.value
        return None

    def items(self, name: str) -> tuple[InfoboxItem, ...]:
        """All values of a field."""
        return self.fields.get(name, ())


def parse_infobox(text: str) -> Infobox:
    """Whatever is understood of `text`; lines that follow no rule are passed over."""
    fields: dict[str, list[InfoboxItem]] = {}
    current: list[InfoboxItem] | None = None
    for line in _lines(text):
        if current is not None and line == "}":
            current = None
        elif current is not None and (item := _ITEM.fullmatch(line)) is not None:
            _add(current, item[1] or "", item[2])
        elif (field := _FIELD.match(line)) is not None:
            current = fields.setdefault(field[1].strip(), [])
            value = field[2].strip()
            if value != "{":
                _add(current, "", value)
                current = None
    return Infobox({name: tuple(items) for name, items in fields.items() if items})


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines())


def _add(items: list[InfoboxItem], label: str, value: str) -> None:
    if value.strip():
        items.append(InfoboxItem(label.strip(), value.strip()))
