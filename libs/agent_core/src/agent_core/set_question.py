"""What a question asks of a whole set: to list it, count it, rank it, group it, or average a figure over it.

A set is said by the type of its members, by conditions on their fields, and by links to named entities. Numbers and
order of such a question come from one query over the catalogue, never from what a search happened to find.
"""

from enum import StrEnum
from typing import Literal

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType, Season, StaffRole, WorkFormat, WorkSource, WorkStatus
from pydantic import Field

from agent_core.document_contracts import DateSpan
from agent_core.evidence import Contract


class SetTask(StrEnum):
    """What is wanted of the set."""

    LIST = "list"
    COUNT = "count"
    EXTREME = "extreme"
    GROUPS = "groups"
    AVERAGE = "average"
    TOTAL = "total"
    RECOMMENDATION = "recommendation"
    WATCH_ORDER = "watch_order"


class Watching(StrEnum):
    """What is wanted of a watch order: all works by release or by story, or those that come before the named one."""

    BY_RELEASE = "by_release"
    BY_STORY = "by_story"
    BEFORE = "before"


class Measure(StrEnum):
    """A figure of a work that can be bounded, ordered and averaged."""

    SCORE = "score"
    EPISODES = "episodes"
    CHAPTERS = "chapters"
    VOLUMES = "volumes"
    DURATION = "duration"
    START_DATE = "start_date"
    RUNNING_DAYS = "running_days"


class Grouping(StrEnum):
    """What a set can be parted by: a field of a work, or who and what it is linked to."""

    YEAR = "year"
    DECADE = "decade"
    SEASON = "season"
    FORMAT = "format"
    SOURCE = "source"
    STATUS = "status"
    GENRE = "genre"
    STUDIO = "studio"
    STAFF = "staff"
    VOICE_ACTOR = "voice_actor"
    CHARACTER = "character"
    CAST = "cast"
    ADAPTATIONS = "adaptations"


class Bound(Contract):
    """A limit on a measure; scores run from 0 to 100, durations are minutes."""

    measure: Measure
    operator: Literal["<", "<=", "=", ">=", ">"]
    value: float


class SetConditions(Contract):
    """Conditions on the members. An unknown value never matches, and never matches a negative one either."""

    first_year: int | None = None
    last_year: int | None = None
    started: DateSpan | None = Field(default=None, description="The days that all of the start date must lie within.")
    season: Season | None = None
    formats: tuple[WorkFormat, ...] = ()
    formats_none: tuple[WorkFormat, ...] = ()
    statuses: tuple[WorkStatus, ...] = ()
    statuses_none: tuple[WorkStatus, ...] = ()
    sources: tuple[WorkSource, ...] = ()
    sources_none: tuple[WorkSource, ...] = ()
    genres_all: tuple[str, ...] = ()
    genres_any: tuple[str, ...] = ()
    genres_none: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    having: tuple[EdgeType, ...] = Field(
        default=(), description="Edges that a member must have, whatever they lead to."
    )
    lacking: tuple[EdgeType, ...] = Field(default=(), description="Edges that a member must not have.")
    gender: Literal["female", "male"] | None = None
    role: str | None = Field(default=None, description="How much a character must matter where it appears: `main`.")
    lead: Literal["female", "male"] | None = Field(default=None, description="The gender of a main character.")

    @property
    def is_empty(self) -> bool:
        """Whether nothing is restricted."""
        return self == SetConditions()


_ENDS: dict[EdgeType, frozenset[EntityType]] = {
    EdgeType.PRODUCED_BY: frozenset({EntityType.STUDIO}),
    EdgeType.HAS_STAFF: frozenset({EntityType.PERSON}),
    EdgeType.FEATURES: frozenset({EntityType.CHARACTER}),
    EdgeType.VOICED_BY: frozenset({EntityType.PERSON}),
    EdgeType.VOICES: frozenset({EntityType.CHARACTER, EntityType.ANIME}),
    EdgeType.APPEARS_IN: WORK_TYPES,
    EdgeType.STAFF_OF: WORK_TYPES,
    EdgeType.PRODUCED: WORK_TYPES,
    EdgeType.SHARES_FRANCHISE: frozenset({EntityType.ANIME}),
}


