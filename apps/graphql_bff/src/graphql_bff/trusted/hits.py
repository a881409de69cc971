"""Writes hits of the name lane as a document selects them, out of the texts that they are stored as."""

from collections.abc import Mapping, Sequence
from itertools import count

import orjson
from datastore.first_page import HitTexts, NameHits
from datastore.name_hits import NameHit
from datastore.vocabulary import EntityType, NameKind

from graphql_bff.search.hits import NameMatch
from graphql_bff.trusted.plan import EntityTree, HitPart, TypeNameRoot

_MEMBERS = {each.value: each.name for of in (EntityType, NameKind, NameMatch) for each in of}
"""What the schema calls the members of these; those of one value have one name."""

_PLACES: Mapping[HitPart, int] = {
    "id": 0,
    "entity_type": 1,
    "name": 2,
    "matched_name": 3,
    "matched_kind": 4,
    "match": 5,
    "popularity": 6,
    "version": 7,
}
_NUMBERS = frozenset({"popularity", "version"})


class HitWriter:
    """Writes lists of hits: each member is a part of a hit, the name of its type, or a tree that is given in JSON."""

    def __init__(self, members: Mapping[str, HitPart | EntityTree | TypeNameRoot]) -> None:
        written: list[str] = []
        place_of_tree = count(len(_PLACES))
        for key, member in members.items():
            match member:
                case TypeNameRoot():
                    value = f'"{member.name}"'
                case EntityTree():
                    value = f"{{{next(place_of_tree)}}}"
                case _:
                    value = f"{{{_PLACES[member]}}}" if member in _NUMBERS else f'"{{{_PLACES[member]}}}"'
            written.append(f'"{key}":{value}')
        self._written = f"{{{{{','.join(written)}}}}}".format

    def write(self, hits: NameHits, trees: Sequence[Sequence[str]]) -> str:
        """A list in JSON; `trees` has for each tree its texts, one for each hit."""
        texts = map(_texts_of, hits) if isinstance(hits, list) else hits.texts()
        shown = [
            (entity_id, _MEMBERS[of], name, matched_name, _MEMBERS[kind], _MEMBERS[match], _number(popularity), version)
            for entity_id, of, name, matched_name, kind, match, popularity, version in texts
        ]
        if trees:
            shown = [(*hit, *own) for hit, *own in zip(shown, *trees, strict=True)]
        written = self._written
        return f"[{','.join([written(*hit) for hit in shown])}]"


def _number(text: str) -> str:
    """As it is where PostgreSQL and the reference road write it alike."""
    return text if "." in text and "e" not in text else orjson.dumps(float(text)).decode()


def _texts_of(hit: NameHit) -> HitTexts:
    return (
        str(hit.entity_id),
        hit.entity_type.value,
        _escaped(hit.name),
        _escaped(hit.matched_name),
        hit.kind.value,
        hit.match,
        repr(hit.popularity),
        str(hit.version),
    )


def _escaped(text: str) -> str:
    return orjson.dumps(text).decode()[1:-1]
