"""Cues for properties of one entity, kinds of entities, filters, and what no catalogue row holds."""

from datastore.vocabulary import EntityType, Season, WorkFormat, WorkSource, WorkStatus

from agent_core.agents.rule_based.cues import (
    CueRow,
    FieldCue,
    GenreCue,
    Mark,
    MarkCue,
    SeasonCue,
    SourceCue,
    StatusCue,
    TypeCue,
    UnsupportedCue,
)
from agent_core.schemas import AskedField

_F = AskedField
_T = EntityType
_WORKS = (_T.ANIME, _T.MANGA)


def _field(pattern: str, *fields: AskedField) -> CueRow:
    return pattern, FieldCue(fields)


LENGTH_FIELDS = (_F.EPISODES, _F.CHAPTERS, _F.VOLUMES, _F.DURATION)

FIELD_CUES: tuple[CueRow, ...] = (
    _field(
        r"how many (?:(?:tv|anime|total|main|regular) )?(?:episodes|episods|episode|eps|ep)(?: in total"
        r"| total)?|(?:total )?(?:number|count|amount|total)(?: number)? of (?:episodes|eps)|(?:episodes?"
        r"|eps?) (?:count|number|total|amount)",
        _F.EPISODES,
    ),
    _field(r"(?:eps|episodes)(?=$)|^(?:eps|episodes)|\d+ (?:episodes|eps)", _F.EPISODES),
    _field(r"chapters(?=$)|^chapters|\d+ chapters", _F.CHAPTERS),
    _field(r"volumes(?=$)|^volumes|\d+ volumes", _F.VOLUMES),
    _field(
        r"how many (?:manga )?chapters|(?:number|count|amount|total)(?: number)? of chapters"
        r"|chapters? (?:count|number|total)",
        _F.CHAPTERS,
    ),
    _field(
        r"how many (?:manga )?(?:volumes|vols|books|tankobon|tankoubon)|(?:number|count|amount"
        r"|total)(?: number)? of (?:volumes|books)|volumes? (?:count|number|total)",
        _F.VOLUMES,
    ),
    _field(r"how many episodes and chapters", _F.EPISODES, _F.CHAPTERS),
    _field(
        r"how many (?:chapters and volumes|volumes and chapters)|(?:number of )?chapters and volumes",
        _F.CHAPTERS,
        _F.VOLUMES,
    ),
    _field(
        r"run ?times?|running times?|durations?|how many minutes(?: long)?|(?:episode|film|movie) lengths?"
        r"|how long (?:is|are|was|were|does) (?:each|one|an?|every|a single|the average) episodes?(?: last"
        r"| run)?|length of (?:each|an|one) episode|minutes per episode",
        _F.DURATION,
    ),
    _field(r"lengths?", *LENGTH_FIELDS),
    _field(
        r"(?:original |initial |first )?(?:release|air|airing|premiere|start|starting|debut|publication"
        r"|broadcast|launch)(?: air)? ?(?:date|day)s?|date of (?:release|premiere|publication|broadcast"
        r"|debut)|since when|first air ?date",
        _F.START_DATE,
    ),
    _field(
        r"(?:end|ending|finish|finale|final|last)(?: air)? dates?|date of the (?:finale|ending"
        r"|last episode|final episode)|(?:until|till) when",
        _F.END_DATE,
    ),
    _field(
        r"(?:airing|air|broadcast|publication|run) dates|(?:airing|broadcast|publication) period",
        _F.START_DATE,
        _F.END_DATE,
    ),
    _field(
        r"(?:(?:in |from |of |on )?(?:what|which) (?:calendar )?year)|(?:release|premiere|debut|airing"
        r"|start|publication) year|year of (?:release|premiere|publication|debut)|the year"
        r"|year(?= of [\ue000-\ue0ff])|(?<=[\ue000-\ue0ff] )year(?=$)",
        _F.YEAR,
    ),
    _field(
        r"(?:in |of )?(?:what|which) (?:anime |airing |broadcast |tv )?season(?= did| was| of the year"
        r"| does| is)|(?:airing|broadcast|premiere) season|(?:what|which) season and year"
        r"|season of the year",
        _F.SEASON,
        _F.YEAR,
    ),
    _field(
        r"formats?|(?:what|which) (?:format|medium|media type)|media types?"
        r"|movie or (?:an? )?(?:tv )?(?:series|show|anime)|(?:tv )?(?:series|show) or (?:an? )?(?:movie"
        r"|film)",
        _F.FORMAT,
    ),
    _field(
        r"(?:what|which) (?:kind|type|sort) of (?:an? )?(?:anime|show|story|series|work|manga|movie|film"
        r"|title|thing)(?= is| was)",
        _F.GENRES,
        _F.FORMAT,
    ),
    _field(r"(?:release |airing |publication |current |broadcast )?status", _F.STATUS),
    _field(r"genres?|genre tags?", _F.GENRES),
    _field(
        r"(?:(?:average|mean|user|overall|community|current|audience|review|anilist|mal) )*(?:score"
        r"|rating)s?|how (?:good|well rated|highly rated|highly|well received|well liked)|(?:well|highly"
        r"|best) rated|rated|worth (?:watching|reading|it)|any good|good(?=$| anime$| show$)",
        _F.SCORE,
    ),
    _field(r"source(?: type)?|(?:(?:what|which) )?(?:type|kind|sort) of source(?: material)?", _F.SOURCE),
    _field(
        r"(?:(?:any|all|the|what) )?(?:other|another|second|alternat(?:e|ive)|different|additional) (?:names?|titles?)"
        r"|alias(?:es)?|(?:else )?(?:is |are )?(?:also )?known as|aka|a k a|(?:native|original|japanese"
        r"|english|romaji|romanized|romanised|kanji|official english|foreign|full) (?:names?|titles?"
        r"|spellings?)|nick ?names?|synonyms?|(?:names?|titles?) in (?:japanese|english|romaji"
        r"|the original|kanji)|(?:called|written|spelled|spelt) in (?:japanese|english|japan|romaji"
        r"|the original)|(?:japanese|english) for|(?:what is (?:it|the episode) called)|(?:names?"
        r"|titles?) of the episode",
        _F.NAMES,
    ),
    _field(
        r"plot(?: ?line| summary)?|synops[ie]s|story ?lines?|premises?|summar(?:y|ies|ize|ise|ized)"
        r"|(?:what )?(?:happens|happened|goes on|takes place) in|story(?= of )|(?:is |are "
        r"|was )?(?:all )?about(?= |$)(?! (?:an?|the|some|two|three|people|how|when|where|what) )|blurb"
        r"|overview|main story|what is the story|set ?up|deals? with|revolves? around|story(?= behind)",
        _F.SYNOPSIS,
    ),
    _field(
        r"describe|descriptions?|basics|rundown|low ?down|scoop|gist|(?:some |any |more |basic )?(?:info"
        r"|information|details|facts)(?: on"
        r"| about| for| of)?|bio(?:graphy)?|backgrounds?|back ?stor(?:y|ies)|profiles?|introduc(?:e"
        r"|tion)(?: to)?|personalit(?:y|ies)|what (?:do you|can you|do we) (?:know|tell me|say) (?:about"
        r"|of)|tell me (?:more |something |everything )?(?:about|of)|abilit(?:y|ies)|appearances?(?= of)"
        r"|occupations?|looks? like|(?:what|which) (?:kind|sort|type) of (?:person|character|guy|girl|man|woman)",
        _F.DESCRIPTION,
    ),
    _field(
        r"genders?|sex|(?:male or (?:a )?female|female or (?:a )?male|boy or (?:a )?girl"
        r"|girl or (?:a )?boy|man or (?:a )?woman|woman or (?:a )?man|guy or (?:a )?girl"
        r"|girl or (?:a )?guy)|(?<=[\ue000-\ue0ff] )(?:male|female)(?=$)|(?<=a )(?:male|female|boy|girl|man|woman"
        r"|guy)(?=$)",
        _F.GENDER,
    ),
)


