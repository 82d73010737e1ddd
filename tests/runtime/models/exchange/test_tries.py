from __future__ import annotations

import pytest
from dialogue_fakes import Ledger, Talk, wanting
from model_stub import Answer, refused, said

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError
from designsearch.runtime.models.exchange import endpoint

BUSY = refused(429, "Rate limit reached")
SILENT = Answer(fate="silent")
QUICK = {"timeout": 0.2}


def then(*answers):
    """A script: these answers one after another, the last one for ever."""
    return lambda path, body, number: answers[min(number, len(answers) - 1)]


def slow_down(value, name="Retry-After"):
    return refused(429, "Rate limit reached", {name: value})


def test_a_rate_limit_is_waited_for_as_the_server_asks():
    talk = Talk(then(slow_down("1"), slow_down("1500", "retry-after-ms"), said("ok")))
    reply = talk.ask(wanting())
    assert (reply.text, reply.calls) == ("ok", 3)
    assert talk.slept == [1.0, 1.5]
    assert talk.ledger.settled == [(0, 0), (0, 0), (9, 5)]


def test_a_rate_limit_whose_time_stands_in_the_body_is_waited_for_as_it_says():
    delay = {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "4s"}]}
    minute = refused(429, "You exceeded your current quota, please check your plan", **delay)
    words = refused(429, "Rate limit reached. Please try again in 1.2s.")
    talk = Talk(then(minute, words, refused(429, "try again in 3s", {"Retry-After": "2"}), said("ok")))
    assert talk.ask(wanting()).text == "ok"
    assert talk.slept == [4.0, 1.2, 2.0]
    day = Talk(then(refused(429, "Rate limit reached. Please try again in 7m12s.")))
    assert "asks to be waited for 432 s, longer than" in day.error(OutOfBudgetError)


def test_a_rate_limit_without_a_time_is_waited_for_longer_each_time():
    talk = Talk(then(BUSY, BUSY, refused(503, "Loading model"), Answer(529, {}), said("ok")))
    assert talk.ask(wanting()).text == "ok"
    assert [round(wait / 2**n) for n, wait in enumerate(talk.slept)] == [2, 2, 2, 2]


def test_a_wait_that_is_too_long_stops_the_work(golden):
    talk = Talk(then(slow_down("3600")))
    golden("longer_wait_than_allowed", talk.error(OutOfBudgetError))
    assert len(talk.stub.asked) == 1
    talk = Talk(then(slow_down("61"), said("ok")), {"longest_wait": 61.0})
    assert talk.ask(wanting()).text == "ok"
    assert talk.slept == [61.0]


def test_our_own_waits_are_no_longer_than_allowed():
    talk = Talk(then(BUSY, BUSY, BUSY, said("ok")), {"longest_wait": 3.0})
    talk.ask(wanting())
    assert max(talk.slept) == 3.0


def test_tries_are_bounded():
    talk = Talk(then(BUSY), {"retries": 2})
    reply = talk.ask(wanting())
    assert (reply.failure, reply.calls) == ("server", 3)
    assert reply.detail == "the server answered with 429: Rate limit reached"
    assert len(talk.slept) == 2


@pytest.mark.parametrize(
    "answer",
    [
        refused(429, "You exceeded your current quota, please check your plan"),
        refused(429, "no", code="insufficient_quota"),
        refused(403, "no", type="billing_hard_limit_reached"),
        refused(402, "Payment required"),
        Answer(200, {"error": {"message": "no", "code": "insufficient_quota"}}),
    ],
)
def test_a_used_up_quota_stops_the_work_at_once(answer):
    talk = Talk(then(answer))
    assert "the quota at http://127.0.0.1:PORT/v1 is used up" in talk.error(OutOfBudgetError)
    assert (len(talk.stub.asked), talk.slept) == (1, [])
    assert talk.ledger.settled == [(0, 0)]


def test_the_text_for_a_used_up_quota(golden):
    golden("quota_used_up", Talk(then(refused(429, "You exceeded your current quota"))).error(OutOfBudgetError))


