"""Conditions in a question about a set: years, seasons, genres, formats, status, source, place in a franchise."""

import re
from dataclasses import dataclass, field

from datastore.edges import EdgeType
from datastore.vocabulary import AppearanceRole, WorkFormat, WorkSource, WorkStatus

from agent_core.agents.rule_based.conditions import find_years
from agent_core.agents.rule_based.cues import CueTable, GenreCue, find_cues
from agent_core.agents.rule_based.field_cues import GENRE_CUES, SEASON_CUES
from agent_core.agents.rule_based.query_bounds import take_bounds
from agent_core.agents.rule_based.query_dates import find_days
from agent_core.agents.rule_based.query_nouns import ANY_WORK
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.set_question import SetConditions

_NOT = (
    r"(?:(?:(?:but|and) )?(?:(?:that|which) )?(?:(?:is|are|was|were|do|does|has|have) )?(?:not|no|non|never)"
    r"|(?:but )?without|neither|with no|excluding|except(?: for)?|minus|free of|lacking|other than|no|nor|leaving out)"
    r"(?: (?:any|an?|the|being|counting|including|in the|of the|contain|have))*"
)
_DEMOGRAPHICS = (
    (r"sh(?:ou|o)nen", GenreCue("Shounen")),
    (r"sh(?:ou|o)jo", GenreCue("Shoujo")),
    (r"seinen", GenreCue("Seinen")),
    (r"josei", GenreCue("Josei")),
)
GENRES = (*GENRE_CUES, *_DEMOGRAPHICS)
"""Genres, and the readers that works are made for."""

_GENRE_TABLE = CueTable(GENRES)
_NEGATED = re.compile(rf"(?<![\w']){_NOT} $")
_JOINED = re.compile(r"(?:,|and|or|nor|, and|, or|/|&|but)(?: also)?(?: with)?")
_LIST_GOES_ON = re.compile(r"^ (?:,|or|and|nor|\.|$)|^$")

_SOURCE = r"(?:an? |the |any |existing |some )*"
_SOURCES: tuple[tuple[str, WorkSource], ...] = (
    (r"light novels?", WorkSource.LIGHT_NOVEL),
    (r"visual novels?", WorkSource.VISUAL_NOVEL),
    (r"web novels?", WorkSource.WEB_NOVEL),
    (r"novels?|books?", WorkSource.NOVEL),
    (r"video ?games?", WorkSource.VIDEO_GAME),
    (r"games?", WorkSource.GAME),
    (r"mangas?|comics?", WorkSource.MANGA),
)
_BASED = r"(?:based (?:up)?on|adapted from|adaptations? of|adapts?|adapting|adapted|that adapt|which adapt|from)"
_NO_SOURCE = (
    r"(?:with(?:out| no)|has no|have no|had no|that (?:has|have) no|no)"
    r" (?:any )?(?:original )?source(?: material| works?)?"
    r"|not (?:based on|adapted from) (?:anything|any (?:source|other work|source material|existing work))"
    rf"|{_NOT} adaptations?|non adaptations?|(?:that are |are |which are )?(?:anime )?originals"
    r"|(?:that |which )?(?:are|is|were) (?:all )?original(?= |$)(?! (?:anime|series|works?|movies?|manga))"
    r"|original(?= (?:tv |anime |animated |[\w -]* ?)?(?:animes?|series|shows?|movies?|films?|works?))"
)
_SAYS_SOURCE = re.compile(r"novel|book|game|manga|comic|source|adapt|original|based|from")
"""What any pattern of sources holds a word of."""

