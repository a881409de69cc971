"""Two readings of one question: of a whole set where it can be asked, and of names and descriptions."""

from agent_core.chain import can_link
from agent_core.orchestrator.run import Run
from agent_core.schemas import Action, AnswerKind, QueryRewrite, SearchFilters
from agent_core.set_question import SetTask


def take_reading(run: Run, rewrite: QueryRewrite) -> None:
    """Let the run go by the set question where queries are offered; the other reading is kept for `give_up_set`."""
    plain = rewrite.model_copy(update={"set_question": None, "set_mentions": ()})
    run.rewrite, run.other_reading = plain, None
    if rewrite.set_question is None or Action.GRAPH_QUERY not in run.offered:
        return
    run.other_reading = plain
    run.rewrite = rewrite.model_copy(
        update={
            "answer_kind": AnswerKind.RECOMMENDATION
            if rewrite.set_question.task is SetTask.RECOMMENDATION
            else AnswerKind.LIST,
            "mentions": rewrite.set_mentions,
            "set_mentions": (),
            "relations": (),
            "asked_fields": (),
            "concepts": (),
            "filters": SearchFilters(),
            "date_range": None,
            "max_hops": None,
        }
    )


def give_up_set(run: Run) -> bool:
    """Take the other reading when a name is none that the set question can link to; says whether it was taken."""
    question = run.rewrite.set_question
    if question is None or run.other_reading is None or can_link(question, run.resolved):
        return False
    run.rewrite, run.other_reading, run.resolved = run.other_reading, None, ()
    return True
