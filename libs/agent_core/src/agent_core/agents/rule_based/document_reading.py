"""A question as one that documents answer: what it asks, of which document, of which time."""

import re

from embeddings.languages import DEFAULT, language_of
from embeddings.languages import FUNCTION_WORDS as LANGUAGE_WORDS

from agent_core.agents.rule_based.document_dates import find_dates
from agent_core.agents.rule_based.document_frames import unframed
from agent_core.agents.rule_based.document_halves import halves_of, leans
from agent_core.agents.rule_based.document_relations import relation_of
from agent_core.agents.rule_based.document_wants import SAYS, counted_of, properties_of, wanted_of
from agent_core.agents.rule_based.referring import find_referring
from agent_core.agents.rule_based.vocabulary import is_ordinary
from agent_core.agents.rule_based.words import FUNCTION_WORDS
from agent_core.document_contracts import DocumentQuestion
from agent_core.passages.words import words_in
from agent_core.schemas import AgentRequest, Strategy

_KINDS = (
    r"articles?|documents?|reports?|magazines?|minutes|handbooks?|manuals?|guidelines?|polic(?:y|ies)|glossar(?:y|ies)"
    r"|newsletters?|statutes?|archives?|house rules|PEPs?|RFCs?|dokumente?n?|artikels?|berichte?s?"
)
_MORE_KINDS = rf"{_KINDS}|essays?|interviews?|letters?|papers?|reviews?|corpus|collections?|columns?|rules|texts?|laws?"
_TITLED = "handbook|manual|glossary|guidelines?|rules|minutes|policy|report|statute|law|act|charter|index"
_QUOTED = re.compile(r"“([^”]{2,300})”|\"([^\"]{2,300})\"|„([^“”]{2,300})[“”]|‘([^’]{2,300})’")
_CAPITALS = r"(?:[A-Z§][\w'’.;:!-]*)(?:\s+(?:(?:of|the|for|and|in|on|a|to|from|with)\s+){0,2}[A-Z§\d][\w'’.;:!-]*)*"
_SOURCE = r"(?:according to|going by|judging by|as (?:stated|described|reported) in|per|laut)"
_ARTICLE = r"(?:the|an?|any|our|this|these|those|which|what|dem|der)"
_WORDS = r"(?:[\w-]+\s+){0,3}?"
_CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_SOURCE}\s+(?:{_ARTICLE}\s+)?{_WORDS}(?:{_MORE_KINDS})\b",
        rf"\b(?:do|does|did)\s+{_ARTICLE}\s+{_WORDS}(?:{_MORE_KINDS})\s+(?:of\s+[\w-]+\s+)?{SAYS}\b(?:\s+(?:about|on)\b)?",
        rf"\b(?:in|from)\s+{_ARTICLE}\s+{_WORDS}(?:{_KINDS})\b",
        rf"^(?:which|what)\s+(?:{_KINDS})\b",
        rf"\bis there (?:an? |any )(?:{_KINDS})\b(?: about| on| that)?",
    )
)
_KIND = re.compile(rf"\b(?:{_MORE_KINDS})\b", re.IGNORECASE)
"""Stands in every match of a cue."""

