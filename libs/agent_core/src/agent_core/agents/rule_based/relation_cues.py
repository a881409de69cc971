"""Cues for relations between works, their makers, their characters and voices."""

from datastore.edges import EDGES, EdgeType
from datastore.vocabulary import (
    INVERSE_CHARACTER_RELATION,
    AppearanceRole,
    CharacterRelationKind,
    EntityType,
    StaffRole,
)

from agent_core.agents.rule_based.cues import CueRow, Form, RelationCue
from agent_core.schemas import AskedRelation

_R = StaffRole
_K = CharacterRelationKind
_E = EdgeType

AUTHORS = f"{_R.AUTHOR}|{_R.ILLUSTRATOR}"
WRITERS = f"{_R.AUTHOR}|{_R.WRITER}|{_R.SERIES_COMPOSER}"
DRAWN_BY = f"{_R.ILLUSTRATOR}|{_R.AUTHOR}"
SCRIPT = f"{_R.WRITER}|{_R.SERIES_COMPOSER}"
FAMILY = "|".join((_K.FAMILY, _K.PARENT, _K.CHILD, _K.SIBLING, _K.SPOUSE))
KIN_ADJECTIVES = (
    r"(?:(?:young(?:er|est)?|old(?:er|est)?|elder|eldest|little|big|twin|half|step|foster|adopt(?:ive|ed)|biological|real"
    r"|late|best|close(?:st)?|childhood|former|arch|main|biggest|greatest|sworn|mortal|first|dead|own) )*"
)


def asked(edge: EdgeType, qualifier: str | None = None, entity_type: EntityType | None = None) -> AskedRelation:
    """One step."""
    return AskedRelation(edge=edge, qualifier=qualifier, entity_type=entity_type)


def _row(pattern: str, family: str, form: Form, *, of: AskedRelation, inverse: AskedRelation) -> CueRow:
    return pattern, RelationCue(family, form, (of,), (inverse,))


def _staff(family: str, qualifier: str | None, *, nouns: str = "", verbs: str = "", passives: str = "") -> list[CueRow]:
    to_person, to_work = asked(_E.HAS_STAFF, qualifier), asked(_E.STAFF_OF, qualifier)
    rows: list[CueRow] = []
    if nouns:
        rows.append(_row(nouns, family, Form.NOUN, of=to_person, inverse=to_work))
    if verbs:
        rows.append(_row(verbs, family, Form.VERB, of=to_person, inverse=to_work))
    if passives:
        rows.append(_row(passives, family, Form.PASSIVE, of=to_work, inverse=to_person))
    return rows


