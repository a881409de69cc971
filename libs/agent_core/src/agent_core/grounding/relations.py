"""Relations that a sentence names, against the edges that it cites: in English, German, Spanish and Japanese."""

import re
from collections.abc import Iterable, Sequence

from datastore.edges import EdgeType

from agent_core.evidence import GraphPath

_E = EdgeType
_PARENTS = ("parent", "child", "family")

# By relation: English, then German, whose nouns are written large, then Spanish, then Japanese, which parts no words.
_WORDS: tuple[tuple[tuple[str, str, str, str], tuple[str, ...]], ...] = (
    (
        (
            "sequels?|prequels?|followed by|follows",
            "Fortsetzung(?:en)?|Vorgeschichte|Vorgänger|Nachfolger",
            "secuelas?|precuelas?",
            "続編|続篇|前日譚|前作",
        ),
        (_E.SEQUEL, _E.PREQUEL),
    ),
    (("spin-?offs?", "Ableger", "derivad[oa]s?", "スピンオフ"), (_E.SPIN_OFF, _E.PARENT_STORY)),
    (
        (
            "adapt(?:s|ed|ations?)|(?:is|was|are|were) based on",
            "Adaption(?:en)?|Verfilmung(?:en)?|basiert auf|beruht auf|Vorlage",
            "adaptaci(?:ón|ones)|se basan? en|basad[oa]s? en",
            "原作は|が原作|アニメ化|翻案",
        ),
        (_E.ADAPTATION_OF, _E.HAS_ADAPTATION),
    ),
    (
        (
            "voice[sd]?|voicing|voice act(?:or|ors|ress|resses)",
            "Stimme|spricht|gesprochen|Synchronsprecher(?:in)?|Sprecher(?:in)?",
            "voz|doblad[oa]|doblaje",
            "声優|の声|声を",
        ),
        (_E.VOICED_BY, _E.VOICES, _E.SHARED_VOICE_ACTOR),
    ),
    (
        ("direct(?:s|ed|or|ors)", "Regie|Regisseur(?:in)?", "dirigi(?:ó|d[oa]s?)|director(?:a|es)?", "監督"),
        ("director",),
    ),
    (
        (
            "compos(?:ed|er|ers)",
            "komponiert[en]?|Komponist(?:in)?",
            "compus(?:o|ieron)|compositor(?:a|es)?",
            "作曲|音楽を担当|音楽は",
        ),
        ("composer", "series_composer"),
    ),
    (
        (
            "wrote|written|authors?|mangaka",
            "schrieb(?:en)?|geschrieben|Autor(?:in|en)?",
            "escribi(?:ó|eron)|escrit[oa]|autor(?:a|es)?",
            "作者|著者|脚本",
        ),
        ("author", "writer", "series_composer", "illustrator"),
    ),
    (
        (
            "studios?|produced by|animated by",
            "Studios?|produziert(?:e|en)?",
            "estudios?|produ(?:jo|jeron|cid[oa]s?)",
            "スタジオ|制作",
        ),
        (_E.PRODUCED_BY, _E.PRODUCED, _E.SAME_STUDIO, "producer"),
    ),
    (
        (
            "siblings?|brothers?|sisters?",
            "Geschwister|Brüder|Bruder|Schwestern?",
            "herman[oa]s?",
            "兄弟|姉妹|きょうだい",
        ),
        ("sibling", "family"),
    ),
    (
        (
            "fathers?|mothers?|parents?|(?:the|a|his|her|their|'s|’s) sons?|daughters?|child(?:ren)?",
            "Vater|Mutter|Eltern(?:teil)?|Sohn|Söhne|Tochter|Töchter|Kind(?:er)?",
            "padres?|madres?|hij[oa]s?",
            "父親|母親|両親|息子|娘",
        ),
        _PARENTS,
    ),
    (
        ("rivals?|enem(?:y|ies)", "Rival(?:e|en|in)|Feind(?:e|in)?", "rival(?:es)?|enemig[oa]s?", "ライバル|宿敵"),
        ("rival", "enemy"),
    ),
    (
        (
            "mentors?|teachers?|students?|pupils?",
            "Mentor(?:in)?|Lehrer(?:in)?|Schüler(?:in)?",
            "mentor(?:a|es)?|maestr[oa]s?|alumn[oa]s?",
            "師匠|弟子",
        ),
        ("mentor", "student", "master"),
    ),
)


def _any_of(*languages: int) -> str:
    """One group for each relation, by its place: no word of one begins inside a word of another."""
    return "|".join(f"({'|'.join(words[language] for language in languages)})" for words, _ in _WORDS)


_ENGLISH, _GERMAN, _SPANISH, _JAPANESE = range(4)
_NAMED = (
    re.compile(rf"\b(?:{_any_of(_ENGLISH, _SPANISH)})\b", re.IGNORECASE),
    re.compile(rf"\b(?:{_any_of(_GERMAN)})\b"),
    re.compile(_any_of(_JAPANESE)),
)
_BACKING = tuple(frozenset(backing) for _, backing in _WORDS)


def says_other_relation(sentence: str, paths: Sequence[GraphPath]) -> bool:
    """Whether a sentence names a relation that none of its edges is, by type or by role.

    Words are looked for outside the names of the paths' ends. Sentences that name no relation of the list say nothing
    that could be wrong here.
    """
    bare = _without_names(sentence, paths)
    there = set(_relations(paths))
    found = (match.lastindex for words in _NAMED for match in words.finditer(bare))
    return any(_BACKING[group - 1].isdisjoint(there) for group in found if group is not None)


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
