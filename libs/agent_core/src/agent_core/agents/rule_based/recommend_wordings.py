"""How people say what they like and dislike, and that they want a recommendation."""

import re

from agent_core.agents.rule_based.text import NAME

_AND = r"(?: ,| and| or| nor| &| as well as| plus| also| both| then)"
_NAMES = rf"(?:both )?(?P<names>{NAME}(?:{_AND}+ {NAME})*)"
_WHO = (
    r"(?:(?:(?:and|but|if|since|because|as|given that|when|now that|after|for) )*(?:i|we|you|he|she|they|(?:people"
    r"|those|someone|somebody|anyone) who|who|(?:my|our|the) \w+) )?"
)
_VERY = (
    r"(?:(?:really|absolutely|already|just|recently|have|has|had|did|do|also|very much|truly|totally|quite|kind of"
    r"|rather|only|utterly|ever) )*"
)
_KIND = r"(?:anime|manga|films?|movies?|tv series|series|tv shows?|shows?|light novel|novel|book|ova)"

KINDS = (
    re.compile(rf"(?<!\w)(?:the )?(?:original )?(?P<kind>{_KIND}) (?P<name>{NAME})(?!\w)"),
    re.compile(rf"(?<!\w)the (?P<name>{NAME}) (?P<kind>{_KIND})(?!\w)"),
    re.compile(rf"(?<!\w)(?P<name>{NAME}) \( (?:the )?(?P<kind>{_KIND}) \)"),
)
"""A name with its kind beside it."""

ENOUGH_OF = re.compile(
    r"(?<!\w)(?:(?:and|but|though|,) )*(?:(?:i|we|you|he|she|they|who|(?:my|our) \w+) )?(?:(?:am|are|really|have|got"
    r"|just|very) )*(?:(?:had|got|have) enough of|(?:tired|sick|weary) of|fed up with|bored (?:of|by|with)|(?:do|does"
    r"|did|can|could) not (?:like|want|enjoy|need|stand|feel like|care for)|hate[sd]?|dislike[sd]?|could do without"
    r"|not (?:in the mood|up) for|not into|nothing(?! like| similar)(?: (?:with|about|too))?|not (?:too|so|very"
    r"|overly)(?: much)?|not a fan of|(?:prefer|preferably) (?:no|without))(?: (?:any|the|so much|too much|more"
    rf"|much))*(?! ?(?:(?:both|the|anime|manga|all) )*{NAME})(?= \w)"
)
"""Words of dislike before what is no name: a condition."""

DISLIKED = (
    rf"{_WHO}{_VERY}(?:disliked?|hated?|hates|loathed?|detested?|dropped|(?:can|could) not (?:stand|get into|finish"
    r"|bear|like)|(?:did|do|does) not (?:really |much |actually )*(?:like|enjoy|care for|get into|love|want)|(?:was"
    r"|am|were|is|are|got) (?:not (?:into|a fan of|fond of)|bored (?:by|with|of)|disappointed (?:by|with|in)|(?:tired"
    rf"|sick) of)|(?:had|got) enough of) {_NAMES}(?: (?:at all|though|very much|that much|much))*",
    r"(?:(?:just|but|and|please|only|of course|obviously|something|anything) )*(?:not|no|except(?: for)?|other than"
    r"|besides|apart from|aside from|excluding|without|instead of|unlike|nothing like)(?: (?:like|again|the|more"
    rf"|similar to))* {_NAMES}(?: again)?",
    rf"{_NAMES} (?:was|is|were|are) (?:so |really |just |too |a bit |very |pretty |rather )*(?:boring|bad|awful"
    r"|terrible|dull|not (?:for me|my (?:thing|taste|cup of tea)|good|great))",
)
"""Works not wanted."""

SEEN = (rf"{_WHO}(?:already|have already|have) (?:know|saw|seen|watched|finished|read) {_NAMES}(?: already)?",)
"""Works that nobody has to be told of."""

_NEAR = (
    r"(?:(?:most|very|quite|a bit|a little|somewhat|much|more|exactly|just|is|are|that|which|feels?|kind of|sort of"
    r"|roughly|something|anything) )*"
)
LIKENESS = (
    rf"{_NEAR}(?:like|similar to|similar as|comparable to|akin to|reminiscent of|resembl(?:es?|ing)|close to|as good"
    r" as|in the (?:same )?(?:style|vein|spirit|mood|manner|direction) (?:of|as)|along the lines of|in line with|the"
    r" likes of|of the same kind as|with (?:the same|a similar) (?:vibe|mood|feel|feeling|style|atmosphere) (?:as|to"
    rf"|like)) {_NAMES}",
    rf"(?:an? |any |some )?{_NAMES} (?:style|esque|alikes?)",
    rf"^{_NAMES}(?= (?:recommendations?|suggestions?)(?!\w))",
    r"(?:based on|after|following|next after|to follow(?: up)?|off the back of)(?: (?:having )?(?:watch(?:ed|ing)"
    rf"|finish(?:ed|ing)|seeing|seen|see|my love (?:of|for)))? {_NAMES}",
    rf"(?:for )?(?:an? |the )?(?:big |huge )?(?:fans?|lovers?) of {_NAMES}",
    rf"(?:for )?(?:an? |the )?{_NAMES} (?:fans?|lovers?)",
    rf"to (?:watch|see|try) (?:if|when) (?:i|you|we) (?:like|love) {_NAMES}",
)
"""What the wanted works are like."""

