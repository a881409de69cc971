"""Fifty references of German statutes, drawn by a seed from every `§`, and the section that each one means.

`statutes.jsonl` was written by reading: `document` and `section` are what is meant, `heading` is how that section is
headed there, and no document stands for a law that is not in the collection.
"""

import json
import random
import re
from pathlib import Path

import pytest
from datastore.folding import spell
from references.detection import Detector
from references.headings import Headings
from references.model import Reference
from references.registry import KnownDocument, Registry
from references.resolution import Outcome, resolve

pytestmark = pytest.mark.data

_LIST = Path(__file__).parents[2] / "fixtures" / "references" / "statutes.jsonl"
_SEED = 28
# The short names by which the laws of the collection cite each other; their own titles are longer.
_SYNONYMS = {
    "ffg_2017": ["Filmförderungsgesetz"],
    "gg": ["Grundgesetz"],
    "netzdg": ["Netzwerkdurchsetzungsgesetz"],
    "prodhaftg": ["Produkthaftungsgesetz"],
    "ttdsg": ["Telekommunikation-Telemedien-Datenschutz-Gesetz"],
    "urhdag": ["Urheberrechts-Diensteanbieter-Gesetz"],
    "urhg": ["Urheberrechtsgesetz"],
    "vgg": ["Verwertungsgesellschaftengesetz"],
}


@pytest.fixture(scope="module")
def laws(data_folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((data_folder / "docs/gesetze").glob("*.md"))}


@pytest.fixture(scope="module")
def registry(laws: dict[str, str]) -> Registry[str]:
    return Registry((_known(key, text) for key, text in laws.items()), fold=spell)


@pytest.fixture(scope="module")
def detected(laws: dict[str, str], registry: Registry[str]) -> dict[tuple[str, int], Reference]:
    detector = Detector(registry)
    return {(key, each.start): each for key, text in laws.items() for each in detector.detect(text)}


@pytest.fixture(scope="module")
def headings(laws: dict[str, str]) -> dict[str, list[str]]:
    return {key: [line.strip("# ") for line in text.split("\n") if line.startswith("#")] for key, text in laws.items()}


def test_the_list_is_the_draw_of_the_seed(laws: dict[str, str]) -> None:
    places = [
        (key, found.start())
        for key, text in laws.items()
        for found in re.finditer("§§?", text)
        if not text[text.rfind("\n", 0, found.start()) + 1 :].startswith("#")
    ]

    assert sorted(random.Random(_SEED).sample(places, 50)) == [(each["law"], each["offset"]) for each in _expected()]


def test_each_leads_to_its_section(
    detected: dict[tuple[str, int], Reference], registry: Registry[str], headings: dict[str, list[str]]
) -> None:
    wrong: list[str] = []
    for each in _expected():
        reference = detected.get((str(each["law"]), int(str(each["offset"]))))
        if reference is None:
            wrong.append(f"{each['law']} {each['offset']}: nothing found")
            continue
        found = _found(str(each["law"]), reference, registry, headings)
        if found != (each["text"], each["document"], each["section"], each["until"], each["heading"]):
            wrong.append(f"{each['law']} {each['offset']}: {found}")

    assert wrong == []


def test_hardly_any_section_of_the_collection_is_missing(
    detected: dict[tuple[str, int], Reference], registry: Registry[str], headings: dict[str, list[str]]
) -> None:
    """A section that its law has not was read as one of the wrong law, or is history."""
    known = {law: Headings(lines) for law, lines in headings.items()}
    sections = [(law, each) for (law, _), each in detected.items() if each.section.startswith(("§", "Art."))]
    inside = [(resolve(each, registry, law), law) for law, each in sections]
    targets = [
        (resolution, resolution.documents[0] if resolution.documents else law)
        for resolution, law in inside
        if resolution.outcome in {Outcome.OWN, Outcome.RESOLVED}
    ]
    missing = [each for each, law in targets if not known[law].find(each.reference.section, each.reference.until)]

    assert len(targets) > 2_000
    assert len(missing) <= 12


def _found(
    law: str, reference: Reference, registry: Registry[str], headings: dict[str, list[str]]
) -> tuple[str, str | None, str, str | None, str | None]:
    resolution = resolve(reference, registry, law)
    document = law if resolution.outcome is Outcome.OWN else next(iter(resolution.documents), None)
    heading = None
    if document is not None:
        places = Headings(headings[document]).find(reference.section, reference.until)
        heading = headings[document][places[0]] if places else "none"
    return " ".join(reference.text.split()), document, reference.section, reference.until or None, heading


def _expected() -> list[dict[str, object]]:
    return [json.loads(line) for line in _LIST.read_text(encoding="utf-8").splitlines()]


def _known(key: str, text: str) -> KnownDocument[str]:
    found = re.match(r"---\nTitle: (?P<title>.+(?:\n  .+)*)\njurabk: (?P<short>.+)\n", text)
    assert found is not None
    title = " ".join(found["title"].split())
    return KnownDocument(key, title, abbreviations=[found["short"]], synonyms=_SYNONYMS.get(key, []))
