"""Signs that a text gives orders to a model. They only warn people: nothing in evidence is ever obeyed."""

import re
import unicodedata

_FORGET = r"ignore|disregard|forget|override|bypass|skip"
_GIVEN = r"instructions?|prompts?|rules|guidelines|directives|constraints|context|everything above|policy|policies"
_ORDERS = re.compile(
    "|".join(
        (
            rf"\b(?:{_FORGET})\b[^.\n]{{0,40}}\b(?:{_GIVEN}|above|previous|earlier)\b",
            r"\b(?:you are now|from now on,? you|new (?:system )?instructions?|system (?:prompt|notice|message|override)"
            r"|act as (?:an?|the)|developer mode|jailbreak|end of (?:the )?(?:data|context|evidence|document))\b",
            r"\b(?:dear|attention|note to|message (?:to|for)|instructions? (?:to|for)) (?:the )?"
            r"(?:ai|assistant|model|llm|language model|agent|chatbot)s?\b",
            r"\b(?:when|before|after|if) (?:answering|summari[sz]ing|asked|you (?:answer|read|see|summari[sz]e))\b",
            r"\b(?:call|use|invoke|run|execute|trigger) (?:the )?(?:tool |function |action )?`?[a-z]+_[a-z_]+`?",
            r"\b(?:tool_calls?|function_call|\"action\"\s*:|next_?step|<\s*/?\s*(?:tool|function|system|assistant)\b)",
            r"\b(?:reply|respond|answer|output|print|say|write|cite|include|append|add|repeat)\b[^.\n]{0,30}"
            r"\b(?:only|exactly|nothing (?:else|but)|the following|this link|in every answer|verbatim)\b",
            r"\b(?:detach )?delete\s+[a-z]\b|\bmerge\s*\(|\bcreate\s*\(:|\bdrop (?:table|database)\b",
            r"^\W*(?:system|assistant|user|human|developer|tool|###\s*\w+|q|question)\s*:",
            r"<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|\bBEGIN (?:SYSTEM|INSTRUCTIONS?)\b",
            r"!\[[^\]]*\]\(|\bjavascript:",
            r"\bbase64\b[^.\n]{0,40}\b(?:decode|follow|obey)|\b(?:decode|rot13|reverse)\b[^.\n]{0,40}\b(?:follow|obey|do)",
            # German, French, Spanish, Portuguese, Italian
            r"\bignorier\w*\b[^.\n]{0,40}\b(?:anweisung|regel|vorherig)|\bvergiss\b[^.\n]{0,40}\b(?:anweisung|regel|alles)",
            r"\bignore[zr]?\b[^.\n]{0,40}\b(?:instructions|consignes|instru[cç][oõ]es)",
            r"\b(?:ignora|olvida|dimentica|esqueça|oublie[zr]?)\b[^.\n]{0,40}\b(?:instruc|reglas|istruzioni|regole|consignes|tudo)",
            # Russian, Polish, Turkish, Arabic, Hindi
            r"\b(?:игнорируй|забудь)\w*[^.\n]{0,40}(?:инструкци|правил)|\bzignoruj\b[^.\n]{0,40}\b(?:instrukcj|poleceni)",
            r"(?:talimat|yönerge)\w*[^.\n]{0,30}(?:yok say|unut)|تجاهل[^.\n]{0,40}(?:تعليمات|التعليمات)|निर्देशों?[^.\n]{0,30}अनदेखा",
            # Japanese, Chinese, Korean
            r"(?:指示|命令|ルール|プロンプト)[^。\n]{0,12}(?:無視|忘れ)|(?:忽略|无视|無視|忘记)[^。\n]{0,12}(?:指令|指示|规则|提示|說明|说明)",
            r"(?:지시|명령|규칙)[^.\n]{0,12}(?:무시|잊)",
        )
    ),
    re.IGNORECASE | re.MULTILINE,
)
_LONG_CODE = re.compile(r"(?<![\w+/=])(?:[A-Za-z0-9+/]{40,}={0,2}|(?:[0-9a-f]{2}[ :]?){24,})(?![\w+/=])")
_TAGS, _BIDI = range(0xE0000, 0xE0080), frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
_HIDDEN = frozenset("\u200b\u2060\ufeff\u00ad")
_MANY_HIDDEN = 3


def looks_like_orders(text: str) -> bool:
    """Whether a text reads like orders to a model, or hides something from people that a model would read."""
    if any(ord(c) in _TAGS or c in _BIDI for c in text) or sum(c in _HIDDEN for c in text) >= _MANY_HIDDEN:
        return True
    normal = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return _ORDERS.search(normal) is not None or _LONG_CODE.search(normal) is not None