def _type(pattern: str, *types: EntityType, work_format: WorkFormat | None = None) -> CueRow:
    return pattern, TypeCue(types, work_format)


TYPE_CUES: tuple[CueRow, ...] = (
    _type(
        r"animes?|anime (?:series|shows?|titles?|works?)|animated (?:series|shows?|works?)|shows?"
        r"|cartoons?|animations?",
        _T.ANIME,
    ),
    _type(
        r"tv (?:series|anime|shows?|serials?)|television (?:series|anime|shows?)", _T.ANIME, work_format=WorkFormat.TV
    ),
    _type(
        r"(?:anime |animated |feature |theatrical )?(?:movies?|films?|feature films?)",
        _T.ANIME,
        work_format=WorkFormat.MOVIE,
    ),
    _type(r"ovas?|original video animations?|oad", _T.ANIME, work_format=WorkFormat.OVA),
    _type(r"onas?|web series|net animations?", _T.ANIME, work_format=WorkFormat.ONA),
    _type(r"(?:tv )?specials?", _T.ANIME, work_format=WorkFormat.SPECIAL),
    _type(r"mangas?|manga (?:series|titles?|works?)|comics?|manhwas?|manhuas?|webtoons?", _T.MANGA),
    _type(r"light ?novels?(?: series)?|lns?", _T.MANGA, work_format=WorkFormat.LIGHT_NOVEL),
    _type(r"novels?|books?", _T.MANGA, work_format=WorkFormat.NOVEL),
    _type(r"one ?shots?", _T.MANGA, work_format=WorkFormat.ONE_SHOT),
    _type(r"series|works?|titles?|stories|media", *_WORKS),
    _type(r"person|people|somebody|human", _T.PERSON),
    _type(r"episode", _T.EPISODE),
)