_NAMED = re.compile(rf"\b(?P<cue>{_SOURCE}|in|from|of|does|do|did)\s+(?:the\s+|our\s+)?(?P<name>{_CAPITALS})")
_SECTION = re.compile(
    r"(?:\b(?:section|sec\.?|article|chapter|abschnitt|artikel)\s+|§{1,2}\s*)(?P<number>\d+(?:\.\d+)*[a-z]?(?:\(\d+\))?)"
    r"|\bsection\s+[“\"](?P<heading>[^”\"]+)[”\"]",
    re.IGNORECASE,
)
_TOP = re.compile(
    r"\b(?:(?:top|first|up to|at most)\s+)?(?P<n>\d{1,2}|two|three|four|five)\s+"
    r"(?:passages?|quotes?|quotations?|excerpts?|places|sentences?)\b",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    r"\b(?:take|takes|took|taken) place\b|(?<=\bday )of the (?:week|month)\b|(?<=\btime )of (?:the )?day\b",
    re.IGNORECASE,
)
_BLANK_BEFORE_MARK = re.compile(r"\s+([?,.;!])")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_ASKING_TEXT = """
    article articles document documents report reports magazine magazines minutes handbook text texts file files
    essay passage passages quote quotes quotation quotations excerpt excerpts issue according say says said
    state states stated tell tells told mention mentions mentioned describe describes described reported write
    writes written read know find explain explains explained happen happened happens please many much long often
    far number amount kind kinds sort sorts type thing things name names called exactly actually who whom whose
    what which when where why how was were did does day date month year time person section about wie
    viele vielen viel tag datum monat jahr uhrzeit wer wann wessen welche welcher welches welchem welchen der die das
    den dem des ein eine einen und oder ist war wurde wurden hat haben im in auf zu von mit für bei nach laut steht
    there here us our ours today nowadays currently current now exact hour
"""
_ASKING = frozenset(_ASKING_TEXT.split())


def read_document_question(question: str, request: AgentRequest) -> DocumentQuestion | None:
    """What is asked of documents, part by part; None when nothing is left to ask.

    It is explicit where the request asks for documents alone or for some collections, or the question speaks of
    documents, of a section or of a quoted title as its source.
    """
    question = unframed(question)
    first, *others = halves_of(question)
    whole = _read(question if not others else first, request)
    if whole is None or not others:
        return whole if not others else _read(question, request)
    parts = tuple(part for half in others if (part := _other(half, whole, request)) is not None)
    if not parts:
        return _read(question, request)
    return whole.model_copy(update={"half": first, "others": parts})


def speaks_of_documents(question: str) -> bool:
    """Whether a question says in so many words that documents are to be asked."""
    return any(cue.search(question) for cue in _cues_for(question))


def _other(half: str, first: DocumentQuestion, request: AgentRequest) -> DocumentQuestion | None:
    """A later part: what it leaves unsaid is what the first one says, and so are its document and its days."""
    own = _read(half, request)
    asked = own.asked if own is not None else ()
    if leans(half, asked):
        borrowed = tuple(word for word in first.asked if not asked or word != first.relation)
        asked = tuple(dict.fromkeys((*borrowed, *asked)))
    if not asked:
        return None
    relation = own.relation if own is not None and own.relation is not None else None
    return first.model_copy(
        update={
            "query": f"{half}: {' '.join(asked)}?",
            "asked": asked,
            "wanted": wanted_of(half, asked),
            "counted": counted_of(half),
            "relation": relation or (first.relation if first.relation in asked else None),
            "dates": (own.dates if own is not None else None) or first.dates,
            "half": half,
        }
    )


def _read(question: str, request: AgentRequest) -> DocumentQuestion | None:
    hint = find_dates(_QUOTED.sub(lambda match: " " * len(match.group()), question))
    text = _without(question, hint.start, hint.end) if hint else question
    section = _SECTION.search(text)
    text = _without(text, section.start(), section.end()) if section else text
    referring = find_referring(text)
    if referring is not None:
        text = _without(text, referring.start, referring.end)
    cue = next((match for pattern in _cues_for(text) if (match := pattern.search(text))), None)
    name, text, is_title = (
        (referring.name, text, not referring.is_described)
        if referring is not None
        else _named(text, is_asked=cue is not None or section is not None)
    )
    is_whole = cue is None and name is None
    text = _spaced(_SAYS_NOTHING.sub(" ", _TOP.sub(" ", text) if is_whole else _without_cues(text)))
    language = language_of(word.lower() for word in words_in(question))
    asked = _asked(text, language, properties_of(question))
    if not (asked or name):
        return None
    wanted = wanted_of(question, asked)
    is_meant = request.strategy is Strategy.DOCUMENTS or bool(request.collections)
    return DocumentQuestion(
        query=_spaced(_without_referring(question)) if referring is not None else _spaced(question),
        asked=asked,
        wanted=wanted,
        relation=relation_of(text, asked, wanted) if language == DEFAULT else None,
        language=language,
        dates=hint.days if hint else None,
        counted=counted_of(question),
        document=name,
        is_title=is_title,
        is_described=referring is not None and referring.is_described,
        follows=referring.edges if referring is not None else (),
        section=(section.group("number") or section.group("heading")) if section else None,
        collections=request.collections,
        top_k=_top_k(question),
        is_explicit=is_meant or cue is not None or name is not None,
    )