GOES_ON = re.compile(
    r"(?<!\w)(?:after|to follow(?: up)?|off the back of)"
    rf"(?: (?:having )?(?:watch(?:ed|ing)|finish(?:ed|ing)|seeing|seen))? (?:the )?(?:{_KIND} )?{NAME}"
)
"""What comes after a work: its sequel before all that is merely like it."""

SURELY_ALIKE = 2
"""How many of these, the first, say by themselves that works are wanted."""

LIKED = (
    rf"{_WHO}{_VERY}(?:liked?|likes|loved?|loves|enjoyed?|enjoys|adored?|adores|(?:am|was|being) (?:an? )?(?:big |huge"
    r" |great )*(?:fan of|into|fond of|obsessed with)|finished|watched|completed|seen|saw|read|binged|got through)(?:"
    rf" (?:watching|reading|all of|the whole of))* {_NAMES}(?: (?:so much|a lot|very much|a bit|too|best|most"
    r"|immensely|recently|already|before))*",
    r"(?:(?:and|but|since|because|as|if) )*my (?:all time )?favou?rites?(?: (?:anime|animes|manga|shows?|series"
    r"|films?|movies?|ones?|works?))?(?: (?:of all time|so far|ever))?(?: (?:is|are|include|were|was|being|would be"
    rf"|:))* {_NAMES}",
    rf"{_NAMES} (?:was|is|were|are) (?:so |really |just |absolutely |both |all |one of )*(?:great|amazing|awesome"
    rf"|fantastic|wonderful|good|brilliant|perfect|excellent|my (?:all time )?favou?rites?(?: {_KIND})?)",
    rf"(?:favou?rites?|likes?|liked|loved)(?: :| are| is) {_NAMES}",
)
"""Works that somebody liked."""

_SHOULD = r"(?:should|could|can|might|shall|would|do|must)"
_SEE = r"(?:watch|see|try|read|start(?: with)?|check out|put on|pick(?: up)?|go for|enjoy|like)"
_NEXT = r"(?: (?:next|now|then|first|tonight|today|after that|afterwards|instead|this weekend|in the meantime))*"
ASKS = (
    r"(?:(?:can|could|would|will|do|might) (?:you|anyone|somebody|someone|u) )?(?:(?:please|kindly|also)"
    r" )*(?:recommend(?:s|ed)?|suggest(?:s|ed)?|advise)(?: (?:to )?(?:me|us))?(?: please)?",
    r"(?:(?:any|some|got any|got some|looking for|need|want|give me|have you got|do you have|are there|what are your"
    r"|your|an?|more|further|personal|other|good|best|i want|i need|with|the|for) )*(?:recommendations?|suggestions?"
    r"|tips?|ideas?)(?: (?:for (?:me|us)|to (?:me|us)|please))*",
    rf"(?:what|which)(?: (?:else|other (?:ones|titles|works)|one))* {_SHOULD} (?:you|i|we|one) (?:also )?(?:{_SEE}"
    rf"|recommend|suggest)(?: (?:to )?(?:me|us))?{_NEXT}",
    rf"{_SHOULD} (?:i|we|one) (?:also |maybe |probably )?{_SEE}{_NEXT}",
    r"(?:what|which ones?|anything) (?:is|are) (?:also )?worth (?:watching|seeing|a watch|reading)",
    r"(?:what|where)(?: (?:to|do i|should i|could i|can i|is|comes|would be))*(?: (?:go|watch|see|try|read))? next",
    r"what to (?:watch|see|try|read)",
    r"(?:and |so |now )?what else(?: (?:is there|would i like|is good|might i like|do you have))?(?= [.,;:!?]| *$)",
    r"(?:i|we) (?:will|would|might|may|could) (?:probably |also )?(?:like|enjoy|love)",
    r"(?:what|which ones?|anything)(?: else)? (?:would|could|can|do|might) (?:you|u) (?:have(?: for (?:me|us))?"
    r"|propose|offer"
    r"|advise|pick|choose|think of)(?: (?:me|us|then))?(?= [.,;:!?]| *$)",
    r"(?:what|which ones?)(?: else)? (?:would|could|can|do|might) (?:you|u) (?:recommend|suggest|advise|give|show"
    r"|offer|tell)"
    r"(?= (?:to )?(?:an? )?(?:absolute |complete |total )?(?:beginner|newcomer|newbie|first timer|someone"
    r"|somebody)s?\b)",
    r"what (?:have you(?: got)?|do you have)(?: for (?:me|us))?(?= [.,;:!?]| *$)",
    rf"(?:what|which)(?: else)? (?:would|will|could|can|might|do|does|should)(?= (?:an? |the )?(?:\w+ )?(?:fans?"
    rf"|lovers?) of {NAME}"
    rf"| (?:an? |the )?{NAME} (?:fans?|lovers?)| (?:people|someone|somebody|anyone|those) who)",
)
"""Questions for a recommendation, whatever else is said."""

