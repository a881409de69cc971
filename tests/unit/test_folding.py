"""Folding of names: what becomes equal, what stays apart, and what holds for every text."""

import pytest
from datastore.folding import (
    MAX_INDEXED_CHARS,
    edit_distance,
    fold,
    name_entry,
    spell,
    squeeze,
    suffixes,
    words,
)
from hypothesis import given
from hypothesis import strategies as st

# Beside any text: pieces that folding treats specially, so that they meet each other.
_PIECES = [
    "ー",
    "ｶﾞ",
    "ティ",
    "ヴ",
    "々",
    "\u200b",
    "\u0301",
    "\u3099",
    "½",
    "Ⅷ",
    "ﬃ",
    "İ",
    "ß",
    "×",
    "&",
    "'",
    "tu",
    "ttya",
]
_TEXTS = st.one_of(st.text(), st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=3))).map("".join))
_ROMAJI_TEXTS = st.text(alphabet="aiueokstnhmyrwgzdbpcfj mo", max_size=24)


@pytest.mark.parametrize(
    "same",
    [
        ("Naruto", "naruto", "ＮＡＲＵＴＯ", "na\u200bru\u00adto", "Näruto", "NARUTO!"),
        ("Shounen", "Shōnen", "Syonen", "shonen", "Shônen", "SYOUNEN"),
        ("Iroduku", "Irozuku"),
        ("Tsubasa", "Tubasa"),
        ("Fujisan", "Huzisan"),
        ("Chihayafuru", "Tihayahuru"),
        ("Juuni Kokuki", "Jūni Kokuki", "Zyuni Kokuki"),
        ("Toukyou", "Tōkyō", "Tookyoo", "Tokyo"),
        ("Shinbun", "Shimbun"),
        ("Botchan", "Bocchan"),
        ("Jun'ichi", "Junichi", "Jun’ichi"),
        ("Kimi wo", "Kimi o"),
        ("ティー", "てぃー", "ﾃｨｰ", "ティ"),
        ("ガンダム", "がんだむ", "ｶﾞﾝﾀﾞﾑ", "カ\u3099ンタ\u3099ム"),
        ("ヱヴァンゲリヲン", "エヴァンゲリオン"),
        ("Hunter × Hunter", "Hunter x Hunter", "HUNTER×HUNTER"),
        ("Spy×Family", "SPY x FAMILY"),
        ("Steins;Gate", "Steins Gate", "STEINS；GATE"),
        ("Spice & Wolf", "Spice and Wolf", "Spice＆Wolf"),
        ("Tiger &amp; Bunny", "Tiger & Bunny", "TIGER &AMP; BUNNY", "Tiger＆ａｍｐ； Bunny", "Tiger &#38; Bunny"),
        ("Chidori &lt;Gaiden&gt;", "Chidori <Gaiden>"),
        ("Howl's", "Howls", "Howl’s"),
        ("Lucky☆Star", "Lucky Star"),
        ("Ranma ½", "Ranma 1/2"),
        ("Étoile Ærø", "etoile aero"),
        ("Ⅷ", "VIII"),
        ("シュタインズ・ゲート", "しゅたいんず げーと"),
    ],
    ids=lambda same: same[0],
)
def test_ways_of_writing_one_name_are_equal(same: tuple[str, ...]) -> None:
    assert {fold(text) for text in same} == {fold(same[0])}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Part I", "Part II"),
        ("はは", "ぱぱ"),
        ("か", "が"),
        ("Gate", "Gates"),
        ("진격", "진경"),
        ("進撃", "進軍"),
        ("2nd", "3rd"),
        ("☆", "★"),
    ],
)
def test_different_names_stay_different(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Attack on Titan", "attack on chitan"),
        ("Fullmetal Alchemist: Brotherhood", "fullmetal alchemist brotherhood"),
        ("進撃の巨人", "進撃の巨人"),
        ("ワンピース", "わんぴす"),
        ("100% Teacher", "100 teacher"),
        ("☆", "☆"),
        ("ー", "ー"),
        ("% _ \\", "% _ \\"),
        ("", ""),
        (" \u200b\x00\ud800 ", ""),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_the_folded_form(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_spelling_keeps_the_romanisation() -> None:
    assert (spell("Attack on Titan"), spell("Shounen"), spell("Shōnen")) == ("attack on titan", "shounen", "shonen")


@given(_TEXTS)
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert spell(spell(text)) == spell(text)
    assert fold(spell(text)) == fold(text)


@given(_ROMAJI_TEXTS)
def test_folding_romaji_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(_TEXTS)
def test_folded_text_can_be_stored_and_has_single_spaces(text: str) -> None:
    folded = fold(text)
    folded.encode("utf-8")
    assert "\x00" not in folded
    assert folded == " ".join(folded.split())


@given(_TEXTS)
def test_the_entry_of_a_name_holds_what_the_search_needs(text: str) -> None:
    entry = name_entry(text)
    texts = [suffix.text for suffix in entry.suffixes]
    assert len(set(texts)) == len(texts) <= 32
    assert all(0 < len(suffix) <= MAX_INDEXED_CHARS for suffix in texts)
    assert entry.folded == fold(text)[:MAX_INDEXED_CHARS].rstrip()
    assert not entry.folded or entry.suffixes[0].text == entry.folded
    assert {suffix.text for suffix in entry.suffixes if suffix.is_whole} <= {
        form(text)[:MAX_INDEXED_CHARS].rstrip() for form in (fold, spell)
    }


def test_suffixes_begin_at_words_scripts_and_kanji() -> None:
    assert suffixes("steins gate 0") == ["steins gate 0", "gate 0", "0"]
    assert suffixes("進撃の巨人") == ["進撃の巨人", "撃の巨人", "の巨人", "巨人", "人"]
    assert suffixes("わんぴす film z") == ["わんぴす film z", "film z", "z"]
    assert suffixes("") == []


def test_an_entry_begins_where_katakana_meets_hiragana() -> None:
    entry = name_entry("となりのトトロ")
    assert [(suffix.text, suffix.is_whole) for suffix in entry.suffixes] == [
        ("となりのととろ", True),
        ("ととろ", False),
    ]


def test_an_entry_has_both_romanisations() -> None:
    entry = name_entry("Attack on Titan")
    assert [suffix.text for suffix in entry.suffixes if suffix.is_whole] == ["attack on chitan", "attack on titan"]


def test_words_and_squeeze_are_inverse_views() -> None:
    assert words("steins gate 0") == ["steins", "gate", "0"]
    assert squeeze("steins gate 0") == "steinsgate0"


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3), ("", "ab", 2), ("ca", "abc", 3)],
)
def test_the_edit_distance(left: str, right: str, distance: int) -> None:
    assert edit_distance(left, right) == edit_distance(right, left) == distance
