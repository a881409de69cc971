"""The closed edge vocabulary: names, small integer codes, inverses, and one sentence for each."""

from dataclasses import dataclass
from enum import StrEnum


class EdgeType(StrEnum):
    """An edge of the catalogue graph, read `(a)-[edge]->(b)`: for stored edges b is the thing named."""

    PREQUEL = "prequel"
    SEQUEL = "sequel"
    PARENT_STORY = "parent_story"
    SIDE_STORY = "side_story"
    SPIN_OFF = "spin_off"
    SUMMARY = "summary"
    FULL_STORY = "full_story"
    COMPILATION_OF = "compilation_of"
    CONTAINS = "contains"
    ALTERNATIVE = "alternative"
    SAME_SETTING = "same_setting"
    SHARES_CHARACTER = "shares_character"
    ADAPTATION_OF = "adaptation_of"
    HAS_ADAPTATION = "has_adaptation"
    APPEARS_IN = "appears_in"
    FEATURES = "features"
    VOICED_BY = "voiced_by"
    VOICES = "voices"
    STAFF_OF = "staff_of"
    HAS_STAFF = "has_staff"
    PRODUCED_BY = "produced_by"
    PRODUCED = "produced"
    EPISODE_OF = "episode_of"
    HAS_EPISODE = "has_episode"
    CHARACTER_RELATION = "character_relation"
    REFERENCES = "references"
    REFERENCED_BY = "referenced_by"
    REQUIRES = "requires"
    REQUIRED_BY = "required_by"
    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "superseded_by"
    MENTIONS = "mentions"
    MENTIONED_BY = "mentioned_by"
    OTHER_RELATION = "other_relation"
    SAME_STUDIO = "same_studio"
    SHARED_STAFF = "shared_staff"
    SHARED_VOICE_ACTOR = "shared_voice_actor"
    SHARES_FRANCHISE = "shares_franchise"
    CO_APPEARS = "co_appears"


@dataclass(frozen=True, slots=True)
class Edge:
    """What is known about one edge type.

    `code` is stored in `edges.rel` and never changes meaning. `sentence` has the places `{a}` and `{b}`.
    `spin_off`'s inverse is `parent_story`, whose own inverse is `side_story`: several names share an inverse.
    """

    type: EdgeType
    code: int
    inverse: EdgeType
    sentence: str
    derived: bool = False


_E = EdgeType

