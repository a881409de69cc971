"""Signs that a text gives orders to a model. They only warn people: nothing in evidence is ever obeyed."""

import re
import unicodedata

_FORGET = r"ignor(?:e|ing)|disregard|forget|override|bypass|skip"
_GIVEN = r"instructions?|prompts?|rules|guidelines|directives|constraints|context|polic(?:y|ies)|above|previous|earlier"

# Parts of words of which one must be there, and then the pattern; most texts hold none of them.
_SIGNS: tuple[tuple[str, str], ...] = (
    ("ignor|disregard|forget|overrid|bypass|skip", rf"\b(?:{_FORGET})\b[^.\n]{{0,40}}\b(?:{_GIVEN})\b"),
    ("you are now|from now on|act as", r"\b(?:you are now|from now on,? (?:you|cite|answer|use)|act as (?:an?|the))\b"),
    (
        "new instruction|system |developer mode|jailbreak",
        r"\b(?:new instructions?|system (?:prompt|notice|message|override"
        r"|instructions?)|developer mode|jailbreak)\b",
    ),
    (
        "assistant|model|llm|chatbot",
        r"\b(?:the|dear|an?|for|to|hex for) (?:ai|assistant|language model|ai model|llm"
        r"|chatbot)\b",
    ),
    (
        "answer|summari|repl|respon",
        r"\b(?:when|before|after|if) (?:answering|summari[sz]ing|you (?:answer|summari[sz]e))\b"
        r"|\b(?:in|to|of|below|behind|under|after|every|end) (?:the|each|your|all|every) (?:answers?|repl(?:y|ies)"
        r"|responses?)\b|\b(?:is the|the correct) (?:answer|step)\b"
        r"|\b(?:must|only|always|please) (?:answer|reply|respond)\b"
        r"|\b(?:answer|reply|respond) (?:with|only|n\d)|\bgood answers\b|\banswer is n\d",
    ),
    (
        "reply|print|output|repeat|append",
        r"\b(?:reply|print|output|repeat|append|show)\b[^.\n]{0,40}\b(?:only|exactly"
        r"|nothing else|verbatim|the (?:address|id|link|user)|your|please|that)\b",
    ),
    (
        "_search|_query|_graph|_lookup|_references",
        r"\b(?:web_search|graph_query|document_search|document_lookup|qdrant_search"
        r"|follow_references|pg_graph)\b",
    ),
    ('tool_call|function_call|"action"|nextstep', r"tool_calls?\b|function_call\b|\"action\"\s*:|nextstep"),
    ("cite|citation", r"\bcit(?:e|ations?)\b[^.\n]{0,40}(?:\b[en]\d+\b|\[\d+\]|\b\w+:\d)|\bas (?:the|a) citation\b"),
    ("[e|[n|put [", r"\[[en]\d{1,4}\]|\bput \[\d+\]"),
    ("n64|n99|n77|e94|label", r"\b(?:label is|return|answer) [en]\d{1,4}\b|\b[en]\d{1,4} ="),
    (
        "match(|match (|create(|create (|merge(|merge (|load csv|call |foreach|drop table",
        r"\b(?:match|create|merge|foreach)\s*\([^\n]{0,80}(?:\b(?:delete|set|remove|create|merge|return)\b|[:{])"
        r"|\bload csv\b|\bcall [a-z]+(?:\.[a-z]+)+\(|\bdrop (?:table|database)\b",
    ),
    (
        "reader|user",
        r"\b(?:tell|show|send|redirect|give) [^.\n]{0,20}\b(?:users?|readers?)\b|\bthe reader must\b"
        r"|\bthe user'?s question\b",
    ),
    (
        "your|as the next|creator",
        r"\byour (?:instructions|prompt|creator|developers?|next (?:step|action)|order|budget"
        r"|only task)\b",
    ),
    (
        "http|www.|//",
        r"\b(?:visit|click|go to|log in|print|give this|include|mention|link|says|offer|write|carry)\b"
        r"[^\n]{0,60}(?:https?:|www\.|//|@)|\b(?:give|mention) (?:this|it)\b",
    ),
    ("](", r"\]\((?:https?:|//|data:)"),
    ("<script|<iframe|<img|javascript:|data:image", r"<\s*(?:script|iframe|img)\b|javascript:|data:image"),
    (
        "<||[inst]|[/inst]|<<sys|<</s|<start of|<end of|</s>|<<<",
        r"<\|[a-z_]+\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn"
        r"|</s>|<<<",
    ),
    (
        "system:|assistant:|user:|human:|developer:|tool:|developers|admin|notice",
        r"^\W*(?:system|assistant|user|human|developer|tool)\s*:|\b(?:from|by) the developers\b|^\W*admin(?:istrator|"
        r"\snotice)\b|\bsystem: ",
    ),
    (
        "instruction|evidence e|entities|still missing|steps taken|end of",
        r"<instructions>|begin instructions|internal"
        r" assistant steps|output instructions|^evidence e\d|^entities$|^still missing|^steps taken|\bend of (?:the )?"
        r"(?:context|data|evidence)\b",
    ),
    (
        "base64|decode|rot13|backwards|order",
        r"\b(?:base64|decode|rot13|backwards)\b[^\n]{0,40}\b(?:follow|obey|do|act)\b"
        r"|\bare your order\b",
    ),
    ("ignorier|vergiss", r"\b(?:ignorier|vergiss)\w*\b[^.\n]{0,40}\b(?:anweisung|regel|vorherig|alles)"),
    (
        "ignor|olvid|dimentic|esque|oubli",
        r"\b(?:ignora|ignorez?|olvida|dimentica|esqueça|oublie[zr]?)\b[^.\n]{0,40}"
        r"\b(?:instruc|instru[cç]|reglas|istruzioni|regole|consignes|tudo)",
    ),
    (
        "игнорир|забуд|zignoruj",
        r"\b(?:игнорируй|забудь)\w*[^.\n]{0,40}(?:инструкци|правил)|\bzignoruj\b[^.\n]{0,40}"
        r"\b(?:instrukcj|poleceni)",
    ),
    (
        "talimat|yönerge|تجاهل|निर्देश",
        r"(?:talimat|yönerge)\w*[^.\n]{0,30}(?:yok say|unut)|تجاهل[^.\n]{0,40}تعليمات"
        r"|تجاهل[^.\n]{0,40}التعليمات|निर्देशों?[^.\n]{0,30}अनदेखा",
    ),
    (
        "無視|忘れ|忽略|无视|忘记|무시|잊",
        r"(?:指示|命令|ルール|プロンプト)[^。\n]{0,12}(?:無視|忘れ)"
        r"|(?:忽略|无视|無視|忘记)[^。\n]{0,12}(?:指令|指示|规则|提示|說明|说明)|(?:지시|명령|규칙)[^.\n]{0,12}(?:무시|잊)",
    ),
)
_ORDERS = tuple(
    (word, re.compile(pattern, re.MULTILINE)) for words, pattern in _SIGNS for word in words.split("|") if word
)
_WORDS = frozenset(word for word, _ in _ORDERS)
_FEWEST_WORDS = tuple(word for word in sorted(_WORDS) if not any(other in word for other in _WORDS - {word}))
"""Every text that holds one of the words holds one of these."""

