"""Shapes of whole questions: greetings, paths, comparisons, descriptions of something forgotten."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from agent_core.agents.rule_based.beginnings import Sieve
from agent_core.agents.rule_based.text import NAME
from agent_core.schemas import AskedField

Pattern = re.Pattern[str]

_N = NAME
_TIE = r"(?:related|connected|linked|tied|associated|conected|realted|connect|link|relate)"
_BOND = r"(?:relationships?|relations?|connections?|links?|ties?|bonds?|chains?|paths?|routes?)"
_END = r"(?: (?:to each other|with each other|to one another|together|in any way|at all|exactly|somehow|then))*$"
_LEAD = r"^(?:and |so |but |well |now |then )*"


def _patterns(*texts: str) -> tuple[Pattern, ...]:
    return tuple(re.compile(text) for text in texts)


class Shape(StrEnum):
    """What a whole question is."""

    PATH = "path"
    COMPARISON = "comparison"


@dataclass(frozen=True, slots=True)
class Slots:
    """A shape and where its operands stand in the text; `fields` are what a comparison is about."""

    shape: Shape
    operands: tuple[tuple[int, int], ...] = ()
    fields: tuple[AskedField, ...] = ()


_WISHED = (
    r"(?<=give me |give us )(?:an?|some|two|three|four|five|\d+) (?:[\w-]+ ){0,4}(?:animes?|series|shows?|movies?"
    r"|films?|ovas?|mangas?|myster(?:y|ies)|comed(?:y|ies)|thrillers?|romances?|dramas?|horrors?|fantas(?:y|ies)"
    r"|adventures?)\b"
)
"""What somebody wants to be given is no politeness: `give me a short mystery`."""

POLITE = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|greetings|good (?:morning|evening|afternoon|day))(?: there| everyone| all| enishi)?"
    r"(?: [,.!])+ (?=\w)|(?:hi|hello|hey)(?: there)? (?=who|what|when|where|which|how|is|are|did|does"
    r"|do|can|could|tell|compare)|"
    r"(?:so|well|okay|ok|alright|now|and|but|um|uh|please|kindly|quick question|question|one question"
    r"|sorry|excuse me)(?: [,:.!-])* |"
    r"(?:(?:could|can|would|will) (?:you|u|anyone|somebody|someone|we)(?: please| kindly| maybe"
    r"| perhaps)?(?: be so kind (?:as to|and))? )"
    r"(?:tell|let|show|give|remind|inform|help|explain|say|answer|list|name|find|look up|check"
    r"|describe|compare|share)"
    r"(?: me| us)?(?: know| out| find(?: out)?| with| understand| to me)? ?(?=\S)|"
    r"(?:tell|let|show|give|remind|inform|help) (?:me|us)(?: please| know| find out"
    r"| understand)?(?: [,:])? "
    rf"(?!about|more about|of |something|everything|anything|a bit|{_WISHED})|"
    r"(?:do|would|does) (?:you|u|anyone|anybody|someone|somebody) (?:happen to )?(?:know|remember"
    r"|recall)(?: [,:])? (?=who|what|when|where|which|how|if|whether|the|any|an?|why)|"
    r"(?:i|we)(?: really| just| also)? (?:want|wanted|need|am trying|would(?: also)? like|am looking|wish"
    r"|would love)(?: to)? (?:know|find out|learn|figure out|understand|hear|ask|see)(?: [,:])? |"
    r"(?:my|a|our|some) \w+ (?:asked|asks|wants? to know|wondered|is asking|was asking)(?: me| us)? "
    r"|(?:i am|i was|we were|just) (?:wondering|curious|interested|asking)(?: about"
    r"| to know)?(?: [,:])? |"
    r"(?:i|we) (?:would|will|should) (?:be (?:glad|happy|pleased|grateful|curious|interested|delighted)|love|like)"
    r" (?:to (?:hear|know|see|learn|find out)|if you (?:could|would) tell me)(?: [,:])? |"
    r"(?:do|pray) tell(?: me)?(?: [,:])* |(?:i|we) wonder(?: [,:])? |(?:any|got any|have any) (?:idea|clue)(?:s)?(?:"
    r" on| about)? "
    r"|can i (?:ask|know) (?:you )?|may i (?:ask|know) |"
    r"(?:what i want to know is|the question is|my question is|here is my question)(?: [,:])? |please )"
)
"""What may be said before the question proper; matched again and again."""

WHETHER = re.compile(r"^(?:if|whether) (?!.* , (?:how|what|which|who|whom|whose|when|where|why) )")
"""Unless the question comes after it: then it is a condition."""

POLITE_END = re.compile(
    r"(?: [,.!])*(?: (?:please|pls|plz|thanks|thank you|thx|thanks in advance|by the way|btw|exactly"
    r"|anyway|again|do you know|right|correct|or not|though|if you know|for me|please))+(?: [,.!])*$"
)

GREETING = _patterns(
    r"^(?:hi|hello|hey|hiya|yo|greetings|good (?:morning|evening|afternoon|day|night)|howdy|hallo|hola"
    r"|bonjour|こんにちは)(?: there| everyone| all| enishi| bot"
    r"| friend)?(?: how are you(?: doing)?(?: today)?)?$",
    r"^(?:how are you(?: doing)?(?: today)?|what is up|sup|nice to meet you|thanks?"
    r"|thank you(?: very much| so much)?|thx|cheers|bye|goodbye|good bye|see you(?: later)?"
    r"|good night)$",
)
ABILITIES = _patterns(
    r"^(?:what (?:all )?(?:can|could|do) you (?:do|answer|help(?: me)? with|tell me|know|offer"
    r"|cover)(?: for me| about)?|help(?: me)?|who are you|what are you|what is this|what is enishi"
    r"|who is enishi|how do(?:es)? (?:you|this|it) work|how can you help(?: me)?|what (?:kinds? of "
    r"|sorts? of |types? of )?(?:questions?|things?) (?:can|could|may|should) (?:i|you|we) (?:ask"
    r"|answer|do)(?: you| here)?|what (?:can|could|should|may) i ask(?: you| here| about)?|how (?:can"
    r"|do|should) i (?:use|ask)(?: you| this| it)?|what are you (?:able to do|capable of|good at|for)"
    r"|what is your (?:purpose|job|name)|introduce yourself|what are your (?:abilities|capabilities"
    r"|features|skills)|what (?:data|information|sources) do you (?:have|use|know)|what is in (?:your"
    r"|the) (?:catalogue|catalog|database|data))$",
)
LIMITS = _patterns(
    r"^(?:what (?:can|could|do) you not (?:do|answer|know|help with|tell me)|what (?:can"
    r"|do) not you (?:do|answer|know)|what are your (?:limits|limitations|weaknesses|restrictions"
    r"|boundaries)|do you have (?:any )?limits|are you (?:ever )?(?:wrong|reliable|accurate"
    r"|always right|an ai|a bot|a robot|human)|how (?:reliable|accurate|sure|up to date) are you"
    r"|do you make (?:things|stuff|mistakes|anything) up|do you (?:make mistakes|hallucinate|lie)"
    r"|can (?:i|we) trust you|what is not in (?:your|the) (?:catalogue|catalog|data|database)"
    r"|what questions can not you answer|what questions can you not answer)$",
)

PATHS = _patterns(
    rf"{_LEAD}(?:explain |show |describe )?(?:in what way |what way )?how (?:exactly |closely )?(?:is"
    rf"|are|was|were|do|does|did|can|could|might) (?P<a>.+?) (?:be )?{_TIE} (?:to|with"
    rf"|and) (?P<b>.+?){_END}",
    rf"{_LEAD}(?:explain |show |describe )?how (?:exactly |closely )?(?:is|are|was|were|do|does|did|can"
    rf"|could|might) (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:be )?(?:{_TIE}|know each other|know one another"
    rf"|connect|relate|fit together|belong together){_END}",
    rf"{_LEAD}(?:how (?:does|do|did) )(?P<a>.+?) know (?P<b>.+?){_END}",
    rf"{_LEAD}(?:in )?what (?:way|manner|sense) (?:is|are|was|were) (?P<a>.+?) (?:and|&|to"
    rf"|with) (?P<b>.+?) (?:be )?{_TIE}(?: in)?{_END}",
    rf"{_LEAD}(?:what|which) (?:kind of |sort of )?{_BOND} (?:does|do|did|has|have"
    rf"|is there) (?P<a>.+?) (?:have |got )?(?:to|with|and) (?P<b>.+?){_END}",
    rf"{_LEAD}(?:explain |show |describe )?how (?P<a>.*?{_N}.*?) (?:is|are|was) {_TIE} (?:to|with) (?P<b>.+?){_END}",
    rf"{_LEAD}(?:explain |show |describe )?how (?P<a>.*?{_N}) and (?P<b>.*?{_N}) (?:is|are|were) {_TIE}{_END}",
    rf"(?:{_BOND}|degrees of separation|link up|common thread|steps)(?: of [\w ]+?)?(?: that"
    rf"| which)?(?: (?:exists?|is|are|leads?|runs?|goes|connects|there (?:is|are)))* (?:between|from|of"
    rf"|connecting|linking|joining) (?P<a>.+?) (?:and|to|with|&) (?P<b>.+?){_END}",
    rf"{_LEAD}(?:what|who|which [\w ]+?) (?:links?|connects?|ties?|relates?|joins?|unites?|bridges?"
    rf"|leads?)(?: from)? (?P<a>.+?) (?:to|and|with) (?P<b>.+?){_END}",
    rf"{_LEAD}(?:what|who) is it that (?:links?|connects?) (?P<a>.+?) (?:to|and|with) (?P<b>.+?){_END}",
    rf"{_LEAD}(?:is|are|was|were) (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:in any way |somehow |directly "
    rf"|at all )?{_TIE}{_END}",
    rf"{_LEAD}(?:is|are|was|were) (?P<a>.+?) (?:in any way |somehow |directly |at all )?{_TIE} (?:to"
    rf"|with) (?P<b>.+?){_END}",
    rf"{_LEAD}(?:do|does|did) (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:know each other|know one another"
    rf"|have (?:a|any|some) {_BOND}|have anything to do with each other){_END}",
    rf"{_LEAD}(?:do|does|did) (?P<a>.+?) (?:know|have (?:a|any|some) {_BOND} (?:to|with)"
    rf"|have anything to do with) (?P<b>.+?){_END}",
    rf"{_LEAD}what (?:does|do|did|has|have) (?P<a>.+?) (?:have |got )?to do with (?P<b>.+?){_END}",
    rf"{_LEAD}(?:who|what) (?:is|are|was) (?P<a>{_N}) (?:to|for) (?P<b>{_N}){_END}",
    rf"{_LEAD}how (?:close|near|far apart|far) (?:is|are|was|were) (?P<a>.+?) (?:and|&|to|from) (?P<b>.+?){_END}",
    rf"{_LEAD}what (?:was|is|were) (?P<a>{_N}) 's (?:role|job|part|position|contribution|involvement"
    rf"|work|function) (?:in|on|for|at|with|to) (?P<b>.*{_N}.*){_END}",
    rf"{_LEAD}what (?:did|does|has) (?P<a>{_N}) (?:do|done|contribute) (?:in|on|for|at|with|to) (?P<b>.*{_N}.*){_END}",
    rf"{_LEAD}(?:what|which) (?:role|job|part|position) (?:did|does|has|had) (?P<a>{_N}) (?:play|played"
    rf"|have|had|hold|held|take|do) (?:in|on|for|at) (?P<b>.*{_N}.*){_END}",
    rf"{_LEAD}how (?:was|is|were) (?P<a>{_N}) involved (?:in|on|with) (?P<b>.*{_N}.*){_END}",
    rf"{_LEAD}what is (?P<a>{_N}) to (?P<b>{_N}){_END}",
    rf"(?P<a>{_N}) 's (?:\w+ )?{_BOND} (?:to|with|and) (?P<b>.+?){_END}",
    rf"(?P<a>{_N}) (?:and|&|,|to|with|-|–) (?P<b>{_N})(?: 's)? {_BOND}{_END}",
    rf"(?P<a>{_N}) (?:and|&|,) (?P<b>{_N})(?: [,:-])* (?:how|what|in what way) .*(?:{_TIE}|{_BOND}).*$",
    rf"{_LEAD}(?:which|what) (?:\w+ )?{_BOND} (?:is|are|was|were) (?P<a>.+?) {_TIE} (?:to"
    rf"|with) (?P<b>.+?)(?: by| through| via| over)?$",
    rf"(?:get|go|come|walk|move) from (?P<a>.*?{_N}) to (?P<b>.*?{_N}.*?){_END}",
    rf"{_BOND}(?: of| between)? (?P<a>{_N}) (?:and|&|to|with|-|–|,|/) (?P<b>{_N}){_END}",
    rf"{_LEAD}(?:connect|link|trace|get|go|relate|walk|path|how (?:do|can|could) (?:i|we|you"
    rf"|one) get)(?: me| the way)?(?: from)? (?P<a>.*?{_N}.*?) (?:to|and|with) (?P<b>.*?{_N}.*?){_END}",
    rf"^from (?P<a>{_N}) to (?P<b>{_N}){_END}",
    rf"^(?P<a>{_N}) (?:to|→|and) (?P<b>{_N})(?: [,:-])* (?:how|path|route|connection|chain|link){_END}",
    rf"^(?P<a>{_N}) (?:to|→) (?P<b>{_N}){_END}",
)

_MORE_RATED = (
    r"(?:(?:high(?:er|est)|bett?er|best|low(?:er|est)|worse|worst)(?: (?:rated|ranked|scored|scoring"
    r"|score|rating|reviewed|received))?|(?:score|rate)[sd]? (?:higher|lower|better|worse)|(?:higher"
    r"|lower|better) (?:score|rating)s?|more acclaimed|highest rated)"
)
_RATED, _LONGER, _OLDER = (
    rf"(?:{_MORE_RATED})",
    r"(?:longer|longest|shorter|shortest|bigger|lengthier)",
    r"(?:older|oldest|newer|newest|earlier|earliest|(?:came|come|comes|aired?|airs|started?|starts"
    r"|released?|was released|premiered?|premieres|debut(?:ed|s)?|was made|began|made|published"
    r"|was published)(?: out)? (?:first|earlier|later|before|last|sooner)|younger|more recent|first)",
)
COMPARATIVES: tuple[tuple[str, tuple[AskedField, ...]], ...] = (
    (r"before or after|earlier or later|older or newer", (AskedField.START_DATE,)),
    (r"(?:episodes|eps) more", (AskedField.EPISODES,)),
    (r"difference in length|length difference", (AskedField.EPISODES, AskedField.CHAPTERS, AskedField.VOLUMES)),
    (r"(?:more|fewer|less|most|fewest) (?:episodes|eps)", (AskedField.EPISODES,)),
    (r"(?:more|fewer|less|most|fewest) chapters", (AskedField.CHAPTERS,)),
    (r"(?:more|fewer|less|most|fewest) volumes", (AskedField.VOLUMES,)),
    (_LONGER, (AskedField.EPISODES, AskedField.CHAPTERS, AskedField.VOLUMES, AskedField.DURATION)),
    (_OLDER, (AskedField.START_DATE,)),
    (_RATED, (AskedField.SCORE,)),
)
"""What a comparing word is about."""

_COMPARING = "(?:" + "|".join(pattern for pattern, _ in COMPARATIVES) + ")"
_VERSUS = r"(?:vs|versus|v|against|compared (?:to|with)|in comparison (?:to|with))(?: \.)?"

COMPARISONS = _patterns(
    rf"{_LEAD}(?:please )?(?:compare|comparing|contrast|do a comparison of"
    rf"|make a comparison of)(?: between)?(?: the)?(?: following)?(?: [\w ]+? (?:of"
    rf"|for))? (?P<a>.*?{_N}.*?) {_VERSUS} (?P<b>.+?)$",
    rf"{_LEAD}(?:please )?(?:compare|comparing|contrast) .*?(?:of|for|between|in) (?P<a>.*?{_N}) (?:and"
    rf"|with|to|&) (?P<b>.*{_N}.*)$",
    rf"{_LEAD}(?:please )?(?:compare|comparing|contrast)(?: between)? (?P<a>.+?) (?:and|with|to|&) (?P<b>.+?)$",
    r"(?:differences?|differ|differs|comparison|similarit(?:y|ies)|contrast|difference is there"
    r"|in common)(?: is there| are there)? (?:between|of|in) (?P<a>.+?) (?:and|with|from|to"
    r"|&) (?P<b>.+?)$",
    rf"{_LEAD}(?:in what way |how )(?:is|are|does|do|did|was) (?P<a>.+?) (?:any )?(?:different|differ"
    rf"|differs|compare|compares|stack up|similar|distinct)(?: from| to| with| than"
    rf"| against)? (?P<b>.+?)$",
    rf"{_LEAD}how (?:do|does|are|did) (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:differ|compare|stack up"
    rf"|different|similar)(?: from each other| to each other)?$",
    rf"{_LEAD}what (?:do|does) (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:have in common|share)$",
    rf"{_LEAD}(?:in )?(?:what|which ways?) (?:do|does|are) (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:differ"
    rf"|different|diverge)(?: in)?$",
    rf"(?:set|put|place|lay|line|show|list) (?P<a>.*?{_N}.*?) (?:and|&|next to"
    rf"|beside) (?P<b>.*?{_N}.*?) (?:side by side|next to each other|in a table|against each other)$",
    rf"{_LEAD}(?P<a>.*?{_N}) (?:and|&|,) (?P<b>.*?{_N})(?: [,:-])+ (?:which|what|who).*{_COMPARING}.*$",
    rf"{_LEAD}(?:do|does) (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:have anything in common"
    rf"|share (?:any )?(?:cast or staff|staff or cast|people|anything|cast and staff|staff and cast))$",
    rf"{_LEAD}(?:which|what|who)(?: one| of the two| of them)?(?: [\w ]+?)? (?:is|are|has|have|had|was"
    rf"|were|got|ran|runs|lasted|scores?|scored|rates?|came|come|comes|aired?|airs|started?|starts"
    rf"|released?|premiered?|debuted|began|did)(?: the"
    rf"| a)? .*?{_COMPARING}(?: [\w ]+?)?(?: [,:-])* (?P<a>.*?{_N}.*?|.+?) or (?P<b>.+?)$",
    rf"{_LEAD}(?:which|what|who)(?: one)? (?:of|between|among|out of) (?P<a>.+?) (?:and|or"
    rf"|&) (?P<b>.+?) (?:is|are|has|have|was|were|got|ran|came|come|aired|started|premiered|released"
    rf"|debuted|scored|scores).*{_COMPARING}.*$",
    rf"{_LEAD}(?:between|of) (?P<a>.+?) (?:and|or|&) (?P<b>.+?) (?:, )?(?:which|what|who).*{_COMPARING}.*$",
    rf"{_LEAD}(?P<a>.*?{_N}.*?) or (?P<b>.*?{_N}.*?) (?:, |: |- |\? )*(?:which|what|who).*{_COMPARING}.*$",
    rf"{_LEAD}(?:is|are|was|were|does|do|did|has|have|had) (?P<a>.+?) (?:have |has |had |got |run "
    rf"|last |score |is |a |the |rated |air |start "
    rf"|come )*(?:much )?{_COMPARING}(?: [\w ]+?)? than (?P<b>.+?)$",
    rf"{_LEAD}(?:did|was|is|does) (?P<a>.+?) (?:come|air|start|premiere|release|released|made|published"
    rf"|begin|debut)(?: out)? (?:before|after|earlier than|later than) (?P<b>.+?)$",
    rf"{_LEAD}(?:who|which|what) (?:is|has|was) .*?{_COMPARING}(?: [\w ]+?)? (?P<a>.*?{_N}.*?) or (?P<b>.+?)$",
    rf"{_LEAD}(?:rank|order|sort) (?P<a>.*?{_N}.*?)(?:,| and|,? and) (?P<b>.*?{_N}.*?)(?: by .+)?$",
    rf"{_LEAD}(?P<a>.*?{_N}(?: (?:anime|manga|movie|film|series|novel))?) {_VERSUS} (?P<b>.*?{_N}.*?)$",
)
_COMPARES = re.compile(rf"\b(?:compare|comparing|contrast|differences?|differs?|different|versus|vs|{_COMPARING})\b")

_KIND = (
    r"(?:animes?|shows?|series|movies?|films?|mangas?|cartoons?|ovas?|stor(?:y|ies)|titles?|works?"
    r"|novels?|episodes?|characters?|one|something|anything|comics?|tv series|books?)"
)
VAGUE = _patterns(
    rf"\b{_KIND}(?: (?:i (?:saw|watched|read|remember)|from [\w ]+?|in [\w ]+?|called|that i [\w ]+?"
    rf"|on tv|set in [\w ]+?))?(?: (?:is|was|are|were)(?: it| that| this)?)? (?:where|in which(?! order)|whose"
    rf"|wherein|about(?! {_N}$)|following|centered on"
    rf"|centred on|revolving around|revolves around|set (?:in|on|during)|with (?:an?|the|two|three|some"
    rf"|lots of|many)|featuring (?:an?|the|two|three)|that (?:is|are|was|were|has|have|had|takes?"
    rf"|follows?|involves?|features?|deals?|tells?|starts?|ends?|plays?)|having|dealing with"
    rf"|involving)\b",
    rf"\b(?:looking for|searching for|trying to (?:find|remember|recall)|can not remember"
    rf"|do not remember|forgot|what was (?:that|the name)|what is (?:that|the name of (?:that|the|an?))"
    rf"|name of (?:that|the|an?)|find (?:me )?(?:an?|that|the)|remember (?:an?|that|the|this)"
    rf"|there (?:was|is) (?:this|that|an?)|saw (?:an?|this)|the one (?:where|with|about|in which"
    rf"|that))\b(?! {_N})(?=.*\b(?:{_KIND}|where|with|about|who)\b)",
    rf"^(?:an? |the |old |some |that |this |short |new )*(?:{_KIND})(?: [\w]+?)? ?[:,-] (?:\S+ ){{3}}",
    r"^(?:an? |the )?(?:story|tale|saga) (?:of|about) (?:an?|two|three|four|some) \w+",
    r"^(?:an? |the |two |three |some |young |old |high school |teenage |orphaned |lonely "
    r"|little )+(?:boys?|girls?|man|men|woman|women|kids?|child|children|students?|guys?|teenagers?"
    r"|friends|robots?|schoolgirls?|schoolboys?|detectives?|pirates?|samurai|princess|prince|witch"
    r"|ninja|hero|heroes|classmates?|siblings|sisters?|brothers?|musicians?|scientists?|soldiers?"
    r"|pilots?|crew|group|band|team|couple)\b.*\b\w+(?:s|ed|ing)\b",
    r"^(?:boys?|girls?|man|woman|kids?|students?|teenagers?|robots?|people|transfer students?|friends"
    r"|detective|pirates|samurai)\b.*\b\w+(?:s|ed|ing)\b",
)

SHAPE_PATTERNS = tuple(
    pattern.pattern for pattern in (*GREETING, *ABILITIES, *LIMITS, *PATHS, *COMPARISONS, *VAGUE, POLITE, POLITE_END)
)
"""The texts of all patterns here, for the words in them."""

HOPS = re.compile(
    r"(?:,? ?(?:with)?in (?:at most |no more than |under |up to |fewer than |less than )?|(?:at most"
    r"|no more than|up to|max(?:imum)?(?: of)?|under) )(?:an? |just |only )?"
    r"(?P<n>one|single|two|three|four|five|six|\d)(?: or (?:fewer|less))? (?:hops?|steps?|links?|degrees?"
    r"|edges?|moves?|jumps?|handshakes?|stops?)(?: or (?:fewer|less))?"
)
_NUMBERS = {"one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}

YES_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|isn't|wasn't"
    r"|didn't)\b(?! (?:you|i|we|u)\b)"
)


def hops_asked(text: str) -> int | None:
    """How many hops a path question allows, in words or digits."""
    match = HOPS.search(text)
    if match is None:
        return None
    number = match.group("n")
    return _NUMBERS.get(number) or int(number)


def without_hops(text: str) -> str:
    """The text up to where it says how many hops are allowed, when that ends it."""
    match = HOPS.search(text)
    return text[: match.start()].rstrip(" ,") + text[match.end() :] if match else text


def fixed_shape(text: str) -> Literal["greeting", "abilities", "limits"] | None:
    """Which fixed answer a text asks for, if any."""
    bare = text.strip(" .!,?")
    if any(pattern.match(bare) for pattern in LIMITS):
        return "limits"
    if any(pattern.match(bare) for pattern in ABILITIES):
        return "abilities"
    return "greeting" if any(pattern.match(bare) for pattern in GREETING) else None


_WITH_SLOTS = tuple(
    (shape, patterns, Sieve((pattern.pattern for pattern in patterns), anywhere=True))
    for shape, patterns in ((Shape.COMPARISON, COMPARISONS), (Shape.PATH, PATHS))
)


def slots_of(text: str) -> Slots | None:
    """The path or comparison that a text asks for, with its operands."""
    for shape, patterns, likely in _WITH_SLOTS:
        tried = (patterns[place].search(text) for place in likely.of(text))
        matches = [match for match in tried if match is not None]
        if not matches:
            continue
        best = next((match for match in matches if _holds_names(match)), matches[0])
        return Slots(shape, _operands(best), comparative_fields(text) if shape is Shape.COMPARISON else ())
    return None


def _operands(match: re.Match[str]) -> tuple[tuple[int, int], ...]:
    return tuple(match.span(name) for name in ("a", "b") if name in match.re.groupindex)


def _holds_names(match: re.Match[str]) -> bool:
    return all(re.search(NAME, match.string[start:end]) for start, end in _operands(match))


def compares(text: str) -> bool:
    """Whether a text has a word of comparison."""
    return _COMPARES.search(text) is not None


def comparative_fields(text: str) -> tuple[AskedField, ...]:
    """What the comparing word of a text is about."""
    return next((fields for pattern, fields in COMPARATIVES if re.search(rf"\b{pattern}\b", text)), ())


def is_vague(text: str) -> bool:
    """Whether a text describes what it can't name."""
    return any(pattern.search(text) for pattern in VAGUE)


_OF_MORE = re.compile(
    r"\b(?:your|our|my|same|both|all|every|each|other(?! than)|any of (?:these|those|them)|(?:this|that|the) ones?)\b"
    r"|^(?:did|has|have|does) .*\b(?:it|this|that|these|those|them)(?= *[?.!]|$)"
)
"""What is asked of everything, or of something that no name stands for."""


def asks_of_more(text: str) -> bool:
    """Whether a question without its names is of everything, or of something that no name stands for."""
    return _OF_MORE.search(text) is not None


def is_yes_no(text: str) -> bool:
    """Whether a text can be answered with yes or no."""
    return YES_NO.match(text) is not None
