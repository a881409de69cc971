"""Cues for who made a work: staff by role, studios."""

from datastore.edges import EdgeType
from datastore.vocabulary import StaffRole

from agent_core.agents.rule_based.cues import CueRow, Form, asked, relation_row

_R = StaffRole
_E = EdgeType

AUTHORS = f"{_R.AUTHOR}|{_R.ILLUSTRATOR}"
WRITERS = f"{_R.AUTHOR}|{_R.WRITER}|{_R.SERIES_COMPOSER}"
DRAWN_BY = f"{_R.ILLUSTRATOR}|{_R.AUTHOR}"
SCRIPT = f"{_R.WRITER}|{_R.SERIES_COMPOSER}"


def _staff(family: str, qualifier: str | None, *, nouns: str = "", verbs: str = "", passives: str = "") -> list[CueRow]:
    to_person, to_work = asked(_E.HAS_STAFF, qualifier), asked(_E.STAFF_OF, qualifier)
    rows: list[CueRow] = []
    if nouns:
        credits = rf"(?:{nouns})(?:'s)? (?:credits?|works|jobs|roles|filmography)"
        rows.append(relation_row(credits, "works", Form.NOUN, of=to_work, inverse=to_person))
        rows.append(relation_row(nouns, family, Form.NOUN, of=to_person, inverse=to_work))
    if verbs:
        rows.append(relation_row(verbs, family, Form.VERB, of=to_person, inverse=to_work))
    if passives:
        rows.append(relation_row(passives, family, Form.PASSIVE, of=to_work, inverse=to_person))
    return rows


STAFF_CUES: tuple[CueRow, ...] = (
    *_staff(
        "director",
        _R.DIRECTOR,
        nouns=r"(?:(?:series|chief|main|film|movie|anime|head|original|first) )?directors?(?: name)?|direction"
        r"|in the director s chair",
        verbs=r"direct(?:s|ed|ing)?|helm(?:s|ed)?",
        passives=r"(?:directed|helmed|direction) by",
    ),
    *_staff(
        "author",
        AUTHORS,
        nouns=r"(?:(?:original|manga|series|real) )?(?:mangakas?|manga (?:artist|creator)s?|creators?)",
        verbs=r"creat(?:es?|ed|ing)|invent(?:s|ed)?|came up with",
        passives=r"(?:created|invented|written and (?:illustrated|drawn)|(?:original )?concept) by|from the (?:mind"
        r"|pen) of",
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
        nouns=r"(?:manga |original )?(?:illustrators?|artists?|art ?work|illustrations?|drawings?)",
        verbs=r"dr[ae]wn?s?|drawing|illustrat(?:es?|ed)",
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
        nouns=r"(?:script|screen|scenario|screenplay) ?writers?|series compos(?:ition|er)s?|head writers?"
        r"|screen ?plays?|scripts?|scenario",
        verbs=r"(?:wrote|writes?|did|penned|handled|was in charge of"
        r"|is in charge of) (?:the )?(?:series )?(?:scripts?|screen ?plays?|scenario|series composition)",
        passives=r"(?:script|screenplay|scenario|series composition) by",
    ),
    *_staff(
        "composer",
        _R.COMPOSER,
        nouns=r"(?:music |film |soundtrack )?composers?|music|musical score|(?:background music"
        r"|original soundtrack|soundtracks?|ost|bgm)(?: composers?)?|music director",
        verbs=r"(?:wrote|writes?|written|made|makes?|did|does|do|created?|scored|handled|compos(?:es?|ed"
        r"|ing)) (?:all )?(?:the )?(?:original )?(?:music|soundtracks?|score|ost|songs|bgm)|compos(?:es?"
        r"|ed|ing)|scor(?:ed|ing)",
        passives=r"(?:composed|music|scored|soundtrack|music (?:composed|made|written)) by",
    ),
    *_staff(
        "character_designer",
        _R.CHARACTER_DESIGNER,
        nouns=r"character design(?:er)?s?|chara design(?:er)?s?",
        verbs=r"(?:designs?|designed|designing|did|drew|made|created) (?:all )?(?:the )?(?:main )?(?:characters?"
        r"|character designs?)(?: of| in| for)?|designed",
        passives=r"(?:character designs?|characters? designed|designed) by",
    ),
    *_staff(
        "mechanical_designer",
        _R.MECHANICAL_DESIGNER,
        nouns=r"mech(?:a|anical) design(?:er)?s?",
        verbs=r"designed the (?:mecha|mechs|robots|machines)",
    ),
    *_staff(
        "art_director", _R.ART_DIRECTOR, nouns=r"art direct(?:or|ion)s?|background art", passives=r"art direction by"
    ),
    *_staff("animation_director", _R.ANIMATION_DIRECTOR, nouns=r"(?:chief )?animation directors?"),
    *_staff("sound_director", _R.SOUND_DIRECTOR, nouns=r"sound directors?"),
    *_staff("assistant_director", _R.ASSISTANT_DIRECTOR, nouns=r"(?:assistant|co) directors?"),
    *_staff("episode_director", _R.EPISODE_DIRECTOR, nouns=r"episode directors?"),
    *_staff(
        "storyboard",
        _R.STORYBOARD,
        nouns=r"story ?board(?:s|ers?)?(?: artists?)?",
        verbs=r"(?:drew|made|did) the story ?boards?|story ?boarded",
    ),
    *_staff("key_animation", _R.KEY_ANIMATION, nouns=r"key anima(?:tors?|tion)|animators?"),
    *_staff("producer", _R.PRODUCER, nouns=r"(?:executive )?producers?"),
    *_staff(
        "theme_song",
        _R.THEME_SONG,
        nouns=r"(?:opening|ending|theme)(?: theme)? (?:songs?|artists?|singers?|performers?)|theme songs?"
        r"|op song|ed song|singers?|(?:opening|ending)(?: song| theme)?(?= of| for)",
        verbs=r"(?:s[ai]ngs?|sung|performs?|performed|did|wrote) (?:the )?(?:(?:first|second"
        r"|main) )?(?:openings?|endings?|theme|op|ed)(?: theme)?(?: songs?| theme)?|s[ai]ngs?|sung",
        passives=r"(?:theme song|opening|ending)(?: song| theme)? by",
    ),
    *_staff(
        "staff",
        None,
        nouns=r"(?<=same )(?:people|staff|makers|creators)|(?:production |main |key )?staff(?: members?)?"
        r"|(?:production )?crew members|people behind(?= (?:the )?(?:\w+ )?[\ue000-\ue0ff])"
        r"|team behind|makers?",
        verbs=r"work(?:s|ed|ing)? (?:on|at|for)|(?:was|is|were|are|been) involved (?:in|with)|contribut(?:es?"
        r"|ed) to|took part in|participated in",
    ),
    relation_row(
        r"whose (?:work|creation|brainchild|idea|film|movie|manga|series|anime) (?:is|was)",
        "whose",
        Form.VERB,
        of=asked(_E.HAS_STAFF, f"{_R.DIRECTOR}|{AUTHORS}"),
        inverse=asked(_E.STAFF_OF),
    ),
    relation_row(
        r"(?:is|was|are|were|s) behind",
        "behind",
        Form.VERB,
        of=asked(_E.HAS_STAFF, f"{_R.DIRECTOR}|{AUTHORS}"),
        inverse=asked(_E.STAFF_OF),
    ),
    relation_row(
        r"(?:complete |other |all |most famous |best known |known |notable |famous )?(?:works|projects"
        r"|credits|bibliography|filmography|oeuvre|creations)",
        "works",
        Form.NOUN,
        of=asked(_E.STAFF_OF),
        inverse=asked(_E.HAS_STAFF),
    ),
)

