from model_fakes import ScriptedModel
from runtime_fakes import ask, call, memory_of

from designsearch.runtime.records import Query
from designsearch.runtime.services import Services

QUESTION = "Did I buy the kayak before the tent?"


def made(*parts, most=3):
    model = ScriptedModel(lambda request: {"texts": list(parts)})
    return call(
        "cascade", "decompose", ask(QUESTION), memory_of([], services=Services(helper=model)), most=most
    ).queries


def test_a_question_gains_its_parts():
    parts = ("When did I buy the kayak?", "When did I buy the tent?")
    assert made(*parts) == ((Query("question", QUESTION), *(Query("question", part) for part in parts)),)


def test_a_simple_question_that_comes_back_gains_nothing():
    assert made(QUESTION) == ((Query("question", QUESTION),),)
