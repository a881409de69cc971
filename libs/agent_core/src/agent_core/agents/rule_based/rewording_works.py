"""Rare ways of asking about works: what they are made from, by whom, and two of them compared."""

from agent_core.agents.rule_based.rewording_rule import BOOK, FIELD, TK, TURNED, VOICE_ACTOR, WORKS, T, rules
from agent_core.agents.rule_based.text import NAME

_STUDIOS = "which studio made the adaptations of {a}"
_COUNTED = "compare the number of {f} of {a} and {b}"
_ADAPTED = "anime adaptations of {a}"
_ADAPTING = "which studios adapted manga by {a}"
SOURCES = rules(
    (
        rf"^(?:was|were|is) (?P<a>{NAME})(?: at)? (?:first|originally) (?:an? |the )?(?P<k>anime|manga|movie|novel)"
        r"(?: first)? or (?:an? |the )?(?P<l>anime|manga|movie|novel)(?: first)?$",
        "which came first , the {a} {k} or {l}",
    ),
    (rf"^what (?:does|did|do) (?P<a>{T}) (?:come after|follow|continue)$", "what is the prequel of {a}"),
    (
        rf"^(?:from )?(?:which|what) (?P<k>book|novel|light novel) (?:does|did|has) (?P<a>{T}) (?:come|stem|originate)"
        r"(?: from)?$",
        "which {k} is {a} based on",
    ),
    (
        r"^(?:from )?(?:which|what) (?P<k>manga|work) (?:does|did|has)"
        rf" (?P<a>the (?:anime|film|movie|series|show) {NAME}) (?:come|stem|originate)(?: from)?$",
        "which {k} is {a} based on",
    ),
    (rf"^(?:is|was) there an? manga (?:version|adaptation) (?:of|for|to) (?P<a>{NAME})$", "manga adaptations of {a}"),
    (
        rf"^(?:the )?(?P<a>{NAME}) (?P<k>manga|novel|light novel)(?: [:,-])+ (?:its|the) anime(?: adaptations?)?$",
        _ADAPTED,
    ),
    (
        rf"^(?:list|name|show|give|which|what|all)(?: (?:me|all|every|the|are|were))* animes?(?: (?:that are|that is"
        rf"|are|is))?"
        rf" based on (?P<a>(?:the )?(?:manga|novel|light novel|book) {NAME})$",
        _ADAPTED,
    ),
    (
        rf"^(?:is|was) there an? (?:anime|anime adaptation|anime version|film|movie)(?: adaptation| version|"
        rf" series)? (?:of|for|to"
        rf"|from|based on) (?P<a>{NAME})(?: 's)?(?: manga)?$",
        _ADAPTED,
    ),
    (
        rf"^(?:did|has|does|was|is|will) (?P<a>(?:the )?(?:manga )?{NAME})(?: manga)?(?: ever)? (?:get|got|gotten"
        rf"|have|receive"
        r"|received|been (?:made|turned)|made|turned)(?: into)? (?:an? |its |any )*anime(?: adaptation| series|"
        r" version)?$",
        _ADAPTED,
    ),
    (
        rf"^(?P<a>{NAME}) (?P<k>manga|novel|light novel) source(?: material)?$",
        "which work is the {k} {a} based on",
    ),
    (
        rf"^(?:all |the |which |what )*(?P<w>anime|films|movies|series) (?:that are |are |that )?"
        rf"(?:based on|adapted from|from|adapting) (?:the )?(?P<a>{NAME})(?: 's)?"
        r" (?:light novels?|novels?|mangas?|books?)$",
        "anime adaptations of the works by {a}",
    ),
    (
        rf"^(?:is|was) there an? (?P<k>book|novel|manga|light novel) behind (?P<a>{T})"
        r"(?: ,)?(?: and (?:which|what)(?: one| is it)?)?$",
        "which {k} is {a} based on",
    ),
    (
        rf"^who(?: has)? (?:wrote|written|penned) the {BOOK} (?:that |which )?"
        rf"(?P<a>the (?:anime|film|movie|series|show) {NAME})"
        r" (?:is|was) (?:based on|adapted from|made from)$",
        "who is the author of the source of {a}",
    ),
    (
        rf"^whose {BOOK} (?:was|is|did) (?P<a>{T}) (?:made|adapted|taken|based|adapt)"
        r"(?: from| on)?$",
        "who is the author of the source of {a}",
    ),
    (
        rf"^(?:which|what) (?P<w>anime|films|movies|series) (?:was|were|is|are|has been|have been)"
        rf" made (?:out of|from|of) (?P<a>the (?:manga|novel|light novel|book) {NAME})$",
        _ADAPTED,
    ),
    (
        rf"^when did (?P<k>the (?:manga|novel|light novel|book)) (?P<v>begin|start|end)"
        rf" (?:on which|that|which) (?P<a>{T}) (?:is|was|adapts?)(?: based)?(?: on)?$",
        "when did {k} behind {a} {v}",
    ),
    (
        rf"^(?:(?:which|what|the) )?authors? (?:(?:who )?(?:have|had|saw) their (?:manga|works|books)"
        rf"|of (?:the )?(?:manga|works|books)(?: that were)?) {TURNED} by (?P<a>{T})$",
        "who is the author of the source of the anime that {a} produced",
    ),
    (
        rf"^whose (?:manga|works|books) (?:has|have|did|was|were) (?P<a>{T}) {TURNED}$",
        "who is the author of the source of the anime that {a} produced",
    ),
)

