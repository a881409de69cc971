"""Names as dumps give them, made names: lists taken apart, markup made plain, what names nothing dropped. Pure.

Repairing repaired names changes nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from datastore.vocabulary import NameKind

from ingestion.report import RepairKind
from ingestion.text import plain_name

# Only these are lists of names now and then; a title may well hold a semicolon.
_LISTED_KINDS = frozenset({NameKind.ALIAS, NameKind.ABBREVIATION})
_SEPARATOR = re.compile(r";\s+|\s*；\s*|\s*[\r\n]+\s*")
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_QUOTED_ITEM = re.compile(_QUOTED)
_QUOTED_LIST = re.compile(rf"\[\s*(?:(?:{_QUOTED})(?:\s*,\s*(?:{_QUOTED}))*\s*,?\s*)?\]")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class RepairedNames:
    """The names of one entity as raw fields, and how many of them needed which repair."""

    names: list[Any]
    repairs: Mapping[RepairKind, int]


def is_junk_name(name: str) -> bool:
    """Nothing but punctuation, symbols and spaces, visible or not."""
    return not any(character.isalnum() for character in name)


def repair_names(names: Sequence[Any]) -> RepairedNames:
    """`names` with every list-like one taken apart, and without aliases that name nothing.

    What is no name with a text is passed on as it is, and so are names of which none is left, for validation to refuse.
    The first name of a list keeps its kind; the others are aliases. When the main name names nothing, the next one
    takes its place.
    """
    found: Counter[RepairKind] = Counter()
    repaired: list[Any] = []
    for item in names:
        fields = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        if isinstance(fields.get("name"), str):
            repaired += _repaired(fields, found)
        else:
            repaired.append(item)
    if not repaired:
        return RepairedNames(list(names), {})
    if _has_main(names) and not _has_main(repaired):
        repaired[0] = {**repaired[0], "kind": NameKind.MAIN}
    return RepairedNames(repaired, found)


def _repaired(fields: dict[str, Any], found: Counter[RepairKind]) -> Iterator[dict[str, Any]]:
    given: str = fields["name"]
    name = plain_name(given)
    if name != given:
        found[RepairKind.HTML_MADE_PLAIN] += 1
    kind = fields.get("kind")
    parts = _parts(name, is_listed=kind in _LISTED_KINDS)
    if len(parts) != 1 or parts[0] != name:
        found[RepairKind.NAME_LIST_SPLIT] += 1
    for position, part in enumerate(parts):
        is_alias = position > 0 or kind in _LISTED_KINDS
        if is_junk_name(part) and (is_alias or not _is_visible(part)):
            found[RepairKind.JUNK_NAME] += 1
        else:
            yield {**fields, "name": part, "kind": NameKind.ALIAS if position else kind}


def _parts(name: str, *, is_listed: bool) -> list[str]:
    stripped = name.strip()
    if _QUOTED_LIST.fullmatch(stripped):
        return [_ESCAPED.sub(r"\1", item[1:-1]).strip() for item in _QUOTED_ITEM.findall(stripped)]
    if is_listed and _SEPARATOR.search(stripped):
        return [part for part in _SEPARATOR.split(stripped) if part]
    return [name]


def _is_visible(name: str) -> bool:
    return any(character.isprintable() and not character.isspace() for character in name)


def _has_main(names: Sequence[Any]) -> bool:
    return any(isinstance(item, dict) and cast("dict[str, Any]", item).get("kind") == NameKind.MAIN for item in names)