_STATUSES: tuple[tuple[str, bool, WorkStatus], ...] = (
    (
        r"(?:(?:is|are|has|have|was|were|that) )*(?:not|never|n t) (?:yet )?(?:been )?(?:finished|completed?"
        r"|ended|over)"
        r"|unfinished|incomplete",
        False,
        WorkStatus.FINISHED,
    ),
    (r"(?:that )?(?:are |is )?not (?:still |currently )?(?:airing|running|ongoing)", False, WorkStatus.RELEASING),
    (
        r"(?:already |now |fully |been )*(?:finished|completed?|concluded|ended)"
        r"(?: (?:airing|publishing|publication|running|(?:its|their) run))?",
        True,
        WorkStatus.FINISHED,
    ),
    (
        r"(?:still|currently|now|presently)(?: being)? (?:airing|running|ongoing|publishing|published|releasing"
        r"|released"
        r"|going|serialized|in (?:publication|progress))|ongoing|unended",
        True,
        WorkStatus.RELEASING,
    ),
    (r"on (?:an? )?hiatus|paused", True, WorkStatus.HIATUS),
    (r"upcoming|not yet (?:released|aired|out|published)|unreleased", True, WorkStatus.NOT_YET_RELEASED),
    (r"cancell?ed", True, WorkStatus.CANCELLED),
)
_FORMATS: tuple[tuple[str, tuple[WorkFormat, ...]], ...] = (
    (r"(?:movies?|films?)", (WorkFormat.MOVIE,)),
    (r"ovas?", (WorkFormat.OVA,)),
    (r"onas?", (WorkFormat.ONA,)),
    (r"(?:tv )?specials?", (WorkFormat.SPECIAL,)),
    (r"tv (?:series|shows?|anime)", (WorkFormat.TV,)),
    (r"(?:series|shows?)", (WorkFormat.TV, WorkFormat.TV_SHORT, WorkFormat.ONA)),
    (r"light novels?", (WorkFormat.LIGHT_NOVEL,)),
    (r"(?:tv )?shorts?", (WorkFormat.TV_SHORT,)),
)
_IS = r"(?:(?:and|but) )?(?:(?:that|which) )?(?:(?:is|are|was|were|itself|themselves) )*"
_HAS = r"(?:(?:that|which) )?(?:have|has|had|got|received|with)(?: (?:an?|any|at least one|their|its|also))*"
_EDGES: tuple[tuple[str, bool, tuple[EdgeType, ...]], ...] = (
    (
        r"(?:(?:that|which) )?(?:with no|without|has no|have no|had no|(?:do|does|did) not have|never (?:got|had))"
        r"(?: (?:an?|any))? (?:sequels?|continuations?|follow ups?)",
        False,
        (EdgeType.SEQUEL,),
    ),
    (rf"{_NOT} (?:sequels?|continuations?|follow ups?|later seasons?)", False, (EdgeType.PREQUEL,)),
    (r"stand ?alone", False, (EdgeType.PREQUEL, EdgeType.SEQUEL)),
    (rf"{_NOT} (?:recaps?|summar(?:y|ies)|compilations?)(?: films?| movies?)?", False, (EdgeType.FULL_STORY,)),
    (rf"{_NOT} spin ?offs?", False, (EdgeType.PARENT_STORY,)),
    (rf"{_HAS} (?:sequels?|continuations?)", True, (EdgeType.SEQUEL,)),
    (rf"{_IS} ?(?<=is |re |as )(?:an? )?sequels?", True, (EdgeType.PREQUEL,)),
)
_FEMALE, _MALE = r"(?:female|girls?|wom[ae]n|lady|ladies)", r"(?:male|boys?|m[ae]n|guys?)"
_LEAD = r"(?:main characters?|protagonists?|lead(?:s|ing)?(?: characters?| roles?)?|central characters?)"
_WITH_LEAD = r"(?:(?:(?:that|which) )?(?:with|having|has|have|featuring|starring) )?(?:(?:an?|the|strong|young) )*"
_OR_SO = r"(?: (?:or|and) (?:an? )?\w+)?"
_LEADS = (
    rf"{_WITH_LEAD}(?:(?P<f>{_FEMALE})|(?P<m>{_MALE}))(?: as (?:the |its |an? )?)?(?: ?){_LEAD}",
    rf"(?:whose|(?:where|in which) (?:the|its)|with (?:an?|the)) {_LEAD} (?:is|are|was|were|who is|that is) (?:an? "
    rf"|the )?"
    rf"(?:(?P<f>{_FEMALE}){_OR_SO}|(?P<m>{_MALE}){_OR_SO})",
    rf"{_WITH_LEAD}(?:(?P<f>heroines?)|(?P<m>male heroe?s?))",
)
_SAYS_LEAD = re.compile(r"character|protagonist|lead|hero")
_SAYS_EDGE = re.compile(r"sequel|continuation|follow|season|stand|recap|summar|compilation|spin")
"""Words of which any pattern of these conditions holds one: most questions have none."""

_ENDED_THEN = (
    r"(?:end|ended|ending|finish|finished|concluded?|completed?|stopped)(?: (?:airing|publication|publishing"
    r"|running))?"
    r" (?:in|on|before|after|by|since|between|during|until)"
)


@dataclass(slots=True)
class Collected:
    """Conditions as they are found."""

    values: dict[str, object] = field(default_factory=dict[str, object])
    lists: dict[str, list[object]] = field(default_factory=dict[str, list[object]])

    def add(self, name: str, *found: object) -> None:
        """Add to a list of conditions."""
        self.lists.setdefault(name, []).extend(found)

    def conditions(self) -> SetConditions:
        """All of them."""
        lists = {name: tuple(dict.fromkeys(found)) for name, found in self.lists.items()}
        return SetConditions.model_validate({**self.values, **lists})


def take_conditions(scan: Scan, themes: CueTable | None = None) -> SetConditions | None:
    """Every condition on works that the text states, taken out of it; None when it states one that rows can't tell.

    `themes` are the cues looked for instead of the genres alone.
    """
    if scan.find(_ENDED_THEN):
        return None
    found = Collected()
    _take_days(scan, found)
    found.add("bounds", *take_bounds(scan))
    _take_lead(scan, found)
    _take_edges(scan, found)
    _take_sources(scan, found)
    _take_statuses(scan, found)
    for pattern, formats in _FORMATS:
        if scan.take(rf"{_NOT} {pattern}"):
            found.add("formats_none", *formats)
        elif scan.take(rf"(?:are|is|were|was) (?:an? )?{pattern}"):
            found.add("formats", *formats)
    _take_genres(scan, found, themes)
    _take_dates(scan, found)
    return found.conditions()


