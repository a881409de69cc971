"""A question that leans on the turns before it, made complete: `And the sequel?`, `No, the 1999 one.` Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from datastore.vocabulary import WORK_TYPES, EntityType

from agent_core.agents.rule_based.follow_up_documents import of_document
from agent_core.agents.rule_based.follow_up_sets import asks_for_set, narrowed_set, of_another_time
from agent_core.evidence import EntityRef
from agent_core.schemas import Candidate
from agent_core.turns import CompleteQuestion, PastMention, PastTurn

_OPENER = re.compile(
    r"^(?:(?:and|ok(?:ay)?|so|but|or|no|nope|yes|sorry|well|then|now|hmm|thanks|actually"
    r"|not that(?: one)?)\b[,.!:;]? *)*"
    r"(?:(?:what|how) (?:about|of)\b *|i(?:'m| am| was)? ?(?:mean|meant|(?:asking|talking|thinking) (?:about|of)"
    r"|want(?:ed)?|(?:looking|asking) for)\b *|rather\b *"
    r"|(?:the )?same (?:question |thing )?(?:but )?(?:for|about|with|of|in)\b *)?",
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
_NTH_ONE = re.compile(r"\bthe (?P<nth>first|second|third|last) one\b", re.IGNORECASE)
_AGE_MEANT = re.compile(
    r"^the (?:(?P<new>newer|newest|latest|most recent|more recent|later|modern|new)|(?P<old>older|oldest|original|old"
    r"|earlier|earliest|classic|first))(?: (?:anime|series|show|movie|film|version|one|adaptation))*$",
    re.IGNORECASE,
)
_RELATED = (
    r"(?:(?:direct )?sequels?|prequels?|spin-?offs?|side stor(?:y|ies)|source(?: material)?|adaptations?"
    r"|(?:second|third|fourth|next|last|final) season|manga|anime|movie|film|novel)"
)
_NTH_SEASON = re.compile(
    r"^(?:the )?(?:season|part|cour) (?P<number>[2-4]|two|three|four|ii|iii|iv)$"
    r"|^the (?P<nth>second|third|fourth|2nd|3rd|4th)(?: (?:one|season|part|cour))?$",
    re.IGNORECASE,
)
_SEASON_OF = re.compile(r"\bthe (?:second|third|fourth|next|last|final) season of\b", re.IGNORECASE)
_ORDINALS = {
    **dict.fromkeys(("2", "two", "ii", "2nd", "second"), "second"),
    **dict.fromkeys(("3", "three", "iii", "3rd", "third"), "third"),
    **dict.fromkeys(("4", "four", "iv", "4th", "fourth"), "fourth"),
}
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
_MAKER_NOUN = re.compile(
    r"\b(?:that|this|the same) (?:director|composer|writer|author|studio|company|(?:voice )?act(?:or|ress)|seiyuu"
    r"|person|man|woman|guy|artist|mangaka|designer|illustrator)(?:'s)?(?!\w)",
    re.IGNORECASE,
)
_THEY = re.compile(r"\b(?:they|them|their)\b", re.IGNORECASE)
_THAT = re.compile(
    r"\bthat(?= (?:come|came|air|aired|start|started|have|has|end|get|got|made)\b)|\bthat$", re.IGNORECASE
)
_THEIRS = re.compile(r"\b(?:of|by|from) (?:theirs|his|hers)$", re.IGNORECASE)
_BESIDES = re.compile(r" (?:besides|apart from|other than|aside from|except(?: for)?) (?:that|it|this)$", re.IGNORECASE)
_FURTHER = re.compile(r"\b(?:else|other)\b", re.IGNORECASE)
_PRINTED = re.compile(r"\b(?:chapters?|volumes?)\b", re.IGNORECASE)
_WHICH_OF_TWO = re.compile(
    r"^(?P<asking>which|who)(?: one)?(?: (?:of|out of) (?:the two|the 2|them|these|those|both|these two))? "
    r"(?P<rest>(?:is|was|has|had|came out|came|aired|started|ran|runs|got) ?(?:(?:the )?(?:longer|shorter|older|newer"
    r"|better|higher|lower|earlier|later|first|more|fewer)\b.*))$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|from|of|on|for)(?: the(?: \w+)?)? *$", re.IGNORECASE)
_ARTICLE_NOUN = r"(?:\bthe )?(?:\b(?:anime|manga|film|movie|series|show|character|studio|tv series) )?"
_MAX_ELLIPTICAL_WORDS = 8
_MAKERS = frozenset({EntityType.PERSON, EntityType.STUDIO})
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
    if (put := of_document(question, names, history)) is not None:
        return put
    last = next((turn for turn in reversed(history) if turn.mentions), None)
    if last is None:
        return CompleteQuestion(text=question)
    said = _said(question)
    if _REPEAT.match(said.body):
        return CompleteQuestion(text=last.question, settled=last.mentions)
    return (
        _other_meaning(said, last)
        or _which_of_two(said, history)
        or _narrowed(said, last)
        or _other_subject(said, names, last)
        or _nth_subject(said, names, last)
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
    if mention.entity is not None and mention.entity.entity_type not in WORK_TYPES:
        return None
    return CompleteQuestion(text=_replaced(last.question, mention.text, f"{mention.text} ({year['year']})"))


def _meant(body: str, alternatives: Sequence[Candidate]) -> Candidate | None:
    if year := _YEAR_MEANT.match(body):
        return next((each for each in alternatives if year["year"] in each.discriminators), None)
    if (age := _AGE_MEANT.match(body)) and (dated := [each for each in alternatives if _year(each)]):
        return max(dated, key=_year) if age["new"] else min(dated, key=_year)
    if kind := _KIND_MEANT.match(body):
        of_type = [each for each in alternatives if each.entity.entity_type is _TYPES[kind["kind"].lower()]]
        if kind["kind"].lower() in ("movie", "film"):
            of_type = [each for each in of_type if "movie" in each.discriminators]
        return of_type[0] if of_type else None
    if (nth := _NTH_MEANT.match(body)) and len(alternatives) > _NTH[nth["nth"].lower()]:
        return alternatives[_NTH[nth["nth"].lower()]] if alternatives else None
    return None


def _year(candidate: Candidate) -> int:
    """The year that tells a namesake apart; 0 when none does."""
    return next((int(each) for each in candidate.discriminators if re.fullmatch(r"(?:19|20)\d\d", each)), 0)


def _mention_of(last: PastTurn, meant: Candidate) -> PastMention:
    matched = meant.matched_name.casefold()
    return next((each for each in last.mentions if each.text.casefold() == matched), last.mentions[0])


def _narrowed(said: _Said, last: PastTurn) -> CompleteQuestion | None:
    """`Only those from after 2010.`, `How many are there?`, `And in 2007?`: the last question, a little different."""
    if _made_by(last) is not None and not asks_for_set(last.question):
        return None
    is_of_works = all(each.entity is None or each.entity.entity_type in WORK_TYPES for each in last.mentions)
    text = narrowed_set(said.body, last.question)
    if text is None and not (last.alternatives or is_of_works):
        text = of_another_time(said.body, last.question)
    return CompleteQuestion(text=text, settled=last.mentions) if text is not None else None


def _which_of_two(said: _Said, history: Sequence[PastTurn]) -> CompleteQuestion | None:
    """`Which of the two is longer?`: the last two works that were asked about."""
    asked = _WHICH_OF_TWO.match(said.body)
    if asked is None:
        return None
    named = [each.entity for turn in history for each in turn.mentions if each.entity is not None]
    works = list({each.key: each for each in named if each.entity_type in WORK_TYPES}.values())[-2:]
    if len(works) < 2 or works[0].entity_type is not works[1].entity_type:
        return None
    first, second = (_spoken(each, "") for each in works)
    settled = tuple(PastMention(text=_name(each, ""), entity=each) for each in works)
    return CompleteQuestion(text=f"{_capital(asked['asking'])} {asked['rest']}, {first} or {second}?", settled=settled)


def _other_subject(said: _Said, names: Sequence[str], last: PastTurn) -> CompleteQuestion | None:
    """`And Spirited Away?`: the last question about somebody or something else."""
    bare = re.sub(rf"^(?:(?:for|with|about|of|in|by) )?{_ARTICLE_NOUN}", "", said.body, flags=re.IGNORECASE)
    if not any(bare.casefold() == name.casefold() for name in names):
        return None
    subject = next((each for each in last.mentions if not _is_place(last.question, each.text)), last.mentions[0])
    body = said.body if len(last.mentions) == 1 and said.body.casefold().endswith(bare.casefold()) else bare
    return CompleteQuestion(text=_replaced(last.question, subject.text, re.sub(r"^(?:for|with|about) ", "", body)))


def _is_place(question: str, name: str) -> bool:
    """Whether a name only says where the other is: `Levi in Attack on Titan`."""
    start = question.casefold().find(name.casefold())
    return start > 0 and _PLACE.search(question[:start]) is not None


def _related(said: _Said, names: Sequence[str], last: PastTurn) -> CompleteQuestion | None:
    """`And the sequel?`, `How many does the sequel have?`: about what is related to the last subject."""
    subject = last.mentions[0]
    topic = _subject_work(last)
    if names or topic is None:
        return None
    settled = (PastMention(text=_name(topic, subject.text), entity=topic),)
    noun = _related_noun(said.body)
    if noun is not None and noun.endswith(" season") and (said_season := _SEASON_OF.search(last.question)):
        # `And the third one?` is not the third season after the second one.
        text = f"{last.question[: said_season.start()]}the {noun} of{last.question[said_season.end() :]}"
        return CompleteQuestion(text=text, settled=last.mentions)
    if noun is not None:
        text = _replaced(last.question, subject.text, f"the {noun} of {_spoken(topic, subject.text)}")
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


def _nth_subject(said: _Said, names: Sequence[str], last: PastTurn) -> CompleteQuestion | None:
    """`Who directed the second one?` after a question of several names: that name in its place."""
    found = _NTH_ONE.search(said.body)
    subjects = list({entity.key: entity for entity in _subjects(last)}.values())
    if found is None or names or len(subjects) < 2:
        return None
    place = _NTH[found["nth"].lower()]
    meant = subjects[place] if place < len(subjects) else None
    if meant is None or meant.name is None:
        return CompleteQuestion(text=f"{_capital(said.body)}?")
    text = f"{said.body[: found.start()]}{_spoken(meant, meant.name)}{said.body[found.end() :]}"
    return CompleteQuestion(text=f"{_capital(text)}?", settled=(PastMention(text=meant.name, entity=meant),))


def _related_noun(body: str) -> str | None:
    nth = _NTH_SEASON.match(body)
    if nth is not None:
        return f"{_ORDINALS[(nth['number'] or nth['nth']).lower()]} season"
    whole = _ONLY_RELATED.match(body)
    return whole["noun"] if whole is not None else None


def _with_antecedent(said: _Said, names: Sequence[str], history: Sequence[PastTurn]) -> CompleteQuestion | None:
    """`Who directed it?`, `What else has he directed?`: the pronoun replaced by what it stands for."""
    whole = _THEIRS.sub("by them", said.body)
    body = _BESIDES.sub("", whole)
    if body != whole:
        body = re.sub(r"^(what|who)(?! (?:else|other))\b", r"\1 else", body, flags=re.IGNORECASE)
    found, entity = _antecedent(body, names, history)
    if found is None or entity is None or entity.name is None:
        return None
    is_owner = found.re is _POSSESSIVE or found[0].casefold() == "their" or found[0].endswith("'s")
    is_printed = entity.entity_type is EntityType.ANIME and _PRINTED.search(body) is not None
    spoken = (entity.name if is_printed else _spoken(entity, entity.name)) + ("'s" if is_owner else "")
    text = f"{body[: found.start()]}{spoken}{body[found.end() :]}"
    # Chapters and volumes are those of the manga of that name.
    settled = () if is_printed else (PastMention(text=entity.name, entity=entity),)
    known = _known_of(entity, history[-1]) if _FURTHER.search(text) and not is_owner else None
    if known is not None and known.name is not None and " besides " not in text:
        return CompleteQuestion(
            text=f"{_capital(text)} besides {known.name}?",
            settled=(*settled, PastMention(text=known.name, entity=known)),
        )
    return CompleteQuestion(text=f"{_capital(text)}?", settled=settled)


def _known_of(entity: EntityRef, last: PastTurn) -> EntityRef | None:
    """What was asked about when somebody came up, and is nothing `else` of his."""
    subjects = _subjects(last)
    is_answer = any(each.key == entity.key for each in last.results)
    return subjects[0] if is_answer and len(subjects) == 1 and subjects[0].key != entity.key else None


def _antecedent(
    body: str, names: Sequence[str], history: Sequence[PastTurn]
) -> tuple[re.Match[str] | None, EntityRef | None]:
    """The word that stands for something said before, and what it stands for."""
    body = _without_titles(body, names)
    maker = _made_by(history[-1])
    if maker is not None and (found := _MAKER_NOUN.search(body) or _THEY.search(body)):
        return found, maker
    is_somebody = _SOMEBODY.search(body) is not None
    pattern = _POSSESSIVE if _POSSESSIVE.search(body) else _SOMEBODY if is_somebody else _SOMETHING
    found = pattern.search(body) or (_THAT.search(body) if not is_somebody else None)
    if found is None:
        return None, None
    if found[0][0].isupper() and found[0].casefold() in {name.casefold() for name in names}:
        return None, None
    stands_for = _somebody if is_somebody else _something
    return found, next((each for each in map(stands_for, reversed(history)) if each is not None and each.name), None)


def _without_titles(body: str, names: Sequence[str]) -> str:
    """The text, as long as it was, with titles of several words blotted out: `Her Blue Sky` stands for nobody else."""
    for name in names:
        if " " in name:
            body = body.replace(name, "_" * len(name))
    return body


def _made_by(turn: PastTurn) -> EntityRef | None:
    """The one person or studio that a turn's answer named."""
    asked = {entity.key for entity in _subjects(turn)}
    found = [each for each in turn.results if each.entity_type in _MAKERS and each.key not in asked]
    return found[0] if len(found) == 1 and len({each.entity_type for each in turn.results}) <= 2 else None


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
