"""A question that leans on the turns before it, made complete: `And the sequel?`, `No, the 1999 one.` Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from datastore.vocabulary import WORK_TYPES, EntityType

from agent_core.evidence import EntityRef
from agent_core.schemas import Candidate
from agent_core.turns import CompleteQuestion, PastMention, PastTurn

_OPENER = re.compile(
    r"^(?:(?:and|ok(?:ay)?|so|but|or|no|nope|yes|sorry|well|then|now|hmm|thanks)\b[,.!:]? *)*"
    r"(?:(?:what|how) about\b *|i (?:mean|meant|was asking about)\b *|rather\b *)?",
    re.IGNORECASE,
)
_CLOSER = re.compile(r"[\s,]*(?:\b(?:please|then|instead|though)\b)?[\s?!.,]*$", re.IGNORECASE)
_REPEAT = re.compile(
    r"^(?:repeat|say) (?:that|it|the (?:last )?answer)(?: again)?$|^(?:once more|again)$", re.IGNORECASE
)

_KIND = r"(?:anime|manga|movie|film|series|show|tv series|novel|version|one|character|person|actor|studio)"
_YEAR_MEANT = re.compile(
    rf"^(?:the |that )?(?:{_KIND} )?(?:from |of |in )?(?P<year>(?:19|20)\d\d)(?: {_KIND})*$", re.IGNORECASE
)
_KIND_MEANT = re.compile(
    r"^the (?:original )?(?P<kind>anime|manga|movie|film|tv series|series|character|studio)(?: version| one)?$",
    re.IGNORECASE,
)
_NTH_MEANT = re.compile(r"^the (?P<nth>first|second|third|last|other)(?: one)?$", re.IGNORECASE)
_ONLY = re.compile(
    r"^(?:only|just|(?:and )?which of (?:them|those|these)|show (?:me )?only|narrow (?:it|that) (?:down )?to)\b *"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_WORK_NOUN = re.compile(r"(?:movies|films|tv series|tv shows|series|ovas|specials|manga|novels)", re.IGNORECASE)
_ASKED_WORKS = re.compile(
    r"(?<=\bwhich )(?:anime|works|shows|titles)\b|(?<=\bwhat )(?:anime|works|shows|titles)\b", re.I
)
_RELATED = (
    r"(?:(?:direct )?sequels?|prequels?|spin-?offs?|side stor(?:y|ies)|source(?: material)?|adaptations?"
    r"|(?:second|third|fourth|next|last|final) season|manga|anime|movie|film|novel)"
)
_ONLY_RELATED = re.compile(rf"^(?:(?:the|its|their|his|her) )?(?P<noun>{_RELATED})$", re.IGNORECASE)
_NAMED_RELATED = re.compile(rf"\b(?:the|its|their) (?P<noun>{_RELATED})\b(?! of\b)", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many(?= (?:does|do|did|has|have|had|is|are|were|was)\b)", re.IGNORECASE)
_COUNTED = re.compile(r"\bhow many (?P<unit>\w+)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"\b(?:its|his|their|her(?= (?!(?:in|and|or|for|as|at)\b)[a-z]))\b", re.IGNORECASE)
_SOMEBODY = re.compile(r"\b(?:he|she|him|her|his)\b", re.IGNORECASE)
_SOMETHING = re.compile(
    r"\b(?:it|that one|this one|(?:this|that) (?:anime|manga|movie|film|show|series|character|person|studio|one)"
    r"|they|them)\b",
    re.IGNORECASE,
)
_ARTICLE_NOUN = r"(?:\bthe )?(?:\b(?:anime|manga|film|movie|series|show|character|studio|tv series) )?"
_MAX_ELLIPTICAL_WORDS = 8
_PEOPLE = frozenset({EntityType.PERSON, EntityType.CHARACTER})
_TYPES: dict[str, EntityType] = {
    "anime": EntityType.ANIME,
    "tv series": EntityType.ANIME,
    "series": EntityType.ANIME,
    "movie": EntityType.ANIME,
    "film": EntityType.ANIME,
    "manga": EntityType.MANGA,
    "character": EntityType.CHARACTER,
    "studio": EntityType.STUDIO,
}
_NTH = {"first": 0, "second": 1, "third": 2, "last": -1, "other": 0}


@dataclass(frozen=True, slots=True)
class _Said:
    """A follow-up without its opening and closing words, and whether it had opening words."""

    body: str
    is_opened: bool


def complete_question(question: str, names: Sequence[str], history: Sequence[PastTurn]) -> CompleteQuestion:
    """The question with what it leaves out taken from the turns before; `names` are the catalogue's names in it."""
    last = next((turn for turn in reversed(history) if turn.mentions), None)
    if last is None:
        return CompleteQuestion(text=question)
    said = _said(question)
    if _REPEAT.match(said.body):
        return CompleteQuestion(text=last.question, settled=last.mentions)
    return (
        _other_meaning(said, last)
        or _narrowed(said, last)
        or _other_subject(said, names, last)
        or _related(said, names, last)
        or _with_antecedent(said, names, history)
        or _elliptical(said, names, last)
        or CompleteQuestion(text=question)
    )


