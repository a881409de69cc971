"""Rare ways of asking about people, characters and what links two things, each with the plain one."""

from agent_core.agents.rule_based.rewording_rule import AND, BOND, KIND, STEPS, VOICE_ACTOR, WORKS, YEAR, T, rules
from agent_core.agents.rule_based.text import NAME

_BOTH_VOICED = "which voice actor voices both {a} and {b}"
_BOTH_CAST = "who has a role in both {a} and {b}"
_LINKED = "what links {a} to {b}"
_LINKED_WITHIN = "what links {a} to {b} within {n} {h}"
_APPEARS = "does {a} appear in {b}"
_BOTH_HEARD = "which {w} have both {a} and {b} in the cast"
_SOMEBODY = r"(?:somebody|someone|a character|anybody|anyone)"

_TOGETHER = r"(?:together with|along with|alongside|next to|as well as|with|and)"
VOICES = rules(
    (
        rf"^(?:where|in (?:what|which|which ones)) can (?:i|we|you|one) (?:hear|find) (?P<a>{NAME}) {_TOGETHER} "
        rf"(?P<b>{NAME})$",
        _BOTH_HEARD.replace("{w}", "anime"),
    ),
    (
        rf"^(?P<a>{NAME}){AND} (?P<b>{NAME})(?: ,)? (?:have|did|were|are|do) they (?:ever |both )*(?:been|appear(?:ed)?"
        rf"|act(?:ed)?|work(?:ed)?|be|play(?:ed)?|star(?:red)?)(?: together)? in (?:the same|any|one|an?) "
        rf"(?P<w>\w+)\b.*$",
        _BOTH_HEARD,
    ),
    (
        rf"^(?:have|did|were|are|do) (?P<a>{NAME}) and (?P<b>{NAME}) (?:ever |both )*(?:been|appear(?:ed)?|act(?:ed)?"
        rf"|play(?:ed)?|star(?:red)?)(?: together)? in (?:the same|any|one|an?) (?P<w>{KIND})(?: together)?"
        r"(?: ,)?(?: and)?(?: (?:in )?(?:which|what)(?: one| ones)?| if so .*)?$",
        _BOTH_HEARD,
    ),
    (
        rf"^(?:is|was) it (?:one and )?the same (?:person|actor|actress|voice|{VOICE_ACTOR})(?: (?:who|that))?"
        rf" (?:speaks|voices|plays|voiced|spoke|played|behind|of|for) (?:both )?(?P<a>{NAME}) and (?P<b>{NAME})(?: ,)?"
        r"(?: and)?(?: who.*)?$",
        _BOTH_VOICED,
    ),
    (
        rf"^(?:do|are|did|were) (?P<a>{NAME}) and (?P<b>{NAME}) (?:share (?:the same|an?)|(?:voiced|played|spoken)"
        rf" by the same|have"
        rf" the same) (?:person|actor|actress|{VOICE_ACTOR})(?: ,)?(?: and)?(?: who.*)?$",
        _BOTH_VOICED,
    ),
    (
        rf"^(?P<a>{NAME}){AND} (?P<b>{NAME}) both in (?:which|what) {WORKS}$",
        "which {w} have both {a} and {b} in the cast",
    ),
    (
        rf"^(?:which|what) {WORKS} (?:have|has|features?) the voices? of (?:both )?(?P<a>{NAME}) and (?P<b>{NAME})$",
        "which {w} have both {a} and {b} in the cast",
    ),
    (rf"^(?:the )?same {VOICE_ACTOR}(?: for| of| in| as)? (?P<a>{NAME}){AND} (?P<b>{NAME})$", _BOTH_VOICED),
    (
        rf"^(?P<a>{NAME}) and (?P<b>{NAME}) (?:sound (?:alike|the same)|have the same voice)(?: [.,;?])+"
        r" (?:who|which (?:voice )?(?:actor|actress)) .*\b(?:both|them|it|that)$",
        _BOTH_VOICED,
    ),
    (
        rf"^who (?:can be|is|was) heard in (?P<a>{T}(?:(?: ,| and)+(?: in)? {T})+)$",
        "who has a role in {a}",
    ),
    (rf"^(?:all |the )?{WORKS} with (?P<a>{NAME}) in the (?:voice )?cast$", "in which {w} can {a} be heard"),
    (
        rf"^(?:which|what) {WORKS} (?:has|have|did) (?P<a>{NAME}) (?:done|do) (?:the |any )?voice (?:work|acting)"
        r"(?: for| in| on)?$",
        "in which {w} can {a} be heard",
    ),
    (
        rf"^(?:the )?(?:shared|common) (?:voice )?(?:cast|actors|voice actors) (?:of |between |in )?(?P<a>{T}){AND}"
        rf" (?P<b>{T})$",
        _BOTH_CAST,
    ),
    (
        rf"^(?:which|what) voice actors (?:do|are shared by) (?P<a>{T}) and (?P<b>{T})"
        r"(?: (?:have in common|share))?$",
        _BOTH_CAST,
    ),
    (rf"^who (?:voices|plays) {_SOMEBODY} in (?P<a>{T}) and (?:also )?{_SOMEBODY} in (?P<b>{T})$", _BOTH_CAST),
    (rf"^(?P<a>{NAME})(?: 's)? {VOICE_ACTOR} (?P<b>(?:{YEAR} )?{T})$", "who voices {a} in {b}"),
    (
        rf"^(?P<a>{NAME}) has an? (?P<r>\w+)(?: [.,;])+ who (?:lends|gives) (?:the|that|this) (?P=r) (?:a|his|her|the)"
        r" voice$",
        "who voices {a} 's {r}",
    ),
    (rf"^(?P<p>in {T}) ,? ?who (?:spoke|speaks) (?P<a>{NAME})$", "who voices {a} {p}"),
)

