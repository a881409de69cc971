"""Subjects and episodes of a Bangumi archive to raw records."""

import html
import re
from array import array
from typing import Any

from datastore.dates import PartialDate
from datastore.vocabulary import NameKind

from ingestion.formats.bangumi_infobox import Infobox, parse_infobox
from ingestion.formats.bangumi_lines import Episode, Subject, SubjectKind
from ingestion.formats.bangumi_mapping import FORMATS, PLATFORM_WORDS
from ingestion.formats.name_list import NameList, script_language
from ingestion.formats.notes import Notes
from ingestion.text import light_markup_to_text

RECORD_TYPES: dict[SubjectKind, str] = {SubjectKind.ANIME: "anime", SubjectKind.BOOK: "manga"}
"""The kinds of subject that become works."""

_BB_CODE = re.compile(r"\[/?(?:b|i|u|s|url|size|color|mask|quote|code|img)(?:=[^\]]*)?\]", re.IGNORECASE)
_WRITTEN_DATE = re.compile(r"(\d{4})年(?:(\d{1,2})月(?:(\d{1,2})日)?)?")
_START_FIELDS = ("放送开始", "上映日", "上映年度", "发售日", "开始", "连载开始")
_END_FIELDS = ("播放结束", "结束", "连载结束")
_ALIASES = "别名"
_LABELLED: dict[str, tuple[NameKind, str | None]] = {
    "en": (NameKind.ENGLISH, "en"),
    "英文名": (NameKind.ENGLISH, "en"),
    "罗马字": (NameKind.ROMAJI, "ja-Latn"),
}
# Staff is named in the infobox without ids: too little to make a person of, enough to be kept as text.
_CREDITS = {
    "原作": "original work",
    "作者": "author",
    "作画": "art",
    "插图": "illustration",
    "导演": "director",
    "系列构成": "series composition",
    "脚本": "script",
    "音乐": "music",
    "人物原案": "original character design",
    "人物设定": "character design",
    "动画制作": "animation work",
    "出版社": "publisher",
    "连载杂志": "magazine",
}
_MAX_CREDIT = 300


class SubjectIndex:
    """The kind and the start of every subject of a dump, a few bytes each."""

    def __init__(self) -> None:
        self._kinds = bytearray()
        self._starts = array("I")

    def add(self, subject: Subject) -> None:
        """Note a subject."""
        missing = subject.id + 1 - len(self._kinds)
        if missing > 0:
            # Growing by half as much again keeps the number of copies small.
            missing += len(self._kinds) // 2
            self._kinds.extend(bytes(missing))
            self._starts.extend(array("I", bytes(missing * self._starts.itemsize)))
        self._kinds[subject.id] = subject.kind
        self._starts[subject.id] = _as_number(subject.date)

    def kind(self, subject_id: int) -> SubjectKind:
        """The kind; UNKNOWN when the dump does not hold the subject."""
        return SubjectKind(self._kinds[subject_id]) if subject_id < len(self._kinds) else SubjectKind.UNKNOWN

    def is_later(self, one: int, other: int) -> bool:
        """Whether `one` certainly started after `other`; a month or day that is not known decides nothing."""
        for late, early in zip(self._start(one), self._start(other), strict=True):
            if not late or not early:
                return False
            if late != early:
                return late > early
        return False

    def _start(self, subject_id: int) -> tuple[int, int, int]:
        """Year, month and day; 0 for what is not known."""
        number = self._starts[subject_id] if subject_id < len(self._starts) else 0
        return number // 10_000, number // 100 % 100, number % 100


def subject_ref(subject_id: int) -> str:
    """`bangumi:subject:1`: one sequence of numbers for works of all kinds."""
    return f"bangumi:subject:{subject_id}"


