"""Caps and the file of calls with many calls in flight, and after a process was killed in the middle of a batch."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from model_stub import Answer, Stub, refused, said

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import Caps
from designsearch.runtime.models.books.tallies import read_spending
from designsearch.runtime.models.requests import Message, Request
from designsearch.runtime.models.settings import ModelSettings, Price
from designsearch.runtime.models.team import Team

PRICE = Price(input=2.0, output=8.0)
IN_FLIGHT = 32


def requests(count, limit=40):
    return [Request("load@1", (Message("user", f"question {i}"),), max_output_tokens=limit) for i in range(count)]


def settings(url, **more):
    common = {"model": "stub", "base_url": url, "concurrency": IN_FLIGHT, "price": PRICE, "retries": 3}
    return {"helper": ModelSettings(**common | more)}


class Chance:
    """A server that answers, fails and dawdles by chance, and knows what it charged."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.usd = 0.0
        self.calls = 0

    def __call__(self, path, body, number):
        self.calls += 1
        drawn = self.random.random()
        delay = self.random.random() * 0.01
        if drawn < 0.05:
            return refused(500, "oops", {"Retry-After": "0"})
        if drawn < 0.08:
            return refused(429, "slow down", {"Retry-After": "0.01"})
        read, written = self.random.randint(1, 30), self.random.randint(0, body["max_tokens"])
        self.usd += (read * PRICE.input + written * PRICE.output) / 1e6
        usage = None if drawn < 0.12 else (read, written)
        answer = said("" if drawn < 0.15 else "fine", usage=usage)
        return Answer(body=answer.body, delay=delay)


@pytest.mark.parametrize("seed", range(4))
def test_caps_hold_whatever_calls_take(seed, tmp_path):
    chance = Chance(seed)
    caps = (Caps(usd=0.01), Caps(calls=90), Caps(usd=0.02, calls=70), Caps(usd=0.004))[seed]
    with Stub(chance) as stub:
        team = Team.open(settings(stub.url), CallStore(tmp_path / "calls.sqlite"), caps)
        with pytest.raises(OutOfBudgetError):
            team.model("helper").complete(requests(400))
        team.close()
        assert stub.peak <= IN_FLIGHT
        assert team.spent.calls == chance.calls <= (caps.calls or 10**9)
        # what the server did not count is booked at its most, so that the books are never below the bill
        assert chance.usd <= team.spent.usd + 1e-9 <= (caps.usd or 1e9)
        assert read_spending(tmp_path / "calls.sqlite") == team.spent
        # a second run under the same caps has nothing left to spend but what the first could not use
        again = Team.open(settings(stub.url), CallStore(tmp_path / "calls.sqlite"), caps)
        with pytest.raises(OutOfBudgetError):
            again.model("helper").complete(requests(400))
        again.close()
        assert chance.usd <= again.spent.usd + 1e-9 <= (caps.usd or 1e9)
        assert again.spent.calls == chance.calls <= (caps.calls or 10**9)


CHILD = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from integration.test_calls_under_load import requests, settings
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import Caps
from designsearch.runtime.models.team import Team
team = Team.open(settings({url!r}), CallStore(Path({path!r})), Caps(calls={calls}))
team.begin("base")
print("begun", flush=True)
team.model("helper").complete(requests(400))
"""


def kill_in_the_middle(url, path, stub, calls, after):
    """Run the batch in a process of its own and kill it when the server has seen some calls."""
    tests = str(Path(__file__).parents[1])
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD.format(tests=tests, url=url, path=str(path), calls=calls)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": tests},
    )
    try:
        assert child.stdout.readline() == b"begun\n"
        deadline = time.monotonic() + 60
        while len(stub.asked) < after and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        assert child.poll() is None, "the child ended before it was killed"
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_after_a_kill_nothing_that_came_is_asked_again_and_the_cap_holds(tmp_path):
    path = tmp_path / "calls.sqlite"
    with Stub(lambda path, body, number: Answer(body=said("fine", usage=(5, 2)).body, delay=0.03)) as stub:
        kill_in_the_middle(stub.url, path, stub, calls=380, after=150)
        sent = len(stub.asked)
        left = read_spending(path)
        # every call that reached the server is in the books; at most one call a place in flight never reached it
        assert sent <= left.calls <= sent + IN_FLIGHT
        team = Team.open(settings(stub.url), CallStore(path), Caps(calls=380))
        assert team.spent == left
        with pytest.raises(OutOfBudgetError, match="llm_calls 380 is reached"):
            team.model("helper").complete(requests(400))
        team.close()
        assert team.spent.calls == 380
        assert len(stub.asked) <= 380
        times = Counter(body["messages"][0]["content"] for body in stub.bodies())
        again = [text for text, count in times.items() if count > 1]
        # asked twice are those alone whose replies were on their way when the process died
        assert len(again) <= IN_FLIGHT
        assert max(times.values()) == 2 if again else max(times.values()) == 1
        kept = CallStore(path)
        assert kept.spent().calls == 380
        assert kept.spent().usd >= len(stub.asked) * (5 * PRICE.input + 2 * PRICE.output) / 1e6 - 1e-9
        kept.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_kill_after_kill_never_passes_the_cap(tmp_path):
    path = tmp_path / "calls.sqlite"
    with Stub(lambda path, body, number: Answer(body=said("fine", usage=(5, 2)).body, delay=0.03)) as stub:
        for after in (40, 110):
            kill_in_the_middle(stub.url, path, stub, calls=200, after=after)
        team = Team.open(settings(stub.url), CallStore(path), Caps(calls=200))
        with pytest.raises(OutOfBudgetError):
            team.model("helper").complete(requests(400))
        team.close()
        assert len(stub.asked) <= team.spent.calls == 200
