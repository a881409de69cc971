"""The names inside a question: what the catalogue knows, what is quoted, and what can be nothing else than a name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent_core.agents.rule_based.cues import find_cues
from agent_core.agents.rule_based.glossary import WIDE_LANGUAGES, foreign_words, is_inside_cue, segments
from agent_core.agents.rule_based.query_dates import is_inside_date
from agent_core.agents.rule_based.text import CONTRACTIONS, Name
from agent_core.agents.rule_based.vocabulary import QUESTION_TABLE, is_cue, is_listed, is_ordinary
from agent_core.agents.rule_based.words import ARTICLES, FUNCTION_WORDS
from agent_core.schemas import Mention

_QUOTED = re.compile(
    r"[\"“„](?P<a>[^\"”“„]{1,200})[\"”“]|「(?P<b>[^」]{1,200})」|『(?P<c>[^』]{1,200})』|«(?P<d>[^»]{1,200})»"
    r"|(?<!\w)'(?P<e>[^']{2,200})'(?!\w)"
)
_ASKS_BEFORE = re.compile(r"\b(?:who|whose|which|what|when|where|how)\b", re.IGNORECASE)
"""What comes with `?` in quotation marks is a title in a question, and a question by itself."""

_TOKEN = re.compile(r"\S+")
_TRIM = '.,?!;:()[]{}"“”„«»…¿¡「」『』'
_WORD_CHARACTER = re.compile(r"[^\W_]")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")
_CONNECTORS = frozenset(
    {"of", "the", "no", "to", "ga", "wa", "wo", "de", "ni", "x", "×", "&", "la", "le", "von", "der"}
)
_SMALL_WORDS = FUNCTION_WORDS - ARTICLES - _CONNECTORS
"""Words that a name in capitals leaves small and that stand in no name."""

_ROMAN = re.compile(r"(?:[2-9]|[1-9]\d|I{2,3}|I?V|VI{1,3}|I?X)$")
_NUMBER = re.compile(r"['’]?\d+(?:[.,:/-]\d+)*(?:s|st|nd|rd|th|%|\+)?", re.IGNORECASE)
_NEVER_NAMES = frozenset(
    {"i", "i'm", "i've", "i'd", "i'll", "tv", "ova", "ona", "mal", "anilist", "ok", "va", "op", "ed"}
    | {"recommend", "recommendation", "recommendations", "suggest", "suggestion", "suggestions"}
)

_COMMANDS = frozenset({"compare", "contrast", "explain", "describe", "list", "show", "find", "tell", "give", "name"})
"""What a question may begin with, so that its capital says nothing."""


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of the question, or a name already found. `is_plain`: ordinary English; `name`: what was found."""

    start: int
    end: int
    text: str
    is_capital: bool
    is_plain: bool
    is_first: bool
    name: Name | None = None


@dataclass(frozen=True, slots=True)
class NamesFound:
    """Names in a question. `doubtful`: known ones that read as ordinary words where they stand."""

    names: tuple[Name, ...]
    doubtful: tuple[Name, ...] = ()


def find_names(question: str, known: Sequence[Mention], language: str = "en") -> NamesFound:
    """The names of a cleaned question. `known` are the mentions that the catalogue's finder saw in it."""
    quoted = tuple(_quoted(question))
    spans = [
        name
        for name in _positions(question, known)
        if not _overlaps(name, quoted)
        and not is_inside_cue(question, name.start, name.end, language)
        and not is_inside_date(question, name.start, name.end)
    ]
    quoted = tuple(_confirmed(name, known) for name in quoted)
    tokens = _tokens(question, spans, language)
    style = _names_are_capitalised(tokens)
    sure = [_continued(name, question) for name in spans if not _is_doubtful(name, question, language, style=style)]
    spans = [name for name in spans if name in sure or not _overlaps(name, sure)]
    doubtful = tuple(name for name in spans if name not in sure)
    settled = [*quoted, *sure]
    if settled != spans:
        tokens = _tokens(question, settled, language)
    guessed = list(_capital_runs(question, tokens) if style else _strange_runs(question, tokens))
    kept = [name for name in settled if not _overlaps(name, guessed)]
    names = tuple(sorted([*kept, *guessed], key=lambda name: name.start))
    return NamesFound(names, tuple(name for name in doubtful if not _overlaps(name, names)))