EDGES: dict[EdgeType, Edge] = {
    edge.type: edge
    for edge in (
        Edge(_E.PREQUEL, 1, _E.SEQUEL, "{b} is the prequel of {a}"),
        Edge(_E.SEQUEL, 2, _E.PREQUEL, "{b} is the sequel of {a}"),
        Edge(_E.PARENT_STORY, 3, _E.SIDE_STORY, "{b} is the parent story of {a}"),
        Edge(_E.SIDE_STORY, 4, _E.PARENT_STORY, "{b} is a side story of {a}"),
        Edge(_E.SPIN_OFF, 5, _E.PARENT_STORY, "{b} is a spin-off of {a}"),
        Edge(_E.SUMMARY, 6, _E.FULL_STORY, "{b} is a summary of {a}"),
        Edge(_E.FULL_STORY, 7, _E.SUMMARY, "{b} is the full story of {a}"),
        Edge(_E.COMPILATION_OF, 8, _E.CONTAINS, "{a} is a compilation of {b}"),
        Edge(_E.CONTAINS, 9, _E.COMPILATION_OF, "{b} contains {a}"),
        Edge(_E.ALTERNATIVE, 10, _E.ALTERNATIVE, "{b} is an alternative version of {a}"),
        Edge(_E.SAME_SETTING, 11, _E.SAME_SETTING, "{b} has the same setting as {a}"),
        Edge(_E.SHARES_CHARACTER, 12, _E.SHARES_CHARACTER, "{b} shares a character with {a}"),
        Edge(_E.ADAPTATION_OF, 13, _E.HAS_ADAPTATION, "{a} is an adaptation of {b}"),
        Edge(_E.HAS_ADAPTATION, 14, _E.ADAPTATION_OF, "{b} is an adaptation of {a}"),
        Edge(_E.APPEARS_IN, 20, _E.FEATURES, "{a} appears in {b}"),
        Edge(_E.FEATURES, 21, _E.APPEARS_IN, "{a} features {b}"),
        Edge(_E.VOICED_BY, 22, _E.VOICES, "{a} is voiced by {b}"),
        Edge(_E.VOICES, 23, _E.VOICED_BY, "{a} voices {b}"),
        Edge(_E.STAFF_OF, 24, _E.HAS_STAFF, "{a} worked on {b}"),
        Edge(_E.HAS_STAFF, 25, _E.STAFF_OF, "{b} worked on {a}"),
        Edge(_E.PRODUCED_BY, 26, _E.PRODUCED, "{a} was produced by {b}"),
        Edge(_E.PRODUCED, 27, _E.PRODUCED_BY, "{a} produced {b}"),
        Edge(_E.EPISODE_OF, 28, _E.HAS_EPISODE, "{a} is an episode of {b}"),
        Edge(_E.HAS_EPISODE, 29, _E.EPISODE_OF, "{b} is an episode of {a}"),
        Edge(_E.CHARACTER_RELATION, 30, _E.CHARACTER_RELATION, "{b} is related to {a}"),
        Edge(_E.REFERENCES, 40, _E.REFERENCED_BY, "{a} references {b}"),
        Edge(_E.REFERENCED_BY, 41, _E.REFERENCES, "{a} is referenced by {b}"),
        Edge(_E.REQUIRES, 42, _E.REQUIRED_BY, "{a} requires {b}"),
        Edge(_E.REQUIRED_BY, 43, _E.REQUIRES, "{a} is required by {b}"),
        Edge(_E.SUPERSEDES, 44, _E.SUPERSEDED_BY, "{a} supersedes {b}"),
        Edge(_E.SUPERSEDED_BY, 45, _E.SUPERSEDES, "{a} is superseded by {b}"),
        Edge(_E.MENTIONS, 46, _E.MENTIONED_BY, "{a} mentions {b}"),
        Edge(_E.MENTIONED_BY, 47, _E.MENTIONS, "{a} is mentioned by {b}"),
        Edge(_E.OTHER_RELATION, 50, _E.OTHER_RELATION, "{b} is related to {a}"),
        Edge(_E.SAME_STUDIO, 60, _E.SAME_STUDIO, "{a} and {b} were produced by the same studio", derived=True),
        Edge(_E.SHARED_STAFF, 61, _E.SHARED_STAFF, "{a} and {b} share a staff member", derived=True),
        Edge(_E.SHARED_VOICE_ACTOR, 62, _E.SHARED_VOICE_ACTOR, "{a} and {b} share a voice actor", derived=True),
        Edge(_E.SHARES_FRANCHISE, 63, _E.SHARES_FRANCHISE, "{a} and {b} belong to one franchise", derived=True),
        Edge(_E.CO_APPEARS, 64, _E.CO_APPEARS, "{a} and {b} appear in the same work", derived=True),
    )
}

STORED_EDGES = frozenset(e.type for e in EDGES.values() if not e.derived)
DERIVED_EDGES = frozenset(e.type for e in EDGES.values() if e.derived)
WORK_RELATIONS = frozenset(e.type for e in EDGES.values() if e.code < 20) | {EdgeType.OTHER_RELATION}
REFERENCE_EDGES = frozenset(
    edge.type for edge in EDGES.values() if EDGES[_E.REFERENCES].code <= edge.code <= EDGES[_E.MENTIONED_BY].code
)
EDGE_BY_CODE: dict[int, EdgeType] = {e.code: e.type for e in EDGES.values()}
