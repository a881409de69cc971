"""Relations that a sentence names, against the edges that it cites."""

import re
from collections.abc import Iterable, Sequence

from datastore.edges import EdgeType

from agent_core.evidence import GraphPath

_E = EdgeType
_NAMED: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (words, frozenset(backing))
    for words, backing in (
        ("sequels?|prequels?|followed by|follows", (_E.SEQUEL, _E.PREQUEL)),
        ("spin-?offs?", (_E.SPIN_OFF, _E.PARENT_STORY)),
        ("adapt(?:s|ed|ations?)|(?:is|was|are|were) based on", (_E.ADAPTATION_OF, _E.HAS_ADAPTATION)),
        ("voice[sd]?|voicing|voice act(?:or|ors|ress|resses)", (_E.VOICED_BY, _E.VOICES, _E.SHARED_VOICE_ACTOR)),
        ("direct(?:s|ed|or|ors)", ("director",)),
        ("compos(?:ed|er|ers)", ("composer", "series_composer")),
        ("wrote|written|authors?|mangaka", ("author", "writer", "series_composer", "illustrator")),
        ("studios?|produced by|animated by", (_E.PRODUCED_BY, _E.PRODUCED, _E.SAME_STUDIO)),
        ("siblings?|brothers?|sisters?", ("sibling", "family")),
        ("fathers?|mothers?|parents?|sons?|daughters?|child(?:ren)?", ("parent", "child", "family")),
        ("rivals?|enem(?:y|ies)", ("rival", "enemy")),
        ("mentors?|teachers?|students?|pupils?", ("mentor", "student")),
    )
)
# One group for each, by its place: no word of one begins inside a word of another.
_ANY_NAMED = re.compile(rf"\b(?:{'|'.join(f'({words})' for words, _ in _NAMED)})\b", re.IGNORECASE)


def says_other_relation(sentence: str, paths: Sequence[GraphPath]) -> bool:
    """Whether a sentence names a relation that none of its edges is, by type or by role.

    Words are looked for outside the names of the paths' ends. Sentences that name no relation of the list say nothing
    that could be wrong here.
    """
    bare = _without_names(sentence, paths)
    there = set(_relations(paths))
    named = {match.lastindex for match in _ANY_NAMED.finditer(bare) if match.lastindex is not None}
    return any(_NAMED[group - 1][1].isdisjoint(there) for group in named)


def _relations(paths: Iterable[GraphPath]) -> Iterable[str]:
    """Types and qualifiers of all edges. A qualifier that no group knows counts for itself."""
    for step in (step for path in paths for step in path.steps):
        yield step.rel
        yield step.qualifier


def _without_names(sentence: str, paths: Iterable[GraphPath]) -> str:
    names = {node.name for path in paths for node in path.nodes if node.name}
    for name in sorted(names, key=len, reverse=True):
        sentence = sentence.replace(name, " ")
        if name.casefold() in sentence.casefold():
            sentence = re.sub(re.escape(name), " ", sentence, flags=re.IGNORECASE)
    return sentence
