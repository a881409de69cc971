"""What is found in a text: types, places and targets, in English and German."""

import pytest
from references.detection import Detector
from references.model import Reference, ReferenceType, Relation

S, L = ReferenceType.SECTION, ReferenceType.LEGAL_SECTION
D, E = ReferenceType.DOCUMENT, ReferenceType.EXTERNAL
N, A = ReferenceType.ACADEMIC_NUMBERED, ReferenceType.ACADEMIC_SHORTFORM

DETECTOR = Detector[int]()


def found(text: str) -> list[tuple[ReferenceType, str, str]]:
    references = DETECTOR.detect(text)
    for each in references:
        assert text[each.start : each.end] == each.text
    return [(each.type, each.text, each.target) for each in references]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Nach § 5 Abs. 2 Satz 1 Nr. 3 BDSG gilt",
            [(L, "§ 5 Abs. 2 Satz 1 Nr. 3 BDSG", "BDSG § 5 Abs. 2 Satz 1 Nr. 3")],
        ),
        ("die §§ 3 bis 5 gelten", [(L, "§§ 3 bis 5", "§ 3 – § 5")]),
        (
            "§§ 3a bis 13, 20 und 29",
            [(L, "§§ 3a bis 13", "§ 3a – § 13"), (L, "20", "§ 20"), (L, "29", "§ 29")],
        ),
        ("§§ 5 Abs. 2, 7 und 9", [(L, "§§ 5 Abs. 2", "§ 5 Abs. 2"), (L, "7", "§ 7"), (L, "9", "§ 9")]),
        ("nach § 8 Abs. 2 Satz 3, Abs. 3 und 4 ist", [(L, "§ 8 Abs. 2 Satz 3, Abs. 3 und 4", "§ 8 Abs. 2 Satz 3")]),
        ("§ 44b Absatz 1 und 2 Satz 1)", [(L, "§ 44b Absatz 1 und 2 Satz 1", "§ 44b Abs. 1")]),
        ("(§ 16\nAbsatz 3)", [(L, "§ 16\nAbsatz 3", "§ 16 Abs. 3")]),
        ("§ 5 ff. UrhG", [(L, "§ 5 ff. UrhG", "UrhG § 5")]),
        ("nach § 80, 12 Monate später", [(L, "§ 80", "§ 80")]),
        ("Article 6(1)(f) GDPR", [(L, "Article 6(1)(f) GDPR", "GDPR Art. 6 Abs. 1 lit. f")]),
        ("Artikel 5 Absatz 1 und Art. 3", [(L, "Artikel 5 Absatz 1", "Art. 5 Abs. 1"), (L, "Art. 3", "Art. 3")]),
        (
            "Articles 13 and 14 of Regulation (EU) 2016/679",
            [
                (L, "Articles 13", "Regulation 2016/679 Art. 13"),
                (L, "14 of Regulation (EU) 2016/679", "Regulation 2016/679 Art. 14"),
            ],
        ),
        ("see Section 4.2 and section 5a.", [(S, "Section 4.2", "Section 4.2"), (S, "section 5a", "Section 5a")]),
        ("in Abschnitt 3 und Kapitel II", [(S, "Abschnitt 3", "Section 3"), (S, "Kapitel II", "Chapter II")]),
        ("Appendix B, Anhang A", [(S, "Appendix B", "Appendix B"), (S, "Anhang A", "Appendix A")]),
        ("see Part 2 and Teil 3", [(S, "Part 2", "Part 2"), (S, "Teil 3", "Part 3")]),
        ('Back to the Future Part II, the 13th Part 2, Close to Home: Part 1, "Part III"', []),
        ("Section 3 (neu), § 4 Abs. 1 or a person", [(S, "Section 3", "Section 3"), (L, "§ 4 Abs. 1", "§ 4 Abs. 1")]),
        ("Chapter 3 HTTP", [(S, "Chapter 3", "Chapter 3")]),
        ("Section 4.2 of RFC 2119", [(S, "Section 4.2 of RFC 2119", "RFC 2119 Section 4.2")]),
        ("RFC 2119, Section 6", [(D, "RFC 2119", "RFC 2119"), (S, "Section 6", "RFC 2119 Section 6")]),
    ],
)
def test_sections(text: str, expected: list[tuple[ReferenceType, str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("§ 4 des Telemediengesetzes", "Telemediengesetz § 4"),
        ("§ 273 des\nBürgerlichen Gesetzbuchs", "Bürgerlichen Gesetzbuch § 273"),
        ("§ 99 des Gesetzes über Ordnungswidrigkeiten finden keine Anwendung", "Gesetz über Ordnungswidrigkeiten § 99"),
        ("§ 7 dieses Gesetzes", "§ 7"),
        ("§ 7 des Gesetzes bleibt", "§ 7"),
        ("§ 139c der Abgabenordnung besitzen", "Abgabenordnung § 139c"),
        ("Art. 12 G v. 20. 11.2019 I 1626", "G v. 20.11.2019 Art. 12"),
        ("§ 5 der Antrag", "§ 5"),
        ("Section 106 of the Copyright Act", "Copyright Act Section 106"),
        ("Article 370 of the Constitution of India is", "Constitution of India Art. 370"),
        ("Section 3 of the Obscene Publications Act 1959", "Obscene Publications Act 1959 Section 3"),
    ],
)
def test_a_section_is_of_the_law_beside_it(text: str, target: str) -> None:
    assert [each.target for each in DETECTOR.detect(text)] == [target]


def test_a_law_after_the_last_section_of_a_list_is_that_of_all() -> None:
    text = "§ 184a, 184b oder § 184c des Strafgesetzbuches, und § 63a Absatz 2 in Verbindung mit § 4b UKlaG"

    assert [each.target for each in DETECTOR.detect(text)] == [
        "Strafgesetzbuch § 184a",
        "Strafgesetzbuch § 184b",
        "Strafgesetzbuch § 184c",
        "§ 63a Abs. 2",
        "UKlaG § 4b",
    ]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("PEP 8 and PEP-0257, rfc 2119", ["PEP 8", "PEP 257", "RFC 2119"]),
        (":pep:`8` and :pep:`the tool\ntable <518#tool-table>`", ["PEP 8", "PEP 518 #tool-table"]),
        ("PEPs 484, 526 and 544", ["PEP 484", "PEP 526", "PEP 544"]),
        ("RFCs 7230-7232", ["RFC 7230", "RFC 7231", "RFC 7232"]),
        ("defined in PEP\n    427 (see", ["PEP 427"]),
        ("ISO 8601-1 and [RFC2119]", ["ISO 8601-1", "RFC 2119"]),
        ("Durchführungsverordnung (EU) 2017/6 und Richtlinie 2000/31/EG", ["Regulation 2017/6", "Directive 2000/31"]),
        ("pep-0008.txt, PEP 30XZ, a PEP    7 columns wide, PEPPER 3", []),
    ],
)
def test_numbered_documents(text: str, targets: list[str]) -> None:
    assert [(each.type, each.target) for each in DETECTOR.detect(text)] == [(D, target) for target in targets]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("as shown [3], and [1, 4–6].", ["[3]", "[1]", "[4]", "[5]", "[6]"]),
        ("said so [2]_ twice [#why]_ and [^note].", ["[2]", "[why]", "[note]"]),
        ("said (see [3]).", ["[3]"]),
        ("x = [1, 2]; f([3]); a[4]; return [5]; m = [[6]]; [1](http)", []),
        (".. [3] The entry.\n.. [#why]\n   Because.\n[4] Another entry.\n", []),
        ("  [1, 2, 3]\n", []),
        ("Weilburg [1383], a median of 8 [2-20], [2019-2021]", []),
    ],
)
def test_citations_by_number(text: str, targets: list[str]) -> None:
    assert [(each.type, each.target) for each in DETECTOR.detect(text)] == [(N, target) for target in targets]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it works (Smith et al., 2019).", [("Smith et al., 2019", "Smith 2019")]),
        (
            "(Smith & Jones 2019; vgl. Müller und Weber, 2020a, S. 5)",
            [("Smith & Jones 2019", "Smith 2019"), ("Müller und Weber, 2020a", "Müller 2020a")],
        ),
        ("As O'Neil and Brown (2004) showed", [("O'Neil and Brown (2004)", "O'Neil 2004")]),
        (
            "(March 2012), (in 2019), (version 2019), (Summer 2020), Shrek (2001), (GBD 2015), (UCL2077), (JNJ-1935)",
            [],
        ),
    ],
)
def test_citations_by_name_and_year(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == [(A, written, target) for written, target in expected]


def test_links() -> None:
    text = "See (https://example.org/a_(b)), www.example.org/x. [Here](notes/other.md#part-2) and [there](#below)!"

    assert found(text) == [
        (E, "https://example.org/a_(b)", "https://example.org/a_(b)"),
        (E, "www.example.org/x", "www.example.org/x"),
        (D, "notes/other.md#part-2", "notes/other.md #part-2"),
        (S, "#below", "#below"),
    ]


def test_what_is_inside_an_address_is_part_of_it() -> None:
    assert [each.type for each in DETECTOR.detect("https://example.org/PEP-8/RFC2119#section-4 [3]")] == [E, N]


def test_numbers_of_headings_are_no_references() -> None:
    text = "### § 5 Benennung\n\n§ 6 gilt.\n\nSection 7 Title of PEP 8\n\nSection 8 is long."
    title = text.index("Section 7")

    references = DETECTOR.detect(text, headings=[(title, title + len("Section 7 Title of PEP 8"))])

    assert [each.target for each in references] == ["§ 6", "PEP 8", "Section 8"]


def test_offsets_count_code_points() -> None:
    text = "𝔘𝔫𝔦 👩‍🔬 é: § 5"

    assert [(each.start, each.end) for each in DETECTOR.detect(text)] == [(len(text) - 3, len(text))]


def test_a_mention_of_a_document_and_a_reference_to_its_section_are_different_relations() -> None:
    mention, section = DETECTOR.detect("PEP 8. Section 3 of PEP 7.")

    assert (mention.relation, section.relation) == (Relation.MENTIONS, Relation.REFERENCES)


def test_further_series() -> None:
    assert [each.target for each in Detector[int](series=["Drucksache"]).detect("Drucksache 12, drucksache 13")] == [
        "Drucksache 12",
        "Drucksache 13",
    ]


def test_of_a_range_the_target_names_both_ends() -> None:
    assert Reference(L, "", 0, 0, "GG", "Art. 1", "Art. 19").target == "GG Art. 1 – Art. 19"
