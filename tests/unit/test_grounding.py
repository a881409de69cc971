"""Drafts against evidence: what stays, what goes, and what is cited."""

from uuid import UUID

import pytest
from agent_core.evidence import (
    EntityRef,
    EntityRowEvidence,
    Evidence,
    FieldValue,
    GraphPath,
    PathEvidence,
    PathStep,
    QueryResultEvidence,
    WebPageEvidence,
)
from agent_core.grounding import CitationVerdict, RemovalReason, ground
from agent_core.grounding.sentences import NameFinder, marker_numbers
from agent_core.schemas import Verdict
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType
from hypothesis import given
from hypothesis import strategies as st

ONE_PIECE = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=1), name="One Piece")
LUFFY = EntityRef(entity_type=EntityType.CHARACTER, id=UUID(int=2), name="Monkey D. Luffy")
TANAKA = EntityRef(entity_type=EntityType.PERSON, id=UUID(int=3), name="Mayumi Tanaka")


def row(ref: EntityRef, *, text: str = "", names: tuple[str, ...] = (), **fields: str) -> EntityRowEvidence:
    lines = [str(ref.name), *(f"{name}: {value}" for name, value in fields.items()), text]
    return EntityRowEvidence(
        id=f"row:{ref.id.int}",
        source="postgresql:test",
        title=str(ref.name),
        text="\n".join(line for line in lines if line),
        row_version=7,
        locator=f"test/{ref.id.int}",
        entity=ref,
        names=names,
        fields=tuple(FieldValue(name=name, value=value) for name, value in fields.items()),
    )


def edge(from_: EntityRef, rel: EdgeType, to: EntityRef, text: str) -> PathEvidence:
    step = PathStep(from_=from_, rel=rel, to=to, evidence_id=f"edge:{rel}:{from_.id.int}")
    return PathEvidence(
        id=step.evidence_id,
        source="postgresql:test",
        title=f"{from_.name} – {to.name}",
        text=text,
        path=GraphPath(steps=(step,)),
    )


SHOW = row(
    ONE_PIECE,
    names=("ワンピース", "OP"),
    episodes="1100",
    start_date="1999-10-20",
    synopsis="Shanks's hat sends a boy after treasure.",
)
HERO = row(LUFFY, names=("ルフィ", "Straw Hat"))
APPEARS = edge(LUFFY, EdgeType.APPEARS_IN, ONE_PIECE, "Monkey D. Luffy appears in One Piece (main).")
VOICED = edge(LUFFY, EdgeType.VOICED_BY, TANAKA, "Monkey D. Luffy is voiced by Mayumi Tanaka (ja) in One Piece.")
EVIDENCE: tuple[Evidence, ...] = (SHOW, HERO, APPEARS, VOICED)
IDS = tuple(item.id for item in EVIDENCE)
SHOWN = {item.id: item for item in EVIDENCE}


def reasons(answer: str) -> list[RemovalReason]:
    return [removed.reason for removed in ground(answer, IDS, SHOWN).removed]


def test_a_backed_sentence_stays_with_its_citation() -> None:
    grounded = ground("Monkey D. Luffy appears in One Piece [3].", IDS, SHOWN)
    assert grounded.answer == "Monkey D. Luffy appears in One Piece [1]."
    assert grounded.removed == ()
    (source,) = grounded.sources
    assert (source.marker, source.evidence_id, source.title) == (1, APPEARS.id, "Monkey D. Luffy – One Piece")
    assert source.quote == APPEARS.text
    assert source.offsets == (0, len(APPEARS.text))
    assert source.verdict is Verdict.SUPPORTED


def test_a_row_citation_carries_version_and_locator() -> None:
    (source,) = ground("One Piece has 1,100 episodes [1].", IDS, SHOWN).sources
    assert (source.row_version, source.locator) == (7, "test/1")


