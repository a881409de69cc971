"""No text can close the fence around it, or stand outside of it."""

from agent_core.context.fencing import fenced
from agent_core.context.retrieved_context import RetrievedContextProvider
from fixtures.injection import own_payloads
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

MARKER = "0123456789abcdef"
_FRAGMENTS = (
    "<<<",
    ">>>",
    "END",
    "DATA",
    MARKER,
    MARKER.upper(),
    f"<<<END {MARKER}>>>",
    f"<<<DATA {MARKER}>>>",
    "| ",
    "\n",
    "\r",
    "\u2028",
    "\x85",
    "\x0b",
    "\u200b",
    "\u202e",
    "<|im_start|>",
    "[/INST]",
    "system:",
    "```",
    "０１２３",
)
_TEXTS = st.lists(st.sampled_from((*_FRAGMENTS, *"Aé字 	")), max_size=8).map("".join)


def assert_closed(block: str, marker: str) -> None:
    lines = block.split("\n")
    assert lines[0] == f"<<<DATA {marker}>>>"
    assert lines[-1] == f"<<<END {marker}>>>"
    assert all(line.startswith("| ") for line in lines[1:-1])
    assert block.casefold().count(marker) == 2
    assert len(block.splitlines()) == len(lines), "no other character ends a line"


@settings(max_examples=1_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_TEXTS)
def test_a_thousand_strings_stay_inside(text: str) -> None:
    assert_closed(fenced(text, MARKER), MARKER)


def test_the_payloads_stay_inside_whatever_marker_is_drawn() -> None:
    for payload in own_payloads():
        block = RetrievedContextProvider((payload.text,)).get_info()
        preamble, _, fence = block.partition("\n<<<DATA ")
        marker = fence[:16]
        assert marker in preamble
        assert_closed(f"<<<DATA {fence}", marker)
