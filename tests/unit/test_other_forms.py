"""A title without a word for its kind: dates are given for each form of the work, other fields for the one meant."""

from uuid import UUID

import pytest
from agent_core.chain import other_forms_of
from agent_core.evidence import EntityRef
from agent_core.schemas import AskedField, Candidate, MatchKind, Mention, QueryRewrite, ResolvedMention
from datastore.vocabulary import EntityType

WORKS = (EntityType.ANIME, EntityType.MANGA)


def candidate(kind: EntityType, number: int, match: MatchKind = MatchKind.EXACT, name: str = "Zorblax") -> Candidate:
    ref = EntityRef(entity_type=kind, id=UUID(int=number), name=name)
    return Candidate(entity=ref, matched_name=name, match=match, score=0.9)


ANIME, MANGA = candidate(EntityType.ANIME, 1), candidate(EntityType.MANGA, 2)
OTHERS = (
    candidate(EntityType.CHARACTER, 3),
    candidate(EntityType.MANGA, 4, MatchKind.ALIAS),
    candidate(EntityType.MANGA, 5, name="Zorblax Origin"),
    candidate(EntityType.ANIME, 6),
)


def others(mention: Mention, *fields: AskedField) -> list[UUID]:
    resolved = ResolvedMention(mention=mention, candidates=(ANIME, MANGA, *OTHERS), chosen=ANIME)
    rewrite = QueryRewrite(
        rewritten_query="?", needs_external_context=True, rationale="", mentions=(mention,), asked_fields=fields
    )
    return [ref.id for ref in other_forms_of(rewrite, (resolved,))]


@pytest.mark.parametrize("types", [(), WORKS])
def test_dates_of_an_open_title_are_of_each_form(types: tuple[EntityType, ...]) -> None:
    mention = Mention(text="Zorblax", entity_types=types)
    assert others(mention, AskedField.START_DATE) == [MANGA.entity.id]
    assert others(mention, AskedField.YEAR, AskedField.END_DATE) == [MANGA.entity.id]


def test_what_says_which_form_is_meant_leaves_one() -> None:
    assert others(Mention(text="Zorblax", entity_types=(EntityType.ANIME,)), AskedField.START_DATE) == []
    assert others(Mention(text="Zorblax", year=2009), AskedField.START_DATE) == []
    assert others(Mention(text="Zorblax"), AskedField.EPISODES) == []
    assert others(Mention(text="Zorblax"), AskedField.START_DATE, AskedField.GENRES) == []
    assert others(Mention(text="Zorblax")) == []
