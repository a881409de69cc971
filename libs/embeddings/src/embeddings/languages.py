"""The languages whose words are stemmed, and what tells them apart in a text. Pure."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import Stemmer

# The package does not say what its objects take and give; the types end here.
_stemming: Any = Stemmer

DEFAULT = "en"
"""What a text counts as that is in none of the languages, or doesn't say."""

_ALGORITHMS = {"en": "english", "de": "german", "es": "spanish", "fr": "french"}

FUNCTION_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        language: frozenset(text.split())
        for language, text in {
            "en": """
                a about all an and any are as at be been but by can could did do does for from had has have he her his
                how i if in into is it its me my no not of on or our she so some such than that the their them then
                there these they this to was we were what when where which who whom whose why will with would you your
            """,
            "de": """
                aber als am an auch auf aus bei bis das dass dem den der des die diese dieser dieses du durch ein eine
                einem einen einer eines er es für gegen hat haben hatte ich ihr ihre im in ist kann können man mit nach
                nicht noch nur ob oder sein seine sich sie sind so über um und unter vom von vor war waren warum was
                welche welchem welchen welcher welches wenn wer werden wie wir wird wo wurde wurden zu zum zur zwischen
            """,
            "es": """
                a al ante como con cual cuál cuales cuáles cuando cuándo cuanto cuánto cuantos cuántos de del desde
                donde dónde el él ella en entre era es esta está este esto fue ha hay la las le lo los más mi no o para
                pero por que qué quién quien se según ser si sin sobre son su sus también un una uno y ya
            """,
            "fr": """
                à au aux avec ce ces cette comment comme dans de des du elle elles en entre est et été être eu il ils
                je la le les leur leurs lui mais ne nous on ont ou où par pas plus pour quand que quel quelle quelles
                quels qui sa sans se ses son sont sur un une vous y
            """,
        }.items()
    }
)
"""Words that carry a sentence and say nothing of what it is about."""

_TELLING = {
    language: known - frozenset[str]().union(*(each for other, each in FUNCTION_WORDS.items() if other != language))
    for language, known in FUNCTION_WORDS.items()
}


def counts_of(words: Iterable[str]) -> dict[str, int]:
    """For each language, how many of the words, in small letters, are function words of it and of no other."""
    said = list(words)
    return {language: sum(map(known.__contains__, said)) for language, known in _TELLING.items()}


def language_of(words: Iterable[str]) -> str:
    """The language of a question by its words in small letters; the default where two say as much, or nothing does."""
    counts = counts_of(words)
    best = max(counts, key=lambda language: (counts[language], language == DEFAULT))
    others = max(count for language, count in counts.items() if language != best)
    return best if counts[best] > others else DEFAULT


def stemmers() -> dict[str, Callable[[str], str]]:
    """What makes a stem of a folded word, by language; each for one thread at a time."""
    return {language: _stemming.Stemmer(name).stemWord for language, name in _ALGORITHMS.items()}