STATUS_CUES: tuple[CueRow, ...] = (
    (
        r"finished|complete|completed|over(?=$| yet| already| now| or)|ended|concluded|done(?=$| yet"
        r"| airing| already)|finished (?:airing|publishing|running)|fully (?:aired|released|published)",
        StatusCue(WorkStatus.FINISHED),
    ),
    (
        r"(?:still |currently |now )?(?:ongoing|on ?going|airing|running|releasing|publishing|publishing"
        r"|being (?:published|released|serialized|aired|made)|going on|going|in publication|serialized"
        r"|in progress|unfinished|continuing)",
        StatusCue(WorkStatus.RELEASING),
    ),
    (
        r"(?:upcoming|unreleased|not yet (?:released|aired|out|published)|announced|yet to (?:air"
        r"|be released))",
        StatusCue(WorkStatus.NOT_YET_RELEASED),
    ),
    (r"cancell?ed|axed", StatusCue(WorkStatus.CANCELLED)),
    (r"(?:on )?hiatus|paused", StatusCue(WorkStatus.HIATUS)),
)

SOURCE_CUES: tuple[CueRow, ...] = (
    (
        r"(?:based on|adapted from|adaptation of|adaptations of) (?:an? |its )?manga(?! by| of| called"
        r"| written|[^\w]*[\ue000-\ue0ff])",
        SourceCue(WorkSource.MANGA),
    ),
    (r"(?:based on|adapted from|adaptations? of) (?:an? )?light novels?", SourceCue(WorkSource.LIGHT_NOVEL)),
    (r"(?:based on|adapted from|adaptations? of) (?:an? )?(?:novels?|books?)", SourceCue(WorkSource.NOVEL)),
    (r"(?:based on|adapted from|adaptations? of) (?:an? )?visual novels?", SourceCue(WorkSource.VISUAL_NOVEL)),
    (r"(?:based on|adapted from|adaptations? of) (?:an? )?video ?games?", SourceCue(WorkSource.VIDEO_GAME)),
    (r"(?:based on|adapted from|adaptations? of) (?:an? )?games?", SourceCue(WorkSource.GAME)),
    (r"(?:based on|adapted from|adaptations? of) (?:an? )?web ?novels?", SourceCue(WorkSource.WEB_NOVEL)),
    (
        r"original (?:anime|works?|series|shows?|films?|movies?|stor(?:y|ies))(?! by)|an original"
        r"|(?:without|with no|no|has no) (?:any )?(?:source material|source)|not based on anything",
        SourceCue(WorkSource.ORIGINAL),
    ),
)

