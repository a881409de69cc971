"""What the right answers are, found by looking at every beginning: the product's order, and the peers' simpler one."""

from collections.abc import Callable, Sequence

import numpy as np
from datastore.folding import fold, spell, squeeze
from numpy.typing import NDArray

from agent_evals.bench.starts import Places, SearchWorld

# The rules of the search lane, written down a second time; see datastore.postgres.name_search.
_FEWEST_SPACELESS_CHARS = 6
_FEWEST_ROMANISED_CHARS = 4
_EXACT, _PREFIX, _WORD_PREFIX, _UNMET = range(4)


class TypeaheadOracle:
    """Brute force over all beginnings."""

    def __init__(self, world: SearchWorld) -> None:
        self._starts = world.starts
        self._popularity = world.popularity
        self._above_every_popularity = int(world.popularity.max()) + 1

    def product_page(self, query: str, limit: int, keys: Callable[[int], tuple[str, str]]) -> list[int]:
        """The first entities that the search lane finds without guessing at typos, in its order.

        `keys` gives an entity's name and id, the last two keys of the order.
        """
        classes = self._classes(query)
        found = np.flatnonzero(classes < _UNMET)
        ranks = classes[found].astype(np.int64) * self._above_every_popularity - self._popularity[found]
        if len(found) > limit:
            # With all that are as good as the last one of the page: names decide among them.
            kept = ranks <= np.partition(ranks, limit - 1)[limit - 1]
            found, ranks = found[kept], ranks[kept]
        ranked = [(rank, *keys(owner), owner) for rank, owner in zip(ranks.tolist(), found.tolist(), strict=True)]
        return [owner for *_, owner in sorted(ranked)[:limit]]

    def order_faults(
        self, query: str, answer: Sequence[int], limit: int, keys: Callable[[int], tuple[str, str]]
    ) -> str | None:
        """What is wrong with the product's first page; None when nothing is. Guesses at typos follow after the rest."""
        wanted = self.product_page(query, limit, keys)
        lexical = list(answer[: len(wanted)])
        return None if lexical == wanted else f"{query!r}: {lexical[:5]} instead of {wanted[:5]}"

    def peer_faults(self, query: str, answer: Sequence[int], limit: int) -> str | None:
        """What is wrong with a peer's answer to: the most popular entities with a beginning of this text.

        Any order among equally popular ones is right.
        """
        met = self._starts.beginning_with(squeeze(spell(query)))
        is_matching = np.zeros(len(self._popularity), dtype=np.bool_)
        is_matching[self._starts.owners[met]] = True
        if len(set(answer)) < len(answer) or not is_matching[list(answer)].all():
            return f"{query!r}: entities that don't match, or one twice"
        wanted = _greatest(self._popularity[is_matching], limit)
        found: list[int] = self._popularity[list(answer)].tolist()
        return None if found == wanted else f"{query!r}: popularity {found[:5]} instead of {wanted[:5]}"

    def _classes(self, query: str) -> NDArray[np.int8]:
        """Each entity's best match class."""
        folded, spelled = fold(query), spell(query)
        met = self._met(folded, spelled)
        owners, are_whole = self._starts.owners[met], self._starts.are_whole[met]
        are_exact = are_whole & np.isin(met, self._starts.equal_to(squeeze(folded)))
        classes = np.full(len(self._popularity), _UNMET, dtype=np.int8)
        for match, are_met in ((_WORD_PREFIX, ~are_whole), (_PREFIX, are_whole), (_EXACT, are_exact)):
            classes[owners[are_met]] = match
        return classes

    def _met(self, folded: str, spelled: str) -> Places:
        other = squeeze(folded)
        is_beginning = len(squeeze(spelled)) >= _FEWEST_ROMANISED_CHARS
        as_spelled = self._starts.beginning_with(squeeze(spelled))
        as_folded = self._starts.beginning_with(other) if is_beginning else self._starts.equal_to(other)
        if " " in folded and len(other) < _FEWEST_SPACELESS_CHARS:
            as_spelled, as_folded = self._with_spaces(as_spelled, spelled), self._with_spaces(as_folded, folded)
        return np.concatenate([as_spelled, as_folded])

    def _with_spaces(self, places: Places, text: str) -> Places:
        """Those whose spaces are where the text has them."""
        listed: list[int] = places.tolist()
        return np.array([place for place in listed if self._starts.spaced[place].startswith(text)], dtype=np.int64)


def _greatest(values: NDArray[np.int64], count: int) -> list[int]:
    """The greatest values, falling."""
    most = values if len(values) <= count else np.partition(values, len(values) - count)[-count:]
    greatest: list[int] = np.sort(most)[::-1].tolist()
    return greatest