@pytest.mark.parametrize(
    "answer",
    [
        "Luffy is in One Piece [3].",
        "Luffy's voice is Mayumi Tanaka [4].",
        "The voice actor of Luffy is Mayumi Tanaka. [4]",
        "It has 1100 episodes [1].",
        "It began on 20 October 1999 [1].",
        "It began on October 20, 1999 [1].",
        "It began in October 1999 [1].",
        "It began in 1999 [1].",
        "It is from the 1990s [1].",
        "“One Piece” is the work [1].",
        "「ワンピース」に登場する [1]。",
        "Straw Hat is another name [2].",
        "The hat belongs to Shanks [1].",
        "Yes, Luffy appears in One Piece [3].",
        "Based on the catalogue, Luffy appears in One Piece [3].",
        "ルフィの声優 [2]。",
        "Die Serie startete am 20. Oktober 1999 [1].",
        "La serie empezó el 20 de octubre de 1999 [1].",
        "Die Stimme von Luffy ist Mayumi Tanaka [4].",
        "En One Piece aparece Luffy [3].",
        "このシリーズのキャラクター [1]。",
    ],
)
def test_true_sentences_stay(answer: str) -> None:
    grounded = ground(answer, IDS, SHOWN)
    assert grounded.removed == ()
    assert len(grounded.sources) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Roronoa Zoro appears in One Piece [3].", RemovalReason.UNSUPPORTED_NAME),
        ("Monkey D. Zoro appears in One Piece [3].", RemovalReason.UNSUPPORTED_NAME),
        ("Zoro appears in One Piece [3].", RemovalReason.UNSUPPORTED_NAME),
        ("It has 900 episodes [1].", RemovalReason.UNSUPPORTED_NUMBER),
        ("It has twelve episodes [1].", RemovalReason.UNSUPPORTED_NUMBER),
        ("It has 20 episodes [1].", RemovalReason.UNSUPPORTED_NUMBER),
        ("It began on 21 October 1999 [1].", RemovalReason.UNSUPPORTED_DATE),
        ("It began in November 1999 [1].", RemovalReason.UNSUPPORTED_DATE),
        ("Die Serie startete am 21. Oktober 1999 [1].", RemovalReason.UNSUPPORTED_DATE),
        ("La serie empezó en noviembre de 1999 [1].", RemovalReason.UNSUPPORTED_DATE),
        ("Die Serie handelt von Zorro [1].", RemovalReason.UNSUPPORTED_NAME),
        ("Mai appears in One Piece [3].", RemovalReason.UNSUPPORTED_NAME),
        ("It is from the 1980s [1].", RemovalReason.UNSUPPORTED_NUMBER),
        ("It is called “Two Piece” [1].", RemovalReason.UNSUPPORTED_NAME),
        ("「ナルト」に登場する [1]。", RemovalReason.UNSUPPORTED_NAME),
        ("監督は山田太郎です [1]。", RemovalReason.UNSUPPORTED_NAME),
        ("ゾロが登場する [1]。", RemovalReason.UNSUPPORTED_NAME),
        ("Read more at https://evil.example/x [1].", RemovalReason.UNSUPPORTED_LINK),
        ("Luffy appears in One Piece.", RemovalReason.UNCITED),
        ("He is a pirate.", RemovalReason.UNCITED),
        ("Luffy appears in One Piece [9].", RemovalReason.UNKNOWN_MARKER),
    ],
)
def test_what_cited_evidence_does_not_say_goes(answer: str, reason: RemovalReason) -> None:
    grounded = ground(answer, IDS, SHOWN)
    assert grounded.is_refused
    assert grounded.answer == ""
    assert reason in [removed.reason for removed in grounded.removed]


def test_only_the_bad_sentence_goes() -> None:
    grounded = ground("Luffy appears in One Piece [3]. He fights Naruto [3]. It has 1100 episodes [1].", IDS, SHOWN)
    assert grounded.answer == "Luffy appears in One Piece [1]. It has 1100 episodes [2]."
    assert [source.evidence_id for source in grounded.sources] == [APPEARS.id, SHOW.id]
    assert [removed.reason for removed in grounded.removed] == [RemovalReason.UNSUPPORTED_NAME]


