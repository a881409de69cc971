"""Rare ways of asking who plays whom and where, and by which way two things hang together, each with the plain one."""

from agent_core.agents.rule_based.rewording_rule import BOND, TK, VOICE_ACTOR, WORKS, T, rules
from agent_core.agents.rule_based.text import NAME

_LINKED = "what links {a} to {b}"
_LINKED_WITHIN = "what links {a} to {b} within {n} {h}"
_BOTH_HEARD = "which anime have both {a} and {b} in the cast"
_HEARD = "in which anime can {a} be heard"

_AND = r"(?: (?:and|&|,|to|with|/|-|\+|\.))*"
_MARKS = r"(?: [,:;.?!-])*"
_ACTED = r"(?:been|be|appear(?:ed)?|act(?:ed)?|star(?:red)?|cast|heard|play(?:ed)?|perform(?:ed)?)"
_TOGETHER = r"(?: together| both| in)*"
_NUMBER = r"(?P<n>one|single|two|three|four|five|six|\d)"
_HOPS = r"(?P<h>hops?|steps?|links?|degrees?)"
_TIED = r"(?:know|connect\w*|link\w*|relat\w*|tied?|joined|hang|belong|fit)"
_TWO = rf"(?=.*{NAME}.*{NAME})"
_BY = r"(?:of|by|with|in|over|via|through|using)"
_SOMEBODY = r"(?:an? |any )?(?:characters?|roles?|someone|somebody|parts?)"
_PLAYED = r"(?:voiced|played|spoken|performed|dubbed)"

HOPS = rules(
    (
        rf"^{_TWO}(?P<x>.*\w) {_BY} (?:(?:at most|no more than|not more than|up to|an?|just|only|exactly) )*{_NUMBER}"
        rf" {_HOPS}(?: (?:at most|only|or less|or fewer|alone))?(?P<y>(?: .*)?)$",
        "{x} {y} within {n} {h}",
    ),
    (
        rf"^{_TWO}(?P<x>.*?) , {_NUMBER} {_HOPS} (?:at most|only|at the most|max(?:imum)?|or less|or fewer)(?: ,)?"
        r"(?P<y>(?: .*)?)$",
        "{x} {y} within {n} {h}",
    ),
    (rf"^{_TWO}(?P<x>.*) {_NUMBER} {_HOPS} (?P<y>{BOND})$", "{x} {y} within {n} {h}"),
)
"""How long a way may be, said in the middle of the question: it goes to its end."""

ROUTES = rules(
    (rf"^(?P<a>{TK}){_AND} (?P<b>{TK})(?: ,)? within {_NUMBER} {_HOPS}$", _LINKED_WITHIN),
    (
        rf"^(?P<a>{TK}){_AND} (?P<b>{TK}){_MARKS} (?:how|in what way|through what|via what|by what|through whom|via"
        rf" whom) .*\b{_TIED}\b.*$",
        _LINKED,
    ),
    (rf"^(?P<a>{TK}){_AND} (?P<b>{TK}){_MARKS} (?:what|who) (?:is|are) the {BOND}$", _LINKED),
    (
        rf"^(?P<a>{TK}){_AND} (?P<b>{TK}){_MARKS} (?:connected|linked|related|joined)(?: by| via| through| how)*$",
        _LINKED,
    ),
    (
        rf"^(?:[a-z]+ ){{0,3}}?how (?:do |does |are |is )?(?P<a>{TK}) and (?P<b>{TK}) (?:hang|belong|fit|go|come)"
        r" together$",
        _LINKED,
    ),
    (
        rf"^(?:[a-z]+ ){{0,4}}?(?P<a>{TK}) and (?P<b>{TK}) (?:have|share|got) (?:somebody|someone|something|a person)"
        r"(?: in common)?\b.*$",
        _LINKED,
    ),
    (
        r"^(?:(?:explain|show|tell|describe|me|us|step by step) )*how (?:(?:do|does|can|could|would) )?(?:one|you|i|we)"
        rf" (?:goes?|gets?|comes?|moves?|walks?|travels?|jumps?) from (?P<a>{TK}) to (?P<b>{TK})$",
        _LINKED,
    ),
    (
        rf"^(?:the )?(?:(?:shortest|quickest|fastest|closest|best|direct) )?(?:{BOND}|way)(?: :)?"
        rf"(?: of| from| between)? (?P<a>{TK}){_AND} (?P<b>{TK})$",
        _LINKED,
    ),
)