PATHS = rules(
    (
        rf"^(?:did|do|does|has|have|had) (?P<a>{NAME})(?: ever)? (?:work(?:ed)?|collaborated?)(?: together)? with"
        rf" (?P<b>{NAME})(?: before| on anything| on something)?$",
        "did {a} and {b} both work on a work",
    ),
    (
        rf"^(?:did|do|has|have|had) (?P<a>{NAME}) and (?P<b>{NAME})(?: ever)? (?:work(?:ed)?|collaborated?)"
        r"(?: together)?(?: on anything| on something| before)?$",
        "did {a} and {b} both work on a work",
    ),
    (rf"^find (?:me )?(?:an?|the|some) (?:way|route|path) from (?P<a>{T}) to (?P<b>{T})$", _LINKED),
    (
        r"^(?P<x>.*\b\w+)(?: (?:of|in|with|over|through|via))? (?:just |only |exactly )?(?:an? )?(?P<n>single|one"
        r"|two|three|four|five"
        rf"|six|\d) (?P<h>steps?|hops?|links?|degrees?) (?P<y>(?:between|from|joining|linking) {T} (?:and|to) {T})$",
        "{x} {y} within {n} {h}",
    ),
    (
        rf"^what (?:have|has|do|does) (?P<a>{T}) and (?P<b>{T}) (?:got |have )?in common(?: ,)? step by step$",
        _LINKED,
    ),
    (
        rf"^(?:in|via|over|through|with) (?:how many|what) (?:steps|hops|links|moves) (?:do|can|does|could) (?:i|we"
        rf"|you|one)"
        rf" (?:get|go|come) from (?P<a>{T}) to (?P<b>{T})$",
        _LINKED,
    ),
    (
        rf"^(?P<a>{T}) to (?P<b>{T})(?: ,)? (?:in |within |at most |max |up to )*{STEPS}"
        r"(?: max(?:imum)?| at most)?$",
        _LINKED_WITHIN,
    ),
    (
        rf"^(?:an?|any|the) {BOND} from (?P<a>{T}) to (?P<b>{T}) (?:that |which |takes |with |in |of |within |has )+"
        rf"(?:no more than|at most|up to|not more than) {STEPS}$",
        _LINKED_WITHIN,
    ),
    (rf"^(?P<a>{T}){AND} (?P<b>{T})(?: ,)? (?:shortest |quickest )?{BOND}$", _LINKED),
)

NAMED = rules(
    (rf"^(?P<a>{NAME})(?: [,(-])+ (?:the|an?) character(?: \))?$", "who is the character {a}"),
    (rf"^(?P<a>{NAME})(?: 's)? appearances? in (?P<b>{T})$", _APPEARS),
    (
        rf"^(?:has|does|did|is|was) (?P<a>{NAME}) (?:have |got |had |play |given )?(?:an? |any )?(?:\w+ )?(?:part"
        rf"|role|appearance)"
        rf" (?:in|on) (?P<b>{T})$",
        _APPEARS,
    ),
    (
        rf"^how (?:does|do|did|will|is) (?P<a>{T}) (?:go on|continued?|carry on)\b.*$",
        "what is the sequel of {a}",
    ),
    (
        rf"^(?P<a>{T}) (?:was|is|has been|got|were) (?:continued|followed up|carried on)(?: [.,;:!])+ (?P<rest>[^.]*?)"
        r" ?(?:the|its|that|this) (?:sequel|continuation|follow up|successor)(?P<tail>(?: [^.]*)?)$",
        "{rest} the sequel of {a} {tail}",
    ),
    (
        rf"^(?:who (?:plays|has|gets)|which characters? (?:plays?|has|have)) the (?:main|leading|lead|title) "
        rf"(?:parts?|roles?)"
        rf" (?:in|of) (?P<a>{T})(?: [,;:])+ (?:i mean|that is|as in|meaning|so)? ?(?:the |which |what )?characters?$",
        "who are the main characters of {a}",
    ),
    (rf"^character (?P<a>{NAME})$", "who is the character {a}"),
    (rf"^(?P<a>{NAME}) character$", "who is the character {a}"),
    (rf"^i (?:forgot|forget|have forgotten) who (?P<a>{NAME}) (?:was|is)\b.*$", "who is {a}"),
    (
        rf"^whose (?:film|movie|anime) (?P<a>{NAME}) is(?: [.,;?])+ i am (?:after|asking for|looking for) the"
        rf" director$",
        "who directed {a}",
    ),
    (rf"^(?P<a>{NAME}) (?:first )?(?:aired|released|premiered|broadcast)$", "when did {a} start"),
    (rf"^(?P<a>{NAME}) (?P<w>anime|manga) appearances$", "which {w} does {a} appear in"),
    (rf"^which (?P<r>character|person) is (?P<a>{NAME})$", "who is the {r} {a}"),
)
