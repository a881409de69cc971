"""Ordinary words: what is none of these, and no cue, may be a name.

The list is of English in general, never of titles. It only has to hold words that questions are likely to use.
"""

import re

_FUNCTION_WORDS = """
    a about above across actual actually after again against ago all almost alone along already also although always
    am among an and another any anybody anyone anything are around as at away back be because been before behind being
    below beside besides between beyond both but by came can cannot come comes coming could d did do does doing done
    dont down during each either else ever every everybody everyone everything exactly except few first following for
    former from fully further gave get gets getting give given gives go goes going gone got had has have having he her
    here hers him his how however i id if in include included includes including indeed inside instead into is it its
    itself just keep kept knew know known knows last later least less let lets like likely ll look looking looks lot
    lots made mainly make makes making many may maybe me mean means might mine more most mostly much must my myself
    near nearly need needs neither never next no nobody none nor not nothing now of off often oh ok okay on once one
    ones only onto or other others otherwise our out outside over own part per perhaps please put quite rather re
    really same say says second see seem seems seen several shall she should since so some somebody someone something
    somewhere soon still such sure take takes taking tell than thank thanks that the their them then there these they
    thing things think third this those though three through throughout till to together too took toward towards two
    under unless unlike until up upon us use used uses using ve very via want wants was way we well went were what
    whatever when where whereas whether which while who whoever whole whom whose why will with within without wonder
    wondering would yes yet you your yours yourself zero four five six seven eight nine ten eleven twelve

"""
_QUESTION_WORDS = """
    name named names answer answers ask asked asking compare compared comparing versus vs between curious describe
    detail details detailed explain fact facts find guess help hello hey hi idea info information interested involved
    kind kinds learn list lists mention mentioned question questions quick quickly recall recommend recommendation
    recommendations remember remind search show shows shown sort sorts suggest suggestion suggestions talk talking
    teach telling trying try understand available called certain correct different example exist existing exists
    happen happened happens main major minor number numbers overall particular possible related relevant right similar
    simple single special specific true type types usual wrong catalogue database data according actually basically
    currently originally originating eventually finally officially official probably recently simply together usually
    total amount count sum average anime animes manga english japanese korean chinese german french spanish italian
    portuguese russian january february march april june july august september october november december today
    yesterday tomorrow year years month months week weeks day days time times date dates decade decades century early
    late old older oldest new newer newest young younger youngest long longer longest short shorter shortest big
    bigger biggest small smaller high higher highest low lower lowest good better best bad worse worst great greater
    greatest nice cool awesome favorite favourite popular famous classic beautiful interesting fun funny dark sad
    happy light heavy real fake lead leading strong stronger strongest weak hidden modern recent latest upcoming
    future past present current visual prolific whole full entire complete half anyway anywhere chronological order

"""
_STORY_WORDS = """
    appearance appearances soonest altogether propose proposal max maximum designer designers shortest quickest alike
    standalone
    onward onwards guide guides slice char chars became filmed
    steps step hops hop handshakes handshake jumps links moves degrees able act acts acting adult adults adventure
    adventures age airplane alien aliens alive angel angels animal animals apartment apocalypse army art artist arts
    assassin attack attacks baby band baseball basketball battle battles beach bear beat become becomes becoming
    begin begins being bike bird birds blood blue board boat body book books boring born boss box boxing boy boys
    bring brings bullied bus business camp capital car card cards care cat cats catch chance change changes child
    childhood children city class classmate classmates climb club coach college color comes common community company
    competition computer control cook cooking country couple crime criminal culture curse cursed cut cute dance
    dancing danger dangerous daughter dead deal death demon demons desert destroy destroyed detective detectives
    devil die died dies discover discovers disease doctor dog dogs door dragon dragons dream dreams drive driving
    earth eat eats education elf elves emotional emperor empire end ending enemy energy escape escapes ever evil
    exam experience eye eyes face faces fall falls family fantasy farm fast father fear feel feeling feelings field
    fight fighter fighting fights film fire fish fishing floating fly flying food football force forced forces
    forest forget forgets forgot forgotten form friend friends friendship futuristic game games gang garden gather
    ghost ghosts giant girl girls god gods goddess gold government grand green grow grows growing guy guys hair hand
    hands hate head heart hell hero heroes high historical history hit hold home horse hospital hot hotel house
    human humans humanity hunt hunter hunters hunting husband ice invisible island job join joins journey justice
    keep kid kids kill killed killer killers killing kills king kingdom knight knights land large law lead leader
    leave leaves left letter letters library lies life line little live lives living lonely lose loses losing loss
    lost love loves machine machines magic magical maid man marriage married martial master match medieval meet
    meets member memory memories men mental middle military mind mission mobile money monday monster monsters moon
    mother mountain mountains move murder murders music musician musicians mysterious nation nature nobody normal
    notebook novel ocean office organization orphan orphans others party past pay peace people person pet piano
    pilot pilots pirate pirates place planet play player players playing plays police politics poor post power
    powerful powers prince princess prison private problem program project protect protects public pure queen race
    racing rain reach read reading reads reborn red reincarnated reincarnation relationship rescue rescues revenge
    rich ride rides rise river road robot robots room rule run running runs samurai save saves school science
    scientist scientists sea seas secret secrets sees sell send series serious set sets shinigami ship shop shy side
    silent sing singer singers singing sister sky slave sleep slow snow soccer social society soldier soldiers solve
    solves somehow son song songs soul souls space spaceship spirit spirits sport sports spy stand star stars start
    stay steal stories story strange street student students studies study stuff super supernatural survive survives
    survival sword swords swordsman swordsmen teacher teachers team teen teenage teenager teenagers tennis than
    theme thief thieves think throw ticket time tired top touch tournament tower town toys trade train trains
    training transfer transferred transforms transported trapped travel traveler travelers travelling traveling
    travels treasure tree trees tries trip trouble truth turn turned turns twin twins uncle university unknown
    vampire vampires video village villages villain violence violent virtual visit voice volleyball volleyballs
    waiting walk walks wall walls war wars warrior warriors watch watched watching water weapon weapons wear wearing
    wedding white wife wild win wings winter wish witch witches wizard woman women wonderful word words work worker
    working works world worlds write writer wrong zombie zombies scythe skull mask masks mirror clock watches doll
    dolls overrated underrated worth review reviews opinion opinions spoiler spoilers cast crew plot point arc arcs
    filler canon franchise installment instalment entry entries universe version versions edition adaptation made
    release released season seasons episode chapter volume air airs aired airing popularity ranking rank ranked
    rating rated rate score scores relation relations relationships connection connections link linked connect
    connected connects person's familiar unfamiliar similar sounds sound recognise recognize lovely ago recently
    yesterday somewhere elsewhere fond fan fans addicted obsessed adore adored enjoy enjoyed finished mention
    mentioned
"""
ORDINARY_WORDS = frozenset(f"{_FUNCTION_WORDS} {_QUESTION_WORDS} {_STORY_WORDS}".split())

FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

_LITTLE_WORDS = """
    tell show find look search looking searching know knows want wanted wonder remember recall give list say says
    said please thanks question answer name named names called call anime manga character person people work works
    thing things kind sort type everything something anything more info details explain talk read reading watch
    watching watched seen heard like liked love loved good great new old real really interesting interested curious
    guy girl boy man woman lady dude fellow famous popular main title titled entry there here anybody somebody
    familiar sounds sound lovely recently yesterday lot fond fan adore adored enjoy enjoyed mentioned
"""
ORDINARY_QUESTION_WORDS = frozenset(_LITTLE_WORDS.split())
"""Words that a question about a name may hold without asking for anything but who or what it is."""

ARTICLES = frozenset({"the", "a", "an"})

_ENGLISH_ENDING = re.compile(r"(?:ing|ed|ly|able|ible|ness|ment|ments|ous|ful|less|tion|tions|sion|ism|ists?|ally)$")


def looks_ordinary(word: str) -> bool:
    """Whether a word reads as English although no list holds it: by its ending."""
    return len(word) > 5 and _ENGLISH_ENDING.search(word) is not None
