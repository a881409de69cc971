"""Cues for relations between works."""

from datastore.edges import EDGES, EdgeType
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.cues import CueRow, Form, RelationCue, asked, relation_row

_E = EdgeType


def _work(pattern: str, edge: EdgeType, form: Form = Form.NOUN, steps: int = 1) -> CueRow:
    one, back = asked(edge), asked(EDGES[edge].inverse)
    return pattern, RelationCue(edge.value, form, (one,) * steps, (back,) * steps)


_SEASONS = (
    (2, "third|3rd", "three|3"),
    (3, "fourth|4th", "four|4"),
    (4, "fifth|5th", "five|5"),
    (5, "sixth|6th", "six|6"),
    (6, "seventh|7th", "seven|7"),
    (7, "eighth|8th", "eight|8"),
    (8, "ninth|9th", "nine|9"),
    (9, "tenth|10th", "ten|10"),
)
"""Later seasons as steps of sequels from the first."""

_TO_SOURCE, _TO_ADAPTATION = asked(_E.ADAPTATION_OF), asked(_E.HAS_ADAPTATION)
_TO_MANGA = asked(_E.ADAPTATION_OF, entity_type=EntityType.MANGA)
_TO_ANIME = asked(_E.HAS_ADAPTATION, entity_type=EntityType.ANIME)

WORK_CUES: tuple[CueRow, ...] = (
    _work(
        r"(?:direct |next |first )?(?:sequel|sequal|sequle)s?(?: series| movies?| films?| seasons?)?"
        r"|follow ?ups?|follow up series|continuations?|successors?|next (?:season|series|part"
        r"|instal?lment|entry)|(?:second|2nd) season|season (?:two|2)",
        _E.SEQUEL,
    ),
    *(_work(rf"(?:{words}) season|season (?:{number})", _E.SEQUEL, steps=steps) for steps, words, number in _SEASONS),
    (
        r"followed by|succeeded by|continued (?:by|in)",
        RelationCue("sequel", Form.PASSIVE, (asked(_E.PREQUEL),), (asked(_E.SEQUEL),)),
    ),
    (r"preceded by", RelationCue("prequel", Form.PASSIVE, (asked(_E.SEQUEL),), (asked(_E.PREQUEL),))),
    _work(
        r"(?:follows|(?:comes?|came|is next|happens|takes? place|is set) (?:right |directly )?after"
        r"|continues|succeed(?:s|ed))",
        _E.SEQUEL,
        Form.VERB,
    ),
    _work(
        r"(?:prequel|prequal|prequle)s?(?: series| movies?| films?)?|predecessors?|previous (?:season"
        r"|series|part|instal?lment|entry)",
        _E.PREQUEL,
    ),
    _work(
        r"(?:(?:comes?|came|happens|takes? place|is set) (?:right |directly )?before|preced(?:es?|ed))",
        _E.PREQUEL,
        Form.VERB,
    ),
    _work(r"side stor(?:y|ies)|gaidens?", _E.SIDE_STORY),
    _work(r"spin ?offs?(?: series)?|spinn?offs?", _E.SPIN_OFF),
    _work(r"parent (?:story|stories|series|works?|title)|main (?:story|series)", _E.PARENT_STORY),
    _work(
        r"recaps?(?: movies?| films?| episodes?)?|(?:summary|compilation) (?:movies?|films?|versions?"
        r"|episodes?)",
        _E.SUMMARY,
    ),
    _work(
        r"alternat(?:e|ive) (?:versions?|settings?|tellings?|stor(?:y|ies)|adaptations?|takes?)|remakes?"
        r"|reboots?|retellings?|re imaginings?",
        _E.ALTERNATIVE,
    ),
    relation_row(
        r"(?:anime|tv|animated|film|movie|screen) adaptations?",
        "adaptation",
        Form.NOUN,
        of=_TO_ANIME,
        inverse=_TO_SOURCE,
    ),
    relation_row(
        r"manga adaptations?",
        "adaptation",
        Form.NOUN,
        of=asked(_E.HAS_ADAPTATION, entity_type=EntityType.MANGA),
        inverse=_TO_SOURCE,
    ),
    relation_row(r"adaptations?", "adaptation", Form.NOUN, of=_TO_ADAPTATION, inverse=_TO_SOURCE),
    relation_row(
        r"(?:source|original|underlying) (?:manga|comics?|light novels?|novels?|books?)|manga (?:source"
        r"|original)",
        "source_manga",
        Form.NOUN,
        of=_TO_MANGA,
        inverse=_TO_ANIME,
    ),
    relation_row(
        r"(?:original|source) works?|source materials?|original source",
        "source",
        Form.NOUN,
        of=_TO_SOURCE,
        inverse=_TO_ADAPTATION,
    ),
    relation_row(r"source(?= for| of)", "source", Form.NOUN, of=_TO_SOURCE, inverse=_TO_ADAPTATION),
    relation_row(
        r"(?:adapted|taken|derived|made|created|produced) from|(?:loosely )?based (?:on|upon|off|off of)"
        r"|inspired by|(?:originate|originates|originated) from",
        "based_on",
        Form.PASSIVE,
        of=_TO_ADAPTATION,
        inverse=_TO_SOURCE,
    ),
    relation_row(r"adapts?|adapting|adapted", "adapts", Form.VERB, of=_TO_ADAPTATION, inverse=_TO_SOURCE),
    relation_row(
        r"(?:adapted|turned|made) into(?: an?)?(?: (?:tv|animated))? (?:anime|series|film|movie"
        r"|show)(?: series)?(?: called)?",
        "adapted_into",
        Form.PASSIVE,
        of=_TO_SOURCE,
        inverse=_TO_ANIME,
    ),
    relation_row(r"(?:adapted|turned|made) into", "adapted_into", Form.PASSIVE, of=_TO_SOURCE, inverse=_TO_ADAPTATION),
    relation_row(
        r"episodes?(?= of | list)|episode list|(?<=of the )episodes|(?<=all )episodes",
        "episodes",
        Form.NOUN,
        of=asked(_E.HAS_EPISODE),
        inverse=asked(_E.EPISODE_OF),
    ),
    relation_row(
        r"(?:watch|viewing|watching|reading|release|chronological|story) order(?: of| for)?|(?:what"
        r"|which) order (?:should|do|can|could|to|must)(?: i| we| you| one)?(?: watch| read| see)?",
        "franchise",
        Form.NOUN,
        of=asked(_E.SHARES_FRANCHISE),
        inverse=asked(_E.SHARES_FRANCHISE),
    ),
    relation_row(
        r"franchise|related (?:works?|titles?|anime|series|shows?|media|entries|manga)|(?:everything"
        r"|anything|works?|titles?) related to|same franchise(?: as)?|same universe(?: as)?|instal?lments"
        r"|entries|seasons",
        "franchise",
        Form.NOUN,
        of=asked(_E.SHARES_FRANCHISE),
        inverse=asked(_E.SHARES_FRANCHISE),
    ),
)