SEASON_CUES: tuple[CueRow, ...] = (
    (r"winter", SeasonCue(Season.WINTER)),
    (r"spring", SeasonCue(Season.SPRING)),
    (r"summer", SeasonCue(Season.SUMMER)),
    (r"fall|autumn", SeasonCue(Season.FALL)),
)

GENRE_CUES: tuple[CueRow, ...] = (
    (r"action(?: packed)?", GenreCue("Action")),
    (r"adventures?", GenreCue("Adventure")),
    (r"comed(?:y|ies)|funny", GenreCue("Comedy")),
    (r"dramas?", GenreCue("Drama")),
    (r"ecchi", GenreCue("Ecchi")),
    (r"fantasy", GenreCue("Fantasy")),
    (r"horrors?|scary", GenreCue("Horror")),
    (r"mahou shoujo|magical girls?", GenreCue("Mahou Shoujo")),
    (r"mecha|giant robots?", GenreCue("Mecha")),
    (r"music(?= (?:anime|shows?|series|themed))|musicals?", GenreCue("Music")),
    (r"myster(?:y|ies)|detective(?= (?:anime|shows?|series|stor))", GenreCue("Mystery")),
    (r"psychological", GenreCue("Psychological")),
    (r"romances?|romantic|love stor(?:y|ies)|rom ?com", GenreCue("Romance")),
    (r"sci ?fi|science fiction|sf", GenreCue("Sci-Fi")),
    (r"slices? of life", GenreCue("Slice of Life")),
    (r"sports?", GenreCue("Sports")),
    (r"supernatural|paranormal", GenreCue("Supernatural")),
    (r"thrillers?", GenreCue("Thriller")),
)


def _unsupported(pattern: str, what: str) -> CueRow:
    return pattern, UnsupportedCue(what)


OTHER_VERSION = "such a version"
"""What is said of works in media, or parts of a series, that a row can't be told from."""