_ONE = r"(?:an?|some(?:thing)?|anything|one|two|three|four|five|\d|more|another|a few|a couple of)"
WEAK_ASKS = (
    rf"(?:please )?(?:give|find|show|get|tell|bring) (?:me|us)(?= {_ONE} )(?! an? (?:list|count|complete|full|summary"
    r"|synopsis|overview))",
    r"(?:(?:i|we) )?(?:(?:am|are|was|really|just|currently|always) )*(?:looking|searching|hunting|in the mood|up"
    rf"|hoping) for(?= {_ONE} )",
    r"(?:i|we) (?:(?:really|just|only|would|also) )*(?:need|want|like|love|fancy|feel like|could use|prefer)(?: (?:to"
    rf" )?(?:watch|see|try|watching|seeing))?(?= {_ONE} )",
    r"(?:is there|are there|got|have you got|do you (?:know|have)) (?:any|an?|some) (?:good|great|nice|decent)",
    r"^(?:got|have you got|do you have) (?:any|an?|some)(?= )",
    r"(?:an?|some|any|really|which|what|are) ?(?:good|great|nice|decent|solid|fun|beginner friendly)(?= )",
    r"(?:point|direct|steer) (?:me|us) (?:to|towards?)",
    r"for (?:somebody|someone|people|those|anyone|anybody|one) who (?:has |have )?(?:liked?|loved?|enjoyed?|likes|loves"
    r"|enjoys|watched|finished) (?:it|that|them|this)",
    r"for (?:(?:big |huge )?(?:fans?|lovers?) of|people who|someone who|somebody who|anyone who)(?= )",
    r"(?:worth (?:watching|seeing|reading|a watch))",
    r"^(?:something|anything|need|want|pick me|pick us)(?= )",
    r"(?:would|could|might) (?:suit|please|interest)(?: (?:me|us))?",
    r"(?:good|great|nice|decent|solid)(?= )",
    r"for (?:an? )?(?:absolute |complete |total )?(?:beginners?|newcomers?|newbies?|first timers?|someone new(?: to"
    r" anime)?)",
    r"to (?:start|begin)(?: (?:with|out))?(?: anime)?",
)
"""Wordings that ask for a recommendation where all else is conditions."""

IDLE = (
    r"(?:(?:i|we) )?(?:only |just )?(?:have|got|with|for|over|during)(?: (?:only|just|about))?(?: (?:one|an?|this|the"
    r"|two|my|free|long|rainy))* (?:weekends?|evenings?|nights?|days?|afternoons?|weeks?|holidays?)(?: (?:free|off"
    r"|left))?",
    r"some(?:thing|one)?|any(?:thing)?|other|others|else|another|new|next|then|now|really|just|but|so|my|or|ideas"
    r"|stuff|things|would|could|can|should|try|watch|watching|see|seeing|read|tonight|today|though|maybe|perhaps"
    r"|please|good|great|nice|decent|solid|fine|enjoyable|popular|well known|interesting|fun|more|few|couple|am|also"
    r"|too|if|do|does|will|might|like|enjoy|one|ones|time|thanks|you|your|well|kind|sort|mood|looking|long time"
    r"|lasts?|lasting|is|when|afterwards|personal|favou?rites?|instead|similar|same|start|begin|beginners?|worth|best"
    r" suited|fitting|hi|hello|ok|okay|people|who|recommendation|suggestion|since|because|think|believe|going|go|as"
    r"|me|us|thinking|usually|normally|generally|still|only|after|hidden gems?",
)
"""What may be said beside a wish without meaning a condition."""

WORDINGS = (*DISLIKED, *SEEN, *LIKENESS, *LIKED, *ASKS, *WEAK_ASKS, ENOUGH_OF.pattern)
"""All of them, for the words in them."""
