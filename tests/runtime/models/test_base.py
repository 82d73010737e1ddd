from designsearch.runtime.models.answering import make_answerer
from designsearch.runtime.models.base import Ask
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.records import Context


def test_offline_is_the_default_and_has_a_name():
    made = make_answerer(None)
    assert isinstance(made, OfflineAnswerer)
    assert made.name == "offline"


def test_an_answer_says_what_it_cost():
    ask = Ask("Who baked the bread?", Context("Ines baked the bread.", 0, ()))
    answer = make_answerer(None).answer_all([ask])[0]
    assert (answer.text, answer.abstained, answer.calls, answer.cost) == ("Ines", False, 0, 0.0)
    assert 0 <= answer.seconds < 5
