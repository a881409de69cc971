"""The invented catalogue: the same everywhere for one seed, skewed like a real one, named in every script."""

import hashlib
import unicodedata

import numpy as np
from agent_evals.bench.chance import Chance
from agent_evals.bench.invented_catalogue import InventedCatalogue, invent_catalogue
from agent_evals.bench.scale import FULL, QUICK
from agent_evals.bench.typeahead_queries import QueryClass, typed_queries
from datastore.vocabulary import EntityType

TINY = FULL.divided_by(1000)


def fingerprint(catalogue: InventedCatalogue) -> str:
    content = [*catalogue.titles, *catalogue.names.texts, *catalogue.names.kinds]
    digest = hashlib.sha256("\n".join(content).encode())
    for numbers in (catalogue.names.owners, catalogue.popularity, catalogue.links.pairs):
        digest.update(numbers.astype("<i8").tobytes())
    return digest.hexdigest()


def test_a_seed_means_the_same_catalogue_on_every_machine() -> None:
    expected = "84284aba0e445a48482a7920c5264caffe69490c3e922209de80e5662bb36515"
    assert fingerprint(invent_catalogue(TINY, seed=7)) == expected


def test_another_seed_means_another_catalogue() -> None:
    assert fingerprint(invent_catalogue(TINY, seed=7)) != fingerprint(invent_catalogue(TINY, seed=8))


def test_random_numbers_are_the_generators_raw_bits() -> None:
    assert Chance(1, "a").uniform(2).tolist() == [0.43532347467388355, 0.8167896889286991]
    assert Chance(1, "a").uniform(2).tolist() != Chance(1, "b").uniform(2).tolist()


def test_counts_are_those_of_the_scale() -> None:
    catalogue = invent_catalogue(TINY)
    assert {kind: len(part) for kind, part in catalogue.places.items()} == {
        EntityType.ANIME: 50,
        EntityType.MANGA: 80,
        EntityType.CHARACTER: 300,
        EntityType.PERSON: 100,
        EntityType.STUDIO: 2,
        EntityType.EPISODE: 500,
    }
    assert catalogue.size == 1032
    assert all(catalogue.titles)


def test_names_come_in_every_script() -> None:
    texts = invent_catalogue(QUICK).names.texts
    for script in ("LATIN", "KATAKANA", "HIRAGANA", "CJK UNIFIED", "HANGUL"):
        assert any(unicodedata.name(char, "").startswith(script) for text in texts for char in text), script


def test_a_name_of_one_kind_is_there_once() -> None:
    names = invent_catalogue(QUICK).names
    rows = list(zip(names.owners.tolist(), names.texts, names.kinds, strict=True))
    assert len(set(rows)) == len(rows)


def test_links_join_two_different_entities_once_and_some_are_hubs() -> None:
    links = invent_catalogue(QUICK).links
    for pairs in (links.appearances, links.voices, links.staff_credits, links.studio_credits, links.sequels):
        assert len(np.unique(pairs, axis=0)) == len(pairs)
        assert (pairs[:, 0] != pairs[:, 1]).all()
    degrees = np.bincount(links.pairs.ravel())
    assert degrees.max() > 12 * np.median(degrees[degrees > 0])


def test_every_episode_belongs_to_one_anime() -> None:
    catalogue = invent_catalogue(TINY)
    episodes, anime = catalogue.links.episodes.T
    assert sorted(episodes.tolist()) == list(catalogue.places[EntityType.EPISODE])
    assert set(anime.tolist()) <= set(catalogue.places[EntityType.ANIME])


def test_digests_tell_scales_and_seeds_apart() -> None:
    assert len({FULL.digest(1), FULL.digest(2), QUICK.digest(1)}) == 3
    assert FULL.digest(1) == FULL.divided_by(1).digest(1)


def test_typed_texts_are_as_long_as_their_class_says() -> None:
    catalogue = invent_catalogue(QUICK)
    lengths = {kind: {len(each.text) for each in typed_queries(catalogue, kind, 80)} for kind in QueryClass}
    assert lengths[QueryClass.SHORT] == {1, 2}
    assert lengths[QueryClass.MIDDLE] <= set(range(3, 9))
    assert lengths[QueryClass.NATIVE] <= {1, 2, 3, 4}
    assert min(lengths[QueryClass.TYPO]) >= 5


def test_a_typo_is_no_beginning_of_the_name_that_was_meant() -> None:
    catalogue = invent_catalogue(QUICK)
    names: dict[int, list[str]] = {}
    for owner, text in zip(catalogue.names.owners.tolist(), catalogue.names.texts, strict=True):
        names.setdefault(owner, []).append(text.lower())
    typos = typed_queries(catalogue, QueryClass.TYPO, 80)
    wrong = [each for each in typos if any(name.startswith(each.text) for name in names[each.meant])]
    assert len(typos) == 80
    # A letter that is left out can leave another beginning of the name, as when the last one is missing.
    assert len(wrong) < 8
