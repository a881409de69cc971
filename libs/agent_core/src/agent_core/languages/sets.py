"""A set in words, `finished movies by X from 2001 on with at least 2 episodes`, phrase by phrase in another language.

What goes before the noun and follows it becomes a row of short entries behind the noun: so no grammar has to agree. A
phrase that is not known here leaves the whole sentence English.
"""

import re
from collections.abc import Iterator
from functools import cache

type _Words = tuple[str, str, str]

_PLACES = {"de": 0, "es": 1, "ja": 2}
_MARK = r"[\ue000-\uf8ff]"
_NAMES = rf"(?P<names>{_MARK}(?:(?:, and |, | and ){_MARK})*)"
_SEPARATORS = re.compile(r", and |, | and | or ")

_NOUNS: dict[str, _Words] = {
    "TV series": ("TV-Serien", "series de TV", "TVシリーズ"),
    "light novels": ("Light Novels", "novelas ligeras", "ライトノベル"),
    "main characters": ("Hauptfiguren", "personajes principales", "主要キャラクター"),
    "voice actors": ("Synchronsprecher", "actores de voz", "声優"),
    "movies": ("Filme", "películas", "映画"),
    "movie": ("Film", "película", "映画"),
    "OVAs": ("OVAs", "OVA", "OVA"),
    "ONAs": ("ONAs", "ONA", "ONA"),
    "specials": ("Specials", "especiales", "スペシャル"),
    "novels": ("Romane", "novelas", "小説"),
    "one-shots": ("Einzelgeschichten", "historias cortas", "読み切り"),
    "series": ("Serien", "series", "シリーズ"),
    "anime": ("Anime", "anime", "アニメ"),
    "manga": ("Manga", "manga", "漫画"),
    "works": ("Werke", "obras", "作品"),
    "work": ("Werk", "obra", "作品"),
    "characters": ("Figuren", "personajes", "キャラクター"),
    "character": ("Figur", "personaje", "キャラクター"),
    "people": ("Personen", "personas", "人物"),
    "person": ("Person", "persona", "人物"),
    "studios": ("Studios", "estudios", "スタジオ"),
    "studio": ("Studio", "estudio", "スタジオ"),
    "episodes": ("Folgen", "episodios", "エピソード"),
}
_BEFORE: dict[str, _Words] = {
    "finished": ("abgeschlossen", "terminadas", "完結"),
    "still running": ("laufend", "en curso", "継続中"),
    "upcoming": ("angekündigt", "próximas", "公開予定"),
    "not finished": ("nicht abgeschlossen", "no terminadas", "未完結"),
    "not still running": ("nicht laufend", "no en curso", "継続中でない"),
    "original": ("Originalwerke", "originales", "オリジナル"),
    "female": ("weiblich", "femeninos", "女性"),
    "male": ("männlich", "masculinos", "男性"),
    "main": ("Hauptrolle", "principales", "主要"),
    "supporting": ("Nebenrolle", "secundarios", "脇役"),
}
_SEASONS: dict[str, _Words] = {
    "winter ": ("Winter ", "invierno de ", "冬"),
    "spring ": ("Frühling ", "primavera de ", "春"),
    "summer ": ("Sommer ", "verano de ", "夏"),
    "fall ": ("Herbst ", "otoño de ", "秋"),
}
_COUNTS: dict[str, _Words] = {
    "fewer than": ("weniger als {n}", "menos de {n}", "{n}未満"),
    "at most": ("höchstens {n}", "como mucho {n}", "{n}以下"),
    "exactly": ("genau {n}", "exactamente {n}", "ちょうど{n}"),
    "at least": ("mindestens {n}", "al menos {n}", "{n}以上"),
    "more than": ("mehr als {n}", "más de {n}", "{n}超"),
}
_UNITS: dict[str, _Words] = {
    "episodes": ("Folgen", "episodios", "話数"),
    "chapters": ("Kapitel", "capítulos", "章数"),
    "volumes": ("Bände", "tomos", "巻数"),
    "minutes": ("Minuten", "minutos", "分数"),
    "days": ("Tage", "días", "日数"),
}
_SCORES: dict[str, _Words] = {
    "below": ("Bewertung unter {n}", "puntuación menor que {n}", "評価{n}未満"),
    "of at most": ("Bewertung höchstens {n}", "puntuación de {n} como mucho", "評価{n}以下"),
    "of": ("Bewertung {n}", "puntuación de {n}", "評価{n}"),
    "of at least": ("Bewertung mindestens {n}", "puntuación de {n} al menos", "評価{n}以上"),
    "above": ("Bewertung über {n}", "puntuación mayor que {n}", "評価{n}超"),
}
_LINKS: dict[str, _Words] = {
    "with the director": ("Regie {x}", "dirección de {x}", "監督：{x}"),
    "with the composer": ("Musik {x}", "música de {x}", "音楽：{x}"),
    "with the author": ("Autor {x}", "autor {x}", "作者：{x}"),
    "with the writer": ("Drehbuch {x}", "guion de {x}", "脚本：{x}"),
    "with work by": ("unter Mitwirkung von {x}", "con trabajo de {x}", "{x}が参加"),
    "adapted from works by": ("nach Werken von {x}", "adaptadas de obras de {x}", "原作者：{x}"),
    "not by": ("nicht von {x}", "no de {x}", "{x}以外の制作"),
    "by": ("von {x}", "de {x}", "{x}の作品"),
    "with": ("mit {x}", "con {x}", "{x}が登場"),
    "not in": ("nicht in {x}", "no en {x}", "{x}以外"),
    "in": ("in {x}", "en {x}", "{x}に登場"),
    "of": ("von {x}", "de {x}", "{x}の"),
    "voiced by": ("gesprochen von {x}", "con la voz de {x}", "声優：{x}"),
    "behind": ("hinter {x}", "detrás de {x}", "{x}の制作"),
    "other than": ("außer {x}", "aparte de {x}", "{x}以外"),
}
_FIXED: tuple[tuple[str, _Words], ...] = (
    (r"from the (?P<n>\d{3}0)s", ("aus den {n}er-Jahren", "de los años {n}", "{n}年代")),
    (r"from (?P<n>\d{4}) to (?P<m>\d{4})", ("von {n} bis {m}", "de {n} a {m}", "{n}年〜{m}年")),
    (r"from (?P<n>\d{4}) on", ("ab {n}", "desde {n}", "{n}年以降")),
    (
        r"from (?P<season>winter |spring |summer |fall )?(?P<n>\d{4})",
        ("aus {season}{n}", "de {season}{n}", "{n}年{season}"),
    ),
    (r"up to (?P<n>\d{4})", ("bis {n}", "hasta {n}", "{n}年以前")),
    (r"based on a (?P<n>manga|light novel|novel|game)", ("nach: {n}", "basadas en: {n}", "原作：{n}")),
    (r"with a female main character", ("weibliche Hauptfigur", "protagonista femenina", "女性主人公")),
    (r"with a male main character", ("männliche Hauptfigur", "protagonista masculino", "男性主人公")),
    (r"with a sequel", ("mit Fortsetzung", "con secuela", "続編あり")),
    (r"without a sequel", ("ohne Fortsetzung", "sin secuela", "続編なし")),
    (r"with a prequel", ("mit Vorgeschichte", "con precuela", "前日譚あり")),
    (r"without (?P<n>[a-z][a-z -]*?(?: or [a-z][a-z -]*?)?)", ("ohne {n}", "sin {n}", "{n}以外")),
)