UNSUPPORTED_CUES: tuple[CueRow, ...] = (
    _unsupported(r"(?:co)?founders?|founded|founding", "who founded a studio"),
    _unsupported(
        r"(?:production )?budgets?|production costs?|cost (?:to|of) (?:make|making|produce|producing)"
        r"|costs?(?: to make)?|how expensive",
        "a budget",
    ),
    _unsupported(
        r"box office(?: \w+)?|gross(?:ed|es)?|revenues?|earn(?:ed|ings?|s)?|profits?|how much money"
        r"|make at the box office|income|net worth|salar(?:y|ies)",
        "earnings",
    ),
    _unsupported(
        r"(?:get |gets |got )?paid|pay(?:s|ing|ments?)?|fees?|wages?|charged|charges?(?=$)|spen[dt]|spends"
        r"|how many (?:crowns|dollars|euros|yen)",
        "a payment",
    ),
    _unsupported(r"why (?:did|does|do|is|was|were|are|has|have|had|would|could)|for (?:what|which) reason", "a reason"),
    _unsupported(
        r"how many (?:days|weeks|songs|pages|frames|languages|countries)|how long (?:did|does|will|would) it take",
        "such a count",
    ),
    _unsupported(
        r"hire[sd]?|fired|sue[sd]?|resign(?:s|ed)?|(?:which|what) (?:instruments?|software|school|university)",
        "the working life of people",
    ),
    _unsupported(
        r"copies(?: sold)?|sales(?: figures)?|sold|best ?selling|circulation|how many copies", "sales figures"
    ),
    _unsupported(
        r"stream(?:s|ed|ing|able)?(?: (?:on|services?|sites?|platforms?))?|netflix|crunchyroll|hulu"
        r"|amazon prime|prime video|disney plus|funimation|hidive|where (?:can|could|do|to|should) (?:i "
        r"|we |you |one )?(?:legally )?(?:watch|read|buy|find|stream|get|download)|(?:available"
        r"|watchable) (?:on|in|to)|(?:legal|free|legally) (?:stream|watch|download)\w*|tv channel"
        r"|what channel|(?:which|what) (?:platforms?|streaming \w+|sites?)",
        "streaming availability",
    ),
    _unsupported(
        r"live ?action|stage (?:play|version|musical)|hollywood|(?:netflix|hollywood) (?:adaptation"
        r"|version|series|film|movie)"
        r"|novelizations?|audio drama|drama cds?|theme park|(?:trading )?card game|(?:second|third|fourth"
        r"|fifth) (?:movie|film|ova)",
        OTHER_VERSION,
    ),
    _unsupported(r"(?:which|what) (?:songs?|tracks?|music) (?:plays?|is played|are played)", "songs in scenes"),
    _unsupported(
        r"(?:is there|are there) (?:an? |any )?(?:\w+ )?dub(?:s|bed versions?)?|dub(?:bed)? (?:available"
        r"|availability)|(?:available|have) (?:an? )?(?:english |german "
        r"|spanish )?dub",
        "dub availability",
    ),
    _unsupported(r"prices?|how much (?:is|are)|blu ?rays?|dvds?|merch(?:andise)?|figurines?", "merchandise"),
    _unsupported(r"awards?|oscars?|academy award|prizes?|won|nominat(?:ed|ions?)", "awards"),
    _unsupported(
        r"how old|ages?|birthdays?|birth ?dates?|born|date of birth|zodiac(?: sign)?|star sign"
        r"|blood types?",
        "an age or birthday",
    ),
    _unsupported(
        r"how tall|tall(?:er|est)|heights?|weigh(?:s|ts?)?|heavi(?:er|est)|hair colou?r|eye colou?r", "looks in figures"
    ),
    _unsupported(
        r"bount(?:y|ies)|power levels?|how strong|stronger|strongest|who would win|win in a fight"
        r"|beat in a fight",
        "strength or bounties",
    ),
    _unsupported(
        r"di(?:es?|ed)|deaths?|dead|kill(?:s|ed|er)?|surviv(?:es?|ed)|still alive|alive",
        "what becomes of characters",
    ),
    _unsupported(r"villains?|antagonists?|bad guys?|evil guy|final boss", "villains as a role"),
    _unsupported(
        r"(?:post ?credits?|plot twist|twist ending|ending explained|spoilers?|last episode happen"
        r"|what happens at the end)",
        "how the story ends",
    ),
    _unsupported(
        r"rumou?rs?|leaks?|unannounced|will there (?:ever )?be|going to (?:be|get|have)|confirmed|(?:get"
        r"|getting|have) (?:a|another) (?:new|next|second|third|fourth) season",
        "plans",
    ),
    _unsupported(
        r"critics?|reviews?|reception|(?:favou?rite|least favou?rite) \w+|weather|president|eat(?:s|ing)?"
        r"|ate|breakfast|lunch|dinner|phone numbers?|addresses|address|email|e mail|live(?=$)"
        r"|political|religion|hobb(?:y|ies)",
        "private matters",
    ),
    _unsupported(r"fillers?(?: episodes| list)?|filler arcs?", "filler episodes"),
    _unsupported(
        r"(?:which|what) chapters? (?:do|does|should|is|are|did)|chapter (?:do|should) i (?:start|read)"
        r"|manga chapter after|(?:ends?|stops?|leaves off|covers?|begins?|starts?) (?:at|up to|until|with|on|in)"
        r" (?:which|what) (?:manga )?(?:chapters?|volumes?)",
        "which chapters an anime covers",
    ),
    _unsupported(
        r"how many (?:members|fans|viewers|followers|views|likes|favou?rites|people (?:watch|watched"
        r"|like))|viewers(?:hip)?|view count|fan ?base|popularity|how popular|more popular|most popular"
        r"|less popular",
        "popularity figures",
    ),
    _unsupported(
        r"fan ?service|age ratings?|content rating|(?:kid|family) friendly|suitable for (?:kids|children)"
        r"|appropriate for",
        "content advice",
    ),
    _unsupported(
        r"animation quality|(?:lyrics|opening lyrics)|video ?game adaptation|live action"
        r"|sound ?tracks? (?:list|titles)|opening songs?(?= called| name| title)|(?:name"
        r"|title) of the (?:opening|ending)(?: song| theme)?",
        "that kind of detail",
    ),
)

