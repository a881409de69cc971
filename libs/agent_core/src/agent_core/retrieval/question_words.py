"""Words that questions are made of, and everyday words that are also titles or names."""

_FUNCTION_WORDS = """
a about above after again against all also always am an and any anybody anyone anything are aren't around as at
away back be became because been before behind being below between both but by can can't cannot could couldn't did
didn't do does doesn't doing don't down during each either else ever every everyone few first for from further get
gets getting give go goes going gone got had has have having he he'd her here hers herself hey hi him himself his
how how's however i i'd i'll i'm i've if in instead into is isn't it it's its itself just last least less let
let's like likes lot made make makes many may maybe me mean might mine more most much must my myself near need
needs neither never next no nobody none nor not nothing now of off often ok okay on once one only onto or other
others our ours out over own per please quite rather really said same say says she should since so some somebody
someone something soon still such sure take takes tell than thanks that that's the their theirs them themselves
then there there's these they they're thing things this those through till to together too toward towards two
under until up upon us use used uses using very want wants was wasn't we we're well were weren't what what's
whatever when when's where where's whether which while who who's whole whom whose why will with within without
won't would wouldn't yes yet you you're your yours yourself
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Closed classes of English, contractions, and verbs that carry no content of their own."""

_EVERYDAY_WORDS = """
actor actors actress air aired airing airs alias angel anime animated animation animator another answer
appear appearance appears arc army art author authors background band basket bat battle beast best big birthday
black blade bleach blood blue book books boy boys brave brother brothers cast cat catalogue chain champion change
chapter chapters character characters charlotte child children city clean club code color colour comedy compare
compared comparison composer connect connected connection count country creator cross cross-over crow dance dark
date dawn day days dead death debut demon demons description designer detective devil difference different direct
directed director directors dog dogs doll dragon drama dream drop dub dubbed duration earth east eden elements end
ended ending ends english enemy episode episodes erased event exile extra eye eyes fairy faith family fan fantasy
fate father film films final find finish finished fire fish flag flame flower force format free friend friends fruit
fruits full future game games gate gender genius genre genres ghost girl girls given god gods gold golden good
great green grave half happy hard heart hearts heaven hell help hero heroes high highest home honey horror horse
house human ice idol japan japanese journey judge k key kill king kingdom kiss knight know known l lady lead
leads legend length liar life light links list little live long longer longest lost love low lucky magic magician
main major man manga master mech memories memory mentor minutes monster monsters month moon mother movie movies
mushroom music myth name named names native new news night noir note novel novels number official old open
orange order original outlaw overlord pandora part paprika parents path peach people person phantom phase piece
pirate place planet play player plot popular popularity power premiere prequel prequels prince princess prison
produce produced producer producers production promise publish published question quiz race rain rainbow rank
rated rating real recommend record red redline relate related relation relationship release released releases
result review rival road robot role roles romance romantic root rose rumble run saga samurai saw say scar school
science score scored scores screen sea season seasons second secret sequel sequels series seven shadow share shared
shares ship short shorter shortest show shows side silver similar sister sisters sky snow soldier song songs soul
sound source space special spin spirit spoon sports spring staff star starring stars start started starts status
steel step steps stone stop stories story street student studio studios style summary summer sun sword synopsis
table tail teacher team third tiger time times title titles today top total tower track train tree trinity true
type universe vampire venom version village violet virus vision voice voiced voices volume volumes war wars watch
water wave way week white wind winter wish witch wolf woman women word words work worked works world write writer
written wrong year years young zero
"""
EVERYDAY_WORDS = frozenset(_EVERYDAY_WORDS.split())
"""Common nouns, verbs and adjectives, the vocabulary of questions about this catalogue among them: in lower case such a
word is more likely meant as the word than as the title that happens to be spelt the same."""

_ASKS_FOR_OBJECT = """
about adapts and animated anime between called compare compared did directed disliked does enjoyed features for from
hated in know knows like liked loved made makes manga named of or produced reading recommend scored than titled to
versus voice voices vs watch watched watching with wrote
"""
ASKS_FOR_OBJECT = frozenset(_ASKS_FOR_OBJECT.split())
"""Words that a title or name follows as their object."""

_FOLLOWS_SUBJECT = """
air aired airs and animated based begin come compared connected did differ directed does end ended finish finished
from get got had has have in is know or produced related released run start started take than to versus vs was with
written
"""
FOLLOWS_SUBJECT = frozenset(_FOLLOWS_SUBJECT.split())
"""Words that follow a title or name which is their subject."""

KINDS = frozenset({"anime", "manga", "film", "movie", "series", "show"})
"""Words for a kind of work."""