def set_phrase(text: str, code: str) -> str | None:
    """The set in the language: its noun, then what was said of it; None where a part of it is not known."""
    place = _PLACES[code]
    match = _SET.fullmatch(text)
    if match is None:
        return None
    before = _before(match["before"].strip(), place)
    after = _after(match["after"].strip(), place)
    if after is None:
        return None
    return ("、" if code == "ja" else ", ").join([_NOUNS[match["noun"]][place], *before, *after])


def _before(text: str, place: int) -> Iterator[str]:
    """States, sources and genders in the language; what is left are genres, which stay as the catalogue has them."""
    for english, words in sorted(_BEFORE.items(), key=lambda pair: -len(pair[0])):
        if re.search(rf"(?:^| ){english}(?: |$)", text):
            text = re.sub(rf"(?:^| ){english}(?= |$)", " ", text).strip()
            yield words[place]
    if text:
        yield f"{('Genre', 'género', 'ジャンル')[place]} {text}"


def _after(text: str, place: int) -> list[str] | None:
    said: list[str] = []
    while text:
        words, hit = _next_phrase(text)
        if hit is None:
            return None
        parts = {name: value or "" for name, value in hit.groupdict().items()}
        if "names" in parts:
            parts["x"] = ("、" if place == _PLACES["ja"] else ", ").join(_SEPARATORS.split(parts["names"]))
        if parts.get("season"):
            parts["season"] = _SEASONS[parts["season"]][place]
        said.append(words[place].format(**parts))
        text = text[hit.end() :].strip()
    return said


def _next_phrase(text: str) -> tuple[_Words, re.Match[str] | None]:
    """The phrase that a text begins with, and its words."""
    for pattern, words in _phrases():
        hit = pattern.match(text)
        if hit is not None:
            return words, hit
    return ("", "", ""), None


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], _Words], ...]:
    """What may follow the noun, each up to the next phrase; longer words go first."""
    return tuple(_made_phrases())


def _made_phrases() -> Iterator[tuple[re.Pattern[str], _Words]]:
    for english, words in sorted(_LINKS.items(), key=lambda pair: -len(pair[0])):
        yield re.compile(rf"{english} {_NAMES}{_END}"), words
    for english, words in sorted(_SCORES.items(), key=lambda pair: -len(pair[0])):
        yield re.compile(rf"with a score {english} (?P<n>[\d.]+){_END}"), words
    for english, words in _COUNTS.items():
        for unit, units in _UNITS.items():
            counted = (f"{words[0]} {units[0]}", f"{words[1]} {units[1]}", f"{units[2]}{words[2]}")
            yield re.compile(rf"with {english} (?P<n>\d+) {unit}{_END}"), counted
    for english, words in _FIXED:
        yield re.compile(rf"{english}{_END}"), words


_END = r"(?= |$)"
_NOUN = "|".join(sorted(_NOUNS, key=len, reverse=True))
_SET = re.compile(rf"(?P<before>(?:[a-z][a-z-]* )*?)(?P<noun>{_NOUN})(?P<after>(?: .*)?)")