MARK_CUES: tuple[CueRow, ...] = (
    (
        r"when|(?:on )?(?:what|which) (?:exact )?(?:date|day)|(?:exact )?(?:date|day)s? (?:on|at|in) which",
        MarkCue(Mark.WHEN),
    ),
    (r"how many|how much|number of|count(?: of)?", MarkCue(Mark.HOW_MANY)),
    (r"how long(?: (?:is|was|are|were|does|did))?|how big is", MarkCue(Mark.HOW_LONG)),
    (
        r"(?:(?:first|originally|initially) )?(?:start(?:s|ed|ing)?|beg[aiu]ns?|air(?:s|ed)?|premier(?:es?"
        r"|ed)|debut(?:s|ed)?|releas(?:es?|ed)|come out|came out|comes out|launch(?:es|ed)?"
        r"|broadcast(?:ed)?|publish(?:ed)?|published|serialized|out|run|ran|shown|screened|kick(?:s|ed)? off"
        r"|(?:hits?|reach(?:es|ed)?|c(?:omes?|ame) to) (?:the )?(?:shelves|screens?|theat(?:er|re)s|cinemas|stores|tv)"
        r"|(?:go(?:es)?|went) on (?:the )?air|(?:sees?|saw) the light of day)",
        MarkCue(Mark.STARTS),
    ),
    (
        r"(?:(?:finally|officially) )?(?:end(?:s|ed|ing)?|finish(?:es)?|conclude[sd]?|stop(?:s"
        r"|ped)?(?: airing| running)?|wrap(?:s|ped)? up|last air(?:ed)?|finale|(?:last"
        r"|final) episode(?: air(?:ed)?| broadcast)?)",
        MarkCue(Mark.ENDS),
    ),
    (r"others?|else|also|another|additional|besides|apart from|other than|except(?: for)?", MarkCue(Mark.OTHER)),
    (r"both|in common|all three|all of|each of|together|same", MarkCue(Mark.BOTH)),
    (r"not|never|without|no|non|isn t|except", MarkCue(Mark.NOT)),
    (r"(?:in (?:the )?)?english(?: dub| version| language| dubbed)?", MarkCue(Mark.IN_LANGUAGE, "en")),
    (r"(?:in (?:the )?)?japanese(?: dub| version| language| original)?|original", MarkCue(Mark.IN_LANGUAGE, "ja")),
    (r"(?:in (?:the )?)?german(?: dub| version| language)?", MarkCue(Mark.IN_LANGUAGE, "de")),
    (r"(?:in (?:the )?)?spanish(?: dub| version| language)?", MarkCue(Mark.IN_LANGUAGE, "es")),
    (r"(?:in (?:the )?)?french(?: dub| version| language)?", MarkCue(Mark.IN_LANGUAGE, "fr")),
    (r"(?:in (?:the )?)?italian(?: dub| version| language)?", MarkCue(Mark.IN_LANGUAGE, "it")),
    (r"(?:in (?:the )?)?korean(?: dub| version| language)?", MarkCue(Mark.IN_LANGUAGE, "ko")),
    (r"(?:comes?|came|is|are|was|were|originates?|hails?) from", MarkCue(Mark.COMES_FROM)),
)