def may_say_works(scan: Scan) -> bool:
    """Whether a word is left that says what works are meant, or that alone stands for some: a genre, a source."""
    text = scan.text
    return (
        scan.find(ANY_WORK) is not None or _SAYS_SOURCE.search(text) is not None or bool(find_cues(text, _GENRE_TABLE))
    )


def take_character_conditions(scan: Scan) -> SetConditions:
    """Conditions on characters."""
    found = Collected()
    gender = scan.take(r"(?P<f>female|women|woman|girls?)|(?P<m>male|men|man|boys?)")
    if gender is not None:
        found.values["gender"] = "female" if gender.group("f") else "male"
    role = scan.take(r"(?P<main>main|leading|lead|primary|central)|(?P<side>supporting|secondary|side)")
    if role is not None:
        found.values["role"] = AppearanceRole.MAIN if role.group("main") else AppearanceRole.SUPPORTING
    return found.conditions()


def is_genre(text: str) -> bool:
    """Whether a text is nothing but the word for a genre."""
    return any(re.fullmatch(pattern, text) for pattern, _ in GENRES)


def _take_lead(scan: Scan, found: Collected) -> None:
    """The gender of a main character: `with a female lead`, `whose main character is a girl or a woman`."""
    for pattern in _LEADS if _SAYS_LEAD.search(scan.text) is not None else ():
        lead = scan.take(pattern)
        if lead is not None:
            found.values["lead"] = "female" if lead.group("f") else "male"
            return


def _take_edges(scan: Scan, found: Collected) -> None:
    for pattern, is_wanted, edges in _EDGES if _SAYS_EDGE.search(scan.text) is not None else ():
        if scan.take(pattern):
            found.add("having" if is_wanted else "lacking", *edges)


def _take_sources(scan: Scan, found: Collected) -> None:
    if scan.take(_NO_SOURCE):
        found.add("sources", WorkSource.ORIGINAL)
    for pattern, source in _SOURCES:
        if scan.take(
            rf"{_NOT} (?:{_BASED} )?{_SOURCE}(?:{pattern}) adaptations?|{_NOT} {_BASED} {_SOURCE}(?:{pattern})"
        ):
            found.add("sources_none", source)
        if scan.take(
            rf"(?:that (?:are|is) )?(?:{pattern}) (?:adaptations?|based|adapted)|{_BASED} {_SOURCE}(?:{pattern})"
        ):
            found.add("sources", source)


def _take_statuses(scan: Scan, found: Collected) -> None:
    for pattern, is_wanted, status in _STATUSES:
        if scan.take(pattern):
            found.add("statuses" if is_wanted else "statuses_none", status)


def _take_genres(scan: Scan, found: Collected, themes: CueTable | None) -> None:
    """Genres in order; one joined to an unwanted one is unwanted too, `or` between wanted ones leaves the choice."""
    text = scan.text
    wanted: list[str] = []
    is_negated, has_choice, end = False, False, -1
    for cue in find_cues(text, themes or _GENRE_TABLE):
        if not isinstance(cue.cue, GenreCue):
            continue
        between = text[end : cue.start].strip() if end >= 0 else ""
        is_joined = end >= 0 and _JOINED.fullmatch(between) is not None
        negation = _NEGATED.search(text[: cue.start])
        keeps = is_joined and (between not in (",", "but") or bool(_LIST_GOES_ON.match(text[cue.end :])))
        is_negated = negation is not None or (is_negated and keeps)
        if is_joined:
            has_choice = has_choice or (between.endswith("or") and not is_negated)
            scan.cut(end, cue.start)
        if negation is not None:
            scan.cut(negation.start(), cue.start)
        scan.cut(cue.start, cue.end)
        end = cue.end
        if is_negated:
            found.add("genres_none", cue.cue.genre)
        else:
            wanted.append(cue.cue.genre)
    if wanted:
        found.add("genres_any" if has_choice and len(wanted) > 1 else "genres_all", *wanted)


def _take_days(scan: Scan, found: Collected) -> None:
    days = find_days(scan.text)
    if days is not None:
        scan.text = days.left
        found.values["started"] = days.days


def _take_dates(scan: Scan, found: Collected) -> None:
    years = find_years(scan.text)
    if years is not None:
        found.values["first_year"] = years.years.first_year
        found.values["last_year"] = years.years.last_year
        scan.cut(years.start, years.end)
        if scan.take(r"(?:or|and) (?:earlier|before|older)"):
            found.values["first_year"] = None
        elif scan.take(r"(?:or|and) (?:later|after|newer)"):
            found.values["last_year"] = None
    for pattern, cue in SEASON_CUES:
        if scan.take(rf"(?:{pattern})(?: season| cour)?(?: of)?"):
            found.values["season"] = getattr(cue, "season", None)
            return
