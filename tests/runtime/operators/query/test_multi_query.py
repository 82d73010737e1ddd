from model_fakes import ScriptedModel
from runtime_fakes import ask, call, memory_of, rows_of

from designsearch.runtime.services import Services


def test_other_wordings_find_what_the_question_does_not_name():
    model = ScriptedModel(lambda request: {"texts": ["Which boat?"]})
    m = memory_of(["a kayak", "the boat", "tea"], services=Services(helper=model))
    queries = call("cascade", "multi_query", ask("kayak"), m, n=1)
    assert rows_of(call("cascade", "bm25", queries, m)) == [[0, 1]]
    assert rows_of(call("cascade", "bm25", ask("kayak"), m)) == [[0]]