STAFF_CUES: tuple[CueRow, ...] = (
    *_staff(
        "director",
        _R.DIRECTOR,
        nouns=r"(?:(?:series|chief|main|film|movie|anime|head|original|first) )?directors?(?: name)?|direction|in the director s chair",
        verbs=r"direct(?:s|ed|ing)?|helm(?:s|ed)?",
        passives=r"(?:directed|helmed|direction) by",
    ),
    *_staff(
        "author",
        AUTHORS,
        nouns=r"(?:(?:original|manga|series|real) )?(?:mangakas?|manga (?:artist|creator)s?|creators?)",
        verbs=r"creat(?:es?|ed|ing)|invent(?:s|ed)?|came up with",
        passives=r"(?:created|invented|written and (?:illustrated|drawn)|(?:original )?concept) by|from the (?:mind|pen) of",
    ),
    *_staff(
        "author_only",
        _R.AUTHOR,
        nouns=r"(?:(?:original|manga|series|novel|real|main) )?(?:authors?|manga writers?|novelists?)",
        verbs=r"author(?:s|ed)|penned",
        passives=r"(?:authored|penned|(?:original )?story) by",
    ),
    *_staff(
        "illustrator",
        DRAWN_BY,
        nouns=r"(?:manga |original )?(?:illustrators?|artists?)",
        verbs=r"dr[ae]ws?|drawing|illustrat(?:es?|ed)",
        passives=r"(?:drawn|illustrated|art|artwork|illustrations?) by",
    ),
    *_staff(
        "writer",
        WRITERS,
        nouns=r"writers?",
        verbs=r"writ(?:es?|ing|ten)|wrote|wrote the story(?= of| for| behind)",
        passives=r"written by",
    ),
    *_staff(
        "script",
        SCRIPT,
        nouns=r"(?:script|screen|scenario|screenplay) ?writers?|series compos(?:ition|er)s?|head writers?|screen ?plays?|scripts?|scenario",
        verbs=r"(?:wrote|writes?|did|penned|handled|was in charge of|is in charge of) (?:the )?(?:series )?(?:scripts?|screen ?plays?|scenario|series composition)",
        passives=r"(?:script|screenplay|scenario|series composition) by",
    ),
    *_staff(
        "composer",
        _R.COMPOSER,
        nouns=r"(?:music |film |soundtrack )?composers?|music|musical score|(?:background music|original soundtrack|soundtracks?|ost|bgm)(?: composers?)?|music director",
        verbs=r"(?:wrote|writes?|written|made|makes?|did|does|do|created?|scored|handled|compos(?:es?|ed|ing)) (?:all )?(?:the )?(?:original )?(?:music|soundtracks?|score|ost|songs|bgm)|compos(?:es?|ed|ing)|scor(?:ed|ing)",
        passives=r"(?:composed|music|scored|soundtrack|music (?:composed|made|written)) by",
    ),
    *_staff(
        "character_designer",
        _R.CHARACTER_DESIGNER,
        nouns=r"character design(?:er)?s?",
        verbs=r"(?:designs?|designed|designing|did|drew|made|created) (?:all )?(?:the )?(?:main )?(?:characters?|character designs?)(?: of| in| for)?|designed",
        passives=r"(?:character designs?|characters? designed|designed) by",
    ),
    *_staff("mechanical_designer", _R.MECHANICAL_DESIGNER, nouns=r"mech(?:a|anical) design(?:er)?s?", verbs=r"designed the (?:mecha|mechs|robots|machines)"),
    *_staff("art_director", _R.ART_DIRECTOR, nouns=r"art direct(?:or|ion)s?|background art", passives=r"art direction by"),
    *_staff("animation_director", _R.ANIMATION_DIRECTOR, nouns=r"(?:chief )?animation directors?"),
    *_staff("sound_director", _R.SOUND_DIRECTOR, nouns=r"sound directors?"),
    *_staff("assistant_director", _R.ASSISTANT_DIRECTOR, nouns=r"(?:assistant|co) directors?"),
    *_staff("episode_director", _R.EPISODE_DIRECTOR, nouns=r"episode directors?"),
    *_staff("storyboard", _R.STORYBOARD, nouns=r"story ?board(?:s|ers?)?(?: artists?)?", verbs=r"(?:drew|made|did) the story ?boards?|story ?boarded"),
    *_staff("key_animation", _R.KEY_ANIMATION, nouns=r"key anima(?:tors?|tion)|animators?"),
    *_staff("producer", _R.PRODUCER, nouns=r"(?:executive )?producers?"),
    *_staff(
        "theme_song",
        _R.THEME_SONG,
        nouns=r"(?:opening|ending|theme)(?: theme)? (?:songs?|artists?|singers?|performers?)|theme songs?|op song|ed song|singers?",
        verbs=r"(?:s[ai]ngs?|sung|performs?|performed|did|wrote) (?:the )?(?:(?:first|second|main) )?(?:openings?|endings?|theme|op|ed)(?: theme)?(?: songs?| theme)?",
        passives=r"(?:theme song|opening|ending)(?: song| theme)? by",
    ),
    *_staff(
        "staff",
        None,
        nouns=r"(?:production |main |key )?staff(?: members?)?|(?:production )?crew members|people behind|team behind|makers?",
        verbs=r"work(?:s|ed|ing)? (?:on|at|for)|(?:was|is|were|are|been) involved (?:in|with)|contribut(?:es?|ed) to|took part in|participated in",
    ),
    _row(r"(?:is|was|are|were|s) behind", "maker", Form.VERB, of=asked(_E.HAS_STAFF, f"{_R.DIRECTOR}|{AUTHORS}"), inverse=asked(_E.STAFF_OF)),
    _row(r"(?:complete |other |all |most famous |best known |known |notable |famous )?(?:works|projects|credits|bibliography|filmography|oeuvre|creations)", "works", Form.NOUN, of=asked(_E.STAFF_OF), inverse=asked(_E.HAS_STAFF)),
)

