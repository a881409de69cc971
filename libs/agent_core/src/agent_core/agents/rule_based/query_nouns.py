"""What a set consists of: the nouns of works, people, studios and characters."""

from dataclasses import dataclass
from functools import lru_cache

from datastore.vocabulary import EntityType, StaffRole, WorkFormat

from agent_core.agents.rule_based.beginnings import Sieve
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.set_question import Measure

_F = WorkFormat
_ANIME, _MANGA = (EntityType.ANIME,), (EntityType.MANGA,)


@dataclass(frozen=True, slots=True)
class WorkNoun:
    """A word for works: their types and formats, its plural for an answer, and what `long` means of them."""

    pattern: str
    noun: str
    types: tuple[EntityType, ...]
    formats: tuple[WorkFormat, ...] = ()
    length: Measure | None = Measure.EPISODES


WORK_NOUNS: tuple[WorkNoun, ...] = (
    WorkNoun(
        r"(?:tv|television) (?:anime )?(?:series|shows?|animes?|programs?)|on (?:tv|television)",
        "TV series",
        _ANIME,
        (_F.TV,),
    ),
    WorkNoun(
        r"(?:(?:anime|animated|feature|feature length|theatrical) )*(?:movies?|films?)",
        "movies",
        _ANIME,
        (_F.MOVIE,),
        Measure.DURATION,
    ),
    WorkNoun(r"ovas?|original video animations?", "OVAs", _ANIME, (_F.OVA,)),
    WorkNoun(r"onas?|web (?:series|anime)", "ONAs", _ANIME, (_F.ONA,)),
    WorkNoun(r"(?:tv |anime )?specials", "specials", _ANIME, (_F.SPECIAL,)),
    WorkNoun(r"light novels?(?: series)?", "light novels", _MANGA, (_F.LIGHT_NOVEL,), Measure.VOLUMES),
    WorkNoun(r"novels?", "novels", _MANGA, (_F.NOVEL,), Measure.VOLUMES),
    WorkNoun(r"one ?shots?", "one-shots", _MANGA, (_F.ONE_SHOT,), Measure.CHAPTERS),
    WorkNoun(
        r"mangas?(?: series| titles?| works?)?|comics?", "manga", _MANGA, (_F.MANGA, _F.ONE_SHOT), Measure.CHAPTERS
    ),
    WorkNoun(
        r"(?:anime|animated) (?:series|shows?)|series|shows?|cartoons?",
        "series",
        _ANIME,
        (_F.TV, _F.TV_SHORT, _F.ONA),
    ),
    WorkNoun(r"animes?(?: titles?| works?| productions?| projects?)?|animations?", "anime", _ANIME),
    WorkNoun(r"works?|titles?|productions|projects", "works", (*_ANIME, *_MANGA), (), None),
)

ANIME = next(noun for noun in WORK_NOUNS if noun.noun == "anime")

ANY_WORK = r"(?:" + "|".join(f"(?:{noun.pattern})" for noun in WORK_NOUNS) + r")"

VOICE_NOUNS = (
    r"(?:(?:japanese )?(?:voice )?(?:actors?|actress(?:es)?|talents?|performers?)|seiyuus?|seiyus?"
    r"|(?:voice )?cast members?)"
)
PERSON_NOUNS = r"(?:people|persons?|staff(?: members?)?|creators?|individuals?)"
STUDIO_NOUNS = r"(?:(?:animation |anime )?(?:studios?|compan(?:y|ies)|production houses?))"
CHARACTER_NOUNS = r"(?:characters?)"

