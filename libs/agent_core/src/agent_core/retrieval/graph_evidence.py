"""Hops of the graph as evidence: one sentence per stored edge, completed from its truth row, and ids that never change.

A hop whose truth row is gone, or no longer says what the edge says, makes no evidence.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Literal

from datastore.edges import EDGES, EdgeType
from datastore.postgres.graph_facts import RowKey, TruthRow
from datastore.postgres.graph_values import Chain, GraphNode, Hop, Link
from datastore.vocabulary import CharacterRelationKind

from agent_core.evidence import EntityRef, GraphPath, PathEvidence, PathStep

Truths = Mapping[RowKey, TruthRow]

_K = CharacterRelationKind

_CHARACTER_SENTENCES: dict[CharacterRelationKind, str] = {
    _K.FAMILY: "{b} is family of {a}",
    _K.PARENT: "{b} is a parent of {a}",
    _K.CHILD: "{b} is a child of {a}",
    _K.SIBLING: "{b} is a sibling of {a}",
    _K.SPOUSE: "{b} is the spouse of {a}",
    _K.LOVER: "{b} is a lover of {a}",
    _K.FRIEND: "{b} is a friend of {a}",
    _K.RIVAL: "{b} is a rival of {a}",
    _K.ENEMY: "{b} is an enemy of {a}",
    _K.MENTOR: "{b} is a mentor of {a}",
    _K.STUDENT: "{b} is a student of {a}",
    _K.TEAMMATE: "{b} is a teammate of {a}",
    _K.COLLEAGUE: "{b} is a colleague of {a}",
    _K.CAPTAIN: "{b} is the captain of {a}",
    _K.SUBORDINATE: "{b} is a subordinate of {a}",
    _K.MASTER: "{b} is the master of {a}",
    _K.SERVANT: "{b} is a servant of {a}",
    _K.CREATOR: "{b} is the creator of {a}",
    _K.CREATION: "{b} is a creation of {a}",
    _K.SAME_PERSON: "{b} is the same person as {a}",
    _K.OTHER: "{b} is related to {a}",
}


def ref_to(node: GraphNode) -> EntityRef:
    """The reference to a node, with its name."""
    return EntityRef(entity_type=node.entity_type, id=node.id, name=node.name)


def link_keys(chains: Iterable[Chain]) -> set[RowKey]:
    """The truth rows that the chains rest on."""
    return {(link.table, link.row_id) for chain in chains for hop in chain for link in hop.links}


def chain_evidence(chain: Chain, truths: Truths) -> PathEvidence | None:
    """A chain as evidence; None when it has no hop, or a truth row no longer bears one of its edges out."""
    links = [link for hop in chain for link in hop.links]
    if not links or not all(_stands(link, truths) for link in links):
        return None
    steps = tuple(_step(hop, truths) for hop in chain)
    rows = [truths[(link.table, link.row_id)] for link in links]
    text = f"{'. '.join(_hop_sentence(hop, truths) for hop in chain)}."
    is_single = len(links) == 1
    return PathEvidence(
        id=steps[0].evidence_id if len(steps) == 1 else path_id(steps),
        source=f"postgresql:{links[0].table if is_single else 'edges'}",
        title=" – ".join(node.name for node in (chain[0].from_, *(hop.to for hop in chain))),
        text=text,
        row_version=rows[0].version if is_single else None,
        content_hash=None if is_single else _digest([text, *(str(row.version) for row in rows)]),
        locator=", ".join(f"{link.table}/{link.row_id}" for link in links),
        path=GraphPath(steps=steps),
    )


def path_id(steps: Sequence[PathStep]) -> str:
    """The id of a chain of several steps."""
    return f"path:{_digest([step.evidence_id for step in steps])[:12]}"


def link_sentence(link: Link, truth: TruthRow) -> str:
    """What the edge says, with role, language and work where they are known; no full stop."""
    names = {"a": link.from_.name, "b": link.to.name}
    if link.edge is EdgeType.CHARACTER_RELATION:
        sentence = _CHARACTER_SENTENCES[CharacterRelationKind(link.qualifier)].format(**names)
        return f"{sentence} ({truth.note.rstrip('. ')})" if truth.note else sentence
    sentence = EDGES[link.edge].sentence.format(**names)
    detail = _detail(link, truth)
    sentence = f"{sentence} ({detail})" if detail else sentence
    return f"{sentence} in {truth.work}" if truth.work else sentence


def _detail(link: Link, truth: TruthRow) -> str:
    words = link.qualifier.replace("_", " ")
    match link.edge:
        case EdgeType.EPISODE_OF | EdgeType.HAS_EPISODE:
            return f"number {words}" if words else ""
        case EdgeType.PRODUCED | EdgeType.PRODUCED_BY:
            return f"{words} studio" if words else ""
        case EdgeType.STAFF_OF | EdgeType.HAS_STAFF if truth.raw and truth.raw.casefold() != words:
            return f"{words}: {truth.raw}" if words != "other" else truth.raw
        case EdgeType.OTHER_RELATION:
            return (truth.raw or "").replace("_", " ").lower()
        case _:
            return words


def _stands(link: Link, truths: Truths) -> bool:
    truth = truths.get((link.table, link.row_id))
    return truth is not None and truth.says(link.from_.id, link.edge, link.to.id, link.qualifier)


def _direction(link: Link, truths: Truths) -> Literal["out", "in"]:
    return "out" if truths[(link.table, link.row_id)].first == link.from_.id else "in"


def _link_id(link: Link, truths: Truths) -> str:
    return f"edge:{link.table}:{link.row_id}:{_direction(link, truths)}"


def _step(hop: Hop, truths: Truths) -> PathStep:
    ids = [_link_id(link, truths) for link in hop.links]
    return PathStep(
        from_=ref_to(hop.from_),
        rel=hop.edge,
        to=ref_to(hop.to),
        direction=_direction(hop.links[0], truths) if hop.hub is None else "out",
        qualifier=hop.links[0].qualifier if hop.hub is None else "",
        evidence_id=ids[0] if hop.hub is None else f"path:{_digest(ids)[:12]}",
        hub=None if hop.hub is None else ref_to(hop.hub),
    )


def _hop_sentence(hop: Hop, truths: Truths) -> str:
    sentences = [link_sentence(link, truths[(link.table, link.row_id)]) for link in hop.links]
    if hop.hub is None:
        return sentences[0]
    derived = EDGES[hop.edge].sentence.format(a=hop.from_.name, b=hop.to.name)
    return f"{derived}: {'; '.join(sentences)}"


def _digest(parts: Iterable[str]) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()
