"""Which names of a question belong together: places that narrow others, names that are joined, names to be proven."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent_core.agents.rule_based.cues import Form, Mark
from agent_core.agents.rule_based.items import DETERMINERS, Item

_PLACES = frozenset({"in", "from", "of", "on"})
_JOINS = frozenset({"and", "&", ",", "or"})


@dataclass(frozen=True, slots=True)
class Operands:
    """The items without the places, which name each place narrows, and the names that are left, in order."""

    items: tuple[Item, ...]
    within: dict[int, int]
    names: tuple[int, ...]
    places: tuple[int, ...]


def without_places(items: Sequence[Item], *, only_beside: bool = False) -> Operands:
    """Take `in Y` after a name, or at the end, and `Y's` before a name out of the items; Y narrows that name.

    With `only_beside`, only what stands directly beside the name is taken.
    """
    kept = list(items)
    within: dict[int, int] = {}
    changed = True
    while changed:
        changed = False
        for position, item in enumerate(kept):
            place = _place_at(kept, position, only_beside=only_beside) if item.is_name else None
            if place is None:
                continue
            narrowed, first, last = place
            within[kept[narrowed].name] = item.name
            kept = kept[:first] + kept[last:]
            changed = True
            break
    names = tuple(dict.fromkeys(item.name for item in kept if item.is_name))
    return Operands(tuple(kept), within, names, tuple(dict.fromkeys(within.values())))


def _place_at(items: Sequence[Item], position: int, *, only_beside: bool) -> tuple[int, int, int] | None:
    """For the name at `position`: the item that it narrows, and the items that go with it."""
    if position + 2 < len(items) and items[position + 1].text == "'s" and items[position + 2].is_name:
        return position + 2, position, position + 2
    if _opens(items, position):
        return _next_name(items, position), 0, position + 2
    if position + 1 < len(items) and items[position + 1].is_name and items[position + 1].name != items[position].name:
        return position + 1, position, position + 1
    first = position - 1
    while first >= 0 and (items[first].is_word(DETERMINERS) or items[first].type is not None):
        first -= 1
    if first < 1 or not items[first].is_word(_PLACES):
        return None
    before = items[first - 1]
    if before.is_name:
        return first - 1, first, position + 1
    if only_beside:
        return None
    is_end = all(item.text in ("?", ".", ",") for item in items[position + 1 :])
    others = [index for index, item in enumerate(items[:first]) if item.is_name]
    is_owned = first > 1 and (items[first - 2].text == "'s" or items[first - 2].is_name)
    leads_on = (before.is_form(Form.NOUN) and not is_owned) or before.type is not None or before.is_word(DETERMINERS)
    if is_end and others and items[first].text != "of" and not leads_on and not _is_verb_of(before):
        return others[-1], first, position + 1
    return None


def _opens(items: Sequence[Item], position: int) -> bool:
    """`In Y, …`, with another name to come."""
    lead = [item for item in items[:position] if not item.is_word(DETERMINERS) and item.type is None]
    has_mark = position + 1 < len(items) and items[position + 1].text in (",", ":")
    return len(lead) == 1 and lead[0].is_word(_PLACES) and has_mark and _next_name(items, position) > 0


def _next_name(items: Sequence[Item], position: int) -> int:
    return next((index for index, item in enumerate(items) if index > position and item.is_name), 0)


def _is_verb_of(item: Item) -> bool:
    """Whether `in` belongs to the verb before it rather than to a place."""
    return item.relation is not None and item.relation.family == "appears"


def is_joined(items: Sequence[Item]) -> bool:
    """Whether all names of the items stand in one row: `X and Y`, `both X and Y`, `X, Y and Z`."""
    positions = [index for index, item in enumerate(items) if item.is_name]
    between = items[positions[0] : positions[-1] + 1] if positions else ()
    return len(positions) > 1 and all(
        item.is_name or item.text in _JOINS or item.is_word(DETERMINERS) or item.is_mark(Mark.BOTH) or item.type
        for item in between
    )


def positions_of(items: Sequence[Item], names: Sequence[int]) -> tuple[int, int]:
    """The first and last item of these names."""
    found = [index for index, item in enumerate(items) if item.name in names]
    return found[0], found[-1]


def says_both(items: Sequence[Item]) -> bool:
    """Whether the question wants what several names have in common."""
    return any(
        item.is_mark(Mark.BOTH) or item.is_word(frozenset({"share", "shares", "shared", "sharing", "common"}))
        for item in items
    )