class Way(Contract):
    """How the entity of a link is found from the name: `the director of X`, `the studio behind X`."""

    edge: Literal[EdgeType.HAS_STAFF, EdgeType.PRODUCED_BY]
    qualifiers: tuple[str, ...] = ()
    leaves_out: bool = Field(default=False, description="The named work itself is no answer: `other films by …`.")

    @property
    def entity_type(self) -> EntityType:
        """What is found."""
        return EntityType.STUDIO if self.edge is EdgeType.PRODUCED_BY else EntityType.PERSON

    @property
    def named_types(self) -> tuple[EntityType, ...]:
        """What the name can be: authors are credited for printed works."""
        if StaffRole.AUTHOR in self.qualifiers:
            return (EntityType.MANGA,)
        return (EntityType.ANIME,) if self.edge is EdgeType.PRODUCED_BY else (EntityType.ANIME, EntityType.MANGA)


class SetLink(Contract):
    """One link that a member must have, or must not have, to a named entity.

    The edges read from the member to the name; of several, those that the name's type allows are meant. A work is
    `voiced_by` its cast, a person `voices` a character or works. `through` comes first: `adaptation_of` makes the link
    one of the member's source. With `or_any_role` a person who has none of the roles anywhere is meant in any role.
    """

    edges: tuple[EdgeType, ...]
    mention: int
    qualifiers: tuple[str, ...] = ()
    through: EdgeType | None = None
    way: Way | None = None
    or_any_role: bool = False
    is_absent: bool = False
    is_itself: bool = Field(default=False, description="The named work is left out: `except X`. No edge is meant.")

    def edge_to(self, entity_type: EntityType) -> EdgeType | None:
        """The edge that leads to what a name of this type stands for; None when none of them does."""
        if self.way is not None:
            if entity_type not in WORK_TYPES:
                return None
            entity_type = self.way.entity_type
        return next((edge for edge in self.edges if entity_type in _ENDS.get(edge, frozenset())), None)

    def leads_to(self, entity_type: EntityType) -> bool:
        """Whether the name can be of this type: what is left out is a work, all else stands at the end of an edge."""
        return entity_type in WORK_TYPES if self.is_itself else self.edge_to(entity_type) is not None


class FollowingStep(Contract):
    """What is asked of the member with the extreme: who it is linked to, or a field of it."""

    edge: EdgeType | None = None
    qualifiers: tuple[str, ...] = ()
    field: Literal["start_date", "episodes", "chapters", "volumes", "duration", "score"] | None = None


class Taste(Contract):
    """Works that somebody liked and disliked, by their mentions, and wishes that the catalogue can't check.

    `goes_on`: asked what to watch after the liked work, of which the sequel comes first.
    """

    liked: tuple[int, ...] = ()
    disliked: tuple[int, ...] = ()
    unchecked: tuple[str, ...] = Field(default=(), description="What no row tells: `dubs`. Nothing is left out for it.")
    goes_on: bool = False


class SetQuestion(Contract):
    """A question about a set in normal form. `limit` is how many extreme or recommended members are asked for."""

    task: SetTask
    entity_types: tuple[EntityType, ...]
    noun: str = Field(description="The members in a word as the question has it, in the plural: `movies`.")
    conditions: SetConditions = SetConditions()
    links: tuple[SetLink, ...] = ()
    measure: Measure | None = None
    is_descending: bool = True
    limit: int = Field(default=1, ge=1, le=50)
    grouping: Grouping | None = None
    group_qualifiers: tuple[str, ...] = ()
    following: FollowingStep | None = None
    taste: Taste = Taste()

    @property
    def mentions(self) -> tuple[int, ...]:
        """The mentions that the question uses, each once."""
        taste = (*self.taste.liked, *self.taste.disliked)
        return tuple(dict.fromkeys((*(link.mention for link in self.links), *taste)))

    watching: Watching = Watching.BY_RELEASE
