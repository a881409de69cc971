"""What the right answers are, found by looking at every beginning: the product's order, and the peers' simpler one."""

from collections.abc import Callable, Iterable, Sequence

from datastore.folding import fold, spell, squeeze

from agent_evals.bench.starts import SearchWorld, Start

# The rules of the search lane, written down a second time; see datastore.postgres.name_search.
_FEWEST_SPACELESS_CHARS = 6
_FEWEST_ROMANISED_CHARS = 4
_EXACT, _PREFIX, _WORD_PREFIX = range(3)


class TypeaheadOracle:
    """Brute force over all beginnings."""

    def __init__(self, world: SearchWorld) -> None:
        self._starts = world.starts
        self._popularity = world.popularity.tolist()

    def product_classes(self, query: str) -> dict[int, int]:
        """The entities that the search lane finds without guessing at typos, each with its match class."""
        folded, spelled = fold(query), spell(query)
        bare = squeeze(folded)
        classes: dict[int, int] = {}
        for start in self._met(folded, spelled):
            match = _PREFIX if start.is_whole else _WORD_PREFIX
            if start.is_whole and start.squeezed == bare:
                match = _EXACT
            classes[start.owner] = min(match, classes.get(start.owner, match))
        return classes

    def order_faults(self, query: str, answer: Sequence[int], keys: Callable[[int], tuple[str, str]]) -> str | None:
        """What is wrong with the product's first page; None when nothing is.

        `keys` gives an entity's name and id, the last two keys of the order. Guesses at typos follow after all others.
        """
        classes = self.product_classes(query)
        ordered = sorted(classes, key=lambda owner: (classes[owner], -self._popularity[owner], *keys(owner)))
        lexical = list(answer[: min(len(answer), len(ordered))])
        wanted = ordered[: len(lexical)] if len(answer) >= len(ordered) else ordered[: len(answer)]
        if lexical != wanted:
            return f"{query!r}: {lexical[:5]} instead of {wanted[:5]}"
        return None

    def peer_faults(self, query: str, answer: Sequence[int], limit: int) -> str | None:
        """What is wrong with a peer's answer to: the most popular entities with a beginning of this text.

        Any order among equally popular ones is right.
        """
        matching = {start.owner for start in self._starts.beginning_with(squeeze(spell(query)))}
        wanted = sorted((self._popularity[owner] for owner in matching), reverse=True)[:limit]
        found = [self._popularity[owner] for owner in answer]
        if len(set(answer)) < len(answer) or not matching.issuperset(answer):
            return f"{query!r}: entities that don't match, or one twice"
        if found != wanted:
            return f"{query!r}: popularity {found[:5]} instead of {wanted[:5]}"
        return None

    def _met(self, folded: str, spelled: str) -> Iterable[Start]:
        is_spaceless = " " not in folded or len(squeeze(folded)) >= _FEWEST_SPACELESS_CHARS
        for start in self._starts.beginning_with(squeeze(spelled)):
            if is_spaceless or start.spaced.startswith(spelled):
                yield start
        other = squeeze(folded)
        is_beginning = len(squeeze(spelled)) >= _FEWEST_ROMANISED_CHARS
        for start in self._starts.beginning_with(other) if is_beginning else self._starts.equal_to(other):
            if is_spaceless or start.spaced.startswith(folded):
                yield start