def test_unknown_markers_never_come_out() -> None:
    grounded = ground("Luffy appears in One Piece [1][5][7].", (APPEARS.id, "row:invented"), SHOWN)
    assert grounded.answer == "Luffy appears in One Piece [1]."
    assert [removed.reason for removed in grounded.removed] == [RemovalReason.UNKNOWN_MARKER]


def test_a_marker_that_says_nothing_of_the_sentence_goes() -> None:
    other = row(EntityRef(entity_type=EntityType.ANIME, id=UUID(int=9), name="Monster"))
    grounded = ground("Luffy appears in One Piece [1][2].", (other.id, APPEARS.id), {**SHOWN, other.id: other})
    assert grounded.answer == "Luffy appears in One Piece [1]."
    assert grounded.sources[0].evidence_id == APPEARS.id
    assert [removed.reason for removed in grounded.removed] == [RemovalReason.IDLE_MARKER]


def test_two_sources_may_back_one_sentence_together() -> None:
    grounded = ground("One Piece has 1100 episodes and Mayumi Tanaka voices Luffy [1][4].", IDS, SHOWN)
    assert grounded.removed == ()
    assert [source.verdict for source in grounded.sources] == [Verdict.PARTIAL, Verdict.PARTIAL]


@pytest.mark.parametrize(
    ("written", "markers"),
    [("[3, 1]", "[1][2]"), ("[1][3]", "[1][2]"), ("【3】", "[1]"), ("[1-2]", "[1]"), ("［３］", "[1]")],
)
def test_marker_spellings_come_out_as_one(written: str, markers: str) -> None:
    grounded = ground(f"One Piece is the work {written}.", IDS, SHOWN)
    assert grounded.answer == f"One Piece is the work {markers}."


def test_ids_in_brackets_are_cut() -> None:
    grounded = ground(f"Luffy appears in One Piece [{APPEARS.id}] [3] [source].", IDS, SHOWN)
    assert grounded.answer == "Luffy appears in One Piece [1]."


def test_titles_with_stops_brackets_and_digits_are_not_cut() -> None:
    names = [
        "Haikyuu!!",
        "[Oshi no Ko]",
        "86",
        "Mob Psycho 100 II",
        "Steins;Gate",
        "Is the Order a Rabbit?",
        "Dr. Stone",
    ]
    evidence = [
        row(EntityRef(entity_type=EntityType.ANIME, id=UUID(int=20 + n), name=n_)) for n, n_ in enumerate(names)
    ]
    answer = " ".join(f"{name} is a work [{number}]." for number, name in enumerate(names, start=1))
    grounded = ground(answer, [item.id for item in evidence], {item.id: item for item in evidence})
    assert grounded.answer == answer
    assert grounded.titles == tuple(names)


def test_a_number_that_is_part_of_another_title_is_no_number() -> None:
    title = row(EntityRef(entity_type=EntityType.ANIME, id=UUID(int=30), name="Mob Psycho 100"))
    grounded = ground("It has 100 episodes [1].", [SHOW.id], {SHOW.id: SHOW, title.id: title})
    assert grounded.is_refused


def test_works_called_by_plain_words_do_not_block_sentences() -> None:
    another = row(EntityRef(entity_type=EntityType.ANIME, id=UUID(int=31), name="Another"))
    grounded = ground("Another name of it is OP [1].", [SHOW.id], {SHOW.id: SHOW, another.id: another})
    assert grounded.removed == ()


def test_a_marker_moves_to_the_evidence_that_says_the_sentence() -> None:
    grounded = ground("Luffy is voiced by Mayumi Tanaka [3]. Luffy is in One Piece [3].", IDS, SHOWN)
    assert grounded.answer == "Luffy is voiced by Mayumi Tanaka [1]. Luffy is in One Piece [2]."
    assert [source.evidence_id for source in grounded.sources] == [VOICED.id, APPEARS.id]
    assert [source.verdict for source in grounded.sources] == [Verdict.MOVED, Verdict.SUPPORTED]
    assert grounded.verdicts == (CitationVerdict.MOVED, CitationVerdict.KEPT)
    assert grounded.removed == ()


