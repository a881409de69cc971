"""The chain of a question: who its mentions are to it, its steps, and how far evidence has walked them. Pure.

`relations` is a chain of steps that begins at the first mention; what is reached after the last step is wanted. A
mention that another one names in `within` is a *scope*: it only says which namesake, or which work, is meant. With
further mentions beside the first, an answer of kind `list` wants what all of them lead to (an intersection); any other
kind asks whether the chain leads from the first mention to the others (*targets*). A qualifier may name alternatives,
separated by `|`.
"""

from agent_core.chain.roles import Roles, chosen_of, namesakes_of, other_forms_of, roles_of
from agent_core.chain.set_results import QUERY_SLOT, can_link, queried, query_slot
from agent_core.chain.steps import effective_chain, kindred, places_of, qualifier_matches, targets_of
from agent_core.chain.walking import (
    MAX_FRONTIER,
    Layer,
    Unread,
    Used,
    frontier,
    intents,
    links,
    reached_at,
    unique,
    used_ids,
    walks,
)
from agent_core.chain.watch_order import (
    franchise_of,
    franchise_queries,
    next_works,
    story_order,
    unplaced,
    unread_works,
)

__all__ = [
    "MAX_FRONTIER",
    "QUERY_SLOT",
    "Layer",
    "Roles",
    "Unread",
    "Used",
    "can_link",
    "chosen_of",
    "effective_chain",
    "franchise_of",
    "franchise_queries",
    "frontier",
    "intents",
    "kindred",
    "links",
    "namesakes_of",
    "next_works",
    "other_forms_of",
    "places_of",
    "qualifier_matches",
    "queried",
    "query_slot",
    "reached_at",
    "roles_of",
    "story_order",
    "targets_of",
    "unique",
    "unplaced",
    "unread_works",
    "used_ids",
    "walks",
]