_SIZE = r"(?P<f>length|episodes|eps|chapters|volumes|scores?|ratings?|genres?|years?|release dates?)"
_OR = r"(?:/|,|or|and|vs|versus|&)(?: \.)?"
COMPARED = rules(
    (
        rf"^how (?:do|does|did) (?:the )?(?:\w+ )?(?P<a>{NAME}) and (?P<b>{T}) (?:compare|differ) (?:in|by|on)"
        rf" (?:the |their )?(?:number of )?{FIELD}$",
        _COUNTED,
    ),
    (
        rf"^(?P<a>{TK}) {_OR} (?P<b>{TK})(?: [:,?.-])* (?:by |in |the )*(?:minutes|run ?time|running time|duration)$",
        "compare the runtime of {a} and {b}",
    ),
    (
        rf"^(?P<a>{TK}) {_OR} (?P<b>{TK})(?: [:,?.-])* (?:by |in |the |number of )*{_SIZE}(?: compared)?$",
        "compare the {f} of {a} and {b}",
    ),
    (
        rf"^(?P<a>{TK}) {_OR} (?P<b>{TK})(?: [:,?.-])* (?:(?:which|who|what)(?: one)? )?(?:is |has |have |had )?(?:the"
        rf" )?(?:more|most"
        rf"|fewer|fewest|less) {FIELD}$",
        _COUNTED,
    ),
    (
        rf"^(?P<a>{TK}) {_OR} (?P<b>{TK})(?: [:,?.-])* (?:(?:which|what)(?: one)?(?: of (?:the two|them))? )?(?:is "
        rf"|was )?(?:the )?"
        r"(?P<c>longer|shorter|older|newer|earlier)(?: one| film| movie| series| show)?$",
        "which is {c} {a} or {b}",
    ),
    (
        rf"^what (?:sets|makes|distinguishes) (?P<a>{T}) (?:apart|different|differ|distinct)? ?(?:from|to|and) "
        rf"(?P<b>{T})"
        r"(?: apart| different)?$",
        "compare {a} and {b}",
    ),
    (
        rf"^(?:of|among|between) (?P<a>{T}(?:(?: ,| and)+ {T})+)(?: ,)? (?:which|what)(?: one)? (?:has|had) the"
        rf" (?:most|fewest) {FIELD}\b.*$",
        "compare the number of {f} of {a}",
    ),
    (
        rf"^do (?P<a>{T}) and (?P<b>{T}) have (?:the same (?:number|amount) of|equally many|as many) {FIELD}$",
        _COUNTED,
    ),
    (rf"^is (?P<a>{T}) as long as (?P<b>{T})(?: ,)? (?:counted |measured )?in {FIELD}$", _COUNTED),
    (
        rf"^how (?:long|much later|many years) (?:after|before|than) (?P<a>{T}) (?:did|was|were|had) (?P<b>{T})"
        r" (?:start|begin|come out|air|premiere|appear|released|published)\b.*$",
        "compare the start date of {a} and {b}",
    ),
)