def _quoted(question: str) -> Iterator[Name]:
    for match in _QUOTED.finditer(question):
        text = next(group for group in match.groups() if group).strip()
        is_asked = "?" in text and _ASKS_BEFORE.search(question, 0, match.start()) is None
        if text and not is_asked and match.group() != question.rstrip("?!. "):
            yield Name(match.start(), match.end(), text, is_quoted=True)


_MARKS = re.compile(r"[!☆★♪♥]+(?![!☆★♪♥]| [A-Z])")
"""What folding drops of the end of a title, where two may differ in nothing else."""

_CONTINUES = re.compile(r"(?:: | - |: *)(?=[\w(])")


def _continued(name: Name, question: str) -> Name:
    """A known name that a colon leads on from is the beginning of a title that the catalogue doesn't have.

    The title ends before a comma or a word that asks something; when such a word follows at once, there is no title.
    """
    colon = _CONTINUES.match(question, name.end)
    if colon is None or "-" in colon.group():
        return name
    end = colon.end()
    words = list(re.finditer(r"[^\s,?!]+", question[colon.end() :]))
    for match, following in zip(words, [*words[1:], None], strict=True):
        if _ends_title(match, following, is_first=end == colon.end()):
            break
        end = colon.end() + match.end()
        if match.string[match.end() : match.end() + 1] in (",", "?", "!"):
            break
    return name if end == colon.end() else Name(name.start, end, question[name.start : end])


def _ends_title(match: re.Match[str], following: re.Match[str] | None, *, is_first: bool) -> bool:
    """Whether a word after the colon is of the question; brackets and capitals inside keep it in the title."""
    word = match.group().strip(_TRIM)
    if "(" in match.group() or (word[:1].isupper() and not is_first):
        return False
    joins = word in _JOINING and not is_first and following is not None and following.group()[:1].isupper()
    small = word.casefold()
    return not joins and (small in _ASKING or small in CONTRACTIONS or is_cue(small))


_JOINING = ARTICLES | {"in", "by", "and"}
_ASKING = frozenset(
    {
        "who",
        "whom",
        "what",
        "which",
        "when",
        "where",
        "how",
        "is",
        "are",
        "was",
        "did",
        "does",
        "do",
        "the",
        "a",
        "an",
        "in",
        "by",
        "and",
        "more",
        "most",
        "fewer",
        "less",
    }
)


def _places(text: str, question: str) -> Iterator[tuple[int, int]]:
    """Where a text stands in the question, in capitals or not."""
    if question.isascii() and text.isascii():
        small, sought = question.lower(), text.lower()
        start = small.find(sought)
        while start >= 0:
            yield start, start + len(sought)
            start = small.find(sought, start + len(sought))
        return
    yield from (match.span() for match in re.finditer(re.escape(text), question, re.IGNORECASE))


def _positions(question: str, known: Sequence[Mention]) -> list[Name]:
    """Where the finder's mentions stand, longest first, on whole words."""
    found: list[Name] = []
    for mention in sorted(dict.fromkeys(known), key=lambda mention: (-len(mention.text), mention.text)):
        for start, end in _places(mention.text, question):
            end = end + _closes(question, start, end)
            marks = _MARKS.match(question, end)
            end = marks.end() if marks is not None else end
            name = Name(start, end, question[start:end], True, False, mention.entity_types)
            if _is_whole(question, name) and not _overlaps(name, found):
                found.append(name)
    return sorted(found, key=lambda name: name.start)


def _closes(question: str, start: int, end: int) -> int:
    """1 when a bracket that the span opens is closed by the next character, which folding left out of the name."""
    opens = question.count("(", start, end) > question.count(")", start, end)
    return int(opens and question[end : end + 1] == ")")


def _is_whole(question: str, name: Name) -> bool:
    if _WIDE.search(name.text):
        return True
    before, after = question[: name.start][-1:], question[name.end :][:1]
    return not (
        (_WORD_CHARACTER.match(before) and _WORD_CHARACTER.match(name.text[:1]))
        or (_WORD_CHARACTER.match(after) and _WORD_CHARACTER.match(name.text[-1:]) and not _WIDE.match(after))
    )


def _overlaps(name: Name, others: Sequence[Name]) -> bool:
    return any(name.start < other.end and other.start < name.end for other in others)