_TO_STUDIO, _TO_PRODUCT = asked(_E.PRODUCED_BY), asked(_E.PRODUCED)

STUDIO_CUES: tuple[CueRow, ...] = (
    _row(r"(?:animation |production |anime )?(?:studios?|company|companies|production house|animation house)", "studio", Form.NOUN, of=_TO_STUDIO, inverse=_TO_PRODUCT),
    _row(r"animat(?:es?|ed|ing)|produc(?:es?|ed|ing)|(?:did|does|made|makes|handled|handles) the animation(?: for| of)?", "studio", Form.VERB, of=_TO_STUDIO, inverse=_TO_PRODUCT),
    _row(r"(?:animated|produced|animation|production) (?:by|at)", "studio", Form.PASSIVE, of=_TO_PRODUCT, inverse=_TO_STUDIO),
    _row(r"(?:is |are |was |were )?(?:best |most |mainly |mostly |well )?(?:known|famous) for", "works", Form.PASSIVE, of=asked(_E.HAS_STAFF), inverse=asked(_E.STAFF_OF)),
    _row(r"made|makes?|making|develop(?:s|ed)?", "maker", Form.VERB, of=_TO_STUDIO, inverse=asked(_E.STAFF_OF)),
    _row(r"(?:made|done|developed|released|crafted) (?:by|at)|from the makers of", "maker", Form.PASSIVE, of=asked(_E.STAFF_OF), inverse=_TO_STUDIO),
)

_TO_VOICE, _TO_ROLE = asked(_E.VOICED_BY), asked(_E.VOICES)
_CAST = (asked(_E.FEATURES), _TO_VOICE)
_CAST_BACK = (_TO_ROLE, asked(_E.APPEARS_IN))

VOICE_CUES: tuple[CueRow, ...] = (
    _row(
        r"voice ?(?:actors?|actress(?:es)?|talents?|artists?|over|overs|acting|role)|seiyuus?|seiyus?|vas?|dub(?:bing)? (?:actors?|voices?|artists?)|voices?(?= (?:of|for|behind) )|(?<='s )voices?|(?<=his )voice|(?<=her )voice|(?<=their )voice",
        "voice",
        Form.NOUN,
        of=_TO_VOICE,
        inverse=_TO_ROLE,
    ),
    _row(
        r"voic(?:es?|ed|ing)|plays?|played|playing|portray(?:s|ed)?|dubs?|dubbed|voice acts?|voice acted|(?:does|did|do|provides?|provided|gives?|gave|lends?|lent|is|was|are|were) (?:the |his |her |their )?voices? (?:of|for|to|behind)|(?:does|did|do|has|had) the (?:voice|role) of|speaks? for",
        "voice",
        Form.VERB,
        of=_TO_VOICE,
        inverse=_TO_ROLE,
    ),
    _row(r"(?:have|has|had|plays?|played|got|gets) (?:an? |any |the )?(?:voice |main |lead |minor |supporting )?(?:acting )?(?:roles?|parts?)", "roles", Form.VERB, of=_TO_VOICE, inverse=_TO_ROLE),
    _row(r"(?:voiced|played|portrayed|dubbed|voice acted|spoken) by|with the voice of", "voice", Form.PASSIVE, of=_TO_ROLE, inverse=_TO_VOICE),
    (r"(?:full |entire |whole |japanese )?(?:voice )?cast(?: members?| list)?|actors?|actress(?:es)?", RelationCue("cast", Form.NOUN, _CAST, _CAST_BACK)),
    _row(r"(?:(?:most famous|best known|known|famous|notable|voice|voiced|voice acting|acting|character) )?roles", "roles", Form.NOUN, of=_TO_ROLE, inverse=_TO_VOICE),
)


