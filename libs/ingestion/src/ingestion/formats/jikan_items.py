"""What a piece of a Jikan answer is, told by its shape, and what the whole answer is about, told by an address."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from ingestion.formats.json_values import JsonObject


class ItemKind(StrEnum):
    """What becomes records, in the word that reports count it under."""

    ANIME = "anime"
    MANGA = "manga"
    CHARACTER = "characters"
    PERSON = "people"
    PRODUCER = "producers"
    EPISODE = "episodes"
    CAST = "cast_entries"
    STAFF = "staff_entries"
    RELATION = "relations"
    CHARACTER_WORK = "works_of_characters"
    CHARACTER_VOICE = "voices_of_characters"
    PERSON_WORK = "works_of_people"
    PERSON_VOICE = "voices_of_people"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is understood and not imported, in the word that reports count it under."""

    kind: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What an answer is about: an anime, a manga, a character or a person of the site."""

    kind: str
    mal_id: int

    @property
    def ref(self) -> str:
        """`mal:anime:1`."""
        return f"mal:{self.kind}:{self.mal_id}"


# The fields that an item of each kind has for certain, the more telling kinds first.
_SHAPES: tuple[tuple[ItemKind | LeftOut, frozenset[str]], ...] = tuple(
    (kind, frozenset(fields.split()))
    for kind, fields in (
        (LeftOut("reviews"), "review"),
        (LeftOut("recommendations"), "entry content"),
        (LeftOut("news"), "author_username excerpt"),
        (LeftOut("forum_topics"), "author_username comments"),
        (LeftOut("user_updates"), "user status"),
        (LeftOut("users"), "username"),
        (LeftOut("clubs"), "members access"),
        (LeftOut("clubs"), "anime manga characters"),
        (LeftOut("watch_episodes"), "entry episodes"),
        (LeftOut("watch_promos"), "entry trailer"),
        (LeftOut("videos"), "promo"),
        (LeftOut("videos"), "episode images"),
        (LeftOut("pictures"), "jpg"),
        (LeftOut("statistics"), "total scores"),
        (LeftOut("themes"), "openings endings"),
        (LeftOut("more_info"), "moreinfo"),
        (LeftOut("seasons"), "year seasons"),
        (ItemKind.PERSON_VOICE, "role anime character"),
        (ItemKind.CAST, "character role"),
        (ItemKind.STAFF, "person positions"),
        (ItemKind.CHARACTER_VOICE, "person language"),
        (ItemKind.CHARACTER_WORK, "role anime"),
        (ItemKind.CHARACTER_WORK, "role manga"),
        (ItemKind.PERSON_WORK, "position anime"),
        (ItemKind.PERSON_WORK, "position manga"),
        (ItemKind.RELATION, "relation entry"),
        (LeftOut("recommendations"), "entry"),
    )
)
_SITE = r"^https?://(?:www\.)?myanimelist\.net/"
_PAGES: tuple[tuple[ItemKind | LeftOut, re.Pattern[str]], ...] = (
    (ItemKind.EPISODE, re.compile(_SITE + r"anime/\d+/[^/]*/episode/\d+")),
    (ItemKind.PRODUCER, re.compile(_SITE + r"anime/producer/\d+")),
    (LeftOut("genres"), re.compile(_SITE + r"(?:anime|manga)/genre/\d+")),
    (LeftOut("magazines"), re.compile(_SITE + r"manga/magazine/\d+")),
    (ItemKind.ANIME, re.compile(_SITE + r"anime/\d+")),
    (ItemKind.MANGA, re.compile(_SITE + r"manga/\d+")),
    (ItemKind.CHARACTER, re.compile(_SITE + r"character/\d+")),
    (ItemKind.PERSON, re.compile(_SITE + r"people/\d+")),
)
# What tells an item apart whose page is not given.
_PAGELESS: tuple[tuple[ItemKind | LeftOut, frozenset[str]], ...] = (
    (ItemKind.EPISODE, frozenset({"mal_id", "filler", "recap"})),
    (ItemKind.ANIME, frozenset({"mal_id", "aired"})),
    (ItemKind.MANGA, frozenset({"mal_id", "published"})),
    (ItemKind.CHARACTER, frozenset({"mal_id", "nicknames"})),
    (ItemKind.PERSON, frozenset({"mal_id", "alternate_names"})),
    (ItemKind.PRODUCER, frozenset({"mal_id", "titles", "established"})),
)
# What has these fields and no others.
_BARE: tuple[tuple[LeftOut, frozenset[str]], ...] = (
    (LeftOut("external_links"), frozenset({"name", "url"})),
    (LeftOut("pictures"), frozenset({"images"})),
)

_EPISODE_OF = re.compile(_SITE + r"anime/(\d+)/")
_REQUEST = re.compile(r"^https?://\S+?/v4/(anime|manga|characters|people)/(\d+)(?=[/?]|$)")
_NAMED_SO = re.compile(r"(?:^|[/_.-])(anime|manga|characters?|people|person)[/_-](\d+)(?=[/_.-]|$)")
_SUBJECT_KINDS = {"characters": "character", "people": "person"}


def kind_of(item: JsonObject) -> ItemKind | LeftOut | None:
    """What an item is; None when it looks like nothing that Jikan answers."""
    by_bareness = (kind for kind, fields in _BARE if fields == item.keys())
    by_page = (kind for kind, page in _PAGES if page.match(str(item.get("url"))))
    return next(chain(by_bareness, _shaped(item, _SHAPES), by_page, _shaped(item, _PAGELESS)), None)


def subject_of_answer(answer: JsonObject, path: str) -> Subject | None:
    """What the answer is about, by the address that it says it came from, else by its path.

    A path says so as Jikan's own addresses do: `anime/1/characters.json`, or `anime-1-characters.json`.
    """
    addresses = (_REQUEST.match(value) for value in answer.values() if isinstance(value, str))
    found = next((match for match in addresses if match), None) or _NAMED_SO.search(path)
    if found is None:
        return None
    return Subject(_SUBJECT_KINDS.get(found[1], found[1]), int(found[2]))


def anime_of_episode(item: JsonObject) -> Subject | None:
    """The anime of an episode, by the address of its page."""
    match = _EPISODE_OF.match(str(item.get("url")))
    return None if match is None else Subject("anime", int(match[1]))


def _shaped(
    item: JsonObject, shapes: tuple[tuple[ItemKind | LeftOut, frozenset[str]], ...]
) -> Iterator[ItemKind | LeftOut]:
    return (kind for kind, fields in shapes if fields <= item.keys())
