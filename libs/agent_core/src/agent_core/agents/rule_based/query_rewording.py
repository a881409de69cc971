"""Rare ways of asking about a set, put into the words that the readers of set questions know."""

from agent_core.agents.rule_based.beginnings import Sieve
from agent_core.agents.rule_based.query_nouns import ANY_ROLE_NOUN, ANY_WORK
from agent_core.agents.rule_based.query_scan import NUMBER, Scan
from agent_core.agents.rule_based.text import NAME

_KNOWN_HERE = r"(?: (?:that )?you (?:know|have)(?: of| about)?| here| there are| in the (?:catalogue|database))?"
_ALL_OTHERS = rf"(?:any|all|every)(?: of)?(?: the)? (?:others?|else|rest)(?: (?:{ANY_WORK}|one|ones))?{_KNOWN_HERE}"
_FIGURE = (
    r"(?:the |their )?(?:number of |amount of |total )?(?P<figure>episodes?|chapters?|volumes?|run ?time|duration"
    r"|running time|minutes|scores?|ratings?)(?: counts?)?"
)
_STARTED = r"(?P<began>started|began|aired|premiered|debuted|came out|was released|were released)"
_SHOWN = r"(?:aired|began|started|appeared|came out|premiered|was (?:broadcast|shown|aired|published|released|printed))"


_POPULAR = r"(?:most (?:popular|famous|well known|beloved|watched)|best known)"
_NEGATED_VERBS = (
    (r"direct(?:ed)?", "directed"),
    (r"(?:write|wrote|written)", "written"),
    (r"(?:draw|drew|drawn)", "drawn"),
    (r"composed?", "composed"),
    (r"(?:make|made|produced?|animated?|create|created)", "made"),
)
_NOT_BY = tuple(
    (
        rf"(?:(?:that|which) (?P<name>{NAME}) (?:did|has|have|had)|(?:did|has|have|had|do|does) (?P<subject>{NAME}))"
        rf" (?:not|never)(?: ever)? {verb}",
        rf"not {participle} by \g<name>\g<subject>",
    )
    for verb, participle in _NEGATED_VERBS
)
"""`that X did not direct`."""