def _said(question: str) -> _Said:
    opener = _OPENER.match(question)
    start = opener.end() if opener else 0
    body = _CLOSER.sub("", question[start:]).strip()
    return _Said(body or _CLOSER.sub("", question), start > 0)


def _other_meaning(said: _Said, last: PastTurn) -> CompleteQuestion | None:
    """`No, the 1999 one.`, `I meant the manga.`: the last question about another bearer of the name."""
    meant = _meant(said.body, last.alternatives)
    if meant is not None:
        mention = _mention_of(last, meant)
        return CompleteQuestion(text=last.question, settled=(PastMention(text=mention.text, entity=meant.entity),))
    year = _YEAR_MEANT.match(said.body)
    if year is None:
        return None
    mention = last.mentions[0]
    return CompleteQuestion(text=_replaced(last.question, mention.text, f"{mention.text} ({year['year']})"))


def _meant(body: str, alternatives: Sequence[Candidate]) -> Candidate | None:
    if year := _YEAR_MEANT.match(body):
        return next((each for each in alternatives if year["year"] in each.discriminators), None)
    if kind := _KIND_MEANT.match(body):
        of_type = [each for each in alternatives if each.entity.entity_type is _TYPES[kind["kind"].lower()]]
        if kind["kind"].lower() in ("movie", "film"):
            of_type = [each for each in of_type if "movie" in each.discriminators]
        return of_type[0] if of_type else None
    if (nth := _NTH_MEANT.match(body)) and len(alternatives) > _NTH[nth["nth"].lower()]:
        return alternatives[_NTH[nth["nth"].lower()]] if alternatives else None
    return None


def _mention_of(last: PastTurn, meant: Candidate) -> PastMention:
    matched = meant.matched_name.casefold()
    return next((each for each in last.mentions if each.text.casefold() == matched), last.mentions[0])


def _narrowed(said: _Said, last: PastTurn) -> CompleteQuestion | None:
    """`Only those from after 2010.`: the last question with one more condition."""
    only = _ONLY.match(said.body)
    if only is None or not only["rest"]:
        return None
    rest = re.sub(
        r"^(?:the |those |these |ones |that |which |are |were |is )+", "", only["rest"] + " ", flags=re.I
    ).strip()
    if not rest:
        return None
    asked = last.question.rstrip(" ?.!")
    if _WORK_NOUN.fullmatch(rest) and _ASKED_WORKS.search(asked):
        return CompleteQuestion(text=f"{_ASKED_WORKS.sub(rest, asked, count=1)}?", settled=last.mentions)
    return CompleteQuestion(text=f"{asked}, only {rest}?", settled=last.mentions)


def _other_subject(said: _Said, names: Sequence[str], last: PastTurn) -> CompleteQuestion | None:
    """`And Spirited Away?`: the last question about somebody or something else."""
    bare = re.sub(rf"^{_ARTICLE_NOUN}", "", said.body, flags=re.IGNORECASE)
    if len(last.mentions) != 1 or not any(bare.casefold() == name.casefold() for name in names):
        return None
    return CompleteQuestion(text=_replaced(last.question, last.mentions[0].text, said.body))


