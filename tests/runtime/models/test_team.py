"""The models of a study: cached, counted, capped, sharing servers."""

import json
import os
import signal
from threading import Thread, Timer
from time import sleep

import pytest
from model_stub import Answer, Stub, refused, said

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import Caps, Spending
from designsearch.runtime.models.books.tallies import read_tallies
from designsearch.runtime.models.requests import Message, Request
from designsearch.runtime.models.settings import ModelSettings, Price
from designsearch.runtime.models.team import Team

PRICE = Price(input=10.0, output=100.0)


def asking(*texts, prompt="memory/facts@1-aa", **more):
    return [Request(prompt, (Message("user", text),), **more) for text in texts]


def echo(path, body, number):
    return said(body["messages"][-1]["content"].upper(), usage=(10, 5))


@pytest.fixture
def stub():
    with Stub(lambda path, body, number: None if path == "/models" else echo(path, body, number)) as running:
        yield running


@pytest.fixture
def opened():
    """Open teams that are closed at the end."""
    teams = []

    def make(settings, *args, **more):
        teams.append(Team.open(settings, *args, **more))
        return teams[-1]

    yield make
    for team in teams:
        team.close()


def at(stub, **more):
    return ModelSettings(**({"model": "stub", "base_url": stub.url} | more))


def test_replies_come_in_order_and_out_of_the_cache_the_second_time(stub, opened, tmp_path):
    team = opened({"helper": at(stub, price=PRICE)}, CallStore(tmp_path / "calls.sqlite"))
    texts = [f"question {i}" for i in range(40)]
    first = team.model("helper").complete(asking(*texts))
    assert [reply.text for reply in first] == [text.upper() for text in texts]
    assert {(reply.cached, reply.calls, round(reply.cost, 9)) for reply in first} == {(False, 1, 0.0006)}
    second = team.model("helper").complete(asking(*reversed(texts)))
    assert [reply.text for reply in second] == [text.upper() for text in reversed(texts)]
    assert {(reply.cached, reply.calls, reply.input_tokens) for reply in second} == {(True, 1, 10)}
    assert len(stub.asked) == 40
    assert team.spent == Spending(40, pytest.approx(40 * 0.0006), 400, 200)


def test_a_later_run_finds_what_an_earlier_one_asked(stub, opened, tmp_path):
    for run in range(2):
        team = opened({"helper": at(stub)}, CallStore(tmp_path / "calls.sqlite"))
        (reply,) = team.model("helper").complete(asking("hello"))
        assert reply.cached == bool(run)
        assert team.spent.calls == 1
        team.close()
    assert len(stub.asked) == 1


def test_equal_requests_are_asked_once(stub, opened):
    team = opened({"helper": at(stub)})
    replies = team.model("helper").complete(asking("a", "b", "a", "a"))
    assert [(reply.text, reply.cached) for reply in replies] == [("A", False), ("B", False), ("A", True), ("A", True)]
    assert len(stub.asked) == 2
    (tally,) = team.tallies()
    assert (tally.replies, tally.cached, tally.spent.calls) == (4, 2, 2)