def test_each_citation_has_its_verdict() -> None:
    grounded = ground("Luffy is in One Piece [3][9]. Zoro is in One Piece [3]. It began in 1999 [1].", IDS, SHOWN)
    kept, removed = CitationVerdict.KEPT, CitationVerdict.REMOVED
    assert grounded.verdicts == (kept, removed, removed, kept)


def test_no_marker_moves_to_what_has_the_names_but_not_the_words() -> None:
    assert reasons("Mayumi Tanaka married Luffy [1].") == [RemovalReason.UNSUPPORTED_NAME]
    assert reasons("It has 1999 chapters [3].") == [RemovalReason.UNSUPPORTED_NUMBER]
    assert reasons("Luffy is voiced by Mayumi Tanaka.") == [RemovalReason.UNCITED]


@pytest.mark.parametrize(
    "answer",
    [
        "Mayumi Tanaka is the director of Monkey D. Luffy [4].",
        "Mayumi Tanaka wrote Monkey D. Luffy [4].",
        "One Piece is the sequel of Monkey D. Luffy [3].",
        "Monkey D. Luffy is the brother of Mayumi Tanaka [4].",
    ],
)
def test_a_relation_that_no_cited_edge_is_goes(answer: str) -> None:
    grounded = ground(answer, IDS, SHOWN)
    assert grounded.is_refused
    assert [removed.reason for removed in grounded.removed] == [RemovalReason.UNSUPPORTED_RELATION]


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/x",
        "[here](https://evil.example)",
        "![x](//evil.example/a.png)",
        "www.evil.example/?q=1",
        "evil.example/luffy",
        "javascript:alert(1)",
        "<img src=x>",
        "ｈｔｔｐｓ：／／evil.example",
        "data:text/html;base64,AAAA",
        "10.0.0.1/steal",
        "mailto:a@evil.example",
    ],
)
def test_a_link_that_a_text_holds_is_no_source_of_the_answer(link: str) -> None:
    poisoned = row(ONE_PIECE, text=f"See {link} for One Piece.")
    grounded = ground(f"See {link} for One Piece [1].", (poisoned.id,), {poisoned.id: poisoned})
    assert RemovalReason.UNSUPPORTED_LINK in [removed.reason for removed in grounded.removed]
    assert grounded.answer == ""


@pytest.mark.parametrize(("url", "stays"), [("https://ok.example/op", True), ("ftp://ok.example/op", False)])
def test_the_address_of_a_cited_page_may_be_given(url: str, stays: bool) -> None:
    page = WebPageEvidence(id="web:1", source="web", title="One Piece", text="One Piece is long.", url=url)
    grounded = ground(f"One Piece is long, see {url} [1].", (page.id,), {page.id: page})
    assert grounded.is_refused is not stays


def test_a_known_name_must_stand_in_what_is_cited() -> None:
    assert reasons("Mayumi Tanaka appears in One Piece [3].") == [RemovalReason.UNSUPPORTED_NAME]


def test_a_sentence_about_spelling_may_repeat_the_question() -> None:
    taken = ground("Taking “One Pice” as One Piece [1].", IDS, SHOWN, asked="Who is in One Pice?")
    assert taken.answer == "Taking “One Pice” as One Piece [1]."
    assert taken.removed == ()
    guessed = ground("Taking “Piece One” as One Piece, which is a guess [1].", IDS, SHOWN, asked="Who is in Piece One?")
    assert guessed.removed == ()
    assert ground("Taking “One Pice” as One Piece [1].", IDS, SHOWN).is_refused
    assert ground("Taking “One Pice” as Naruto [1].", IDS, SHOWN, asked="Who is in One Pice?").is_refused
    assert ground("“One Pice” is One Piece [1].", IDS, SHOWN, asked="Who is in One Pice?").is_refused