_R = StaffRole
ROLE_NOUNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"animation directors?", (_R.ANIMATION_DIRECTOR,)),
    (r"art directors?", (_R.ART_DIRECTOR,)),
    (r"sound directors?", (_R.SOUND_DIRECTOR,)),
    (r"assistant directors?", (_R.ASSISTANT_DIRECTOR,)),
    (r"(?:episode) directors?", (_R.EPISODE_DIRECTOR,)),
    (r"(?:(?:series|chief|main|film|movie|anime) )?directors?", (_R.DIRECTOR,)),
    (r"(?:music )?composers?", (_R.COMPOSER,)),
    (r"character designers?", (_R.CHARACTER_DESIGNER,)),
    (r"(?:mecha|mechanical) designers?", (_R.MECHANICAL_DESIGNER,)),
    (r"(?:screen|script) ?writers?", (_R.WRITER, _R.SERIES_COMPOSER)),
    (r"series composers?", (_R.SERIES_COMPOSER,)),
    (r"(?:original )?(?:authors?|mangakas?|manga artists?|manga creators?)", (_R.AUTHOR, _R.ILLUSTRATOR)),
    (r"writers?", (_R.AUTHOR, _R.WRITER, _R.SERIES_COMPOSER)),
    (r"illustrators?|artists?", (_R.ILLUSTRATOR, _R.AUTHOR)),
    (r"key animators?", (_R.KEY_ANIMATION,)),
    (r"producers?", (_R.PRODUCER,)),
)
ANY_ROLE_NOUN = r"(?:" + "|".join(pattern for pattern, _ in ROLE_NOUNS) + r")"

ROLE_VERBS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (r"direct(?:s|ed|ing)?|helm(?:s|ed)?", r"directed|helmed", (_R.DIRECTOR,)),
    (
        r"(?:compos(?:es?|ed|ing)|(?:wrote|writes?|written|made|makes?|did|does?|scored|composed?)"
        r" (?:the )?(?:music|score|soundtracks?)|scor(?:es?|ed))(?: (?:the )?(?:music|score|soundtracks?))?(?:"
        r" (?:for|of))?",
        r"composed|scored|music (?:composed|written)?",
        (_R.COMPOSER,),
    ),
    (
        r"(?:design(?:s|ed)?|drew|did) (?:the )?characters?(?: designs?)?(?: (?:for|of|in))?",
        r"character designs?|characters designed",
        (_R.CHARACTER_DESIGNER,),
    ),
    (
        r"(?:wrote|writes?) (?:the )?(?:scripts?|screenplays?)(?: (?:for|of))?|script(?:s|ed)",
        r"scripted|script|screenplay|scripts written",
        (_R.WRITER, _R.SERIES_COMPOSER),
    ),
    (
        r"wr[io]te(?:s)?|written|author(?:s|ed)?|penn?ed",
        r"written|authored|penned",
        (_R.AUTHOR, _R.WRITER, _R.SERIES_COMPOSER),
    ),
    (r"dr[ae]ws?|drawn|illustrat(?:es?|ed)", r"drawn|illustrated", (_R.ILLUSTRATOR, _R.AUTHOR)),
)
"""Verbs with the person before them, passives with `by` after them, and the roles that both mean."""


_LIKELY_NOUNS = Sieve(noun.pattern for noun in WORK_NOUNS)


def take_work_noun(scan: Scan) -> WorkNoun | None:
    """The word that says what works are meant, taken out of the text: the first in it; of two there, the longer one."""
    likely = (WORK_NOUNS[place] for place in _LIKELY_NOUNS.of(scan.text))
    found = [(match.start(), -match.end(), noun) for noun in likely if (match := scan.find(noun.pattern)) is not None]
    if not found:
        return None
    start, negative_end, noun = min(found, key=lambda each: each[:2])
    scan.cut(start, -negative_end)
    return noun


@lru_cache(maxsize=512)
def roles_of_noun(text: str) -> tuple[str, ...] | None:
    """The roles that a noun such as `directors` stands for."""
    return next((roles for pattern, roles in ROLE_NOUNS if Scan(text).find(rf"^(?:{pattern})$")), None)


@lru_cache(maxsize=512)
def roles_of_verb(text: str) -> tuple[str, ...] | None:
    """The roles that a verb such as `directed` stands for; none of them in particular for `worked on`."""
    found = next((roles for verb, _, roles in ROLE_VERBS if Scan(text).find(rf"^(?:{verb})$")), None)
    return () if found is None and text.startswith(("work", "contribut", "was involved", "were involved")) else found