def test_threads_ask_equal_requests_once(opened):
    with Stub(lambda path, body, number: Answer(body=echo(path, body, number).body, delay=0.05)) as slow:
        team = opened({"helper": at(slow)})
        got = []
        threads = [
            Thread(target=lambda: got.append(team.model("helper").complete(asking("a", "b", "c")))) for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert [[reply.text for reply in replies] for replies in got] == [["A", "B", "C"]] * 6
        assert len(slow.asked) == 3
        assert team.spent.calls == 3


def test_replicates_roles_and_purposes_are_calls_of_their_own(stub, opened):
    team = opened({"helper": at(stub), "judge": at(stub)})
    team.model("helper").complete(asking("a") + asking("a", replicate=1) + asking("a", prompt="other@1-bb"))
    team.model("judge").complete(asking("a"))
    assert len(stub.asked) == 4
    assert [(t.role, t.purpose, t.replies) for t in team.tallies()] == [
        ("helper", "memory/facts", 2),
        ("helper", "other", 1),
        ("judge", "memory/facts", 1),
    ]


def test_failed_replies_are_told_counted_and_asked_again(opened, tmp_path):
    def script(path, body, number):
        return said("", usage=(10, 0)) if number < 2 else said("now")

    with Stub(script) as stub:
        team = opened({"helper": at(stub)}, CallStore(tmp_path / "calls.sqlite"))
        (failed,) = team.model("helper").complete(asking("a"))
        assert (failed.ok, failed.failure, failed.calls) == (False, "no_answer", 2)
        (reply,) = team.model("helper").complete(asking("a"))
        assert (reply.text, reply.cached) == ("now", False)
        (tally,) = team.tallies()
        assert (tally.replies, tally.failed, tally.spent.calls) == (2, {"no_answer": 1}, 3)


def test_never_more_in_flight_than_the_server_may_get(opened):
    with Stub(lambda path, body, number: Answer(body=said("x").body, delay=0.02)) as slow:
        team = opened({"helper": at(slow, concurrency=5), "judge": at(slow, concurrency=3)})
        texts = [str(i) for i in range(20)]
        threads = [Thread(target=team.model(role).complete, args=(asking(*texts),)) for role in ("helper", "judge")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert len(slow.asked) == 40
        assert slow.peak == 3


def test_the_cap_on_dollars_is_never_passed_and_nearly_used(opened, tmp_path):
    """Each call takes $0.0006, and sets aside more; the calls that are left wait for those in flight."""
    with Stub(echo) as stub:
        settings = at(stub, price=PRICE, max_output_tokens=10, concurrency=16)
        team = opened({"helper": settings}, CallStore(tmp_path / "calls.sqlite"), Caps(usd=0.02))
        texts = [str(i) for i in range(200)]
        with pytest.raises(OutOfBudgetError, match=r"usd 0.02 is reached: \$0.0\d+ spent"):
            team.model("helper").complete(asking(*texts))
        assert 0.016 < team.spent.usd <= 0.02
        assert team.spent.calls == len(stub.asked)
        made = len(stub.asked)
        richer = opened({"helper": settings}, CallStore(None, also_read=[tmp_path / "calls.sqlite"]))
        replies = richer.model("helper").complete(asking(*texts))
        assert sum(reply.cached for reply in replies) == made  # all that came was kept
        assert len(stub.asked) == 200


def test_the_cap_on_calls_counts_every_try(opened):
    with Stub(lambda path, body, number: refused(500, "oops")) as stub:
        team = opened({"helper": at(stub, retries=20)}, caps=Caps(calls=3))
        with pytest.raises(OutOfBudgetError, match="llm_calls 3 is reached: 3 made, 0 in flight"):
            team.model("helper").complete(asking("a"))
        assert len(stub.asked) == 3


def test_dollars_need_prices_before_anything_is_sent(stub):
    with pytest.raises(UserError) as error:
        Team.open({"helper": at(stub), "judge": at(stub, price=PRICE), "answerer": at(stub)}, caps=Caps(usd=1))
    assert str(error.value) == (
        "models.answerer.price, models.helper.price: a budget in US dollars needs the price of every model; write "
        "price: {input: USD, output: USD} for a million tokens, {input: 0, output: 0} for one that costs nothing, or "
        "leave budget.usd out"
    )
    assert stub.asked == []


def test_an_interrupt_books_what_was_in_flight(opened, tmp_path):
    def script(path, body, number):
        return Answer(fate="silent") if body["messages"][0]["content"] == "slow" else echo(path, body, number)

    with Stub(script) as stub:
        team = opened({"helper": at(stub, price=PRICE, max_output_tokens=100)}, CallStore(tmp_path / "calls.sqlite"))
        Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            team.model("helper").complete(asking("a", "b", "slow", "c"))
        assert team.spent.calls == 4
        assert team.spent.output_tokens == 3 * 5 + 100
        replies = team.model("helper").complete(asking("a", "b", "c"))
        assert [reply.cached for reply in replies] == [True] * 3


def test_closing_ends_what_other_threads_ask(opened, tmp_path):
    def script(path, body, number):
        return Answer(fate="silent") if body["messages"][0]["content"] == "slow" else echo(path, body, number)

    with Stub(script) as stub:
        team = opened({"helper": at(stub, price=PRICE, max_output_tokens=100)}, CallStore(tmp_path / "calls.sqlite"))
        told = []

        def ask():
            with pytest.raises(CannotContinueError) as error:
                team.model("helper").complete(asking("a", "slow"))
            told.append(str(error.value))

        thread = Thread(target=ask)
        thread.start()
        while len(stub.asked) < 2 or not team.spent.calls:
            sleep(0.01)
        team.close()
        thread.join(10)
        assert told == ["the models were closed while they were at work; run again to go on"]
        later = opened({"helper": at(stub)}, CallStore(tmp_path / "calls.sqlite"))
        assert later.spent.calls == 2
        assert later.spent.output_tokens == 5 + 100  # the one in flight counts at its most
        assert later.model("helper").complete(asking("a"))[0].text == "A"


def test_a_server_that_is_gone_ends_the_work_and_keeps_what_came(opened):
    with Stub(echo) as stub:
        team = opened({"helper": at(stub)})
        team.model("helper").complete(asking("a"))
    with pytest.raises(CannotContinueError, match="nothing answers at"):
        team.model("helper").complete(asking("a", "b"))
    assert team.model("helper").complete(asking("a"))[0].cached


def test_a_replay_sends_nothing_and_names_what_is_missing(stub, opened, tmp_path, monkeypatch):
    monkeypatch.setenv("KEY", "sk-secret-of-mine")
    settings = {"helper": at(stub, api_key_env="KEY")}
    team = opened(settings, CallStore(tmp_path / "calls.sqlite"))
    team.model("helper").complete(asking("a"))
    team.close()
    monkeypatch.delenv("KEY")
    replay = opened(settings, CallStore(tmp_path / "calls.sqlite", replay=True))
    assert replay.check() == []
    assert replay.model("helper").complete(asking("a"))[0].text == "A"
    with pytest.raises(CannotContinueError) as error:
        replay.model("helper").complete(asking("a", "b"))
    assert str(error.value) == (
        "replay needs a call that was never made: helper, memory/facts@1-aa, in "
        f"{tmp_path / 'calls.sqlite'}; run the study without replay to make it"
    )
    assert len(stub.asked) == 1
    assert replay.spent == Spending()


def test_the_key_is_sent_and_never_kept(stub, opened, tmp_path, monkeypatch):
    monkeypatch.setenv("KEY", "sk-secret-of-mine")
    team = opened({"helper": at(stub, api_key_env="KEY")}, CallStore(tmp_path / "calls.sqlite"))
    model = team.model("helper")
    model.complete(asking("a"))
    assert stub.asked[0].headers["authorization"] == "Bearer sk-secret-of-mine"
    shown = json.dumps(team.fingerprints) + repr(team.tallies()) + model.name + "".join(team.destinations())
    team.close()
    assert "secret-of-mine" not in shown
    assert b"secret-of-mine" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_work_has_a_name(stub, opened, tmp_path):
    team = opened({"helper": at(stub)}, CallStore(tmp_path / "calls.sqlite"))
    for work in ("base", "trial 1"):
        team.begin(work)
        team.model("helper").complete(asking(f"of {work}", "of both"))
    assert [(t.work, t.replies, t.cached, t.spent.calls) for t in read_tallies(tmp_path / "calls.sqlite")] == [
        ("base", 2, 0, 2),
        ("trial 1", 2, 1, 1),
    ]
    (tally,) = team.tallies()
    assert (tally.work, tally.replies) == ("", 4)
    team.close()
    assert team.tallies() == [tally]


def fingerprint(**more):
    settings = ModelSettings(**({"model": "m", "base_url": "http://h:1/v1"} | more))
    team = Team.open({"helper": settings})
    team.close()
    return team.fingerprints["helper"]


@pytest.mark.parametrize(
    "change",
    [
        {"model": "n"},
        {"base_url": "http://h:2/v1"},
        {"temperature": 0.5},
        {"max_output_tokens": 5},
        {"structured": "prompt"},
        {"tools": "json"},
        {"reasoning_as_answer": True},
        {"send": {"top_p": 0.5}},
    ],
)
def test_what_changes_replies_changes_the_fingerprint(change):
    assert fingerprint(**change) != fingerprint()


def test_what_changes_no_reply_does_not(monkeypatch):
    monkeypatch.setenv("KEY", "sk-1")
    same = {"api_key_env": "KEY", "price": PRICE, "timeout": 5.0, "concurrency": 3, "retries": 0, "replicates": 3}
    assert fingerprint(**same, requests_per_minute=5, longest_wait=1, base_url="http://h:1/v1/") == fingerprint()


def test_roles_are_offline_unless_named(stub, opened):
    team = opened({"helper": at(stub), "judge": ModelSettings(model="offline")})
    assert team.model("judge") is None
    assert team.model("answerer") is None
    assert isinstance(team.embedder(), StaticEmbedder)
    assert team.fingerprints["judge"] == team.fingerprints["embedder"] == "offline"
    assert team.fingerprints["helper"].startswith("stub#")
    assert team.model("helper").name == f"stub at {stub.url}"


def test_destinations_say_who_gets_what(stub, opened):
    assert opened({}).destinations() == []
    team = opened({"helper": at(stub), "answerer": at(stub), "judge": at(stub, model="other")})
    assert team.destinations() == [
        f"answerer, helper: stub at {stub.url} gets records, questions and answers",
        f"judge: other at {stub.url} gets questions and answers",
    ]


def test_check_contacts_each_server_once_and_asks_nothing(stub, opened):
    team = opened({"helper": at(stub), "answerer": at(stub), "judge": at(stub, model="other")})
    (note,) = team.check()
    assert "does not list the model 'other'" in note
    assert [asked.path for asked in stub.asked] == ["/models", "/models"]
    assert team.spent.calls == 0


def test_check_names_every_server_that_is_not_there(opened):
    settings = {role: ModelSettings(model="m", base_url=f"http://127.0.0.1:{port}/v1") for role, port in DEAD.items()}
    with pytest.raises(CannotContinueError) as error:
        opened(settings).check()
    assert [line.split(":")[0] for line in str(error.value).splitlines()] == ["models.answerer", "models.helper"]


DEAD = {"helper": 9, "answerer": 7}


@pytest.mark.parametrize(
    ("role", "settings", "told"),
    [
        ("helper", {"model": "local", "base_url": "http://h:1/v1"}, "models.helper: local runs on this machine"),
        ("helper", {"model": "m", "base_url": "http://h:1", "file": "x.gguf"}, "models.helper.file: only model: local"),
        ("judge", {"model": "sentence-transformers/m"}, "only models.embedder can be one"),
    ],
)
def test_what_cannot_be_meant_is_refused(role, settings, told):
    with pytest.raises(UserError, match=told):
        Team.open({role: ModelSettings(**settings)})


def test_closing_twice_is_fine(stub, opened):
    team = opened({"helper": at(stub)})
    team.model("helper").complete(asking("a"))
    team.close()
    team.close()


def test_a_password_in_an_address_is_in_no_file(stub, opened, tmp_path):
    url = stub.url.replace("://", "://me:pass-word@")
    team = opened({"helper": at(stub, base_url=url)}, CallStore(tmp_path / "calls.sqlite"))
    assert team.model("helper").complete(asking("hello"))[0].ok
    team.close()
    for file in tmp_path.iterdir():
        assert b"pass-word" not in file.read_bytes()
