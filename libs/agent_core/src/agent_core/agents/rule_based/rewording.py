"""Rare ways of asking, put into the words that the readers know: `X and Y sound alike, who is behind both?`

A rule replaces what its pattern matches; pieces keep their places, so names stay as they were written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_core.agents.rule_based.beginnings import Sieve
from agent_core.agents.rule_based.text import NAME, Piece, Reading

_N = NAME
_KIND = r"(?:anime|manga|movie|film|series|show|tv series|character|studio)"
_YEAR = r"(?:19[1-9]\d|20\d\d)"
_T = rf"(?:(?:the |an? )?(?:{_KIND} )?{_N}(?: \( {_YEAR} \))?)"
"""A name with the kind that stands before it."""

_AND = r"(?: and| &| ,| to| with)?"
_WORKS = r"(?P<w>anime|shows|series|works|movies|films)"
_VOICE_ACTOR = r"(?:voice actor|voice actress|seiyuu|va|voice)"
_STEPS = r"(?P<n>\w+) (?P<h>steps?|hops?|links?|degrees?)"
_BOND = r"(?:chain|path|route|way|connection|link)"
_BOOK = r"(?:manga|novel|light novel|book|story)"
_TURNED = r"(?:adapted|adapt|animated?|turned? into (?:an )?anime)"
_FIELD = r"(?P<f>episodes|chapters|volumes)"


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    words: tuple[str, ...]


def _rules(*pairs: tuple[str, str]) -> tuple[_Rule, ...]:
    return tuple(_Rule(re.compile(pattern), tuple(words.split())) for pattern, words in pairs)


_TERMS = _rules(
    (r"\bbrothers? (?:and|or|&) sisters?\b", "siblings"),
    (
        rf"(?:\bthe )?(?:\b(?:old|older|new|newer|original|first) )?(?P<n>{_N})"
        rf" (?P<k>anime|manga|series|show|movie|film) (?:of|from) (?:the year )?(?P<y>{_YEAR})(?= |$)",
        "the {k} {n} ( {y} )",
    ),
    (rf"\bthe (?:old|older|original) (?P<n>{_N}) (?:of|from) (?P<y>{_YEAR})(?= |$)", "{n} ( {y} )"),
    (rf"\b(?P<o>in what order should i) (?P<n>{_T}) watch\b", "{o} watch {n}"),
    (
        rf"\b(?P<v>adapts?|adapting|based on|adaptations? of) the (?P<n>{_N}) (?P<k>manga|novel|light novel)\b",
        "{v} the {k} {n}",
    ),
    (
        rf"\b(?P<v>is|was|did) the (?P<n>{_N}) (?P<k>anime|film|movie|series|show) (?=based|adapted|taken|come|made from)",
        "{v} the {k} {n}",
    ),
    (rf"\b(?:by the name of|that goes by(?: the name(?: of)?)?|going by) (?P<n>{_N})", "named {n}"),
    (r"\b(?:that |which )?(?:goes|go|going|went) back to\b", "based on"),
    (
        r"\b(?:with|having|that has|which has) (?P<s>(?:an? )?(?:video game|light novel|visual novel|web novel|novel|manga"
        r"|game|book)) as (?:its |their |the |an? )?(?:source|basis|origin|original)(?: material| work)?\b",
        "based on {s}",
    ),
    (
        r"\b(?:films|movies) (?:and|or) (?:series|shows|tv series|tv shows)\b"
        r"|\b(?:series|shows) (?:and|or) (?:films|movies)\b|\banimes? (?:and|or) mangas?\b",
        "works",
    ),
    (r"\b(?:filmography|list) of (?:all )?(?:the )?(?:voice |acting )?roles\b", "roles"),
    (rf"(?P<o>\b(?:comes?|came|goes|follows) after (?:the )?(?:\w+ )?{_N}) as (?:its|the|a) (?:sequel|continuation)\b", "{o}"),
)
"""Replaced wherever they stand."""

_BOTH_VOICED = "which voice actor voices both {a} and {b}"
_BOTH_CAST = "who has a role in both {a} and {b}"
_STUDIOS = "which studio made the adaptations of {a}"
_LINKED = "what links {a} to {b}"
_LINKED_WITHIN = "what links {a} to {b} within {n} {h}"
_COUNTED = "compare the number of {f} of {a} and {b}"
_ADAPTED = "anime adaptations of {a}"
_ADAPTING = "which studios adapted manga by {a}"
_APPEARS = "does {a} appear in {b}"
_BOTH_HEARD = "which {w} have both {a} and {b} in the cast"
_SOMEBODY = r"(?:somebody|someone|a character|anybody|anyone)"

_TOGETHER = r"(?:together with|along with|alongside|next to|as well as|with|and)"
_VOICES = _rules(
    (
        rf"^(?:where|in (?:what|which|which ones)) can (?:i|we|you|one) (?:hear|find) (?P<a>{_N}) {_TOGETHER} (?P<b>{_N})$",
        _BOTH_HEARD.replace("{w}", "anime"),
    ),
    (
        rf"^(?P<a>{_N}){_AND} (?P<b>{_N})(?: ,)? (?:have|did|were|are|do) they (?:ever |both )*(?:been|appear(?:ed)?"
        rf"|act(?:ed)?|work(?:ed)?|be|play(?:ed)?|star(?:red)?)(?: together)? in (?:the same|any|one|an?) (?P<w>\w+)\b.*$",
        _BOTH_HEARD,
    ),
    (
        rf"^(?:have|did|were|are|do) (?P<a>{_N}) and (?P<b>{_N}) (?:ever |both )*(?:been|appear(?:ed)?|act(?:ed)?"
        rf"|play(?:ed)?|star(?:red)?)(?: together)? in (?:the same|any|one|an?) (?P<w>{_KIND})(?: together)?"
        r"(?: ,)?(?: and)?(?: (?:in )?(?:which|what)(?: one| ones)?| if so .*)?$",
        _BOTH_HEARD,
    ),
    (
        rf"^(?:is|was) it (?:one and )?the same (?:person|actor|actress|voice|{_VOICE_ACTOR})(?: (?:who|that))?"
        rf" (?:speaks|voices|plays|voiced|spoke|played|behind|of|for) (?:both )?(?P<a>{_N}) and (?P<b>{_N})(?: ,)?"
        r"(?: and)?(?: who.*)?$",
        _BOTH_VOICED,
    ),
    (
        rf"^(?:do|are|did|were) (?P<a>{_N}) and (?P<b>{_N}) (?:share (?:the same|an?)|(?:voiced|played|spoken) by the same|have"
        rf" the same) (?:person|actor|actress|{_VOICE_ACTOR})(?: ,)?(?: and)?(?: who.*)?$",
        _BOTH_VOICED,
    ),
    (
        rf"^(?P<a>{_N}){_AND} (?P<b>{_N}) both in (?:which|what) {_WORKS}$",
        "which {w} have both {a} and {b} in the cast",
    ),
    (
        rf"^(?:which|what) {_WORKS} (?:have|has|features?) the voices? of (?:both )?(?P<a>{_N}) and (?P<b>{_N})$",
        "which {w} have both {a} and {b} in the cast",
    ),
    (rf"^(?:the )?same {_VOICE_ACTOR}(?: for| of| in| as)? (?P<a>{_N}){_AND} (?P<b>{_N})$", _BOTH_VOICED),
    (
        rf"^(?P<a>{_N}) and (?P<b>{_N}) (?:sound (?:alike|the same)|have the same voice)(?: [.,;?])+"
        r" (?:who|which (?:voice )?(?:actor|actress)) .*\b(?:both|them|it|that)$",
        _BOTH_VOICED,
    ),
    (
        rf"^who (?:can be|is|was) heard in (?P<a>{_T}(?:(?: ,| and)+(?: in)? {_T})+)$",
        "who has a role in {a}",
    ),
    (rf"^(?:all |the )?{_WORKS} with (?P<a>{_N}) in the (?:voice )?cast$", "in which {w} can {a} be heard"),
    (
        rf"^(?:which|what) {_WORKS} (?:has|have|did) (?P<a>{_N}) (?:done|do) (?:the |any )?voice (?:work|acting)"
        r"(?: for| in| on)?$",
        "in which {w} can {a} be heard",
    ),
    (
        rf"^(?:the )?(?:shared|common) (?:voice )?(?:cast|actors|voice actors) (?:of |between |in )?(?P<a>{_T}){_AND}"
        rf" (?P<b>{_T})$",
        _BOTH_CAST,
    ),
    (
        rf"^(?:which|what) voice actors (?:do|are shared by) (?P<a>{_T}) and (?P<b>{_T})"
        r"(?: (?:have in common|share))?$",
        _BOTH_CAST,
    ),
    (rf"^who (?:voices|plays) {_SOMEBODY} in (?P<a>{_T}) and (?:also )?{_SOMEBODY} in (?P<b>{_T})$", _BOTH_CAST),
    (rf"^(?P<a>{_N})(?: 's)? {_VOICE_ACTOR} (?P<b>(?:{_YEAR} )?{_T})$", "who voices {a} in {b}"),
    (
        rf"^(?P<a>{_N}) has an? (?P<r>\w+)(?: [.,;])+ who (?:lends|gives) (?:the|that|this) (?P=r) (?:a|his|her|the)"
        r" voice$",
        "who voices {a} 's {r}",
    ),
    (rf"^(?P<p>in {_T}) ,? ?who (?:spoke|speaks) (?P<a>{_N})$", "who voices {a} {p}"),
)

_PATHS = _rules(
    (rf"^find (?:me )?(?:an?|the|some) (?:way|route|path) from (?P<a>{_T}) to (?P<b>{_T})$", _LINKED),
    (
        r"^(?P<x>.*\b\w+)(?: (?:of|in|with|over|through|via))? (?:just |only |exactly )?(?:an? )?(?P<n>single|one|two|three|four|five"
        rf"|six|\d) (?P<h>steps?|hops?|links?|degrees?) (?P<y>(?:between|from|joining|linking) {_T} (?:and|to) {_T})$",
        "{x} {y} within {n} {h}",
    ),
    (
        rf"^what (?:have|has|do|does) (?P<a>{_T}) and (?P<b>{_T}) (?:got |have )?in common(?: ,)? step by step$",
        _LINKED,
    ),
    (
        rf"^(?:in|via|over|through|with) (?:how many|what) (?:steps|hops|links|moves) (?:do|can|does|could) (?:i|we|you|one)"
        rf" (?:get|go|come) from (?P<a>{_T}) to (?P<b>{_T})$",
        _LINKED,
    ),
    (
        rf"^(?P<a>{_T}) to (?P<b>{_T})(?: ,)? (?:in |within |at most |max |up to )*{_STEPS}"
        r"(?: max(?:imum)?| at most)?$",
        _LINKED_WITHIN,
    ),
    (
        rf"^(?:an?|any|the) {_BOND} from (?P<a>{_T}) to (?P<b>{_T}) (?:that |which |takes |with |in |of |within |has )+"
        rf"(?:no more than|at most|up to|not more than) {_STEPS}$",
        _LINKED_WITHIN,
    ),
    (rf"^(?P<a>{_T}){_AND} (?P<b>{_T})(?: ,)? (?:shortest |quickest )?{_BOND}$", _LINKED),
)

_NAMED = _rules(
    (rf"^(?P<a>{_N})(?: [,(-])+ (?:the|an?) character(?: \))?$", "who is the character {a}"),
    (rf"^(?P<a>{_N})(?: 's)? appearances? in (?P<b>{_T})$", _APPEARS),
    (
        rf"^(?:has|does|did|is|was) (?P<a>{_N}) (?:have |got |had |play |given )?(?:an? |any )?(?:\w+ )?(?:part|role|appearance)"
        rf" (?:in|on) (?P<b>{_T})$",
        _APPEARS,
    ),
    (
        rf"^how (?:does|do|did|will|is) (?P<a>{_T}) (?:go on|continued?|carry on)\b.*$",
        "what is the sequel of {a}",
    ),
    (
        rf"^(?P<a>{_T}) (?:was|is|has been|got|were) (?:continued|followed up|carried on)(?: [.,;:!])+ (?P<rest>[^.]*?)"
        r" ?(?:the|its|that|this) (?:sequel|continuation|follow up|successor)(?P<tail>(?: [^.]*)?)$",
        "{rest} the sequel of {a} {tail}",
    ),
    (
        rf"^(?:who (?:plays|has|gets)|which characters? (?:plays?|has|have)) the (?:main|leading|lead|title) (?:parts?|roles?)"
        rf" (?:in|of) (?P<a>{_T})(?: [,;:])+ (?:i mean|that is|as in|meaning|so)? ?(?:the |which |what )?characters?$",
        "who are the main characters of {a}",
    ),
    (rf"^character (?P<a>{_N})$", "who is the character {a}"),
    (rf"^(?P<a>{_N}) character$", "who is the character {a}"),
    (rf"^i (?:forgot|forget|have forgotten) who (?P<a>{_N}) (?:was|is)\b.*$", "who is {a}"),
    (
        rf"^whose (?:film|movie|anime) (?P<a>{_N}) is(?: [.,;?])+ i am (?:after|asking for|looking for) the director$",
        "who directed {a}",
    ),
    (rf"^(?P<a>{_N}) (?:first )?(?:aired|released|premiered|broadcast)$", "when did {a} start"),
    (rf"^(?P<a>{_N}) (?P<w>anime|manga) appearances$", "which {w} does {a} appear in"),
    (rf"^which (?P<r>character|person) is (?P<a>{_N})$", "who is the {r} {a}"),
)

_SOURCES = _rules(
    (
        rf"^(?:(?:from|on) )?(?:which|what) (?P<k>book|manga|novel|light novel|work) (?:does|did|is|was|has) (?P<a>(?:the )?{_T}"
        r"(?: (?:anime|film|movie|series|show))?) (?:come|comes|came|taken|adapted|made|stem|stems|originate|based)(?: from| on)?$",
        "which {k} is {a} based on",
    ),
    (rf"^(?:is|was) there an? manga(?: version| adaptation)? (?:of|for|to) (?P<a>{_N})$", "manga adaptations of {a}"),
    (rf"^(?:the )?(?P<a>{_N}) (?P<k>manga|novel|light novel)(?: [:,-])+ (?:its|the) anime(?: adaptations?)?$", _ADAPTED),
    (
        rf"^(?:list|name|show|give|which|what|all)(?: (?:me|all|every|the|are|were))* animes?(?: (?:that are|that is|are|is))?"
        rf" based on (?P<a>(?:the )?(?:manga|novel|light novel|book) {_N})$",
        _ADAPTED,
    ),
    (
        rf"^(?:is|was) there an? (?:anime|anime adaptation|anime version|film|movie)(?: adaptation| version| series)? (?:of|for|to"
        rf"|from|based on) (?P<a>{_N})(?: 's)?(?: manga)?$",
        _ADAPTED,
    ),
    (
        rf"^(?:did|has|does|was|is|will) (?P<a>(?:the )?(?:manga )?{_N})(?: manga)?(?: ever)? (?:get|got|gotten|have|receive"
        r"|received|been (?:made|turned)|made|turned)(?: into)? (?:an? |its |any )*anime(?: adaptation| series| version)?$",
        _ADAPTED,
    ),
    (
        rf"^(?P<a>{_N}) (?P<k>manga|novel|light novel|movie|film) source(?: material)?$",
        "which work is the {k} {a} based on",
    ),
    (
        rf"^(?:all |the |which |what )*(?P<w>anime|films|movies|series) (?:that are |are |that )?"
        rf"(?:based on|adapted from|from|adapting) (?:the )?(?P<a>{_N})(?: 's)?"
        r" (?:light novels?|novels?|mangas?|books?)$",
        "anime adaptations of the works by {a}",
    ),
    (
        rf"^(?:is|was) there an? (?P<k>book|novel|manga|light novel) behind (?P<a>{_T})"
        r"(?: ,)?(?: and (?:which|what)(?: one| is it)?)?$",
        "which {k} is {a} based on",
    ),
    (
        rf"^who(?: has)? (?:wrote|written|penned) the {_BOOK} (?:that |which )?"
        rf"(?P<a>the (?:anime|film|movie|series|show) {_N})"
        r" (?:is|was) (?:based on|adapted from|made from)$",
        "who is the author of the source of {a}",
    ),
    (
        rf"^whose {_BOOK} (?:was|is|did) (?P<a>{_T}) (?:made|adapted|taken|based|adapt)"
        r"(?: from| on)?$",
        "who is the author of the source of {a}",
    ),
    (
        rf"^(?:which|what) (?P<w>anime|films|movies|series) (?:was|were|is|are|has been|have been)"
        rf" made (?:out of|from|of) (?P<a>the (?:manga|novel|light novel|book) {_N})$",
        _ADAPTED,
    ),
    (
        rf"^when did (?P<k>the (?:manga|novel|light novel|book)) (?P<v>begin|start|end)"
        rf" (?:on which|that|which) (?P<a>{_T}) (?:is|was|adapts?)(?: based)?(?: on)?$",
        "when did {k} behind {a} {v}",
    ),
    (
        rf"^(?:(?:which|what|the) )?authors? (?:(?:who )?(?:have|had|saw) their (?:manga|works|books)"
        rf"|of (?:the )?(?:manga|works|books)(?: that were)?) {_TURNED} by (?P<a>{_T})$",
        "who is the author of the source of the anime that {a} produced",
    ),
    (
        rf"^whose (?:manga|works|books) (?:has|have|did|was|were) (?P<a>{_T}) {_TURNED}$",
        "who is the author of the source of the anime that {a} produced",
    ),
)

_SIZE = r"(?P<f>length|episodes|eps|chapters|volumes|scores?|ratings?|genres?|years?|release dates?)"
_OR = r"(?:/|,|or|and|vs|versus|&)(?: \.)?"
_COMPARED = _rules(
    (
        rf"^(?P<a>{_T}) {_OR} (?P<b>{_T})(?: [:,?.-])* (?:by |in |the )*(?:minutes|run ?time|running time|duration)$",
        "compare the runtime of {a} and {b}",
    ),
    (
        rf"^(?P<a>{_T}) {_OR} (?P<b>{_T})(?: [:,?.-])* (?:by |in |the |number of )*{_SIZE}(?: compared)?$",
        "compare the {f} of {a} and {b}",
    ),
    (
        rf"^(?P<a>{_T}) {_OR} (?P<b>{_T})(?: [:,?.-])* (?:(?:which|who|what)(?: one)? )?(?:is |has |have |had )?(?:the )?(?:more|most"
        rf"|fewer|fewest|less) {_FIELD}$",
        _COUNTED,
    ),
    (
        rf"^(?P<a>{_T}) {_OR} (?P<b>{_T})(?: [:,?.-])* (?:(?:which|what)(?: one)?(?: of (?:the two|them))? )?(?:is |was )?(?:the )?"
        r"(?P<c>longer|shorter|older|newer|earlier)(?: one| film| movie| series| show)?$",
        "which is {c} {a} or {b}",
    ),
    (
        rf"^what (?:sets|makes|distinguishes) (?P<a>{_T}) (?:apart|different|differ|distinct)? ?(?:from|to|and) (?P<b>{_T})"
        r"(?: apart| different)?$",
        "compare {a} and {b}",
    ),
    (
        rf"^(?:of|among|between) (?P<a>{_T}(?:(?: ,| and)+ {_T})+)(?: ,)? (?:which|what)(?: one)? (?:has|had) the"
        rf" (?:most|fewest) {_FIELD}\b.*$",
        "compare the number of {f} of {a}",
    ),
    (
        rf"^do (?P<a>{_T}) and (?P<b>{_T}) have (?:the same (?:number|amount) of|equally many|as many) {_FIELD}$",
        _COUNTED,
    ),
    (rf"^is (?P<a>{_T}) as long as (?P<b>{_T})(?: ,)? (?:counted |measured )?in {_FIELD}$", _COUNTED),
    (
        rf"^how (?:long|much later|many years) (?:after|before|than) (?P<a>{_T}) (?:did|was|were|had) (?P<b>{_T})"
        r" (?:start|begin|come out|air|premiere|appear|released|published)\b.*$",
        "compare the start date of {a} and {b}",
    ),
)

_MAKERS = _rules(
    (
        rf"^(?:what|which \w+)(?: else| other \w+)? (?:has|have|did|was|is) (?:the )?(?:voice|{_VOICE_ACTOR}|actor|actress) of (?P<a>{_N})"
        r" (?:been|appeared|appear|played|play|acted|act|voiced)(?: in)?$",
        "in which other works does the voice actor of {a} appear",
    ),
    (rf"^(?P<v>is|was) (?P<a>{_T}) an? (?P<b>{_N}) (?:films?|movies?|anime|series|production|work|show)$", "{v} {a} made by {b}"),
    (
        rf"^(?:(?:which|what|the|who are the|name the|list the) )?studios? (?:behind|for|of|that (?:made|did|produced|animated))"
        rf" (?:all )?(?:the )?(?:anime )?adaptations of (?P<a>{_N})(?: 's)?(?: (?:mangas?|works?|books?))?$",
        _STUDIOS,
    ),
    (
        rf"^(?P<a>{_N}) (?:wrote|drew|made|created|draws|writes) mangas?(?: (?:that|which))? (?:was|were|became|got|have been)"
        r" (?:later |also )?(?:animated|adapted|anime|turned into anime|made into anime)(?: [.,;:])+ .*\bstudios?\b.*$",
        _ADAPTING,
    ),
    (
        rf"^(?P<a>{_N}) 's other {_WORKS} as (?:an? |the )?director$",
        "which other {w} has {a} directed",
    ),
    (
        rf"^(?:which |what |the )?studios (?:that |which )?(?:have )?(?:adapted|animated) (?:the )?(?P<a>{_N})(?: 's)?"
        r" mangas?$",
        _ADAPTING,
    ),
    (
        rf"^(?P<a>{_N}) 's mangas? (?:became|were turned into|were made into|was made into) (?:an )?anime"
        r"(?: [.,;?])+ (?:at|by|from) (?:which|what) studios?$",
        _ADAPTING,
    ),
    (
        rf"^(?:the )?(?P<r>character designer|composer|writer) (?:of|in|for) (?P<a>{_N}) directed"
        r" (?:anime|works|films|movies)$",
        "who was the {r} of works directed by {a}",
    ),
    (
        rf"^when(?:ever)? (?P<a>{_N}) directs(?: ,)? who (?:does|did|makes) the (?P<r>character) designs?$",
        "who designed the characters in works directed by {a}",
    ),
    (
        rf"^(?P<a>{_N}) (?:wrote|composed|made) (?:the )?music for {_WORKS} (?:of|by|from) (?:which|what) studios?$",
        "which studios made the {w} that {a} composed for",
    ),
    (
        rf"^what else did the (?P<r>director) of (?P<a>{_T})(?: \.)? direct$",
        "other works directed by the {r} of {a}",
    ),
    (
        rf"^what else did the (?P<r>composer) of (?P<a>{_T})(?: \.)? compose$",
        "other works composed by the {r} of {a}",
    ),
    (
        rf"^(?:under )?whose (?:command|orders|leadership) (?:does|did|is) (?P<a>{_N})"
        r" (?:serve|fight|work|stand|under)$",
        "who is the commander of {a}",
    ),
    (rf"^(?P<a>{_N}) studio {_WORKS}(?: list)?$", "which {w} did {a} produce"),
    (
        rf"^(?:which|what) {_WORKS} (?:come|comes|came) from (?:the )?(?:studio )?(?P<a>{_N})$",
        "which {w} did {a} produce",
    ),
)
_WHOLE = (*_VOICES, *_PATHS, *_NAMED, *_SOURCES, *_COMPARED, *_MAKERS)
_LIKELY = Sieve(rule.pattern.pattern for rule in _WHOLE)


def reworded(reading: Reading) -> Reading:
    """The reading in the words of the first rule that its whole text follows; terms are replaced in any text."""
    topic = _TOPIC.match(reading.text)
    if topic is not None:
        reading = _replaced(reading, topic, ("{rest}", "{a}", "{tail}"))
    for rule in _TERMS:
        match = rule.pattern.search(reading.text)
        if match is not None:
            reading = _replaced(reading, match, rule.words)
    for place in _LIKELY.of(reading.text):
        match = _WHOLE[place].pattern.match(reading.text)
        if match is not None:
            return _replaced(reading, match, _WHOLE[place].words)
    return reading


_TOPIC = re.compile(
    rf"^i mean (?P<a>[^.]*?{_N}[^.]*?)(?: [.,;:])+ (?P<rest>(?:how|who|when|which|what|where)\b[^.]*?)"
    r" (?:it|he|she|they)(?P<tail>(?: .*)?)$"
)


def _replaced(reading: Reading, match: re.Match[str], words: tuple[str, ...]) -> Reading:
    ids = {id(piece) for piece in reading.pieces_in(*match.span())}
    found = [piece for piece in reading.pieces if id(piece) in ids]
    first = reading.pieces.index(found[0])
    pieces = tuple(piece for word in words for piece in _pieces(reading, match, word, found[0]))
    return Reading(
        reading.question, reading.names, (*reading.pieces[:first], *pieces, *reading.pieces[first + len(found) :])
    )


def _pieces(reading: Reading, match: re.Match[str], word: str, at: Piece) -> Iterator[Piece]:
    if not word.startswith("{"):
        yield Piece(word, at.start, at.end)
        return
    start, end = match.span(word.strip("{}"))
    if end > start:
        yield from reading.pieces_in(start, end)