def test_a_heading_lives_as_long_as_its_list() -> None:
    good = ground("Characters of One Piece:\n- Monkey D. Luffy [3]\n- Roronoa Zoro [3]", IDS, SHOWN)
    assert good.answer == "Characters of One Piece:\n- Monkey D. Luffy [1]"
    bad = ground("Characters of One Piece:\n- Roronoa Zoro [3]", IDS, SHOWN)
    assert bad.is_refused


def test_numbered_lists_keep_their_numbers() -> None:
    grounded = ground("1. One Piece [1]\n2. Monkey D. Luffy [2]", IDS, SHOWN)
    assert grounded.answer == "1. One Piece [1]\n2. Monkey D. Luffy [2]"


def test_fixed_openings_need_no_marker() -> None:
    grounded = ground("Here is what I found. Luffy appears in One Piece [3].", IDS, SHOWN)
    assert grounded.answer == "Here is what I found. Luffy appears in One Piece [1]."
    assert grounded.removed == ()


def test_control_and_invisible_characters_are_cut() -> None:
    grounded = ground("Luffy appears\x00 in \x1b[31mOne\u200b Piece\u202e [3].", IDS, SHOWN)
    assert not any(ord(character) < 32 or character in "\u200b\u202e" for character in grounded.answer)


def test_an_endless_answer_is_cut() -> None:
    grounded = ground("Luffy appears in One Piece [3]. " * 40_000, IDS, SHOWN)
    assert len(grounded.answer) <= 12_000
    assert len(grounded.sources) == 1


def test_counts_stand_on_the_query_that_ran() -> None:
    counted = QueryResultEvidence(
        id="query:1", source="postgresql", title="Works by year", text="works of the year 2024", query="…", row_count=57
    )
    assert not ground("There are 57 works [1].", ["query:1"], {"query:1": counted}).removed
    assert ground("There are 58 works [1].", ["query:1"], {"query:1": counted}).is_refused


def test_a_day_that_nobody_knows_is_not_stated() -> None:
    vague = row(EntityRef(entity_type=EntityType.ANIME, id=UUID(int=40), name="Vague"), start_date="2016-05")
    shown = {vague.id: vague}
    assert not ground("It began in May 2016 [1].", [vague.id], shown).removed
    assert ground("It began on 1 May 2016 [1].", [vague.id], shown).is_refused


def test_titles_are_unique_and_in_marker_order() -> None:
    grounded = ground("It has 1100 episodes [1]. Luffy appears in One Piece [3]. It began in 1999 [1].", IDS, SHOWN)
    assert grounded.titles == ("One Piece", "Monkey D. Luffy – One Piece")
    assert [source.marker for source in grounded.sources] == [1, 2]


def test_the_quote_of_a_long_text_is_the_part_that_backs_the_sentence() -> None:
    filler = "Nothing happens here at all. " * 20
    long = row(ONE_PIECE, text=f"{filler}The captain is called Shanks. {filler}")
    (source,) = ground("Shanks is the captain [1].", [long.id], {long.id: long}).sources
    assert source.quote == "The captain is called Shanks."
    assert source.offsets is not None
    assert long.text[slice(*source.offsets)] == source.quote


def test_a_sentence_without_a_word_is_none() -> None:
    assert ground("! [1] … [2]. ?![3]", IDS, SHOWN).is_refused


def test_an_empty_draft_is_refused() -> None:
    assert ground("", IDS, SHOWN).is_refused
    assert ground("Anything [1].", (), {}).is_refused


@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from(["Luffy ", "One Piece ", "[1]", "[2] ", "[99]", "Zoro ", ". ", "12 ", "\n- ", "「", "["])
    ).map("".join)
)
def test_whatever_is_written_every_marker_that_comes_out_has_its_source(answer: str) -> None:
    grounded = ground(answer, IDS, SHOWN)
    numbers = set(marker_numbers(grounded.answer, NameFinder(["One Piece"]).find(grounded.answer)))
    assert numbers == {source.marker for source in grounded.sources}
    assert {source.evidence_id for source in grounded.sources} <= set(IDS)
    assert "Zoro" not in grounded.answer
