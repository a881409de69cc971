"""Rare ways of asking what works are made from, and by whom those were made, each with the plain one."""

from agent_core.agents.rule_based.rewording_rule import BOOK, T, rules
from agent_core.agents.rule_based.text import NAME

_AUTHOR = "who is the author of the source of {a}"
_AUTHORS = "who is the author of the source of the anime that {a} produced"
_ADAPTED = "anime adaptations of {a}"
_BY_AUTHOR = "anime adaptations of the works by {a}"
_BOOKS = r"(?:mangas?|novels?|light novels?|books?|works|stories)"
_TURNED = r"(?:animated|adapted|filmed|(?:turned|made|adapted) into (?:an )?anime)"
_IS = r"(?:is|was|are|were|has been|have been|got|had been)"
_WRITERS = r"(?:authors?|writers?|mangakas?|creators?|novelists?)"
_MARKS = r"(?: [,:;.?!-])*"

ORIGINS = rules(
    (
        rf"^(?:what is |name |which is )?the {BOOK} (?:that |which )?(?P<a>{T}) (?:comes?|came|stems?|is|was)"
        rf" (?:from|based on|adapted from|taken from){_MARKS}(?: and)? who (?:is|was) (?:its|the|that)"
        r" (?:\w+ )?author$",
        _AUTHOR,
    ),
    (
        rf"^(?:by|from) whom {_IS} the {BOOK} (?:that |which |on which )?(?P<a>{T}) {_IS} (?:made|modelled|modeled"
        r"|adapted|based|taken|drawn|filmed)(?: after| from| on| upon| of)?$",
        _AUTHOR,
    ),
    (
        rf"^(?:the )?{BOOK} (?:behind|underlying|that inspired) (?P<a>{T}) {_IS} (?:written|drawn|penned|created|made)"
        r" by (?:whom|who)$",
        _AUTHOR,
    ),
    (
        rf"^on (?:which|what) (?P<k>{BOOK}) {_IS} (?P<a>{T}) (?:modelled|modeled|based|built|founded|patterned)$",
        "which {k} is {a} based on",
    ),
    (
        rf"^(?:from )?(?:where|what) (?:do|does|did) (?:the (?:story|plot|idea|material) (?:of|for|behind) )?(?P<a>{T})"
        rf" (?:come|stem|originate|derive)(?: from)?{_MARKS} (?:from )?(?:an? )?{BOOK} or .*$",
        "what kind of source does {a} have",
    ),
    (
        rf"^(?P<a>{NAME})(?: (?:anime|film|movie|series))?{_MARKS} (?:the )?(?:number of )?(?P<f>volumes|chapters)"
        rf" (?:of|in) (?:its|the) (?:source |original )+(?P<k>{BOOK})$",
        "how many {f} is the original {k} of the anime {a}",
    ),
    (
        rf"^(?:has|was|is|have|were) (?P<a>(?:the )?{BOOK} {NAME})(?: ever)?(?: been)? {_TURNED}{_MARKS}(?: (?:and|as)"
        r" .*)?$",
        _ADAPTED,
    ),
    (
        rf"^(?:the |an? |any |all )*(?:anime|animated)(?: (?:versions?|series|shows?))? (?:of|for|from) the"
        rf" (?P<a>{NAME}) {BOOK}$",
        _ADAPTED,
    ),
    (
        rf"^(?:the |an? |any |all )*(?P<w>films?|movies?)(?: versions?| adaptations?)? (?:of|for|from) the"
        rf" (?P<a>{NAME}) (?P<k>{BOOK})$",
        "which movies are adaptations of the {k} {a}",
    ),
    (
        rf"^(?:what|which) {_BOOKS}(?: by| of| from) (?P<a>{NAME}) (?:(?:got|have|had|received|became|saw) (?:an? )?"
        rf"anime|{_IS} {_TURNED})\b.*$",
        _BY_AUTHOR,
    ),
    (
        rf"^(?:(?:which|what|the|name the) )?{_WRITERS} (?:whose|of (?:the|those|all)) {_BOOKS}(?: that| which)? {_IS}"
        rf" {_TURNED} by (?P<a>{T})$",
        _AUTHORS,
    ),
    (
        rf"^(?:(?:which|what|the|name the) )?{_WRITERS} of (?:the |those |all )*{_BOOKS} (?:that |which )?(?P<a>{T})"
        rf" (?:has |have )?{_TURNED}$",
        _AUTHORS,
    ),
    (rf"^(?P<a>{T}) (?:has |have )?(?:adapted|animated|filmed) (?:which|what) {_WRITERS}$", _AUTHORS),
    (
        rf"^(?:(?:which|what|the) )?(?P<r>directors?|composers?) (?:who |that |have |has )*(?:filmed|adapted|animated)"
        rf" (?:the )?{_BOOKS} (?:of|by|from) (?P<a>{T})$",
        "who were the {r} of the anime adaptations of the works by {a}",
    ),
    (
        rf"^(?:(?:which|what|the) )?(?P<r>directors?|composers?) of (?:the )?anime (?:made |adapted )?(?:after|from"
        rf"|based on) (?:the )?{_BOOKS} (?:of|by|from) (?P<a>{T})$",
        "who were the {r} of the anime adaptations of the works by {a}",
    ),
    (
        rf"^(?P<a>{NAME}) (?:wrote|drew|made|created) {_BOOKS} (?:that|which) (?:became|{_IS} (?:made|turned|adapted)"
        rf" into|got|received) (?:an? )?anime{_MARKS} who (?P<v>directed|composed|animated)\b.*$",
        "who {v} the anime adaptations of the works by {a}",
    ),
    (
        rf"^(?:the person who|the one who|whoever|who) composed (?:the (?:music|score|soundtrack) (?:of|for|to) )?"
        rf"(?P<a>{T}){_MARKS} (?:what else|which other \w+) .*$",
        "other works composed by the composer of {a}",
    ),
    (
        rf"^(?:the person who|the one who|whoever|who) directed (?P<a>{T}){_MARKS} (?:what else|which other \w+) .*$",
        "other works directed by the director of {a}",
    ),
    (rf"^(?P<a>{T})(?: (?:anime|film|movie|series))? source(?: material)?$", "what is {a} based on"),
)
