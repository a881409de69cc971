"""Misspelt cue words put right, so that `Who directd X?` asks what `Who directed X?` does. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from datastore.folding import edit_distance

from agent_core.agents.rule_based.english import is_in_wide_list
from agent_core.agents.rule_based.glossary import foreign_words, language_of, meanings
from agent_core.agents.rule_based.words import ORDINARY_WORDS
from agent_core.schemas import Mention

_FAMILIES = """
    direct directed directs directing director directors
    studio studios company companies
    produce produced produces producing
    producer producers
    animate animated animates animating
    animator animators
    author authors mangaka mangakas
    wrote write writes written writing writer writers
    create created creates creating creator creators
    illustrate illustrated illustrates illustrator illustrators
    compose composed composes composing composer composers music soundtrack soundtracks
    script scripts screenplay
    design designed designs designer designers
    voice voices voiced voicing actor actors actress actresses seiyuu seiyuus
    plays played
    character characters
    protagonist protagonists heroine
    episode episodes
    chapter chapters
    volume volumes
    minutes runtime duration
    length
    release released releases premiere premiered start started starting starts
    ended finished
    airing aired
    genre genres
    score scores rating ratings rated
    sequel sequels
    prequel prequels
    adapt adapted adapts adaptation adaptations
    based source
    franchise
    related relation relations relationship connection connections connected linked links
    between
    brother brothers
    sister sisters
    sibling siblings
    father
    mother
    friend friends
    rival rivals
    mentor mentors
    captain
    recommend recommended recommends recommendation recommendations suggest suggestion suggestions
    similar
    compare compared comparison difference differences different
    longer longest
    shorter shortest
    highest
    movie movies
    series
    anime animes
    manga mangas
    which
    where
    watch watching
    order
    about
    synopsis summary
    appear appears appeared
    number
"""
"""One meaning a line: between two words of a line no slip can do harm, between lines it can."""

_SHORTEST, _SHORTEST_FOREIGN, _LONG = 5, 6, 9
_WORD = re.compile(r"(?<!['\w])[^\W\d_]+")
_QUOTED = re.compile(r"[\"“„«「『][^\"”“»」』]*[\"”“»」』]")
_ENDINGS = ("s", "ed", "ing", "er", "ers", "ly")


def respelled(question: str, known: Sequence[Mention]) -> str:
    """The question with each misspelt cue word as it should be; what is quoted or a known name stays as it is.

    One slip is repaired in words of five letters and more, two in those of nine and more; never where two meanings
    are equally near. A word with a capital inside the question is a name, but for German nouns.
    """
    kept = tuple(_kept(question, known))
    language = language_of(question, tuple(mention.text for mention in known))
    pieces: list[str] = []
    end = 0
    for match in _WORD.finditer(question):
        if any(match.start() < last and first < match.end() for first, last in kept):
            continue
        is_name = match.group()[0].isupper() and language != "de" and bool(question[: match.start()].strip(' "¿¡'))
        found = None if is_name else _nearest(match.group().lower(), language)
        if found is not None:
            pieces += [question[end : match.start()], found.capitalize() if match.group()[0].isupper() else found]
            end = match.end()
    return "".join((*pieces, question[end:]))


def _kept(question: str, known: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Where quotations and known names stand."""
    yield from (match.span() for match in _QUOTED.finditer(question))
    for mention in known:
        pattern = rf"(?<!\w){re.escape(mention.text)}(?!\w)"
        yield from (match.span() for match in re.finditer(pattern, question, re.IGNORECASE))


@lru_cache(maxsize=8)
def _vocabulary(language: str) -> Mapping[str, str]:
    """The cue words that are repaired, and what each means."""
    if language == "en":
        return {word: family for family in _FAMILIES.strip().splitlines() for word in family.split()}
    return {word: meaning for word, meaning in meanings(language).items() if len(word) >= _SHORTEST_FOREIGN}


@lru_cache(maxsize=2048)
def _nearest(word: str, language: str) -> str | None:
    """The one cue word that a word is a slip of; of those with one meaning the longest, for letters get lost."""
    shortest = _SHORTEST if language == "en" else _SHORTEST_FOREIGN
    if len(word) < shortest or _is_word(word, language):
        return None
    words = _vocabulary(language)
    slips = 2 if len(word) >= _LONG else 1
    near = [(edit_distance(word, each), each) for each in words if abs(len(each) - len(word)) <= slips]
    fewest = min((slip for slip, _ in near), default=slips + 1)
    best = [each for slip, each in near if slip == fewest <= slips]
    return max(best, key=len) if len({words[each] for each in best}) == 1 else None


def _is_word(word: str, language: str) -> bool:
    """Whether a word is spelled as some word of the language, or of English, is."""
    if word in foreign_words(language) or (language == "en" and not word.isascii()):
        return True
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    known = (ORDINARY_WORDS, _vocabulary("en"))
    return any(any(each in words for words in known) or is_in_wide_list(each) for each in (word, *stems))
