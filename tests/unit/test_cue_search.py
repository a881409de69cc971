"""Searching cues by how their patterns begin finds what trying every pattern at every place finds."""

import re

import pytest
from agent_core.agents.rule_based.beginnings import LONGEST, Sieve, beginnings, needed, starts_of
from agent_core.agents.rule_based.cues import CueTable, Found, Mark, MarkCue, find_cues
from agent_core.agents.rule_based.query_nouns import WORK_NOUNS
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.agents.rule_based.question import rewrite_question
from agent_core.agents.rule_based.shapes import COMPARISONS, PATHS
from agent_core.agents.rule_based.text import NAME, clean, read
from agent_core.agents.rule_based.vocabulary import QUESTION_CUES, QUESTION_TABLE
from fixtures.readings import find_invented, phrasings


def every_cue(text: str) -> tuple[Found, ...]:
    """All rows tried at all places: what the index is measured against."""
    matches = [
        (match.start(), -match.end(), order, cue)
        for order, (pattern, cue) in enumerate(QUESTION_CUES)
        for start in range(len(text))
        if (match := re.compile(rf"(?<!\w)(?:{pattern})(?!\w)").match(text, start)) is not None
        if match.end() > start and re.search(NAME, match.group()) is None
    ]
    found: list[Found] = []
    for start, negative_end, _, cue in sorted(matches, key=lambda match: match[:3]):
        if not found or start >= found[-1].end:
            found.append(Found(cue, start, -negative_end))
    return tuple(found)


@pytest.mark.parametrize("each", range(4))
def test_cues_are_those_of_a_search_with_every_pattern(each: int) -> None:
    for phrasing in phrasings()[each::40]:
        text = read(clean(phrasing.question), ()).text
        assert find_cues(text, QUESTION_TABLE) == every_cue(text)


def test_the_longest_cue_that_begins_first_wins_and_the_first_row_of_equal_ones() -> None:
    one, two, three = MarkCue(Mark.WHEN), MarkCue(Mark.BOTH), MarkCue(Mark.NOT)
    table = CueTable([(r"late night|night", one)], [(r"late", two), (r"late night", three), (r"\w+ owl", two)])
    assert find_cues("a late night owl", table) == (Found(one, 2, 12),)
    assert find_cues("the night owl", table) == (Found(two, 4, 13),)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"directors?", {"dire"}),
        (r"(?:the )?(?:most|best) of", {"the ", "most", "best"}),
        (r"(?:a|an) [xy]", {"a x", "a y", "an x", "an y"}),
        (r"(?=lead)le", {"le"}),
        (r"(?:so )*well", {"so ", "well"}),
        (r"ab{2}c", {"ab"}),
        (r"\d+ years", None),
        (r"(?:now )?", None),
    ],
)
def test_beginnings_of_a_pattern(pattern: str, expected: set[str] | None) -> None:
    assert beginnings(pattern) == expected


def test_what_follows_a_space_is_needed_as_well() -> None:
    assert needed(r"[a-z]+ (?:made|drawn) by") == (frozenset({"by"}), frozenset({"made", "draw"}))
    assert needed(r"(?:old )?[a-z]+(?: by)?") == ()
    assert starts_of("my ox") == {"m", "my", "my ", "my o", "o", "ox"}
    assert max(map(len, starts_of("a long text"))) == LONGEST


def test_a_sieve_lets_through_what_may_match() -> None:
    patterns = (r"who (?:made|drew)", r"[a-z]+ of", r"(?:how|when) did", r"\d+ years")
    assert Sieve(patterns).of("who made works of art") == [0, 1]
    assert Sieve(patterns).of("when will he be 9") == []
    assert Sieve(patterns).of("for 9 years") == [3]
    assert Sieve(patterns, anywhere=True).of("bewho made it") == [0]


@pytest.mark.parametrize("each", range(2))
def test_no_sieve_of_the_readers_holds_back_a_match(each: int) -> None:
    shapes = [pattern.pattern for pattern in (*COMPARISONS, *PATHS)]
    inside, whole = Sieve(shapes, anywhere=True), Sieve(noun.pattern for noun in WORK_NOUNS)
    for phrasing in phrasings()[each::40]:
        text = read(clean(phrasing.question), ()).text
        matched = {place for place, shape in enumerate(shapes) if re.search(shape, text)}
        assert matched <= set(inside.of(text))
        assert {n for n, noun in enumerate(WORK_NOUNS) if Scan(text).find(noun.pattern)} <= set(whole.of(text))


def test_a_scan_finds_what_its_pattern_alone_finds() -> None:
    patterns = (r"(?:which|what) [a-z]+ (?:has|have)", r"(?:\d+|two) episodes", r"[a-z]+ed by", rf"{NAME} 's (?:own )?")
    for phrasing in phrasings()[::7]:
        text = read(clean(phrasing.question), ()).text
        for pattern in patterns:
            plain = re.search(rf"(?<![\w'])(?:{pattern})(?!\w)", text)
            found = Scan(text).find(pattern)
            assert (found and found.span()) == (plain and plain.span())


def test_a_question_is_read_the_same_whatever_was_read_before() -> None:
    question = "Who directed Zorblax Nights?"
    alone = rewrite_question(question, find_invented(question))
    rewrite_question(question, ())
    assert rewrite_question(question, find_invented(question)) == alone