ROLES = rules(
    (
        rf"^(?:what|where) (?:do|have|did|has|are|were) (?P<a>{NAME}) and (?P<b>{NAME})"
        rf"(?: (?:have|has|both|ever))* {_ACTED}{_TOGETHER}$",
        _BOTH_HEARD,
    ),
    (rf"^(?P<a>{NAME}) (?:\+|&|and|,) (?P<b>{NAME}) (?:both |together )?{WORKS}(?: together)?$", "{w} by {a} and {b}"),
    (
        rf"^(?:where|in what) (?:was|is|has|were|can) (?P<a>{NAME}) (?:been |be )?(?:cast|heard|featured)\b[^.]*"
        r"\banime\b.*$",
        _HEARD,
    ),
    (rf"^(?:all |the )?{WORKS} (?:where|in which) {_SOMEBODY} (?:is|are|was|were) {_PLAYED} by (?P<a>{NAME})$", _HEARD),
    (
        rf"^everything (?:that |which )?(?P<a>{NAME}) (?:was|is|has been|had been|appeared|acted|starred|played)"
        r" in(?P<rest>(?: .*)?)$",
        "which anime was {a} in {rest}",
    ),
    (
        rf"^(?P<a>{NAME}) (?:is|was|has been|appears|appeared) in (?:which|what) {WORKS}(?P<rest> .+)$",
        "which {w} was {a} in {rest}",
    ),
    (
        rf"^(?P<a>{T}){_AND} (?P<b>{T}) (?:(?:in )?common|shared|same) (?:voice )?(?:cast|actors?|{VOICE_ACTOR}s?)$",
        "which voice actor voices both {a} and {b}",
    ),
    (
        rf"^who (?:is it (?:that|who) )?(?:lends|lent|gives|gave|loans) (?P<a>{NAME}) (?:her|his|its|their|a|the) voice"
        r"(?P<rest>(?: .*)?)$",
        "who voices {a} {rest}",
    ),
    (
        rf"^(?:the )?(?:person|man|woman|actor|actress|{VOICE_ACTOR}) by whom (?P<a>{T}) (?:is|was|has been)"
        rf" {_PLAYED}$",
        "who voices {a}",
    ),
    (
        r"^(?:the )?(?:person|man|woman) (?:doing|giving|providing|behind) the voice of (?P<rest>.+)$",
        "who voices {rest}",
    ),
    (rf"^(?P<a>{NAME}) (?P<b>{NAME})(?: 's)? (?:roles?|characters?|parts?)$", "which characters does {a} voice in {b}"),
    (
        rf"^by whom (?:is|was|were|are) (?P<x>(?:the |all )(?:[a-z]+ ){{1,3}}(?:of|in|for) {T}) (?:done|made|created"
        r"|handled|provided)$",
        "who did {x}",
    ),
)

_KIN = r"(?P<k>sisters?|brothers?|siblings|twins|friends|rivals|enemies|lovers|cousins|married)"
_STAFF = r"(?:people|persons|staff|names|creators|members)"

PLAIN = rules(
    (rf"^(?P<a>{NAME})(?: and| &| ,)? (?P<b>{NAME}) {_KIN}$", "are {a} and {b} {k}"),
    (
        rf"^who (?:do|does|did) (?:people|they|one|you|fans|we) mean (?:by|with|when they say) (?P<a>{NAME})$",
        "who is {a}",
    ),
    (rf"^(?:who|which (?:character|person|one)) goes by (?:the name )?(?:of )?(?P<a>{NAME})$", "who is {a}"),
    (
        rf"^(?:on )?(?:the|which|what) (?:day|date) (?:on which |when |that |did |was )?(?P<a>{T}) (?:(?:was|were|got)"
        r" released|came out|come out|premiered|aired|released|appeared|began|started)$",
        "when was {a} released",
    ),
    (rf"^(?:all|everything|anything)(?: (?:of|by|from))+ (?P<a>{NAME})$", "works by {a}"),
    (rf"^(?:a |the )?(?:list of )?(?P<a>{NAME}) {WORKS} list$", "{w} by {a}"),
    (
        rf"^(?:the )?{_STAFF} (?:(?:who |that )?(?:are |were )?(?:in|on) (?:the )?(?:staff|teams?|crews?))"
        rf" (?:of|for|behind) (?:both )?(?P<a>{T}) and (?:of )?(?P<b>{T})$",
        "who worked on both {a} and {b}",
    ),
)
"""Headlines and asides that leave the question's verb to the reader."""

_EACH = rf"(?P<a>{T}(?:(?: \.| ,| and| or)+ {T})+)"
_FIRST_OF = (
    rf"^(?:of|among|between|out of|from) {_EACH}(?: ,| :)* (?:which|what)(?: one)?(?: of them)? (?:is|was|are) the"
)

_ALL = rf"(?P<a>{TK}(?:(?: \\.| ,| and| or| /)* {TK})+)(?: [:,.?-])*(?: (?:the|in|by|their|number of))*"

MEASURED = rules(
    (
        rf"^{_ALL} (?P<f>episodes|chapters|volumes)(?: counts?)? (?:compared|comparison|side by side)$",
        "compare the number of {f} of {a}",
    ),
    (
        rf"^{_ALL} (?:run ?times?|running times?|durations?|lengths?|minutes) (?:compared|comparison|side by side)$",
        "compare the runtime of {a}",
    ),
    (rf"{_FIRST_OF} (?:longest|shortest) (?:film|movie)$", "compare the runtime of {a}"),
    (rf"{_FIRST_OF} (?:longest|shortest)(?: (?:anime|series|show))?$", "compare the number of episodes of {a}"),
    (rf"{_FIRST_OF} (?:oldest|newest|earliest|latest|most recent)\b.*$", "compare the start date of {a}"),
    (rf"{_FIRST_OF} (?:best|highest|worst|lowest)(?: rated| scored)?\b.*$", "compare the score of {a}"),
    (
        rf"^(?P<f>episodes|chapters|volumes)(?: of| in)? (?P<a>{TK}) (?:vs|versus|against|compared to)"
        rf"(?: \.)? (?P<b>{TK})$",
        "compare the number of {f} of {a} and {b}",
    ),
)
"""Several works held against each other, the measure before or after their names."""
