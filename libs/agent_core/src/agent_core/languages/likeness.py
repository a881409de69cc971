"""Recommendations: what a work shares with another, and what it is, as short entries in another language."""

import re
from collections.abc import Iterator

_MARK = r"[\ue000-\uf8ff]"
_LIKENESS = re.compile(rf"(?P<name>{_MARK}) \((?P<brief>[^()]*)\) shares (?P<shared>.+? with {_MARK})(?P<leads>; .+)?")
_WITH = re.compile(rf"(?P<what>the .+?) with (?P<liked>{_MARK})(?:; and |$)")
_ITEM = re.compile(r"the (?P<noun>genre|tag|creator)s? (?P<values>.+?)(?=(?:,? and|,) the (?:genre|tag|creator)s? |$)")
_PORTRAIT = re.compile(
    rf"(?P<name>{_MARK}) is an? (?P<what>[\w -]+?)(?: from (?P<year>\d{{4}}))?(?: with (?P<sizes>[^;]+))?"
    r"(?P<themes>; it has .+?)?(?P<leads>; .+? (?:is a main character|are main characters))?"
)
_LEADS = re.compile(r"; (?P<names>.+) (?:is a main character|are main characters)")
_SIZE = re.compile(r"(?P<number>\d+) (?P<unit>episode|chapter|volume|minute)s?")

type _Words = tuple[str, str, str]

_HEADS: dict[str, _Words] = {
    "genre": ("Genre", "género", "ジャンル"),
    "tag": ("Thema", "tema", "タグ"),
    "creator": ("gemacht von", "creado por", "制作者"),
    "leads": ("Hauptfigur", "protagonista", "主人公"),
    "shared": ("gemeinsam mit {x}: ", "en común con {x}: ", "{x}との共通点："),
}
_UNITS: dict[str, _Words] = {
    "episode": ("Folgen: {n}", "episodios: {n}", "全{n}話"),
    "chapter": ("Kapitel: {n}", "capítulos: {n}", "全{n}章"),
    "volume": ("Bände: {n}", "tomos: {n}", "全{n}巻"),
    "minute": ("{n} Minuten", "{n} minutos", "{n}分"),
}
_KINDS: dict[str, _Words] = {
    "TV series": ("TV-Serie", "serie de TV", "TVシリーズ"),
    "series of shorts": ("Kurzserie", "serie de cortos", "ショートアニメ"),
    "OVA": ("OVA", "OVA", "OVA"),
    "ONA": ("ONA", "ONA", "ONA"),
    "one-shot": ("Einzelgeschichte", "historia corta", "読み切り"),
    "movie": ("Film", "película", "映画"),
    "special": ("Special", "especial", "スペシャル"),
    "manga": ("Manga", "manga", "漫画"),
    "novel": ("Roman", "novela", "小説"),
    "music": ("Musikvideo", "vídeo musical", "ミュージックビデオ"),
    "work": ("Werk", "obra", "作品"),
}
_STATUSES: dict[str, _Words] = {
    "finished": ("abgeschlossen", "terminada", "完結"),
    "running": ("laufend", "en curso", "放送・連載中"),
    "upcoming": ("angekündigt", "próxima", "公開予定"),
}
_PLACES = {"de": 0, "es": 1, "ja": 2}
_COMMA = {"de": ", ", "es": ", ", "ja": "、"}
_SEMICOLON = {"de": "; ", "es": "; ", "ja": "；"}


def likeness(body: str, code: str) -> str | None:
    """`X (movie, 2011) shares the genres A and B with Y; C is a main character`; None for any other sentence."""
    match = _LIKENESS.fullmatch(body)
    if match is None:
        return None
    brief = [_kind(part, code) or part for part in match["brief"].split(", ") if part]
    shared = [
        _HEADS["shared"][_PLACES[code]].format(x=part["liked"]) + _SEMICOLON[code].join(_items(part["what"], code))
        for part in _WITH.finditer(match["shared"])
    ]
    return _entry(match["name"], [_COMMA[code].join(brief), *shared, *_leads(match["leads"], code)], code)


def portrait(body: str, code: str) -> str | None:
    """`X is a finished TV series from 2009 with 64 episodes; it has the genre A`; None for any other sentence."""
    match = _PORTRAIT.fullmatch(body)
    if match is None or not (match["year"] or match["sizes"] or match["themes"]):
        return None
    status, _, kind = match["what"].partition(" ")
    if status not in _STATUSES:
        status, kind = "", match["what"]
    said = _kind(kind, code)
    sizes = [_size(size, code) for size in re.split(r", and |, | and ", match["sizes"] or "") if size]
    if said is None or None in sizes:
        return None
    head = [said, *([_STATUSES[status][_PLACES[code]]] if status else []), *([match["year"]] if match["year"] else [])]
    themes = _items((match["themes"] or "").removeprefix("; it has "), code)
    return _entry(
        match["name"], [_COMMA[code].join([*head, *filter(None, sizes)]), *themes, *_leads(match["leads"], code)], code
    )


def _entry(name: str, parts: list[str], code: str) -> str:
    return f"{name}{'：' if code == 'ja' else ': '}{_SEMICOLON[code].join(filter(None, parts))}"


def _items(text: str, code: str) -> Iterator[str]:
    for item in _ITEM.finditer(text):
        yield f"{_HEADS[item['noun']][_PLACES[code]]} {_values(item['values'], code)}"


def _leads(text: str | None, code: str) -> list[str]:
    match = _LEADS.fullmatch(text) if text else None
    return [f"{_HEADS['leads'][_PLACES[code]]} {_values(match['names'], code)}"] if match is not None else []


def _values(text: str, code: str) -> str:
    parts = re.split(r", and |, | and ", text)
    return _COMMA[code].join(parts)


def _kind(text: str, code: str) -> str | None:
    words = _KINDS.get(text)
    return words[_PLACES[code]] if words is not None else None


def _size(text: str, code: str) -> str | None:
    match = _SIZE.fullmatch(text)
    return _UNITS[match["unit"]][_PLACES[code]].format(n=match["number"]) if match is not None else None
