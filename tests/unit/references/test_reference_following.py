"""Which references are followed, where to, and what stops it."""

import pytest
from references.citations import find_entries
from references.detection import Detector
from references.following import Follower, FollowLimits, Route, Stop
from references.registry import KnownDocument, Registry
from references.resolution import Resolution, resolve

_REGISTRY = Registry([KnownDocument("a", "First Paper"), KnownDocument("b", "Second Paper", numbers=["PEP 8"])])
_TEXT = (
    "See (Smith, 2019), § 5, PEP 8 and [1], [2], PEP 9, https://example.org/ and PEP 8 again.\n\n[1] Smith. A title.\n"
)


def resolutions(text: str = _TEXT) -> list[Resolution[str]]:
    return [resolve(each, _REGISTRY, "a") for each in Detector(_REGISTRY).detect(text)]


def entries() -> dict[str, str]:
    return {number: _TEXT[start:end] for number, (start, end) in find_entries(_TEXT).items()}


def test_each_type_has_its_way() -> None:
    steps = Follower[str]().choose(resolutions(), own="a", entries=entries())

    found = [(each.reference.text, each.route, each.document, each.section, each.query, each.depth) for each in steps]
    assert found == [
        ("§ 5", Route.SECTION, "a", "§ 5", "§ 5", 1),
        ("PEP 8", Route.DOCUMENT, "b", "", "PEP 8", 1),
        ("Smith, 2019", Route.SEARCH, None, "", "Smith 2019", 1),
        ("[1]", Route.SEARCH, None, "", "Smith. A title.", 1),
        ("PEP 9", Route.SEARCH, None, "", "PEP 9", 1),
    ]


def test_a_target_is_followed_once() -> None:
    follower = Follower[str]()

    assert len(follower.choose(resolutions("§ 5 and PEP 8"), own="a")) == 2
    assert [each.section for each in follower.choose(resolutions("§ 5, § 6 and PEP 8"), own="a", depth=1)] == ["§ 6"]


def test_no_more_references_of_a_place_than_allowed() -> None:
    steps = Follower[str](FollowLimits(references=2)).choose(resolutions(), own="a")

    assert [each.route for each in steps] == [Route.SECTION, Route.DOCUMENT]


@pytest.mark.parametrize(
    ("depth", "tokens", "passages", "stop"),
    [(0, 0, 0, None), (1, 99, 2, None), (2, 0, 0, Stop.DEPTH), (1, 100, 1, Stop.TOKENS), (1, 0, 3, Stop.CONVERGED)],
)
def test_what_stops_it(depth: int, tokens: int, passages: int, stop: Stop | None) -> None:
    follower = Follower[str](FollowLimits(depth=2, tokens=100, same_document=3))
    follower.record("c", tokens)
    for _ in range(passages):
        follower.record("b", 0)

    assert follower.stop(depth) is stop
    assert bool(follower.choose(resolutions(), own="a", depth=depth)) is (stop is None)
