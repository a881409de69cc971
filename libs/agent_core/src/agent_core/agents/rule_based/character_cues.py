"""Cues for characters: their voices, the works they are in, what they are to one another."""

from typing import Literal

from datastore.edges import EdgeType
from datastore.vocabulary import INVERSE_CHARACTER_RELATION, AppearanceRole, CharacterRelationKind

from agent_core.agents.rule_based.cues import CueRow, Form, RelationCue, asked, relation_row
from agent_core.schemas import AskedRelation

_K = CharacterRelationKind
_E = EdgeType

_KIN_ADJECTIVES = (
    r"(?:(?:young(?:er|est)?|old(?:er|est)?|elder|eldest|little|big|twin|half|step|foster|adopt(?:ive"
    r"|ed)|biological|real"
    r"|late|best|close(?:st)?|childhood|former|arch|main|biggest|greatest|sworn|mortal|first|dead|own) )*"
)
_TO_VOICE, _TO_ROLE = asked(_E.VOICED_BY), asked(_E.VOICES)
_CAST = (asked(_E.FEATURES), _TO_VOICE)
_CAST_BACK = (_TO_ROLE, asked(_E.APPEARS_IN))

VOICE_CUES: tuple[CueRow, ...] = (
    relation_row(
        r"lines|voice ?(?:actors?|actress(?:es)?|talents?|artists?|over|overs|acting|role)|seiyuus?|seiyus?|vas?"
        r"|dub(?:bing)? (?:actors?|voices?|artists?)|actors?|actress(?:es)?|voices?(?= (?:of|for|behind) )"
        r"|(?<='s )voices?|(?<=^[\ue000-\ue0ff] )voices?(?=$| in )|(?<=his )voice|(?<=her )voice|(?<=their )voice",
        "voice",
        Form.NOUN,
        of=_TO_VOICE,
        inverse=_TO_ROLE,
    ),
    relation_row(
        r"voic(?:es?|ed|ing)|plays?|played|playing|portray(?:s|ed)?|dubs?|dubbed|voice acts?|voice acted"
        r"|(?:does|did|do|provides?|provided|gives?|gave|given|lends?|lent|is|was|are|were) (?:the |an? |his |her "
        r"|their )?voices? (?:of|for|to|behind)|(?:does|did|do|has|had) the (?:voice|role) of|speaks? for"
        r"|sp(?:eaks?|oke)(?= (?:the )?(?:characters? )?[\ue000-\ue0ff])",
        "voice",
        Form.VERB,
        of=_TO_VOICE,
        inverse=_TO_ROLE,
    ),
    relation_row(r"(?:be |is |was )?heard|hear", "voice", Form.PASSIVE, of=_TO_VOICE, inverse=_TO_ROLE),
    relation_row(
        r"(?:have|has|had|plays?|played|got|gets) (?:an? |any |the )?(?:voice |main |lead |minor "
        r"|supporting )?(?:acting )?(?:roles?|parts?)",
        "roles",
        Form.VERB,
        of=_TO_VOICE,
        inverse=_TO_ROLE,
    ),
    relation_row(
        r"(?:voiced|played|portrayed|dubbed|voice acted|spoken) by|with the voice of",
        "voice",
        Form.PASSIVE,
        of=_TO_ROLE,
        inverse=_TO_VOICE,
    ),
    (
        r"(?:full |entire |whole |japanese )?(?:voice )?cast(?: members?| list)?",
        RelationCue("cast", Form.NOUN, _CAST, _CAST_BACK),
    ),
    relation_row(
        r"(?:(?:most famous|best known|known|famous|notable|voice|voiced|voice acting|acting"
        r"|character) )?roles|role(?= in | on )",
        "roles",
        Form.NOUN,
        of=_TO_ROLE,
        inverse=_TO_VOICE,
    ),
)


def _features(pattern: str, qualifier: str | None, family: str = "characters") -> CueRow:
    return relation_row(
        pattern, family, Form.NOUN, of=asked(_E.FEATURES, qualifier), inverse=asked(_E.APPEARS_IN, qualifier)
    )


CHARACTER_CUES: tuple[CueRow, ...] = (
    _features(
        r"(?:main|primary|central|lead|leading|principal|key|title|titular) (?:characters?"
        r"|cast(?: members?)?|protagonists?|heroes|hero|heroines?|roles?|persons?|people|leads?|figures?)"
        r"|protagonists?|(?:male |female )?leads?(?: role)?|heroines?|hero|heroes|mc|mcs|title hero|title role",
        AppearanceRole.MAIN,
        "main_characters",
    ),
    _features(
        r"(?:supporting|side|secondary|minor) (?:characters?|cast|roles?)", AppearanceRole.SUPPORTING, "supporting"
    ),
    _features(
        r"(?:part|members?|one) of the (?:main |voice )?cast(?= of)|(?:cast of )?characters?(?: list)?"
        r"|list of characters|character list",
        None,
    ),
    relation_row(
        r"(?:appear(?:s|ed|ing)?|featured|shows? up|showed up|turns? up|is seen|star(?:s|red|ring)?"
        r"|is found|are found) (?:in|on)|belongs? to|belong(?:ing)? to",
        "appears",
        Form.VERB,
        of=asked(_E.FEATURES),
        inverse=asked(_E.APPEARS_IN),
    ),
    relation_row(
        r"appear(?:s|ed|ing)?|shows? up|turns? up",
        "appears",
        Form.VERB,
        of=asked(_E.FEATURES),
        inverse=asked(_E.APPEARS_IN),
    ),
    relation_row(
        r"featur(?:es?|ed|ing)|stars|starring|includ(?:es?|ing)|(?:has|have|with) (?:a |the "
        r"|an )?(?:main )?characters? (?:named|called)?",
        "features",
        Form.VERB,
        of=asked(_E.APPEARS_IN),
        inverse=asked(_E.FEATURES),
    ),
)