_RULES: tuple[tuple[str, str], ...] = (
    *_NOT_BY,
    (
        rf"^(?:(?:which|what) (?:is|are|was|were) (?:the |your )?{_POPULAR} (?P<set>{ANY_WORK})|(?:which|what)"
        rf" (?P<these>{ANY_WORK}) (?:is|are) (?:the )?{_POPULAR}){_KNOWN_HERE}(?: in (?:your|this) \w+)?$",
        r"recommend \g<set>\g<these>",
    ),
    (
        r"^what(?: all)?(?= (?:came out|was released|started|aired|premiered|began) (?:in|between|before|after)"
        r" )",
        "which works",
    ),
    (
        rf"^what(?: all)? (?P<aux>did|has|have) (?P<name>{NAME})(?= (?:ever )?(?:ma[dk]e|produced?|animated?"
        rf"|directed?)\b)",
        r"which works \g<aux> \g<name>",
    ),
    (
        rf"^(?P<name>{NAME})(?: 's)? (?:total )?(?:number|count|amount) of (?P<set>{ANY_WORK}) as (?:an? |the )?"
        rf"(?P<role>{ANY_ROLE_NOUN})$",
        r"number of \g<set> where \g<name> was \g<role>",
    ),
    (
        rf"^(?P<name>{NAME})(?: 's)? (?:(?:total )?(?:number|count|amount) of (?P<set>{ANY_WORK})|"
        rf"(?P<noun>{ANY_WORK}) count)$",
        r"number of \g<set>\g<noun> by \g<name>",
    ),
    (r"^(?:give me |tell me |what is |i want |i need )?(?:an? |the )?(?:count|tally|total) of(?= )", "number of"),
    (
        rf"(?P<end>longest|shortest) (?P<set>{ANY_WORK})(?: (?:in|of) (?:there|here|them|all))?(?: ,)? (?:by |in"
        rf" )?{_FIGURE}$",
        r"\g<set> with the \g<end> \g<figure>",
    ),
    (
        r"(?:is|are|was|were) (?:over|done|finished|through) (?:the )?(?:soonest|fastest|quickest)|takes? the least"
        r" time",
        "is the shortest",
    ),
    (r"takes? the (?:most time|longest)", "is the longest"),
    (
        r"(?:(?:that|which) )?(?:do|does|did) not (?:have|belong to|carry) (?:any of )?(?:the )?genres?(?: of)?",
        "without",
    ),
    (r"(?:(?:that|which) )?(?:have|has|had|are|is|with) neither(?: the)?(?: genres?)?", "without"),
    (r"(?:that|which) (?:is|are) (?:an )?original works?", "that are original"),
    (
        rf"(?P<verb>made|produced|directed|drew|wrote|written|composed) more (?P<set>{ANY_WORK}) than {_ALL_OTHERS}",
        r"\g<verb> the most \g<set>",
    ),
    (
        rf"^(?:of|among|out of|from) (?:all )?(?:the )?(?P<set>[a-z ]+?){_KNOWN_HERE} , (?:which|what)"
        r"(?: one| of them)? (?P<rest>.+)$",
        r"which \g<set> \g<rest>",
    ),
    (r"to (?:its|their|his|her) (?:name|credit)$", ""),
    (
        r"(?P<who>who|(?:which|what) [a-z]+(?: [a-z]+)?) (?:holds|has|held|had|keeps) the record (?:for|in) (?:the )?"
        r"(?:having )?(?:(?:number of|most|highest number of|largest number of) )?(?P<set>.+?) (?P<verb>[a-z]+ed|made"
        r"|written|drawn)$",
        r"\g<who> \g<verb> the most \g<set>",
    ),
    (rf"whose (?:very )?(?:first|1st) (?:episode|chapter|volume|part) {_SHOWN}", "that started"),
    (rf"(?:has |have |with )?more (?P<figure>[a-z]+) than {_ALL_OTHERS}", r"with the most \g<figure>"),
    (rf"(?:has |have |with )?(?:fewer|less) (?P<figure>[a-z]+) than {_ALL_OTHERS}", r"with the fewest \g<figure>"),
    (rf"(?P<verb>runs?|ran|lasts?|lasted) longer than {_ALL_OTHERS}", r"\g<verb> longest"),
    (rf"(?:is|are|was|were) longer than {_ALL_OTHERS}", "is the longest"),
    (rf"(?:is |are )?(?:rated|scored|scores|ranked) higher than {_ALL_OTHERS}", "is rated highest"),
    (
        rf"(?:soundtracks?|scores?|ost|osts) (?P<aux>did|has|have|was|were) (?P<name>(?:by )?{NAME})(?: ever)?"
        r" (?:written|write|wrote|composed?|ma[dk]e|done?|do)",
        r"works \g<aux> \g<name> composed",
    ),
    (rf"{_STARTED} (?:before|earlier than) {_ALL_OTHERS}", r"\g<began> first"),
    (rf"{_STARTED} (?:after|later than) {_ALL_OTHERS}", r"\g<began> last"),
    (
        rf"(?:the )?(?:(?P<number>{NUMBER}) )?(?P<end>longest|shortest)(?: running)? (?P<set>.+?)"
        rf" (?:by|in|counted by|measured by|measured in|in terms of) {_FIGURE}$",
        r"the \g<number> \g<set> with the \g<end> \g<figure>",
    ),
    (
        r"in how many (?:different |distinct )*roles (?:can|could|do|may) (?:i|we|you|one) hear (?P<name>"
        rf"{NAME})",
        r"how many characters does \g<name> voice",
    ),
    (
        rf"(?P<set>{ANY_WORK}) (?:did|has|have|had) (?P<name>{NAME}) (?:ever )?(?P<verb>directe?d?)(?: [.,;:?-])*"
        r"(?: i mean| that is| meaning)?(?: only| just| strictly)? as (?:an? |the )?(?P<role>director)(?: only| alone)?"
        r"(?: [.,;])*(?: (?:and |but )?(?:as )?nothing else)?$",
        r"\g<set> where \g<name> was \g<role>",
    ),
    (
        rf"(?P<set>{ANY_WORK}) (?:did|has|have|had) (?P<name>{NAME}) (?:ever )?(?:ma[dk]e|done?|do|work(?:ed)? on)"
        rf"(?: [.,;:?-])*(?: i mean| that is| meaning)?(?: only| just| strictly)? as (?:an? |the )?"
        rf"(?P<role>{ANY_ROLE_NOUN})(?: only| alone)?(?: [.,;])*(?: (?:and |but )?(?:as )?nothing else)?$",
        r"\g<set> where \g<name> was \g<role>",
    ),
)


