"""What a pure function made of its last arguments is given again, for the same objects and for no others."""

from collections.abc import Sequence

from agent_core.remembering import for_same


class _Counted:
    """Joins what it is given, and counts how often."""

    def __init__(self) -> None:
        self.calls = 0

    def join(self, words: Sequence[str], mark: str = ",") -> tuple[str, ...]:
        self.calls += 1
        return (mark.join(words),)


def test_the_same_objects_give_the_same_object() -> None:
    counted = _Counted()
    join = for_same(counted.join)
    words = ("a", "b")
    assert join(words) is join(words)
    assert (join(words), counted.calls) == (("a,b",), 1)


def test_equal_objects_are_others_and_more_arguments_are_another_call() -> None:
    counted = _Counted()
    join = for_same(counted.join)
    words = tuple("ab")
    assert (join(words), join(tuple("ab")), join(words, ";")) == (("a,b",), ("a,b",), ("a;b",))
    assert counted.calls == 3


def test_what_can_change_is_read_anew() -> None:
    counted = _Counted()
    join = for_same(counted.join)
    words = ["a"]
    first = join(words)
    words.append("b")
    assert (first, join(words), join(words=("c",)), counted.calls) == (("a",), ("a,b",), ("c",), 3)


def test_only_the_last_calls_are_kept() -> None:
    counted = _Counted()
    join = for_same(counted.join)
    words = [(str(number),) for number in range(9)]
    for each in words:
        join(each)
    join(words[1])
    assert counted.calls == 9
    join(words[0])
    assert counted.calls == 10