def _named(text: str, *, is_asked: bool) -> tuple[str | None, str, bool]:
    """The title of the document that is asked, the question without it, and whether it stood in quotation marks.

    A title in quotation marks is one after `according to` and the like; in capitals it has to be told by such a cue.
    """
    for match in _QUOTED.finditer(text):
        before = text[: match.start()].rstrip().casefold()
        if is_asked or before.endswith(("according to", "say in", "in", "does", "did", "of", "from", "per", "laut")):
            title = next(group for group in match.groups() if group)
            return title.strip(" .,"), _without(text, match.start(), match.end()), True
    for match in _NAMED.finditer(text):
        name = match.group("name").strip(" .,;:")
        cue = match.group("cue").casefold()
        follows = text[match.end() :].lstrip().casefold()
        is_source = re.fullmatch(_SOURCE, cue) is not None
        is_speaker = cue in ("does", "do", "did") and re.match(rf"{SAYS}\b", follows) is not None
        is_kind = cue in ("in", "from", "of") and re.search(rf"\b(?:{_TITLED})$", name, re.IGNORECASE) is not None
        if len(name.split()) > 1 and (is_source or is_speaker or is_kind):
            return name, _without(text, match.start("name"), match.end("name")), False
    return None, text, False


def _without_referring(question: str) -> str:
    """What is asked, without how the asked documents are told: that would be found where they are referred to."""
    found = find_referring(question)
    return question if found is None else _without(question, found.start, found.end)


def _without_cues(text: str) -> str:
    for pattern in (*_cues_for(text), _TOP):
        text = pattern.sub(" ", text)
    return text


def _cues_for(text: str) -> tuple[re.Pattern[str], ...]:
    """The cues that can match in a text."""
    return _CUES if _KIND.search(text) is not None else ()


def _without(text: str, start: int, end: int) -> str:
    return f"{text[:start]} {text[end:]}"


def _spaced(text: str) -> str:
    return _BLANK_BEFORE_MARK.sub(r"\1", " ".join(text.split()))


def _asked(text: str, language: str, unit_says: frozenset[str]) -> tuple[str, ...]:
    """The content words, without the property that a number's unit says."""
    said = words_in(text)
    words = (
        word for word in said if _is_content(word, language, begins=word is said[0]) and word.lower() not in unit_says
    )
    return tuple(dict.fromkeys(words))


def _is_content(word: str, language: str, *, begins: bool) -> bool:
    """Whether it says something; an everyday word does with a capital inside of a question: `Your Name`."""
    small = word.casefold().replace("’", "'").removesuffix("'s")
    if len(word) == 1 and word.islower():
        return False
    if language != DEFAULT and word.lower() in LANGUAGE_WORDS[language]:
        return False
    is_name = len(word) > 1 and word[0].isupper() and not begins
    return small not in _ASKING and (is_name or small not in FUNCTION_WORDS or not is_ordinary(small))


def _top_k(question: str) -> int:
    match = _TOP.search(question)
    if match is None:
        return 3
    said = match.group("n").casefold()
    return max(1, min(50, _COUNTS.get(said) or int(said)))
