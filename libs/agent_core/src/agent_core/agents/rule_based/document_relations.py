"""What a question of documents says is done to what it asks about: buying is not borrowing, and neither is repairing.

A verb is told by its place: after `who`, after a form of *be* or *have* where it looks like a participle, and after
*do* or *must* where a subject ends. Where nothing tells it, none is read, and the words as a whole have to do.
"""

from collections.abc import Iterator, Sequence

from agent_core.document_contracts import Wanted
from agent_core.passages.words import is_irregular_form, words_in

_BE_TEXT = "be been being is are was were has have had having get gets got"
_OF_PARTICIPLES = frozenset(_BE_TEXT.split())
_AUXILIARY_TEXT = f"{_BE_TEXT} did do does can could may might must shall should will would"
_AUXILIARY = frozenset(_AUXILIARY_TEXT.split())
_DETERMINERS_TEXT = "a an the this that these those his her its their our my your each every any some no all both of"
_DETERMINERS = frozenset(_DETERMINERS_TEXT.split())
_AFTER_VERB_TEXT = """
    a an the this that these those his her its their our my your each every any some no all both
    in on at for from by with to into onto over up out off down away back about as after before during until through
    along behind around it them him us me there here and or when if whenever because first last again
"""
_AFTER_VERB = frozenset(_AFTER_VERB_TEXT.split())
_PLAIN_DEEDS_TEXT = "give gives gave given make makes made put puts keep keeps kept bring brings brought"
_PLAIN_DEEDS = frozenset(_PLAIN_DEEDS_TEXT.split())
_NO_PARTICIPLES_TEXT = "red hundred bed shed seed naked sacred kindred wicked need speed"
_NO_PARTICIPLES = frozenset(_NO_PARTICIPLES_TEXT.split())


def relation_of(question: str, asked: Sequence[str], wanted: Wanted) -> str | None:
    """The one of the asked words that is the verb of the question; None where it isn't told.

    Who gave or made something is asked by words that count for little elsewhere.
    """
    words = words_in(question)
    plain = _PLAIN_DEEDS if wanted is Wanted.NAME else frozenset[str]()
    return next((word for word in _verbs(words) if word in asked or word.casefold() in plain), None)


def _verbs(words: Sequence[str]) -> Iterator[str]:
    """The likely verbs, the likeliest first."""
    small = [word.casefold() for word in words]
    start = next((place for place, word in enumerate(small) if word in _AUXILIARY), None)
    if small[:1] in (["who"], ["whoever"]) and len(words) > 1 and small[1] not in _AUXILIARY:
        yield words[1]
        return
    if start is None:
        return
    rest = range(start + 1, len(words))
    if any(word in _OF_PARTICIPLES for word in small[start:]):
        yield from (words[place] for place in rest if _is_participle(small, place))
    if small[start] not in _OF_PARTICIPLES:
        yield from (words[place] for place in rest if _ends_subject(words, small, place))


def _is_participle(small: Sequence[str], place: int) -> bool:
    """Whether it looks like one, and not like an adjective: `the scratched lens`."""
    word, before = small[place], small[place - 1]
    if word.endswith("ing"):
        return before in _OF_PARTICIPLES
    is_form = is_irregular_form(word) or (word.endswith("ed") and len(word) > 3 and word not in _NO_PARTICIPLES)
    return is_form and before not in _DETERMINERS


def _ends_subject(words: Sequence[str], small: Sequence[str], place: int) -> bool:
    """Whether a plain word stands where a subject is over and an object, a place or nothing follows."""
    if not words[place].islower() or small[place - 1] in _DETERMINERS:
        return False
    return place + 1 == len(words) or small[place + 1] in _AFTER_VERB or words[place + 1][0].isupper()