_LONG_CODE = re.compile(r"(?<![\w+/=])(?:[A-Za-z0-9+/]{40,}={0,2}|(?:[0-9a-f]{2}[ :]?){24,})(?![\w+/=])")
_CONCEALING = re.compile("[\U000e0000-\U000e007f\u202a\u202b\u202d\u202e\u2066-\u2068]")
"""Tags, and marks that turn the direction of what follows."""

_HIDDEN = re.compile("[\u200b\u2060\ufeff\u00ad]")
_MANY_HIDDEN = 3


def looks_like_orders(text: str) -> bool:
    """Whether a text reads like orders to a model, or hides something from people that a model would read."""
    if _is_concealing(text):
        return True
    plain = _plain(text)
    small = plain.casefold()
    signs = (pattern for word, pattern in _ORDERS if word in small)
    return any(pattern.search(small) for pattern in signs) or _LONG_CODE.search(plain) is not None


def may_hold_orders(texts: str) -> bool:
    """Whether any of several texts, each on lines of its own, can look like orders: few hold any sign of them."""
    if _is_concealing(texts):
        return True
    plain = _plain(texts)
    small = plain.casefold()
    return any(word in small for word in _FEWEST_WORDS) or _LONG_CODE.search(plain) is not None


def _is_concealing(text: str) -> bool:
    if text.isascii():
        return False
    return _CONCEALING.search(text) is not None or len(_HIDDEN.findall(text)) >= _MANY_HIDDEN


def _plain(text: str) -> str:
    """The text in its plainest characters, without those that only direct others."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    if text.replace("\n", " ").isprintable():
        return text
    return "".join(c for c in text if unicodedata.category(c) != "Cf")