def _features(pattern: str, qualifier: str | None, family: str = "characters") -> CueRow:
    return _row(pattern, family, Form.NOUN, of=asked(_E.FEATURES, qualifier), inverse=asked(_E.APPEARS_IN, qualifier))


CHARACTER_CUES: tuple[CueRow, ...] = (
    _features(
        r"(?:main|primary|central|lead|leading|principal|key|title|titular) (?:characters?|cast(?: members?)?|protagonists?|heroes|hero|heroines?|roles?|persons?|people|leads?|figures?)"
        r"|protagonists?|(?:male |female )?leads?(?: role)?|heroines?|hero|heroes|mc|mcs|title hero|title role",
        AppearanceRole.MAIN,
        "main_characters",
    ),
    _features(r"(?:supporting|side|secondary|minor) (?:characters?|cast|roles?)", AppearanceRole.SUPPORTING, "supporting"),
    _features(r"(?:cast of )?characters?(?: list)?|list of characters|character list", None),
    _row(
        r"(?:appear(?:s|ed|ing)?|featured|shows? up|showed up|turns? up|is seen|star(?:s|red|ring)?|is found|are found) (?:in|on)|belongs? to|belong(?:ing)? to",
        "appears",
        Form.VERB,
        of=asked(_E.FEATURES),
        inverse=asked(_E.APPEARS_IN),
    ),
    _row(r"appear(?:s|ed|ing)?|shows? up|turns? up", "appears", Form.VERB, of=asked(_E.FEATURES), inverse=asked(_E.APPEARS_IN)),
    _row(
        r"featur(?:es?|ed|ing)|stars|starring|includ(?:es?|ing)|(?:has|have|with) (?:a |the |an )?(?:main )?characters? (?:named|called)?",
        "features",
        Form.VERB,
        of=asked(_E.APPEARS_IN),
        inverse=asked(_E.FEATURES),
    ),
)


def _work(pattern: str, edge: EdgeType, form: Form = Form.NOUN, steps: int = 1) -> CueRow:
    one, back = asked(edge), asked(EDGES[edge].inverse)
    return pattern, RelationCue(edge.value, form, (one,) * steps, (back,) * steps)


_TO_SOURCE, _TO_ADAPTATION = asked(_E.ADAPTATION_OF), asked(_E.HAS_ADAPTATION)
_TO_MANGA = asked(_E.ADAPTATION_OF, entity_type=EntityType.MANGA)
_TO_ANIME = asked(_E.HAS_ADAPTATION, entity_type=EntityType.ANIME)

