"""Questions for a watch order are read as such, whatever the names; questions that only look alike are not."""

import pytest
from agent_core.set_question import SetTask, Watching
from datastore.vocabulary import EntityType
from fixtures.readings import read

_NAMES = ("Vantor Peaks", "Mirelle Tides")
_BY_RELEASE = (
    "In what order should I watch Vantor Peaks?",
    "Vantor Peaks watch order",
    "Vantor Peaks movies order",
    "Vantor Peaks order",
    "What's the best order to watch Vantor Peaks?",
    "I'd like to see all of Vantor Peaks. In which order?",
    "I'm new to Vantor Peaks. What do I watch first, and what after that?",
    "Where should I start with Vantor Peaks?",
    "List the anime of the Vantor Peaks series by release date.",
    "In what order did the Vantor Peaks anime come out?",
    "Is there an order to watch Vantor Peaks in?",
    "Which of the Vantor Peaks anime comes first, which comes next?",
    "In welcher Reihenfolge soll ich Vantor Peaks schauen?",
    "¿En qué orden veo Vantor Peaks?",
    "list the seasons of Vantor Peaks in order",
    "How do I get into Vantor Peaks?",
    "How should I watch Vantor Peaks?",
    "What's the best way to watch Vantor Peaks?",
    "In which sequence should I see the Vantor Peaks series?",
    "What order do the Vantor Peaks anime go in?",
    "Vantor Peaks anime, in which order?",
)
_BY_STORY = (
    "What's the chronological order of the Vantor Peaks anime?",
    "Vantor Peaks story order",
    "I want to watch the Vantor Peaks anime in the order in which the story happens.",
    "Please list the Vantor Peaks anime in the order of the story.",
)
_BEFORE = (
    "Should I have seen something before I start Vantor Peaks?",
    "What do I have to watch before Vantor Peaks?",
    "Is there anything I need to see before Vantor Peaks?",
)
_OF_TWO = (
    "Should I watch Vantor Peaks or Mirelle Tides first?",
    "Do I watch Vantor Peaks or Mirelle Tides before the other?",
    "Do I need to watch Vantor Peaks before Mirelle Tides?",
    "Can I watch Vantor Peaks without having seen Mirelle Tides?",
)
_OTHER = (
    "In which order did the episodes of Vantor Peaks air?",
    "In what order should I read the Vantor Peaks manga?",
    "When did Vantor Peaks start?",
    "Who directed Vantor Peaks first?",
    "What is the sequel of Vantor Peaks?",
    "Which came first, Vantor Peaks or Mirelle Tides?",
    "Is Vantor Peaks older than Mirelle Tides?",
)


@pytest.mark.parametrize(
    ("question", "watching", "names"),
    [
        *((question, Watching.BY_RELEASE, 1) for question in _BY_RELEASE),
        *((question, Watching.BY_STORY, 1) for question in _BY_STORY),
        *((question, Watching.BEFORE, 1) for question in _BEFORE),
        *((question, Watching.BY_RELEASE, 2) for question in _OF_TWO),
    ],
)
def test_a_watch_order_is_read_as_one(question: str, watching: Watching, names: int) -> None:
    rewrite = read(question, _NAMES)
    assert rewrite.set_question is not None
    assert rewrite.set_question.task is SetTask.WATCH_ORDER
    assert rewrite.set_question.watching is watching
    assert [mention.text for mention in rewrite.set_mentions] == list(_NAMES[:names])
    assert all(mention.entity_types == (EntityType.ANIME,) for mention in rewrite.set_mentions)


@pytest.mark.parametrize("question", _OTHER)
def test_other_orders_are_left_to_other_readings(question: str) -> None:
    asked = read(question, _NAMES).set_question
    assert asked is None or asked.task is not SetTask.WATCH_ORDER