_TO_STUDIO, _TO_PRODUCT = asked(_E.PRODUCED_BY), asked(_E.PRODUCED)

STUDIO_CUES: tuple[CueRow, ...] = (
    relation_row(
        r"(?:animation |production |anime )?(?:studios?|company|companies|production house"
        r"|animation house)",
        "studio",
        Form.NOUN,
        of=_TO_STUDIO,
        inverse=_TO_PRODUCT,
    ),
    relation_row(
        r"animat(?:es?|ed|ing)|produc(?:es?|ed|ing)|(?:did|does|made|makes|handled"
        r"|handles) the animation(?: for| of)?",
        "studio",
        Form.VERB,
        of=_TO_STUDIO,
        inverse=_TO_PRODUCT,
    ),
    relation_row(r"productions?", "production", Form.NOUN, of=_TO_PRODUCT, inverse=_TO_STUDIO),
    relation_row(
        r"(?:animated|produced|animation|production) (?:by|at)",
        "studio",
        Form.PASSIVE,
        of=_TO_PRODUCT,
        inverse=_TO_STUDIO,
    ),
    relation_row(
        r"(?:is |are |was |were )?(?:best |most |mainly |mostly |well )?(?:known|famous) for",
        "works",
        Form.PASSIVE,
        of=asked(_E.HAS_STAFF),
        inverse=asked(_E.STAFF_OF),
    ),
    relation_row(r"made|makes?|making|develop(?:s|ed)?", "maker", Form.VERB, of=_TO_STUDIO, inverse=asked(_E.STAFF_OF)),
    relation_row(
        r"(?:made|done|developed|released|crafted) (?:by|at)|from the makers of",
        "maker",
        Form.PASSIVE,
        of=asked(_E.STAFF_OF),
        inverse=_TO_STUDIO,
    ),
)