MAKERS = rules(
    (
        rf"^(?:what|which \w+)(?: else| other \w+)? (?:has|have|did|was|is) (?:the )?(?:voice|{VOICE_ACTOR}|actor"
        rf"|actress) of (?P<a>{NAME})"
        r" (?:been|appeared|appear|acted|act) in$",
        "in which other works does the voice actor of {a} appear",
    ),
    (
        rf"^(?P<v>is|was) (?P<a>{T}) an? (?P<b>{NAME}) (?:films?|movies?|anime|series|work|show)$",
        "{v} {a} made by {b}",
    ),
    (
        rf"^(?:(?:which|what|the|who are the|name the|list the) )?studios? (?:behind|for|of|that (?:made|did"
        rf"|produced|animated))"
        rf" (?:all )?(?:the )?(?:anime )?adaptations of (?P<a>{NAME})(?: 's)?(?: (?:mangas?|works?|books?))?$",
        _STUDIOS,
    ),
    (
        rf"^(?P<a>{NAME}) (?:wrote|drew|made|created|draws|writes) mangas?(?: (?:that|which))? (?:was|were|became"
        rf"|got|have been)"
        r" (?:later |also )?(?:animated|adapted|anime|turned into anime|made into anime)(?: [.,;:])+ .*\bstudios?\b.*$",
        _ADAPTING,
    ),
    (
        rf"^(?P<a>{NAME}) 's other {WORKS} as (?:an? |the )?director$",
        "which other {w} has {a} directed",
    ),
    (
        rf"^(?:which |what |the )?studios (?:that |which )?(?:have )?(?:adapted|animated) (?:the )?(?P<a>{NAME})(?:"
        rf" 's)?"
        r" mangas?$",
        _ADAPTING,
    ),
    (
        rf"^(?P<a>{NAME}) 's mangas? (?:became|were turned into|were made into|was made into) (?:an )?anime"
        r"(?: [.,;?])+ (?:at|by|from) (?:which|what) studios?$",
        _ADAPTING,
    ),
    (
        rf"^(?:the )?(?P<r>character designer|composer|writer) (?:of|in|for) (?P<a>{NAME}) directed"
        r" (?:anime|works|films|movies)$",
        "who was the {r} of works directed by {a}",
    ),
    (
        rf"^when(?:ever)? (?P<a>{NAME}) directs(?: ,)? who (?:does|did|makes) the (?P<r>character) designs?$",
        "who designed the characters in works directed by {a}",
    ),
    (
        rf"^(?P<a>{NAME}) (?:wrote|composed|made) (?:the )?music for {WORKS} (?:of|by|from) (?:which|what) studios?$",
        "which studios made the {w} that {a} composed for",
    ),
    (
        rf"^what else did the (?P<r>director) of (?P<a>{T})(?: \.)? direct$",
        "other works directed by the {r} of {a}",
    ),
    (
        rf"^what else did the (?P<r>composer) of (?P<a>{T})(?: \.)? compose$",
        "other works composed by the {r} of {a}",
    ),
    (
        rf"^(?:under )?whose (?:command|orders|leadership) (?:does|did|is) (?P<a>{NAME})"
        r" (?:serve|fight|work|stand|under)$",
        "who is the commander of {a}",
    ),
    (rf"^(?P<a>{NAME}) studio {WORKS}(?: list)?$", "which {w} did {a} produce"),
    (
        rf"^(?:which|what) {WORKS} (?:come|comes|came) from (?:the )?(?:studio )?(?P<a>{NAME})$",
        "which {w} did {a} produce",
    ),
)