WORK_CUES: tuple[CueRow, ...] = (
    _work(r"(?:direct |next |first )?(?:sequel|sequal|sequle)s?(?: series| movies?| films?| seasons?)?|follow ?ups?|follow up series|continuations?|successors?|next (?:season|series|part|instal?lment|entry)|(?:second|2nd) season|season (?:two|2)", _E.SEQUEL),
    _work(r"(?:third|3rd) season|season (?:three|3)", _E.SEQUEL, steps=2),
    _work(r"(?:fourth|4th) season|season (?:four|4)", _E.SEQUEL, steps=3),
    _work(r"(?:follows|(?:comes?|came|is next|happens|takes place|is set) (?:right |directly )?after|continues|succeed(?:s|ed))", _E.SEQUEL, Form.VERB),
    _work(r"(?:prequel|prequal|prequle)s?(?: series| movies?| films?)?|predecessors?|previous (?:season|series|part|instal?lment|entry)", _E.PREQUEL),
    _work(r"(?:(?:comes?|came|happens|takes place|is set) (?:right |directly )?before|preced(?:es?|ed))", _E.PREQUEL, Form.VERB),
    _work(r"side stor(?:y|ies)|gaidens?", _E.SIDE_STORY),
    _work(r"spin ?offs?(?: series)?|spinn?offs?", _E.SPIN_OFF),
    _work(r"parent (?:story|stories|series|works?|title)|main (?:story|series)", _E.PARENT_STORY),
    _work(r"recaps?(?: movies?| films?| episodes?)?|(?:summary|compilation) (?:movies?|films?|versions?|episodes?)", _E.SUMMARY),
    _work(r"alternat(?:e|ive) (?:versions?|settings?|tellings?|stor(?:y|ies)|adaptations?|takes?)|remakes?|reboots?|retellings?|re imaginings?", _E.ALTERNATIVE),
    _row(r"(?:anime|tv|animated|film|movie|screen) adaptations?", "adaptation", Form.NOUN, of=_TO_ANIME, inverse=_TO_SOURCE),
    _row(r"manga adaptations?", "adaptation", Form.NOUN, of=asked(_E.HAS_ADAPTATION, entity_type=EntityType.MANGA), inverse=_TO_SOURCE),
    _row(r"adaptations?", "adaptation", Form.NOUN, of=_TO_ADAPTATION, inverse=_TO_SOURCE),
    _row(r"(?:source|original|underlying) (?:manga|comics?|light novels?|novels?|books?)|manga (?:source|original)", "source_manga", Form.NOUN, of=_TO_MANGA, inverse=_TO_ANIME),
    _row(r"(?:original|source) works?|source materials?|original source", "source", Form.NOUN, of=_TO_SOURCE, inverse=_TO_ADAPTATION),
    _row(r"(?:adapted|taken|derived) from|(?:loosely )?based (?:on|upon|off|off of)|inspired by|(?:originate|originates|originated) from", "based_on", Form.PASSIVE, of=_TO_ADAPTATION, inverse=_TO_SOURCE),
    _row(r"adapts?|adapting|adapted", "adapts", Form.VERB, of=_TO_ADAPTATION, inverse=_TO_SOURCE),
    _row(r"(?:adapted|turned|made) into(?: an? (?:anime|series|film|movie|show))?(?: called)?", "adapted_into", Form.VERB, of=_TO_SOURCE, inverse=_TO_ADAPTATION),
    _row(r"episodes?(?= of | list)|episode list|(?<=of the )episodes|(?<=all )episodes", "episodes", Form.NOUN, of=asked(_E.HAS_EPISODE), inverse=asked(_E.EPISODE_OF)),
    _row(r"(?:watch|viewing|watching|reading|release|chronological|story) order(?: of| for)?|(?:what|which) order (?:should|do|can|could|to|must)(?: i| we| you| one)?(?: watch| read| see)?", "franchise", Form.NOUN, of=asked(_E.SHARES_FRANCHISE), inverse=asked(_E.SHARES_FRANCHISE)),
    _row(r"franchise|related (?:works?|titles?|anime|series|shows?|media|entries|manga)|(?:everything|anything|works?|titles?) related to|same franchise(?: as)?|same universe(?: as)?|instal?lments|entries|seasons", "franchise", Form.NOUN, of=asked(_E.SHARES_FRANCHISE), inverse=asked(_E.SHARES_FRANCHISE)),
)


def _kin(pattern: str, *kinds: CharacterRelationKind, form: Form = Form.NOUN) -> CueRow:
    back = "|".join(dict.fromkeys(INVERSE_CHARACTER_RELATION.get(kind, kind) for kind in kinds))
    noun = KIN_ADJECTIVES + f"(?:{pattern})" if form is Form.NOUN else pattern
    family = f"kin:{kinds[0]}"
    return _row(
        noun,
        family,
        form,
        of=asked(_E.CHARACTER_RELATION, "|".join(kinds)),
        inverse=asked(_E.CHARACTER_RELATION, back),
    )


