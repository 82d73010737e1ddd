import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.requests import Message, Request
from designsearch.runtime.services import Services
from designsearch.search.training.unasked import Unasked, unasked


def test_who_stands_in_for_the_helper_refuses_to_be_asked():
    ready = unasked(Services())
    request = Request("memory/facts@1-3f2a", (Message("user", "hello"),))
    with pytest.raises(UserError, match=r"more than its policy \(memory/facts\): name one for the role helper"):
        ready.helper.complete([request])


def test_a_helper_that_is_there_stays():
    named = Services(helper=Unasked())
    assert unasked(named) is named