def _kin(
    pattern: str,
    *kinds: CharacterRelationKind,
    form: Form = Form.NOUN,
    gender: Literal["female", "male"] | None = None,
) -> CueRow:
    back = "|".join(dict.fromkeys(INVERSE_CHARACTER_RELATION.get(kind, kind) for kind in kinds))
    noun = _KIN_ADJECTIVES + f"(?:{pattern})" if form is Form.NOUN else pattern
    of = AskedRelation(edge=_E.CHARACTER_RELATION, qualifier="|".join(kinds), gender=gender)
    return relation_row(noun, f"kin:{kinds[0]}", form, of=of, inverse=asked(_E.CHARACTER_RELATION, back))


def _gendered(female: str, male: str, *kinds: CharacterRelationKind) -> tuple[CueRow, CueRow]:
    return _kin(female, *kinds, gender="female"), _kin(male, *kinds, gender="male")


KIN_CUES: tuple[CueRow, ...] = (
    _kin(r"famil(?:y|ies)(?: members?)?|relatives?|kin", _K.FAMILY, _K.PARENT, _K.CHILD, _K.SIBLING, _K.SPOUSE),
    *_gendered(
        r"aunts?|nieces?|grand(?:mother|ma|daughter)s?",
        r"uncles?|nephews?|grand(?:father|pa|son)s?",
        _K.FAMILY,
    ),
    _kin(r"cousins?|grand(?:parents?|child|children)", _K.FAMILY),
    *_gendered(r"mothers?|moms?|mums?|mommy|mummy|mama", r"fathers?|dads?|daddy|papa", _K.PARENT),
    _kin(r"parents?", _K.PARENT),
    *_gendered(r"daughters?", r"sons?", _K.CHILD),
    _kin(r"child|children|kids?|offspring", _K.CHILD),
    *_gendered(r"(?:twin )?sisters?|sis", r"(?:twin )?brothers?|bro", _K.SIBLING),
    _kin(r"(?:twin )?siblings?|twins?", _K.SIBLING),
    *_gendered(r"wife|wives", r"husbands?", _K.SPOUSE),
    _kin(r"spouses?", _K.SPOUSE),
    *_gendered(r"girlfriends?|fianc[eé]e", r"boyfriends?|fianc[eé]", _K.LOVER),
    _kin(r"lovers?|romantic partners?|crush", _K.LOVER),
    _kin(r"love interests?", _K.LOVER, _K.SPOUSE),
    _kin(r"friends?|buddy|buddies|pals?", _K.FRIEND),
    _kin(r"rivals?", _K.RIVAL),
    _kin(r"enem(?:y|ies)|(?:arch ?)?nemes[ie]s|foes?|archenem(?:y|ies)|adversar(?:y|ies)|opponents?", _K.ENEMY),
    _kin(r"mentors?|teachers?|senseis?|trainers?|tutors?|instructors?", _K.MENTOR),
    _kin(r"masters?", _K.MASTER, _K.MENTOR),
    _kin(r"students?|pupils?|apprentices?|disciples?|proteges?", _K.STUDENT),
    _kin(
        r"team ?mates?|crew ?mates?|team members?|comrades?|squad ?mates?|allies|ally|companions?",
        _K.TEAMMATE,
        _K.CAPTAIN,
        _K.SUBORDINATE,
    ),
    _kin(r"crew(?: members?)?|team|squad|group", _K.TEAMMATE, _K.CAPTAIN, _K.SUBORDINATE),
    _kin(r"partners?", _K.TEAMMATE, _K.COLLEAGUE, _K.LOVER, _K.SPOUSE),
    _kin(r"colleagues?|co ?workers?", _K.COLLEAGUE),
    _kin(r"captains?|commanders?|leaders?|boss|chief|superiors?", _K.CAPTAIN, _K.MASTER),
    _kin(r"subordinates?|underlings?|minions?|henchm[ae]n|followers?", _K.SUBORDINATE),
    _kin(r"servants?|butlers?|maids?|familiars", _K.SERVANT),
    _kin(
        r"(?:is|was|are|were|get|gets|got|been) (?:married|engaged) to|marri(?:es|ed)(?: to)?|marry",
        _K.SPOUSE,
        _K.LOVER,
        form=Form.VERB,
    ),
    _kin(r"(?:is|was|are|were|s) (?:in love with|dating)|loves?", _K.LOVER, _K.SPOUSE, form=Form.VERB),
    _kin(r"train(?:s|ed)?|taught|teach(?:es)?|mentor(?:s|ed)|raised?", _K.MENTOR, form=Form.VERB),
    (
        r"(?:trained|taught|mentored) by",
        RelationCue(
            "kin:mentor",
            Form.PASSIVE,
            (asked(_E.CHARACTER_RELATION, _K.STUDENT),),
            (asked(_E.CHARACTER_RELATION, _K.MENTOR),),
        ),
    ),
)