def _confirmed(name: Name, known: Sequence[Mention]) -> Name:
    match = next((mention for mention in known if mention.text.casefold() == name.text.casefold()), None)
    if match is None:
        return name
    return Name(name.start, name.end, name.text, True, True, match.entity_types)


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.casefold()) if word]


def _is_doubtful(name: Name, question: str, language: str, *, style: bool) -> bool:
    """Whether a catalogue name may be no name here: all its words are ordinary and nothing marks it as one."""
    words = _words(name.text)
    if len(words) == 1 and words[0] in foreign_words(language):
        return True
    if _WIDE.search(name.text) or not words or not all(map(is_listed, words)):
        return False
    if style and name.text[0].isupper() and question[: name.start].strip(" \"'(¿¡"):
        return False
    return len(words) == 1 or _is_cue(name.text) or all(word in FUNCTION_WORDS for word in words)


def _is_cue(text: str) -> bool:
    bare = " ".join(_words(text))
    for article in ARTICLES:
        bare = bare.removeprefix(f"{article} ")
    cues = find_cues(bare, QUESTION_TABLE)
    return bool(cues) and sum(cue.end - cue.start for cue in cues) >= len(bare) - len(cues)


def _names_are_capitalised(tokens: Sequence[_Token]) -> bool:
    """Whether the writer tells names from words by capitals: some word inside has one, what is no name has none."""
    tokens = [token for token in tokens if not token.is_first and token.text.casefold() not in _NEVER_NAMES]
    plain = [token for token in tokens if token.is_plain]
    functions = [token for token in plain if token.text.casefold() in _SMALL_WORDS]
    has_capital = any(token.is_capital for token in tokens)
    small = [token.text.casefold() for token in plain if not token.is_capital]
    # Whoever writes the question like a title leaves function words small, and no other.
    is_no_title = not FUNCTION_WORDS.issuperset(small)
    are_functions_small = 2 * sum(token.is_capital for token in functions) <= len(functions)
    return has_capital and bool(small) and (is_no_title or are_functions_small)


