"""What the right answers are, found by looking at every beginning: one truth for the product and its peers."""

from collections.abc import Sequence

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
        self._places = np.empty(len(world.in_order), dtype=np.int64)
        self._places[list(world.in_order)] = np.arange(len(world.in_order))

    def page(self, query: str, limit: int) -> list[int]:
        """The first entities that the search lane finds without guessing at typos, in its order."""
        classes = self._classes(query)
        found = np.flatnonzero(classes < _UNMET)
        ranks = classes[found].astype(np.int64) * len(classes) + self._places[found]
        return found[np.argsort(ranks)][:limit].tolist()

    def faults(self, query: str, answer: Sequence[int], limit: int) -> str | None:
        """What is wrong with a first page; None when nothing is. Guesses at typos may follow after the rest."""
        wanted = self.page(query, limit)
        lexical = list(answer[: len(wanted)])
        return None if lexical == wanted else f"{query!r}: {lexical[:5]} instead of {wanted[:5]}"

    def _classes(self, query: str) -> NDArray[np.int8]:
        """Each entity's best match class."""
        folded, spelled = fold(query), spell(query)
        met = self._met(folded, spelled)
        owners, are_whole = self._starts.owners[met], self._starts.are_whole[met]
        are_exact = are_whole & np.isin(met, self._starts.equal_to(squeeze(folded)))
        classes = np.full(len(self._places), _UNMET, dtype=np.int8)
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
