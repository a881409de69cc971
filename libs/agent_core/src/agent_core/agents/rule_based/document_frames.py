"""What a question says of the asking, `could you tell me`, `I wonder`, and not of what is asked."""

import re

_ASKED = (
    r"(?:who|whom|whose|what|which|when|where|why|how|if|whether|in which|in what|by whom|for how|at what|on which)\b"
)
_POLITE = r"(?:please|kindly|just|actually|maybe|also|happen to|quickly|by any chance|perhaps)"
_OPENING = re.compile(
    r"^\W*(?:(?:hello|hi|hey|so|ok|okay|well|please|excuse me|sorry)\b[\s,.!:-]*)*"
    rf"(?:(?:can|could|would|will) (?:you|anyone|someone|somebody|anybody) (?:{_POLITE} )*"
    r"(?:tell|explain|say|help|remind|inform|find out|look up|check)(?: to)?(?: me| us)?"
    rf"|(?:do|does|would) (?:you|anyone|anybody|someone) (?:{_POLITE} )*(?:know|remember|recall|have any idea)"
    rf"|(?:i|we)(?:['’]d| would| do|['’]m| am| was|['’]ve been)? (?:{_POLITE} )*"
    r"(?:like to (?:know|find out|learn|ask)|love to know|want(?:ed)? to know|need to (?:know|find out)"
    r"|wonder(?:ed|ing)?|ask(?:ed|ing)?(?: myself)?|curious(?: to know)?"
    r"|interested in|trying to find out|looking for|forgot(?:ten)?"
    r"|(?:do not|don['’]t|can(?:no|['’])t) (?:know|remember|recall))"
    r"|(?:please )?(?:tell|remind|inform) (?:me|us)|any idea|what i(?:['’]d like| would like| want) to know is"
    r"|let me know|my question is|question)(?:,? please)?[\s,:–-]*"
    rf"(?={_ASKED})",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:please|by any chance|do you know|if you know|if i may ask|if i remember (?:right|correctly)|i wonder"
    r"|does anyone know|again)\b[,\s]*(?=[?.!]*$)|(?<=,) (?:please|exactly)\b,?|^please[,\s]+",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"^(?:if|whether)\s+", re.IGNORECASE)


def unframed(question: str) -> str:
    """The question without its frame; as it is where nothing would be left."""
    text = question
    for _ in range(2):
        text = _OPENING.sub("", text, count=1)
    text = _WHETHER.sub("", _ASIDE.sub("", text)).strip(" ,")
    return text if any(map(str.isalpha, text)) else question
