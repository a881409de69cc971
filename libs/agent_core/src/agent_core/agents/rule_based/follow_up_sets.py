"""Follow-ups about a set that was asked for: fewer of them, their number, the extreme one, another time. Pure."""

import re

from agent_core.agents.rule_based.conditions import find_years
from agent_core.agents.rule_based.query_dates import days_at
from agent_core.agents.rule_based.query_nouns import ANY_WORK

_THEM = r"(?:them|those|these|that list|the list)"
_SORTED_OUT = re.compile(
    rf"^(?:(?:show (?:me )?|give me |i want |list )?(?:only|just)|(?:which|what) (?:ones |one )?of {_THEM}"
    rf"|of {_THEM},? (?:which|what)(?: ones?)? (?=are|were|is|was)"
    r"|show (?:me )?only|narrow (?:it|that|them) (?:down )?to)\b *(?P<rest>.+)$",
    re.IGNORECASE,
)
_ANY_AMONG = re.compile(
    rf"^(?:(?:are|is|were|was) there )?(?:any|some)(?: of {_THEM})? (?P<rest>.+?)(?: (?:among|in|of|on) {_THEM})?$",
    re.I,
)
_AMONG = re.compile(
    rf"^(?:show|give|list|name|tell)(?: me)?(?: only| just)?(?: the)? (?P<rest>.+?) (?:among|of|from|in|out of)"
    rf" {_THEM}$",
    re.I,
)
_ONLY_LAST = re.compile(r"^(?:the )?(?P<rest>[\w ]{3,40}?) (?:only|alone)$", re.IGNORECASE)
_ONES = re.compile(
    r"^(?:(?:show|list|give)(?: me)? )?(?:(?:the|those|these|all) ones|those|these)(?= (?:from|after|before|since|until"
    r"|with|without|that|by|in|of|which|between|longer|shorter|under|over)\b)(?P<rest>.+)$",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"^(?:without|excluding|exclude|skip|except(?: for)?|leave out|leaving out|drop|minus"
    r"|not (?:counting|the)|no) (?P<rest>.+)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    rf"^(?:how many (?:are|were) (?:there|they|those|these)|how many(?: of {_THEM})? (?:is|are|was|were) (?:that|it"
    rf"|there)|how many (?:is that|in (?:all|total))|how many|count {_THEM})(?: (?:in (?:all|total)|altogether))?$",
    re.IGNORECASE,
)
_HOW_MANY_OF = re.compile(rf"^how many of {_THEM} (?P<rest>.+)$", re.IGNORECASE)
_EXTREME = re.compile(
    rf"^(?:(?:which|what)(?: (?:one|ones|{ANY_WORK}))?(?: of {_THEM})?)?"
    r" ?(?:(?:is|was|are|were) )?(?P<end>(?:the )?(?:longest|shortest|oldest|earliest|newest|latest|most recent"
    r"|best rated|highest rated|worst rated|lowest rated|best|worst)(?: running)?(?: ones?)?(?: of (?:them|those|these"
    r"|all))?|(?:came out|aired|started|was released) (?:first|last|earliest|latest)|(?:is|was|are)? ?(?:rated )"
    r"(?:highest|best|lowest|worst)|(?:has|have|had) the (?:most|fewest|highest|lowest) (?:episodes|chapters|volumes"
    r"|scores?|ratings?))$",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r", only (?:the )?(?:longest|shortest|oldest|earliest|newest|latest|most recent|best|worst|highest|lowest"
    r"|(?:came out|aired|started|was released) (?:first|last|earliest|latest)"
    r"|(?:has|have|had) the (?:most|fewest|highest|lowest))\b[^,]*$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(rf" (?:ones?|of (?:{_THEM}|all))\b", re.IGNORECASE)
_ASKS_FOR_SET = re.compile(
    r"^(?:(?:please )?(?:list|show|name|give)(?: me)?|which|what|how many|all|every)\b", re.IGNORECASE
)
_ASKING = re.compile(
    r"^(?:(?:list|show|name|give)(?: me)?(?: all)?(?: the| of the)?|which|what|all(?: the)?|every) +", re.IGNORECASE
)
_ASKED_WORKS = re.compile(rf"\b(?P<asking>(?:which|what)(?: other)?) (?:{ANY_WORK})\b", re.IGNORECASE)
_WHAT_MADE = re.compile(r"^what (?=(?:did|has|have) )", re.IGNORECASE)
_ONLY_WORKS = re.compile(rf"(?:the )?(?P<works>{ANY_WORK})", re.IGNORECASE)
_IDLE = re.compile(r"^(?:(?:the|those|these|ones?|that|which|are|were|is|was|did|do) )+(?=\S)", re.IGNORECASE)
_TIME = re.compile(r"^(?P<lead>(?:in|from|of|during|for)(?: the)? |the )?(?P<time>.+)$", re.IGNORECASE)
_TIME_LEAD = r"(?:(?:in|from|of|during)(?: the)? )?"


def asks_for_set(question: str) -> bool:
    """Whether a question asks for things of a kind, of which there may be many."""
    return _ASKS_FOR_SET.match(question) is not None or re.match(rf"^(?:{ANY_WORK})\b", question, re.I) is not None


def narrowed_set(body: str, question: str) -> str | None:
    """The last question with one more condition, its number or its extreme; None when `body` asks no such thing."""
    asked = _ENDED.sub("", question.rstrip(" ?.!"))
    of_them = _HOW_MANY_OF.match(body)
    if of_them is not None:
        return f"{_counted(asked)}, only {_bare(of_them['rest'])}?"
    if _NUMBER.match(body):
        return f"{_counted(asked)}?" if asks_for_set(asked) else None
    extreme = _EXTREME.match(body)
    if extreme is not None:
        return f"{asked}, only {_OF_THEM.sub('', extreme['end'])}?" if asks_for_set(asked) else None
    without = _WITHOUT.match(body)
    if without is not None:
        return f"{asked}, without {_bare(without['rest'])}?" if asks_for_set(asked) else None
    sorted_out = _SORTED_OUT.match(body)
    loose = (_ANY_AMONG, _AMONG, _ONLY_LAST, _ONES) if asks_for_set(asked) else ()
    found = sorted_out or next((match for pattern in loose if (match := pattern.match(body))), None)
    rest = _bare(found["rest"]) if found is not None else ""
    return _only(asked, rest) if rest else None


def of_another_time(body: str, question: str) -> str | None:
    """The last question about other years: `And in 2007?`, `And the 90s?`; None when `body` is no time."""
    said = _TIME.match(body)
    if said is None:
        return None
    time = find_years(said["time"].casefold())
    if time is None or said["time"][: time.start].strip() or said["time"][time.end :].strip():
        return None
    years = find_years(question.casefold())
    before = days_at(question) or ((years.start, years.end) if years is not None else None)
    if before is not None:
        head = re.sub(rf"(?:^| ){_TIME_LEAD}$", " ", question[: before[0]], flags=re.IGNORECASE).rstrip()
        return f"{head} {body}{question[before[1] :]}"
    if said["lead"] is None and said["time"].isdigit():
        return None
    return f"{question.rstrip(' ?.!')}, only {body}?" if asks_for_set(question) else None


def _bare(rest: str) -> str:
    return _IDLE.sub("", rest.strip()).strip()


def _only(asked: str, rest: str) -> str:
    works = _ONLY_WORKS.fullmatch(rest)
    if works is None:
        return f"{asked}, only {rest}?"
    if _ASKED_WORKS.search(asked):
        replaced = _ASKED_WORKS.sub(lambda match: f"{match['asking']} {works['works']}", asked, count=1)
        return f"{replaced}?"
    if _WHAT_MADE.match(asked):
        return f"{_WHAT_MADE.sub(f'Which {works["works"]} ', asked)}?"
    return f"{asked}, only {works['works']}?"


def _counted(asked: str) -> str:
    return asked if asked.casefold().startswith("how many") else f"How many {_ASKING.sub('', asked)}"