def work_fields(subject: Subject, notes: Notes) -> dict[str, Any]:
    """The raw record of an anime or a book."""
    infobox = parse_infobox(subject.infobox)
    record = RECORD_TYPES[subject.kind]
    score = round(subject.score * 10, 2) or None
    counts = {"episodes": subject.eps} if record == "anime" else {"chapters": subject.eps, "volumes": subject.volumes}
    return {
        "record": record,
        "ref": subject_ref(subject.id),
        "names": _names(subject, infobox, notes),
        "format": FORMATS.get(subject.platform),
        "start": _start(subject, infobox),
        "end": _infobox_date(infobox, _END_FIELDS),
        "score": score,
        "score_source": "bangumi" if score else None,
        "popularity": sum(subject.score_details.values()) or None,
        "synopsis": plain_text(subject.summary),
        "tags": list(subject.meta_tags),
        "extra": _extra(subject, infobox),
        # The site writes 0 for what it does not know.
        **{name: count or None for name, count in counts.items()},
    }


def episode_fields(episode: Episode, notes: Notes) -> dict[str, Any]:
    """The raw record of an episode of the story itself; its number has to be whole."""
    number = int(episode.sort) if episode.sort.is_integer() else episode.sort
    names = NameList(notes)
    name = html.unescape(episode.name)
    names.official(name, NameKind.MAIN, script_language(name))
    names.official(html.unescape(episode.name_cn), NameKind.ALIAS, "zh-Hans")
    # The day it was shown is a fact worth keeping even where nobody wrote down its title.
    names.official(None if names.fields() else f"Episode {number}", NameKind.MAIN, "en")
    return {
        "record": "episode",
        "ref": f"bangumi:episode:{episode.id}",
        "names": names.fields(),
        "anime": subject_ref(episode.subject_id),
        "number": number,
        "air_date": release_date(episode.airdate),
        "synopsis": plain_text(episode.description),
    }


def release_date(text: str | None) -> str | None:
    """`2013年9月25日` as `2013-09-25`; every other text stays as it is, for the record to make of it what it can."""
    if text is None:
        return None
    stripped = text.strip()
    written = _WRITTEN_DATE.fullmatch(stripped)
    return "-".join(part.zfill(2) for part in written.groups() if part) if written else stripped


def plain_text(markup: str) -> str | None:
    """A summary without the site's markup; None when nothing is left."""
    return light_markup_to_text(_BB_CODE.sub("", markup)) or None


def _names(subject: Subject, infobox: Infobox, notes: Notes) -> list[dict[str, Any]]:
    names = NameList(notes)
    name = html.unescape(subject.name)
    names.official(name, NameKind.MAIN, script_language(name))
    names.official(html.unescape(subject.name_cn), NameKind.ALIAS, "zh-Hans")
    for item in infobox.items(_ALIASES):
        value = html.unescape(item.value)
        kind, language = _LABELLED.get(item.label, (NameKind.ALIAS, script_language(value)))
        names.alias(value, language, kind)
    return names.fields()


def _start(subject: Subject, infobox: Infobox) -> str | None:
    """The date of the page; where it has none, the infobox's as far as it is one."""
    return _infobox_date(infobox, _START_FIELDS) if subject.date is None else release_date(subject.date)


def _infobox_date(infobox: Infobox, names: tuple[str, ...]) -> str | None:
    text = release_date(infobox.text(*names))
    return text if text is not None and PartialDate.parse(text) is not None else None


def _extra(subject: Subject, infobox: Infobox) -> dict[str, Any]:
    named = ((word, infobox.text(field)) for field, word in _CREDITS.items())
    credits = [f"{word}: {text[:_MAX_CREDIT]}" for word, text in named if text is not None]
    extra: dict[str, Any] = {
        "official_site": infobox.text("官方网站"),
        "credits": credits,
        "raw_format": PLATFORM_WORDS.get(subject.platform),
        "is_adult": subject.nsfw or None,
    }
    return {name: value for name, value in extra.items() if value not in (None, "", [])}


def _as_number(date: str | None) -> int:
    """20090405, 20090400 or 20090000; 0 for a date that is not known."""
    known = PartialDate.parse(release_date(date) or "")
    return 0 if known is None else known.year * 10_000 + (known.month or 0) * 100 + (known.day or 0)
