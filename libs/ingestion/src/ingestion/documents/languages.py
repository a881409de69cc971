"""The language of a text where its document doesn't name one. Pure."""

import re
from collections import Counter

from embeddings.languages import counts_of

_SAMPLE = 20_000
_LEAST_WORDS = 5
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)
_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")


def language_tag(given: str | None) -> str | None:
    """A BCP 47 tag as it is stored, `de` or `pt-BR`; None for what is no tag."""
    if given is None or (match := _TAG.fullmatch(given.strip())) is None:
        return None
    first, _, rest = match[0].replace("_", "-").partition("-")
    return f"{first.lower()}-{rest}" if rest else first.lower()


def guess_language(text: str) -> str | None:
    """`en`, `de`, `es` or `fr` by their function words, `ja`, `ko` or `zh` by the script; None when none is plain."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample))
    for language, script in _SCRIPTS:
        # Japanese is full of Chinese characters: a tenth in kana says enough.
        if letters and len(script.findall(sample)) > letters * (0.1 if language == "ja" else 0.3):
            return language
    counts = Counter(counts_of(word.lower() for word in _LATIN_WORD.findall(sample)))
    (first, most), (_, second) = counts.most_common(2)
    return first if most >= _LEAST_WORDS and most >= 2 * second else None
