"""Names to documents: exact before fuzzy before substring, and what is ambiguous or leads nowhere."""

import pytest
from datastore.folding import spell
from references.detection import Detector
from references.headings import Headings
from references.model import Reference, ReferenceType
from references.registry import Found, KnownDocument, Match, Registry
from references.resolution import Outcome, resolve

_DOCUMENTS = (
    KnownDocument(
        "pep8", "Style Guide for Python Code", numbers=["PEP 8"], addresses=["https://peps.python.org/pep-0008/"]
    ),
    KnownDocument("pep80", "Rules of Eighty", numbers=["PEP 80"]),
    KnownDocument("tmg", "Telemediengesetz", abbreviations=["TMG"]),
    KnownDocument("bdsg", "Bundesdatenschutzgesetz", abbreviations=["BDSG 2018"]),
    KnownDocument("urhg", "Gesetz über Urheberrecht", abbreviations=["UrhG"], synonyms=["Urheberrechtsgesetz"]),
    KnownDocument("may", "Minutes of the meeting in May", addresses=["minutes/may.md"]),
    KnownDocument("june", "Minutes of the meeting in June", synonyms=["the last minutes"]),
    KnownDocument("note", "note"),
    KnownDocument("rfc", "Words", numbers=["RFC 12345"]),
)
_REGISTRY = Registry(_DOCUMENTS, fold=spell)


@pytest.mark.parametrize(
    ("name", "ids", "match"),
    [
        ("PEP 8", ("pep8",), Match.EXACT),
        ("style guide for PYTHON code", ("pep8",), Match.EXACT),
        ("Urheberrechtsgesetzes", ("urhg",), Match.EXACT),
        ("Style Guide for Pyhton Code", ("pep8",), Match.FUZZY),
        ("Style Guide for Python", ("pep8",), Match.FUZZY),
        ("BDSG", ("bdsg",), Match.SUBSTRING),
        ("Python Code", ("pep8",), Match.SUBSTRING),
        ("Minutes of the meeting", ("may", "june"), Match.FUZZY),
        ("the meeting", ("may", "june"), Match.SUBSTRING),
        ("PEP 88", (), None),
        ("PEP 9", (), None),
        ("Telekommunikationsgesetz", (), None),
        ("Teledienstegesetz", (), None),
        ("Landesdatenschutzgesetz", (), None),
        ("RFC 12346", (), None),
        ("Minutes of the meeting in March", (), None),
        ("Gesetz über Urkunden", (), None),
        ("", (), None),
    ],
)
def test_stages(name: str, ids: tuple[str, ...], match: Match | None) -> None:
    assert _REGISTRY.resolve(name) == Found(ids, match)


def test_the_threshold_of_slips_is_the_callers() -> None:
    assert Registry(_DOCUMENTS, fold=spell, fuzzy_threshold=0.99).resolve("Style Guide for Pyhton Code") == Found()


def test_names_are_mentions_in_running_text() -> None:
    text = (
        "The Style Guide\nfor Python Code, des Telemediengesetzes, the TMG; a tmg, a note, style guide for python code."
    )

    references = Detector(_REGISTRY).detect(text)

    assert [(each.type, each.text, each.document) for each in references] == [
        (ReferenceType.DOCUMENT_MENTION, "Style Guide\nfor Python Code", "Style Guide for Python Code"),
        (ReferenceType.DOCUMENT_MENTION, "Telemediengesetzes", "Telemediengesetz"),
        (ReferenceType.DOCUMENT_MENTION, "TMG", "TMG"),
    ]


def test_a_name_is_within_one_sentence() -> None:
    registry = Registry([KnownDocument(2, "The Guide", synonyms=["PEP 2", "Dr. Who"])], fold=spell)
    text = "This is a PEP.\n\n2. The: Guide is it. The Guide? By the PEP [2], Dr. Who."

    assert [each.text for each in Detector(registry).detect(text)] == ["The Guide", "[2]", "Dr. Who"]


@pytest.mark.parametrize(
    ("text", "own", "outcome", "documents"),
    [
        ("PEP 8", "may", Outcome.RESOLVED, ("pep8",)),
        ("PEP 8", "pep8", Outcome.OWN, ("pep8",)),
        ("PEP 9", "may", Outcome.DANGLING, ()),
        ("§ 4 des Telemediengesetzes", "may", Outcome.RESOLVED, ("tmg",)),
        ("§ 4", "tmg", Outcome.OWN, ()),
        ("§ 823 BGB", "tmg", Outcome.DANGLING, ()),
        ("Section 2 of the Style Guide for Python Code", "may", Outcome.RESOLVED, ("pep8",)),
        ("[x](../may.md#end)", "june", Outcome.RESOLVED, ("may",)),
        ("http://www.peps.python.org/pep-0008#intro", "may", Outcome.RESOLVED, ("pep8",)),
        ("https://example.org/", "may", Outcome.EXTERNAL, ()),
        ("(Smith, 2019)", "may", Outcome.CITATION, ()),
        ("so [3].", "may", Outcome.OWN, ()),
    ],
)
def test_outcomes(text: str, own: str, outcome: Outcome, documents: tuple[str, ...]) -> None:
    (reference,) = Detector(_REGISTRY).detect(text)

    resolution = resolve(reference, _REGISTRY, own)

    assert (resolution.outcome, resolution.documents) == (outcome, documents)


def test_an_ambiguous_name_keeps_its_candidates() -> None:
    reference = Reference(ReferenceType.DOCUMENT_MENTION, "the meeting", 0, 11, document="the meeting")

    resolution = resolve(reference, _REGISTRY, "tmg")

    assert (resolution.outcome, resolution.documents) == (Outcome.AMBIGUOUS, ("may", "june"))


@pytest.mark.parametrize(
    ("section", "until", "places"),
    [
        ("§ 5 Abs. 2", "", [1]),
        ("§ 5a", "", [2]),
        ("§ 5", "§ 7", [1, 2, 4]),
        ("§ 11", "", [5]),
        ("§ 20", "", []),
        ("Section 5", "", [0]),
        ("Section 4.2", "", [6]),
        ("Art. 6 Abs. 1", "", [7]),
        ("Chapter II", "", []),
        ("#open-questions", "", [8]),
        ("[3]", "", []),
    ],
)
def test_headings_of_sections(section: str, until: str, places: list[int]) -> None:
    headings = Headings(
        [
            "Abschnitt 5 - Allgemeines",
            "### § 5 Zweck",
            "§ 5a Weiteres",
            "Kapitel 2",
            "§ 7",
            "(XXXX) §§ 10 bis 12",
            "4.2. Results",
            "Art 6",
            "Open questions",
        ]
    )

    assert headings.find(section, until) == places