@pytest.mark.parametrize(
    ("trouble", "detail"),
    [
        (refused(500, "boom"), "the server answered with 500: boom"),
        (Answer(502, "<html>bad gateway</html>", {"Content-Type": "text/html"}), "the server answered with 502"),
        (Answer(fate="reset"), "the connection broke before the reply was whole"),
        (Answer(body={"choices": []}, fate="cut"), "the connection broke before the reply was whole"),
        (Answer(200, ""), "the server answered with an empty body"),
        (Answer(200, '{"choices": [{"mess'), "the server answered with a body that is no JSON"),
        (Answer(200, {"choices": []}), "the server answered with a body without choices"),
        (Answer(200, {"error": {"message": "overloaded"}}), "the server answered with 500: overloaded"),
    ],
)
def test_passing_trouble_is_met_by_trying_again(trouble, detail):
    talk = Talk(then(trouble, trouble, said("ok")))
    reply = talk.ask(wanting())
    assert (reply.text, reply.calls) == ("ok", 3)
    assert [round(wait / 2**n, 1) >= 0.3 for n, wait in enumerate(talk.slept)] == [True, True]
    reply = Talk(then(trouble), {"retries": 1}).ask(wanting())
    assert (reply.failure, reply.detail, reply.calls) == ("server", detail, 2)


def test_a_server_that_does_not_answer_in_time():
    talk = Talk(then(SILENT), QUICK | {"retries": 1})
    reply = talk.ask(wanting())
    assert (reply.failure, reply.detail, reply.calls) == ("timeout", "no reply within 0.2 s", 2)
    assert 0.4 <= reply.seconds < 10
    assert talk.ledger.settled == [(None, None), (None, None)]


def test_time_runs_out_for_a_reply_in_drips_too():
    talk = Talk(then(Answer(body=b" " * 100, drip=0.05, pieces=100)), QUICK | {"retries": 0})
    assert talk.ask(wanting()).failure == "timeout"


def test_a_reply_that_is_too_large_is_not_asked_for_again(monkeypatch):
    monkeypatch.setattr(endpoint, "MOST_BYTES", 1000)
    reply = Talk(then(Answer(body=b" " * 2000))).ask(wanting())
    assert (reply.failure, reply.detail, reply.calls) == ("server", "the reply was longer than 16 MB", 1)


@pytest.mark.parametrize(
    ("answer", "settled"),
    [
        (said("ok"), (9, 5)),
        (said("ok", usage=None), (None, None)),
        (refused(500, "x"), (0, 0)),
        (refused(504, "x"), (None, None)),
        (Answer(fate="reset"), (None, None)),
        (Answer(200, "no json"), (None, None)),
    ],
)
def test_every_try_is_settled(answer, settled):
    talk = Talk(then(answer), {"retries": 0})
    reply = talk.ask(wanting(max_output_tokens=77))
    assert talk.ledger.settled == [settled]
    ((length, most),) = talk.ledger.reserved
    assert (most, reply.cost, reply.calls) == (77, 0.25, 1)
    assert length > 10
    assert (reply.input_tokens, reply.output_tokens) == (
        length if settled[0] is None else settled[0],
        most if settled[1] is None else settled[1],
    )


def test_no_try_goes_out_without_leave():
    talk = Talk(then(refused(500, "boom")), ledger=Ledger(most=2))
    assert talk.error(OutOfBudgetError) == "budget.calls: all are used"
    assert len(talk.stub.asked) == 2


def test_where_nothing_answers_the_work_stops_quickly(golden):
    talk = Talk(url="http://127.0.0.1:1/v1")
    text = talk.error(CannotContinueError).replace("127.0.0.1:PORT", "127.0.0.1:1")
    golden("nothing_answers", text)
    assert sum(talk.slept) <= 3
    assert talk.ledger.settled == [(0, 0)] * 3


def test_a_machine_that_is_not_there(golden):
    golden("no_such_machine", Talk(url="http://no-such-machine.invalid/v1").error(CannotContinueError))