def _tokens(question: str, names: Sequence[Name], language: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    for name in [*sorted(names, key=lambda name: name.start), None]:
        end = len(question) if name is None else name.start
        tokens.extend(_plain_tokens(question, position, end, language))
        if name is not None:
            is_capital = name.text[:1].isupper() or not name.text[:1].islower()
            tokens.append(_Token(name.start, name.end, name.text, is_capital, False, not tokens, name))
            position = name.end
    return tokens


def _plain_tokens(question: str, start: int, end: int, language: str) -> Iterator[_Token]:
    foreign = foreign_words(language)
    for match in _TOKEN.finditer(question, start, end):
        text = match.group()
        if _WIDE.search(text) and language in WIDE_LANGUAGES:
            yield from _wide_tokens(match, language)
            continue
        left = len(text) - len(text.lstrip(_TRIM))
        stem = text.strip(_TRIM).removesuffix("'s").removesuffix("'")
        if not _WORD_CHARACTER.search(stem):
            continue
        begin = match.start() + left
        is_dated = is_inside_date(question, begin, begin + len(stem))
        is_capital, is_plain = (False, True) if is_dated else _looks(stem, foreign)
        is_first = not question[:begin].strip(_TRIM + " ")
        yield _Token(begin, begin + len(stem), stem, is_capital, is_plain, is_first)


@lru_cache(maxsize=8192)
def _looks(stem: str, foreign: frozenset[str]) -> tuple[bool, bool]:
    """Whether a word has a capital, and whether it is plain: ordinary, a number, or of the question's language."""
    is_number = _NUMBER.fullmatch(stem) is not None
    words = _words(stem)
    is_foreign = bool(words) and foreign.issuperset(words)
    is_plain = is_number or is_foreign or all(map(is_ordinary, words)) or is_cue(" ".join(words))
    return not is_number and not is_foreign and (stem[0].isupper() or stem[0].isdigit()), is_plain


def _wide_tokens(match: re.Match[str], language: str) -> Iterator[_Token]:
    """What the glossary can't explain in a run without spaces; all of it counts as capitalised."""
    for segment in segments(match.group(), language):
        text = match.group()[segment.start : segment.end]
        stem = text.strip(_TRIM)
        if segment.english is None and _WORD_CHARACTER.search(stem):
            begin = match.start() + segment.start + text.index(stem)
            yield _Token(begin, begin + len(stem), stem, True, False, False)


def _capital_runs(question: str, tokens: Sequence[_Token]) -> Iterator[Name]:
    """Runs of capitalised words that hold a word which is no English, or that are English but nothing else explains."""
    index = 0
    while index < len(tokens):
        run = _run_from(question, tokens, index)
        if not run:
            index += 1
            continue
        index += len(run)
        if _names_something(run) and not is_inside_date(question, run[0].start, run[-1].end):
            yield Name(run[0].start, run[-1].end, question[run[0].start : run[-1].end])


def _run_from(question: str, tokens: Sequence[_Token], index: int) -> list[_Token]:
    run: list[_Token] = []
    for position in range(index, len(tokens)):
        token = tokens[position]
        following = tokens[position + 1] if position + 1 < len(tokens) else None
        if run and _is_broken(question, run[-1], token):
            break
        if _may_begin(token, following) if not run else _may_go_on(run[-1], token, following):
            run.append(token)
        else:
            break
    while run and run[-1].name is None and not run[-1].is_capital and not _ROMAN.match(run[-1].text):
        run.pop()
    return run


def _is_broken(question: str, before: _Token, after: _Token) -> bool:
    between = question[before.end : after.start]
    return bool(between.strip(" :;.-/&+×☆★!'")) or "'s" in between or between.strip().endswith((".", "!"))


def _may_begin(token: _Token, following: _Token | None) -> bool:
    if token.name is not None:
        return not token.name.is_quoted
    if not token.is_capital or token.text.casefold() in _NEVER_NAMES:
        return False
    if not token.is_first or not token.is_plain:
        return True
    lowered = token.text.casefold()
    goes_on = following is not None and following.is_capital
    return (
        goes_on
        and lowered not in _COMMANDS
        and (lowered in ARTICLES or lowered not in FUNCTION_WORDS)
        and not _is_cue(lowered)
    )


def _may_go_on(before: _Token, token: _Token, following: _Token | None) -> bool:
    if token.name is not None:
        return not token.name.is_quoted and before.name is None and before.is_capital and not before.is_plain
    if token.is_capital and token.text.casefold() not in _NEVER_NAMES:
        return True
    if _ROMAN.match(token.text):
        return following is None or not following.is_plain or following.text.casefold() in FUNCTION_WORDS
    if following is None or before.name is not None or following.name is not None or not following.is_capital:
        return False
    return token.text.casefold() in _CONNECTORS


def _names_something(run: Sequence[_Token]) -> bool:
    if any(token.name is None and (_ROMAN.match(token.text) or not token.is_plain) for token in run):
        return len(run) > 1 or run[0].name is None
    if any(token.name is not None for token in run) or (len(run) == 1 and run[0].is_first):
        return False
    text = " ".join(token.text for token in run)
    return not _is_cue(text) and not all(token.text.casefold() in FUNCTION_WORDS for token in run)


def _strange_runs(question: str, tokens: Sequence[_Token]) -> Iterator[Name]:
    """Runs of words that are no English, for writers who don't capitalise; a known name next to one is part of it."""
    index = 0
    while index < len(tokens):
        run: list[_Token] = []
        for position in range(index, len(tokens)):
            token = tokens[position]
            if run and _is_broken(question, run[-1], token):
                break
            joins = bool(run) and token.text.casefold() in _CONNECTORS and _is_strange_after(tokens, position)
            numbered = bool(run) and _ROMAN.match(token.text) is not None and _ends_name(tokens, position)
            if not (_is_strange(token) or token.name is not None or joins or numbered):
                break
            run.append(token)
        index += max(1, len(run))
        if any(_is_strange(token) or _ROMAN.match(token.text) for token in run if token.name is None):
            yield Name(run[0].start, run[-1].end, question[run[0].start : run[-1].end])


def _ends_name(tokens: Sequence[_Token], position: int) -> bool:
    if position + 1 == len(tokens):
        return True
    following = tokens[position + 1]
    return following.is_plain and following.text.casefold() in FUNCTION_WORDS


def _is_strange_after(tokens: Sequence[_Token], position: int) -> bool:
    return position + 1 < len(tokens) and _is_strange(tokens[position + 1]) and tokens[position - 1].name is None


def _is_strange(token: _Token) -> bool:
    if token.name is not None or token.is_plain or token.text.isdigit():
        return False
    return len(token.text) > 2 and token.text.casefold() not in _NEVER_NAMES