_CLOSING = (
    (r"^(?:(?:i|we) (?:am|are) )?(?:looking|searching) for(?= (?!an? |some))", "list"),
    (r"(?:, )?(?:which|what)(?: ones?)? (?:is|are|was|were) (?:it|that|they|those|there|these)(?: ones?)?$", ""),
    (
        rf"(?P<more>more|fewer|less) (?P<figure>episodes|chapters|volumes|minutes) than (?P<number>{NUMBER})",
        r"\g<more> than \g<number> \g<figure>",
    ),
    (r"whose (?:source|original|origin|basis)(?: material| work)? (?:is|was|are|were)", "based on"),
    (r"(?P<not>not|no|without|nor) (?:of )?(?:the |any )genres?(?: of)?", r"\g<not>"),
    (
        r"(?:whose genres?(?: list)? (?:is|are|includes?|contains?|has|have)|(?:with|of|having|in|under) (?:the|an?)"
        r" genres?)(?: of)?",
        "",
    ),
    (
        r"(?P<source>light novel|visual novel|web novel|video game)(?= (?:(?:tv|television) )?(?:animes?|tv series"
        r"|shows?|movies?|films?)(?!\w))",
        r"\g<source> based",
    ),
    (rf"by (?P<name>{NAME}) as (?:the |an? )?(?P<role>{ANY_ROLE_NOUN})", r"where \g<name> was \g<role>"),
    (
        rf"^(?P<name>{NAME}) how many (?P<set>{ANY_WORK}) (?P<verb>[a-z]+(?:ed|ade|id|te))$",
        r"how many \g<set> did \g<name> \g<verb>",
    ),
    (
        rf"^(?:of|among|out of|from) (?:everything|all)(?: that)? (?P<name>{NAME}) (?:has |have )?(?P<verb>made"
        r"|produced|directed|animated|composed|written|drawn) , (?:which|what)(?: one)? (?P<rest>.+)$",
        r"which works \g<verb> by \g<name> \g<rest>",
    ),
    (
        rf"^(?P<set>(?!.*\b(?:episodes?|eps?|chapters?|volumes?|average)\b).*{ANY_WORK}.*) (?:count|tally)$",
        r"number of \g<set>",
    ),
    (r"old(?:er)?(?= (?:[a-z-]+ ){1,5}(?:before|until|from|of|prior to) (?:the )?(?:19|20)\d\d)", ""),
)
"""What is said after the set, and sets in the words of their rows: genres, sources, figures."""


_ALL = (*_CLOSING, *_RULES)
_LIKELY = Sieve(pattern for pattern, _ in _ALL)


def in_set_words(text: str) -> str:
    """The text with each such way of asking replaced by the plain one; names keep their placeholders."""
    scan = Scan(text)
    for pattern, words in _ALL if _LIKELY.of(text) else ():
        match = scan.find(pattern)
        if match is not None:
            scan.text = f"{scan.text[: match.start()]}{match.expand(words)}{scan.text[match.end() :]}"
    return " ".join(scan.text.split())