def _related(said: _Said, names: Sequence[str], last: PastTurn) -> CompleteQuestion | None:
    """`And the sequel?`, `How many does the sequel have?`: about what is related to the last subject."""
    subject = last.mentions[0]
    topic = _subject_work(last)
    if names or topic is None:
        return None
    settled = (PastMention(text=_name(topic, subject.text), entity=topic),)
    whole = _ONLY_RELATED.match(said.body)
    if whole is not None:
        text = _replaced(last.question, subject.text, f"the {whole['noun']} of {_spoken(topic, subject.text)}")
        return CompleteQuestion(text=text, settled=settled)
    named = _NAMED_RELATED.search(said.body)
    if named is None:
        return None
    body = f"{said.body[: named.end()]} of {_spoken(topic, subject.text)}{said.body[named.end() :]}"
    body = re.sub(r"\b(?:its|their) (?=\w+ of )", "the ", body, count=1)
    counted = _COUNTED.search(last.question)
    if counted is not None:
        body = _HOW_MANY.sub(f"how many {counted['unit']}", body)
    return CompleteQuestion(text=f"{_capital(body)}?", settled=settled)


def _with_antecedent(said: _Said, names: Sequence[str], history: Sequence[PastTurn]) -> CompleteQuestion | None:
    """`Who directed it?`, `What else has he directed?`: the pronoun replaced by what it stands for."""
    is_somebody = _SOMEBODY.search(said.body) is not None
    pattern = _POSSESSIVE if _POSSESSIVE.search(said.body) else _SOMEBODY if is_somebody else _SOMETHING
    found = pattern.search(said.body)
    if found is None or found[0].casefold() in {name.casefold() for name in names}:
        return None
    stands_for = _somebody if is_somebody else _something
    entity = next((each for each in map(stands_for, reversed(history)) if each is not None and each.name), None)
    if entity is None or entity.name is None:
        return None
    spoken = _spoken(entity, entity.name) + ("'s" if pattern is _POSSESSIVE else "")
    body = f"{said.body[: found.start()]}{spoken}{said.body[found.end() :]}"
    settled = (PastMention(text=entity.name, entity=entity),)
    return CompleteQuestion(text=f"{_capital(body)}?", settled=settled)


def _elliptical(said: _Said, names: Sequence[str], last: PastTurn) -> CompleteQuestion | None:
    """`And the composer?`: a question without a subject is about the last one."""
    words = said.body.split()
    topic = last.mentions[0].entity
    if (
        _SOMEBODY.search(said.body)
        or names
        or topic is None
        or not words
        or len(words) > (_MAX_ELLIPTICAL_WORDS if said.is_opened else 5)
    ):
        return None
    body = re.sub(r",? (?:who|what) (?:did|made|was) (?:that|this|it)$", "", said.body, flags=re.IGNORECASE)
    settled = (PastMention(text=_name(topic, last.mentions[0].text), entity=topic),)
    return CompleteQuestion(text=f"{_capital(body)} of {_spoken(topic, last.mentions[0].text)}?", settled=settled)


def _somebody(turn: PastTurn) -> EntityRef | None:
    """The one person or character that a turn was about: its answer, else its subject."""
    found = [each for each in turn.results if each.entity_type in _PEOPLE]
    asked = [each for each in _subjects(turn) if each.entity_type in _PEOPLE]
    news = [each for each in found if each.key not in {entity.key for entity in asked}]
    return next((group[0] for group in (news, asked, found) if len(group) == 1), None)


def _something(turn: PastTurn) -> EntityRef | None:
    """The one work that a turn led to, else its subject."""
    asked = [each for each in _subjects(turn) if each.entity_type not in _PEOPLE]
    keys = {entity.key for entity in asked}
    works = [each for each in turn.results if each.entity_type in WORK_TYPES and each.key not in keys]
    return works[0] if len(works) == 1 else asked[0] if asked else None


def _subjects(turn: PastTurn) -> list[EntityRef]:
    return [each.entity for each in turn.mentions if each.entity is not None]


def _subject_work(last: PastTurn) -> EntityRef | None:
    topic = _something(last)
    return topic if topic is not None and topic.entity_type in WORK_TYPES else None


def _name(entity: EntityRef, fallback: str) -> str:
    return entity.name or fallback


def _spoken(entity: EntityRef, fallback: str) -> str:
    """A name with the word for its type where works of several types share names."""
    name = _name(entity, fallback)
    return f"the {entity.entity_type} {name}" if entity.entity_type in WORK_TYPES else name


def _replaced(question: str, name: str, by: str) -> str:
    """The question with a name, and the noun before it, replaced; every later mention of it stays."""
    pattern = re.compile(rf"{_ARTICLE_NOUN}{re.escape(name)}", re.IGNORECASE)
    return pattern.sub(lambda _: by, question, count=1)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