KIN_CUES: tuple[CueRow, ...] = (
    _kin(r"famil(?:y|ies)(?: members?)?|relatives?|kin", _K.FAMILY, _K.PARENT, _K.CHILD, _K.SIBLING, _K.SPOUSE),
    _kin(r"cousins?|uncles?|aunts?|nephews?|nieces?|grand(?:father|mother|pa|ma|parents?|sons?|daughters?|child|children)s?", _K.FAMILY),
    _kin(r"fathers?|mothers?|dads?|moms?|mums?|daddy|parents?", _K.PARENT),
    _kin(r"sons?|daughters?|child|children|kids?|offspring", _K.CHILD),
    _kin(r"(?:twin )?(?:brother|sister|sibling)s?|bro|twins?", _K.SIBLING),
    _kin(r"wife|wives|husbands?|spouses?", _K.SPOUSE),
    _kin(r"girlfriends?|boyfriends?|lovers?|fianc[eé]e?s?|romantic partners?|crush", _K.LOVER),
    _kin(r"love interests?", _K.LOVER, _K.SPOUSE),
    _kin(r"friends?|buddy|buddies|pals?", _K.FRIEND),
    _kin(r"rivals?", _K.RIVAL),
    _kin(r"enem(?:y|ies)|(?:arch ?)?nemes[ie]s|foes?|archenem(?:y|ies)|adversar(?:y|ies)|opponents?", _K.ENEMY),
    _kin(r"mentors?|teachers?|senseis?|trainers?|tutors?|instructors?", _K.MENTOR),
    _kin(r"masters?", _K.MASTER, _K.MENTOR),
    _kin(r"students?|pupils?|apprentices?|disciples?|proteges?", _K.STUDENT),
    _kin(r"team ?mates?|crew ?mates?|team members?|comrades?|squad ?mates?|allies|ally|companions?", _K.TEAMMATE),
    _kin(r"crew(?: members?)?|team|squad|group", _K.TEAMMATE, _K.CAPTAIN, _K.SUBORDINATE),
    _kin(r"partners?", _K.TEAMMATE, _K.COLLEAGUE, _K.LOVER, _K.SPOUSE),
    _kin(r"colleagues?|co ?workers?", _K.COLLEAGUE),
    _kin(r"captains?|commanders?|leaders?|boss|chief|superiors?", _K.CAPTAIN, _K.MASTER),
    _kin(r"subordinates?|underlings?|minions?|henchm[ae]n|followers?", _K.SUBORDINATE),
    _kin(r"servants?|butlers?|maids?|familiars?", _K.SERVANT),
    _kin(r"(?:is|was|are|were|get|gets|got|been) (?:married|engaged) to|marri(?:es|ed)(?: to)?|marry", _K.SPOUSE, _K.LOVER, form=Form.VERB),
    _kin(r"(?:is|was|are|were|s) (?:in love with|dating)|loves?", _K.LOVER, _K.SPOUSE, form=Form.VERB),
    _kin(r"train(?:s|ed)|taught|teach(?:es)?|mentor(?:s|ed)|raised", _K.MENTOR, form=Form.VERB),
    (r"(?:trained|taught|mentored) by", RelationCue("kin:mentor", Form.PASSIVE, (asked(_E.CHARACTER_RELATION, _K.STUDENT),), (asked(_E.CHARACTER_RELATION, _K.MENTOR),))),
)

RELATION_CUES: tuple[CueRow, ...] = (
    *STAFF_CUES,
    *STUDIO_CUES,
    *VOICE_CUES,
    *CHARACTER_CUES,
    *WORK_CUES,
    *KIN_CUES,
)
