"""Words for the extreme of a set: which figure, which end of it, and how many members are asked for."""

from dataclasses import dataclass

from agent_core.agents.rule_based.query_nouns import ANY_WORK
from agent_core.agents.rule_based.query_scan import NUMBER, Scan, number_of
from agent_core.set_question import Measure

_LENGTH = None
"""Stands for the measure that `long` means of the members; see query_nouns."""

MAX_LIMIT = 50


@dataclass(frozen=True, slots=True)
class Extreme:
    """The end of a measure; a measure of None is the members' length."""

    measure: Measure | None
    is_descending: bool
    limit: int = 1


_RATED = r"(?: (?:rated|ranked|scored|scoring|rating|reviewed|scores?|ratings?))?"
_PREFIXES: tuple[tuple[str, Measure | None, bool], ...] = (
    (r"longest (?:running|lived)", Measure.RUNNING_DAYS, True),
    (r"shortest (?:running|lived)", Measure.RUNNING_DAYS, False),
    (rf"(?:highest|best|top){_RATED}", Measure.SCORE, True),
    (rf"(?:lowest|worst){_RATED}", Measure.SCORE, False),
    (r"longest", _LENGTH, True),
    (r"shortest", _LENGTH, False),
    (
        r"(?:oldest|earliest|(?:very )?first(?! (?:air|start|releas|premier|came|come|show|broadcast|published"
        r"|appear)))",
        Measure.START_DATE,
        False,
    ),
    (
        r"(?:newest|latest|most recent|youngest|(?:very )?last(?= \w+ )(?! (?:year|month|season|episode)))",
        Measure.START_DATE,
        True,
    ),
)
_FIGURES: tuple[tuple[str, Measure | None], ...] = (
    (r"(?:scores?|ratings?|rated)", Measure.SCORE),
    (r"(?:number of |amount of )?(?:episodes?|eps)(?: counts?)?", Measure.EPISODES),
    (r"(?:number of |amount of )?chapters?(?: counts?)?", Measure.CHAPTERS),
    (r"(?:number of |amount of )?volumes?(?: counts?)?", Measure.VOLUMES),
    (r"(?:run ?times?|durations?|running times?|minutes)", Measure.DURATION),
    (r"(?:runs?)", Measure.RUNNING_DAYS),
    (r"(?:length)", _LENGTH),
)
_MOST = (
    r"(?:(?P<high>most|highest|best|longest|largest|greatest|biggest)|(?P<low>fewest|least|lowest|worst"
    r"|shortest|smallest))"
)
_HAS = r"(?:(?:(?:that|which) )?(?:has|have|had|with|having|got)(?: got)? )?"
_SUFFIXES: tuple[tuple[str, Measure | None, bool], ...] = (
    (r"(?:(?:is|are|was|were) )?(?:rated|ranked|scored|scores|ranks) (?:the )?(?:highest|best)", Measure.SCORE, True),
    (
        r"(?:(?:is|are|was|were) )?(?:rated|ranked|scored|scores|ranks) (?:the )?(?:lowest"
        r"|worst)",
        Measure.SCORE,
        False,
    ),
    (r"(?:ran|runs|running|run|has run|lasted|been running)(?: for)?(?: the)? longest", Measure.RUNNING_DAYS, True),
    (
        r"(?:started|aired|came out|premiered|was released|were released|came|debuted|began)(?: the)? (?:first"
        r"|earliest|before all others)",
        Measure.START_DATE,
        False,
    ),
    (
        r"(?:started|aired|came out|premiered|was released|were released|came|debuted|began)(?: the)? (?:last"
        r"|latest|most recently)",
        Measure.START_DATE,
        True,
    ),
)
_COUNT = rf"(?P<n>{NUMBER})"


def take_extreme(scan: Scan) -> Extreme | None:
    """The extreme that is asked for, taken out of the text; None when none is, or when two are."""
    limit = _take_limit(scan)
    found = _take_figure(scan) or _take_suffix(scan) or _take_prefix(scan)
    if found is None and limit is not None and limit.is_top:
        found = Extreme(Measure.SCORE, is_descending=True)
    if found is None:
        return None
    scan.take(
        r"(?:ranked |sorted |ordered |measured |judged )?by (?:the )?(?:scores?|ratings?|number of \w+"
        r"|episode count|length|start date|date)"
    )
    if any(scan.find(rf"(?:the |{NUMBER} ){pattern}") for pattern, _, _ in _PREFIXES):
        return None
    return Extreme(found.measure, found.is_descending, limit.number if limit is not None else 1)


@dataclass(frozen=True, slots=True)
class _Limit:
    number: int
    is_top: bool


def _take_limit(scan: Scan) -> _Limit | None:
    adjectives = "|".join(pattern for pattern, _, _ in _PREFIXES)
    for pattern, is_top in (
        (rf"top {_COUNT}", True),
        (rf"best {_COUNT}", True),
        (
            rf"(?:which|what|list|the|name) {_COUNT}"
            rf"(?= (?:[\w·]+ ){{0,3}}?(?:{ANY_WORK})(?!\w).* (?:most|fewest|highest|lowest|longest|shortest) )",
            False,
        ),
        (rf"{_COUNT}(?: of)?(?: the)?(?= (?:{adjectives})(?!\w))", False),
        (rf"(?:{adjectives}) {_COUNT}(?= (?:[\w·]+ ){{0,4}}?(?:{ANY_WORK}))", False),
    ):
        match = scan.find(pattern)
        number = number_of(match.group("n")) if match is not None else None
        if match is not None and number is not None and 1 <= number <= MAX_LIMIT:
            start, end = match.span("n") if not is_top else match.span()
            scan.cut(start, end)
            return _Limit(number, is_top)
    return None


def _take_figure(scan: Scan) -> Extreme | None:
    for pattern, measure in _FIGURES:
        match = scan.take(
            rf"{_HAS}(?:the )?{_MOST}(?: total| average| overall)? (?:number of |count of )?{pattern}(?!"
            rf" (?:rated|running))"
        )
        if match is not None:
            return Extreme(measure, is_descending=match.group("high") is not None)
        # `top 5 movies by score`
        if scan.find(rf"by (?:the )?(?:highest )?{pattern}$") and measure is not _LENGTH:
            scan.take(rf"by (?:the )?(?:highest )?{pattern}$")
            return Extreme(measure, is_descending=True)
    return None


def _take_suffix(scan: Scan) -> Extreme | None:
    return next((Extreme(measure, down) for pattern, measure, down in _SUFFIXES if scan.take(pattern)), None)


def _take_prefix(scan: Scan) -> Extreme | None:
    return next((Extreme(measure, down) for pattern, measure, down in _PREFIXES if scan.take(pattern)), None)
