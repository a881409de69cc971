"""Compares the works of the demo catalogue with other catalogues: `python -m ingestion.demo.compare --data FOLDER`.

Each difference in title, start date, format or number of episodes is printed. Differences whose reason is known are
kept in `differences.json`. The exit status is 1 when one is left without a reason, 2 when there is nothing to read.
"""

import argparse
import json
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

from datastore.dates import PartialDate
from datastore.vocabulary import EntityType, NameKind
from pydantic import BaseModel, ConfigDict, TypeAdapter

from ingestion.demo import demo_catalogue_files
from ingestion.demo.reference_works import ReferenceWork, read_reference_works
from ingestion.demo.validator import read_records
from ingestion.records import AnimeRecord, MangaRecord

Work = AnimeRecord | MangaRecord


@dataclass(frozen=True, slots=True)
class Difference:
    """One value in which a source doesn't agree with us."""

    ref: str
    field: str
    ours: str
    theirs: str
    source: str


class Explanation(BaseModel):
    """A difference that has been looked into, and why our value stays."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ref: str
    field: str
    ours: str
    theirs: str
    source: str
    reason: str

    @property
    def difference(self) -> Difference:
        """What is explained; it must match to the letter."""
        return Difference(self.ref, self.field, self.ours, self.theirs, self.source)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came out. `matched` counts pairs of a work and a source; `unmatched` are works that no source holds."""

    matched: int
    unmatched: tuple[str, ...]
    unexplained: tuple[Difference, ...]
    explained: tuple[Explanation, ...]
    stale: tuple[Explanation, ...]


def compare(
    works: Iterable[Work], references: Iterable[ReferenceWork], explanations: Iterable[Explanation] = ()
) -> Comparison:
    """All differences, split into explained and not. An explanation without its difference is stale."""
    by_source: dict[str, list[ReferenceWork]] = defaultdict(list)
    for reference in references:
        by_source[reference.source].append(reference)
    indexes = [_Index(found) for _, found in sorted(by_source.items())]
    matched, unmatched, differences = 0, list[str](), list[Difference]()
    for work in works:
        found = [reference for index in indexes if (reference := index.find(work)) is not None]
        matched += len(found)
        if not found:
            unmatched.append(work.ref)
        for reference in found:
            differences += _differences(work, reference)
    reasons = {explanation.difference: explanation for explanation in explanations}
    return Comparison(
        matched,
        tuple(unmatched),
        tuple(difference for difference in differences if difference not in reasons),
        tuple(reasons[difference] for difference in differences if difference in reasons),
        tuple(explanation for difference, explanation in reasons.items() if difference not in differences),
    )


class _Index:
    """The works of one source, found by AniList id, else by MyAnimeList id, else by the exact folded native title.

    A source may list a running work again for each of its arcs, under one id: the entry that starts first is meant.
    AniList ids come before MyAnimeList ids because the latter join what AniList splits. A title that several works of
    the source have finds none.
    """

    def __init__(self, references: Sequence[ReferenceWork]) -> None:
        self._by_id: dict[str, list[ReferenceWork]] = defaultdict(list)
        self._by_title: dict[tuple[EntityType, str], list[ReferenceWork]] = defaultdict(list)
        for reference in references:
            for external_id in filter(None, (reference.anilist_id, reference.mal_id)):
                self._by_id[external_id].append(reference)
            if reference.native:
                self._by_title[reference.entity, _folded(reference.native)].append(reference)

    def find(self, work: Work) -> ReferenceWork | None:
        for external_id in sorted(work.external_ids):
            if found := self._by_id.get(external_id):
                return min(found, key=lambda reference: str(reference.starts[0]) if reference.starts else "9999")
        entity = EntityType(work.record)
        natives = dict.fromkeys(_folded(name.name) for name in work.names if name.kind is NameKind.NATIVE)
        named = [reference for native in natives for reference in self._by_title.get((entity, native), [])]
        return named[0] if len(named) == 1 else None


def _folded(title: str) -> str:
    text = unicodedata.normalize("NFKC", title).casefold().replace("×", "x")
    return "".join(character for character in text if character.isalnum()) or text


def _differences(work: Work, reference: ReferenceWork) -> Iterator[Difference]:
    def difference(field: str, ours: object, theirs: object) -> Difference:
        return Difference(work.ref, field, str(ours), str(theirs), reference.source)

    names = {_folded(name.name) for name in work.names}
    for title in reference.titles:
        if _folded(title) not in names:
            yield difference("title", work.main_name, title)
    start = work.start_date
    if start and reference.starts and not any(_agree(start, theirs) for theirs in reference.starts):
        yield difference("start", start, reference.starts[0])
    if work.format and reference.formats and work.format not in reference.formats:
        yield difference("format", work.format, "/".join(sorted(reference.formats)))
    episodes = work.episodes if isinstance(work, AnimeRecord) else None
    if episodes is not None and reference.episodes is not None and episodes != reference.episodes:
        yield difference("episodes", episodes, reference.episodes)


def _agree(ours: PartialDate, theirs: PartialDate) -> bool:
    """Equal as far as both are known."""
    pairs = zip((ours.year, ours.month, ours.day), (theirs.year, theirs.month, theirs.day), strict=True)
    return all(left == right for left, right in pairs if left is not None and right is not None)


def known_explanations() -> list[Explanation]:
    """The differences whose reason is written down in `differences.json`."""
    content = (files("ingestion.demo") / "differences.json").read_bytes()
    return TypeAdapter(list[Explanation]).validate_json(content)


def demo_works() -> list[Work]:
    """The anime and printed works of the demo catalogue."""
    located, _ = read_records(demo_catalogue_files())
    return [item.record for item in located if isinstance(item.record, AnimeRecord | MangaRecord)]


def _as_json(result: Comparison) -> str:
    body = {
        "matched": result.matched,
        "unmatched": list(result.unmatched),
        "unexplained": [asdict(difference) for difference in result.unexplained],
        "explained": [explanation.model_dump() for explanation in result.explained],
        "stale": [explanation.model_dump() for explanation in result.stale],
    }
    return json.dumps(body, ensure_ascii=False, indent=2)


def _as_text(result: Comparison) -> str:
    def line(mark: str, one: Difference | Explanation, reason: str = "") -> str:
        text = f"{mark} {one.ref} {one.field}: ours '{one.ours}', {one.source} '{one.theirs}'"
        return f"{text} ({reason})" if reason else text

    lines = [line("UNEXPLAINED", difference) for difference in result.unexplained]
    lines += [line("explained", explanation, explanation.reason) for explanation in result.explained]
    lines += [line("stale", explanation, "no such difference any more") for explanation in result.stale]
    lines.append(
        f"{result.matched} comparisons, {len(result.unmatched)} works without a counterpart, "
        f"{len(result.unexplained)} unexplained, {len(result.explained)} explained differences"
    )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m ingestion.demo.compare", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of shared data, with a folder `anime` inside")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    try:
        references = read_reference_works(options.data)
    except FileNotFoundError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    result = compare(demo_works(), references, known_explanations())
    sys.stdout.write((_as_json(result) if options.json else _as_text(result)) + "\n")
    return 1 if result.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
