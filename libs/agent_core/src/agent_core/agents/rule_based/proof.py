"""Questions whether one thing is so to another: where the chain starts, and where it must lead."""

from collections.abc import Sequence
from dataclasses import dataclass

from datastore.edges import EdgeType

from agent_core.agents.rule_based.chain_reading import ChainReading, read_chain
from agent_core.agents.rule_based.cues import Form, Mark
from agent_core.agents.rule_based.items import CONNECTORS, Item
from agent_core.schemas import AskedRelation

_IN = frozenset({"in", "from", "part"})


@dataclass(frozen=True, slots=True)
class Proof:
    """The name to start from, the one to arrive at, and the chain between them."""

    start: int
    target: int
    chain: ChainReading


def read_proof(items: Sequence[Item]) -> Proof | None:
    """Read a question about two names as start, chain and target; None when no relation is in it."""
    positions = [index for index, item in enumerate(items) if item.is_name]
    if len(positions) < 2:
        return None
    first, second = positions[0], positions[1]
    middle = items[first + 1 : second]
    starts_at_first = _starts_at_first(items, first, second, middle)
    proof = _from(items, first, second) if starts_at_first else _from(items, second, first)
    return proof or _membership(items, first, second, middle)


def _from(items: Sequence[Item], start: int, target: int) -> Proof | None:
    """The chain around `start`, the target and what only introduces it left out."""
    if start < target and _is_joined(items, start, target):
        kept = [*items[: start + 1], *items[target + 1 :]]
        chain = read_chain(kept, start, start)
    elif start < target:
        kept = _without_tail(items[:target])
        chain = read_chain(kept, start, start)
    else:
        kept = [*items[target + 1 :]]
        shift = target + 1
        chain = read_chain(kept, start - shift, start - shift)
    if not chain.relations:
        return None
    return Proof(items[start].name, items[target].name, chain)


def _is_joined(items: Sequence[Item], start: int, target: int) -> bool:
    return all(item.is_word(frozenset({"and", "&", ","})) for item in items[start + 1 : target])


def _without_tail(items: Sequence[Item]) -> Sequence[Item]:
    return items[:-1] if items and items[-1].is_word(frozenset({"the", "a", "an"})) else items


def _starts_at_first(items: Sequence[Item], first: int, second: int, middle: Sequence[Item]) -> bool:
    before = items[:first]
    is_led = any(item.is_form(Form.NOUN) and _leads_to_name(before, index) for index, item in enumerate(before))
    owns = bool(middle) and middle[0].text == "'s"
    owned_after = second + 1 < len(items) and items[second + 1].text == "'s"
    joined = all(item.is_word(frozenset({"and", "&", ","})) for item in middle)
    has_noun = second + 1 < len(items) and items[second + 1].is_form(Form.NOUN)
    if owned_after or _leads_on(items[second + 1 :]) or (has_noun and not joined):
        return False
    if is_led or owns:
        return True
    relations = [item for item in middle if item.relation is not None]
    if not relations:
        return any(item.relation is not None for item in items[second + 1 :])
    first_relation = relations[0]
    if first_relation.is_form(Form.PASSIVE):
        return len(relations) == 1
    assert first_relation.relation is not None
    return first_relation.relation.family in ("maker", "appears", "works", "roles")


def _leads_to_name(items: Sequence[Item], index: int) -> bool:
    rest = items[index + 1 :]
    return bool(rest) and rest[0].is_word(CONNECTORS)


def _leads_on(items: Sequence[Item]) -> bool:
    return len(items) > 1 and items[0].is_form(Form.NOUN) and items[1].is_word(CONNECTORS)


def _membership(items: Sequence[Item], first: int, second: int, middle: Sequence[Item]) -> Proof | None:
    """`is X in Y`, `does Y have X`."""
    starts = any(item.is_word(_IN) or item.is_mark(Mark.COMES_FROM) for item in middle)
    has = any(item.is_word(frozenset({"have", "has", "contain", "include"})) for item in middle)
    if not starts and not has:
        return None
    start, target = (first, second) if starts else (second, first)
    chain = ChainReading((AskedRelation(edge=EdgeType.APPEARS_IN),), family="appears")
    return Proof(items[start].name, items[target].name, chain)
