"""Mentions to entities: names as people write them, then what the vector index has near them."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from datastore.edges import WORK_RELATIONS, EdgeType
from datastore.errors import DatabaseUnavailable
from datastore.name_hits import NameHit
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.entity_cards import EntityCard
from datastore.postgres.entity_reads import read_cards
from datastore.postgres.graph_reads import EntityLink, read_links
from datastore.postgres.hot import HotPool, NameSource
from datastore.postgres.name_search import names_near, search_names
from datastore.vocabulary import WORK_TYPES, EntityType
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.protocols import SearchExecutor
from agent_core.retrieval.candidates import NameCandidate, choose
from agent_core.retrieval.name_likeness import (
    Reading,
    closest_name,
    is_cut_in_a_number,
    is_of_whole_words,
    misspells,
    readings,
    shared_name,
    whole_match,
)
from agent_core.schemas import MatchKind, Mention, ResolvedMention, SearchIntent

SOURCE = "postgresql"

MIN_PART_CHARACTERS = 3
"""Fewer Latin letters than these name something only when they are all of its name."""

MIN_LOOSE_TYPO_CHARACTERS = 6
"""A shorter text that is a letter away from a part of some name is near too many names to mean one."""

_HITS_PER_READING = 20
_HITS_PER_WORK = 10
_NEIGHBOURS = 5
_LINKS_TO_CHECK = 60
_RELATED_WORKS = 60
# What an entity that is no work is best known for, and what makes it belong to a work.
_BELONGING = (EdgeType.APPEARS_IN, EdgeType.EPISODE_OF, EdgeType.STAFF_OF, EdgeType.PRODUCED, EdgeType.VOICES)
# A work that only shares a character with two others joins no franchise of them.
_LOOSE_RELATIONS = frozenset({EdgeType.OTHER_RELATION, EdgeType.SHARES_CHARACTER})
_MATCH_KINDS = {
    "exact": MatchKind.FOLDED,
    "prefix": MatchKind.PREFIX,
    "word_prefix": MatchKind.WORD_PREFIX,
    "typo": MatchKind.TYPO,
}


@dataclass(frozen=True, slots=True)
class _Hit:
    """A name hit with the reading that gave it; `is_whole_typo`: the text misspells the name from end to end."""

    hit: NameHit
    reading: Reading
    is_whole_typo: bool = False


class NameResolver:
    """Finds what mentions mean; see agent_core.retrieval.candidates for how one of several is chosen.

    The vector index is asked, where there is one, only for mentions that no name answers, and never for a short or a
    quoted one. Its neighbours are shown when their names share a word with the mention, and chosen, as a guess, only
    when they have all of its words.
    """

    def __init__(
        self, engine: ReadOnlyEngine, search: SearchExecutor | None = None, *, hot: HotPool | None = None
    ) -> None:
        self._engine = engine
        self._search = search
        self._hot = hot

    async def resolve(self, mentions: Sequence[Mention], *, timeout: float) -> tuple[ResolvedMention, ...]:
        """One result for each mention, in order. Raises SourceUnavailable when PostgreSQL is away."""
        if not mentions:
            return ()
        deadline = asyncio.get_running_loop().time() + timeout
        try:
            async with self._engine.connect(timeout) as conn:
                found = await _by_name(conn, self._hot or conn, mentions)
            nameless = [
                mention
                for mention, candidates in zip(mentions, found, strict=True)
                if not candidates and _may_be_guessed(mention)
            ]
            nearby = await self._nearby(nameless, deadline) if self._search is not None else {}
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc
        return tuple(
            choose(mention, candidates or nearby.get(mention, []))
            for mention, candidates in zip(mentions, found, strict=True)
        )

    async def named(self, mentions: Sequence[Mention], *, timeout: float) -> tuple[tuple[NameCandidate, ...], ...]:
        """What names alone find for each mention, in order, before any is chosen. Raises SourceUnavailable."""
        try:
            async with self._engine.connect(timeout) as conn:
                return tuple(map(tuple, await _by_name(conn, self._hot or conn, mentions)))
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc

    async def _nearby(self, mentions: Iterable[Mention], deadline: float) -> dict[Mention, list[NameCandidate]]:
        """What the vector index has near each mention. An index that is away, or time that is up, gives nothing."""
        found: dict[Mention, list[NameCandidate]] = {}
        for mention in mentions:
            ids = await self._neighbours(mention, deadline)
            left = deadline - asyncio.get_running_loop().time()
            if ids and left > 0:
                async with self._engine.connect(left) as conn:
                    cards = await read_cards(conn, ids)
                    found[mention] = await _with_context(
                        conn, self._hot or conn, mention, _alike(mention, cards.values())
                    )
        return found

    async def _neighbours(self, mention: Mention, deadline: float) -> list[UUID]:
        left = deadline - asyncio.get_running_loop().time()
        if self._search is None or left <= 0:
            return []
        intent = SearchIntent(
            rationale="no name answers the mention",
            query=mention.text,
            entity_types=mention.entity_types,
            top_k=_NEIGHBOURS,
        )
        try:
            result = await self._search.execute(intent, timeout=left)
        except (SourceUnavailable, IntentRefused):
            return []
        return [hit.entity.id for hit in result.hits]


async def _by_name(conn: AsyncConnection, names: NameSource, mentions: Sequence[Mention]) -> list[list[NameCandidate]]:
    hits = [await _hits(names, mention) for mention in mentions]
    cards = await read_cards(conn, [found.hit.entity_id for of_mention in hits for found in of_mention])
    candidates: list[list[NameCandidate]] = []
    for mention, of_mention in zip(mentions, hits, strict=True):
        named = [
            _candidate(mention, found, card)
            for found in of_mention
            if (card := cards.get(found.hit.entity_id)) is not None and found.reading.allows(card)
        ]
        meant = [each for each in named if mention.entity is None or each.card.id == mention.entity.id]
        candidates.append(await _with_context(conn, names, mention, _best_of_each(meant)))
    return candidates


async def _hits(names: NameSource, mention: Mention) -> list[_Hit]:
    """Hits of every reading of the mention: of its types, of any type unless those bear the very name; else typos."""
    hits: list[_Hit] = []
    for types in dict.fromkeys((mention.entity_types, ())):
        for reading in readings(mention.text):
            found = await _search(names, reading, types)
            hits += [each for each in found if types == mention.entity_types or each.hit.match == "exact"]
            if any(each.hit.match == "exact" for each in found):
                break
        if any(each.hit.match == "exact" for each in hits):
            break
    spelled = [found for found in hits if found.hit.match != "typo"]
    return spelled or [*await _near(names, mention), *hits]


async def _near(names: NameSource, mention: Mention) -> list[_Hit]:
    return [
        _Hit(hit, reading, is_whole_typo=True)
        for reading in readings(mention.text)
        for hit in await names_near(names, reading.name, entity_types=mention.entity_types)
        if misspells(reading.name, hit.matched_name, whole=True)
    ]


async def _search(names: NameSource, reading: Reading, types: Sequence[EntityType]) -> list[_Hit]:
    hits = await search_names(names, reading.name, entity_types=types, limit=_HITS_PER_READING)
    letters = sum(map(str.isalnum, reading.name))
    is_short = reading.name.isascii() and letters < MIN_PART_CHARACTERS
    return [
        _Hit(hit, reading)
        for hit in hits
        if (hit.match == "exact" or not is_short)
        and not is_cut_in_a_number(reading.name, hit.matched_name)
        and (hit.match != "typo" or _is_loose_typo(reading.name, hit.matched_name, letters))
    ]


def _is_loose_typo(text: str, name: str, letters: int) -> bool:
    return letters >= MIN_LOOSE_TYPO_CHARACTERS and misspells(text, name, whole=False)


def _may_be_guessed(mention: Mention) -> bool:
    """Whether what resembles a mention that is no name may be shown: a short or a quoted one means itself."""
    letters = sum(map(str.isalnum, mention.text))
    return mention.entity is None and not mention.is_quoted and letters >= MIN_LOOSE_TYPO_CHARACTERS


def _candidate(mention: Mention, found: _Hit, card: EntityCard) -> NameCandidate:
    text, hit = found.reading.name, found.hit
    year = found.reading.year if found.reading.year is not None else mention.year
    whole = whole_match(text, card.names)
    if whole is not None:
        return NameCandidate(card, whole.name, whole.kind, year_asked=year)
    is_clean = found.is_whole_typo if hit.match == "typo" else is_of_whole_words(text, hit.matched_name)
    return NameCandidate(card, hit.matched_name, _MATCH_KINDS[hit.match], is_clean=is_clean, year_asked=year)


def _best_of_each(candidates: Iterable[NameCandidate]) -> list[NameCandidate]:
    """Each entity once, with its strongest match; of equal ones the most literal reading."""
    best: dict[UUID, NameCandidate] = {}
    for candidate in candidates:
        known = best.get(candidate.card.id)
        if known is None or candidate.strength > known.strength:
            best[candidate.card.id] = candidate
    return list(best.values())


def _alike(mention: Mention, cards: Iterable[EntityCard]) -> list[NameCandidate]:
    """Neighbours whose name has the words of the mention, and, less clean, those that share a word with it."""
    found: list[NameCandidate] = []
    for card in cards:
        like = closest_name(mention.text, card.names)
        name = like or shared_name(mention.text, card.names)
        if name is not None:
            found.append(
                NameCandidate(card, name, MatchKind.VECTOR, is_clean=like is not None, year_asked=mention.year)
            )
    return found


async def _with_context(
    conn: AsyncConnection, names: NameSource, mention: Mention, candidates: Sequence[NameCandidate]
) -> list[NameCandidate]:
    """The candidates with what the choice needs: best-known link, whether they belong to `within`, franchise."""
    if not candidates:
        return []
    works = [c.card.id for c in candidates if c.card.entity_type in WORK_TYPES]
    others = [c.card.id for c in candidates if c.card.entity_type not in WORK_TYPES]
    per_source = _LINKS_TO_CHECK if mention.within else 1
    links = await read_links(conn, others, _BELONGING, per_source=per_source)
    homes = await _works_named(names, mention.within) if mention.within and others else frozenset[UUID]()
    franchises = await _franchises(conn, works) if len(works) > 1 else {}
    return [
        replace(
            candidate,
            main_link=_main_link(links.get(candidate.card.id, ())),
            belongs=_belongs(mention, candidate, links, homes),
            franchise=franchises.get(candidate.card.id),
        )
        for candidate in candidates
    ]


def _main_link(links: Sequence[EntityLink]) -> str | None:
    return links[0].target_name if links else None


def _belongs(
    mention: Mention,
    candidate: NameCandidate,
    links: Mapping[UUID, Sequence[EntityLink]],
    homes: frozenset[UUID],
) -> bool | None:
    if mention.within is None or candidate.card.entity_type in WORK_TYPES:
        return None
    return any(link.target_id in homes for link in links.get(candidate.card.id, ()))


async def _works_named(names: NameSource, name: str) -> frozenset[UUID]:
    """Works whose name is this or begins so; those that only resemble it where there are none."""
    found: list[NameHit] = []
    for reading in readings(name):
        found = await search_names(names, reading.name, entity_types=sorted(WORK_TYPES), limit=_HITS_PER_WORK)
        if any(hit.match != "typo" for hit in found):
            found = [hit for hit in found if hit.match != "typo"]
            break
    return frozenset(hit.entity_id for hit in found)


async def _franchises(conn: AsyncConnection, works: Sequence[UUID]) -> dict[UUID, UUID]:
    """For each work one and the same work of its franchise, as far as one work at most lies between two of them."""
    links = await read_links(conn, works, sorted(WORK_RELATIONS), per_source=_RELATED_WORKS)
    first: dict[UUID, UUID] = {work: work for work in works}
    for work, related in links.items():
        for link in related:
            if link.target_id in works or link.edge not in _LOOSE_RELATIONS:
                _unite(first, work, first.setdefault(link.target_id, link.target_id))
    return {work: _root(first, work) for work in works}


def _unite(first: dict[UUID, UUID], left: UUID, right: UUID) -> None:
    low, high = sorted((_root(first, left), _root(first, right)))
    first[high] = low


def _root(first: Mapping[UUID, UUID], work: UUID) -> UUID:
    while first[work] != work:
        work = first[work]
    return work
