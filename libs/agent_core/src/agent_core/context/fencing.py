"""Text from outside, made unable to pose as anything but data inside a prompt."""

import re
import unicodedata

_LINE_PREFIX = "| "
_PAIRS = (("<|", "‹|"), ("|>", "|›"), ("<<", "‹‹"), (">>", "››"), ("```", "'''"), ("</", "‹/"))
_INST = re.compile(r"\[\s*(/?)\s*INST\s*\]", re.IGNORECASE)
_SPECIAL_TOKEN = re.compile(
    r"<\s*(/?\s*(?:s|bos|eos|system|assistant|user|tool|function)[^<>\n]{0,20})>", re.IGNORECASE
)
_ROLE = re.compile(
    r"^([\W_]*)(system|assistant|user|human|developer|tool|function|model)(\s*):", re.IGNORECASE | re.MULTILINE
)


def neutralise(text: str, marker: str) -> str:
    """`text` without the fence's marker, control characters, chat role tokens or code fences; words stay readable."""
    kept = "".join(
        character
        for character in text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
        if character == "\n" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
    )
    kept = _INST.sub(r"(\1INST)", kept)
    kept = _SPECIAL_TOKEN.sub(r"‹\1›", kept)
    for token, harmless in _PAIRS:
        kept = kept.replace(token, harmless)
    kept = _ROLE.sub(r"\1\2\3 -", kept)
    return re.sub(re.escape(marker), "·", kept, flags=re.IGNORECASE)


def fenced(text: str, marker: str) -> str:
    """`text` between two lines that carry `marker`; every line inside starts with a bar."""
    lines = (f"{_LINE_PREFIX}{line}" for line in neutralise(text, marker).split("\n"))
    return "\n".join((f"<<<DATA {marker}>>>", *lines, f"<<<END {marker}>>>"))
