"""Studies that ask models, played by a server of our own: caps, quota, interruption, replay, what is booked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from model_stub import refused
from model_stub import said as says
from model_world import Answer, Roles, Stub, study_text, write_world

from designsearch.dsl.problems import CannotContinueError, InvalidFileError, OutOfBudgetError
from designsearch.runtime.models.books.tallies import read_spending
from designsearch.runtime.operators import load_all
from designsearch.search.at_work import at_work
from designsearch.search.events import silent
from designsearch.search.ledger import read_ledger
from designsearch.search.replay import replay
from designsearch.search.study_file import parse_study
from designsearch.search.study_setup import forked, prepare

VALIDATION, TRAIN, LOCKED = 12, 20, 8
PRICED = '  default: {{model: stub, base_url: "{}", concurrency: 4, retries: 1, price: {{input: 100, output: 1000}}}}\n'
SAME = "accept: {op: paired, alpha: 0.001}\n"
"""A rule by which no revision of twelve questions is accepted."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write_world(tmp_path)
    return tmp_path


def file_in(folder, url, extra="", **more):
    text = study_text(url, extra, **more)
    (folder / "study.yaml").write_text(text, encoding="utf-8")
    return parse_study(text, folder / "study.yaml")


def go(file, listen=silent, also_read=()):
    with at_work(prepare(file, load_all()), listen, also_read) as study:
        return study.go_on()


def entries(file):
    return read_ledger(file.storage, file.name)[1]


def trajectory(file):
    keys = ("ordinal", "proposer", "parent", "design_hash", "gain", "p", "revision")
    return [
        (entry.decision, entry.value, *(entry.attrs.get(key) for key in keys))
        for entry in entries(file)
        if entry.decision != "interrupted"
    ]


def test_what_each_role_took_is_booked_on_its_trial_and_on_the_study(folder):
    roles = Roles()
    with Stub(roles) as stub:
        file = file_in(folder, stub.url, SAME, models=PRICED.format(stub.url), proposer="llm", trials=2)
        outcome = go(file)
    assert (outcome.reason, outcome.scored) == ("trials", 2)
    costs = outcome.costs
    assert {role: one.calls for role, one in costs.items()} == dict(roles.calls)
    assert costs["proposer"].calls == 2
    assert costs["answerer"].usd == pytest.approx(costs["answerer"].calls * (9 * 100 + 5 * 1000) / 1e6)
    first, second = entries(file)
    assert first.attrs["calls"] == first.attrs["calls_by_role"]["answerer"] + 1
    assert first.attrs["cost"] == pytest.approx(sum(first.attrs["cost_by_role"].values()))
    base = read_ledger(file.storage, file.name)[0]["base"]
    assert base["calls"] == VALIDATION
    assert base["calls"] + first.attrs["calls"] + second.attrs["calls"] == roles.chats
    assert "failed_by_role" not in first.attrs


def test_failed_replies_are_counted_and_are_no_wrong_answers(folder):
    roles = Roles()

    def script(path, body, number):
        hard = any(f"tree {tree} lie?" in json.dumps(body) for tree in range(1, 40, 8))
        return says("") if path == "/chat/completions" and hard else roles(path, body, number)

    with Stub(script) as stub:
        file = file_in(folder, stub.url, SAME, trials=1)
        outcome = go(file)
        again = replay(prepare(file, load_all()))
    assert outcome.costs["answerer"].failed["no_answer"] > 0
    assert not outcome.costs["answerer"].failed.keys() - {"no_answer"}
    assert again.same
    assert again.calls == 0


def test_a_base_whose_answers_mostly_failed_is_not_scored_and_is_taken_up_when_they_do_not(folder):
    roles, broken = Roles(), [True]

    def script(path, body, number):
        hard = broken[0] and any(f"tree {tree} lie?" in json.dumps(body) for tree in range(0, 40, 3))
        return refused(400, "filtered", code="content_filter") if hard else roles(path, body, number)

    with Stub(script) as stub:
        file = file_in(folder, stub.url, SAME, trials=1)
        with pytest.raises(
            CannotContinueError, match=r"accuracy failed on \d of 12 questions; the first error: answerer"
        ):
            go(file)
        asked = roles.chats
        broken[0] = False
        outcome = go(file)
    assert outcome.scored == 1
    assert 0 < asked < 12


@pytest.mark.parametrize("cap", [5, VALIDATION, VALIDATION + TRAIN + 3, 60])
def test_a_cap_on_calls_is_never_passed_and_the_study_goes_on_when_it_is_raised(folder, cap):
    roles = Roles()
    with Stub(roles) as stub:
        extra = SAME + "split: {train: 0.5, validation: 0.3, locked: 0.2}\n"
        capped = file_in(folder, stub.url, extra + f"budget: {{trials: 3, llm_calls: {cap}}}\n", proposer="llm")
        if cap < VALIDATION:
            with pytest.raises(OutOfBudgetError, match=r"llm_calls 5 is reached.*the base is not scored yet"):
                go(capped)
        else:
            outcome = go(capped)
            assert (outcome.reason, outcome.exit_code) == ("llm_calls", 3)
        assert roles.chats <= cap
        free = file_in(folder, stub.url, extra + "budget: {trials: 3}\n", proposer="llm")
        done = go(free)
    assert (done.reason, done.scored) == ("trials", 3)
    assert read_spending(free.run_folder / "calls.sqlite").calls == roles.chats
    assert sum(one.calls for one in done.costs.values()) == roles.chats


def test_a_cap_on_money_is_never_passed(folder):
    roles = Roles()
    with Stub(roles) as stub:
        extra = SAME + "budget: {trials: 9, usd: 0.3}\n"
        file = file_in(folder, stub.url, extra, models=PRICED.format(stub.url), proposer="llm")
        try:
            outcome = go(file)
        except OutOfBudgetError as error:
            assert "usd 0.3 is reached" in str(error)  # noqa: PT017  the base alone may take it
        else:
            assert (outcome.reason, outcome.exit_code) == ("usd", 3)
    assert read_spending(file.run_folder / "calls.sqlite").usd <= 0.3


def test_the_claim_is_kept_aside_for(folder):
    roles = Roles()
    with Stub(roles) as stub:
        locked = VALIDATION * 2 * LOCKED // VALIDATION
        cap = VALIDATION + TRAIN + VALIDATION + 1 + locked
        file = file_in(folder, stub.url, f"budget: {{trials: 9, llm_calls: {cap}}}\n", proposer="llm")
        said = []
        outcome = go(file, said.append)
    assert outcome.accepted == 1
    assert outcome.claim is not None
    assert roles.chats <= cap


def test_a_used_up_quota_stops_the_study_and_it_goes_on_later(folder):
    roles = Roles(quota=VALIDATION + TRAIN + 1 + 4)
    with Stub(roles) as stub:
        file = file_in(folder, stub.url, SAME, proposer="llm", trials=2)
        said = []
        outcome = go(file, said.append)
        assert (outcome.reason, outcome.exit_code, outcome.scored, outcome.interrupted) == ("quota", 3, 0, 1)
        assert any("to go on, run it again" in event.text for event in said if event.kind == "stop")
        roles.quota = None
        proposed = roles.calls["proposer"]
        done = go(file)
    assert (done.reason, done.scored) == ("trials", 2)
    assert roles.calls["proposer"] == proposed + 1  # the first proposal was kept
    other = folder / "other"
    other.mkdir()
    write_world(other)
    with Stub(Roles()) as stub:
        whole = file_in(other, stub.url, SAME, proposer="llm", trials=2)
        go(whole)
    assert [line[:2] for line in trajectory(file)] == [line[:2] for line in trajectory(whole)]


def test_a_finished_study_and_a_fork_pay_nothing_again(folder):
    roles = Roles()
    with Stub(roles) as stub:
        file = file_in(folder, stub.url, proposer="llm", trials=2)
        first = go(file)
        paid = roles.chats
        branch = go(forked(file, "branch"), also_read=[file.run_folder / "calls.sqlite"])
    assert roles.chats == paid
    assert branch.costs["answerer"].calls == 0
    assert (branch.best_hash, branch.best) == (first.best_hash, first.best)
    origin = [file.run_folder / "calls.sqlite"]
    assert replay(prepare(forked(file, "branch"), load_all()), also_read=origin).same
    again = go(file)  # the server is gone: nobody is asked
    assert again == first


def test_a_replay_asks_nobody_and_tells_the_first_difference(folder):
    roles = Roles()
    with Stub(roles) as stub:
        file = file_in(folder, stub.url, proposer="llm", trials=2)
        outcome = go(file)
    found = replay(prepare(file, load_all()))
    assert found.text == f"replayed {outcome.scored} trial with 0 calls: the same decisions"
    assert found.found >= outcome.costs["answerer"].calls
    journal = file.run_folder / "journal.log"
    journal.write_text(journal.read_text().replace("accepted", "rejected"))
    other = replay(prepare(file, load_all()))
    assert "decision was rejected, and is accepted in the replay" in other.text
    (file.run_folder / "calls.sqlite").unlink()
    with pytest.raises(CannotContinueError, match="there is no file of model calls"):
        replay(prepare(file, load_all()))


def test_a_replay_of_another_history_is_refused(folder):
    with Stub(Roles()) as stub:
        file = file_in(folder, stub.url, SAME, trials=1)
        go(file)
    with pytest.raises(CannotContinueError, match="no study has been run here"):
        replay(prepare(forked(file, "never"), load_all()))
    write_world(folder, count=41)
    with pytest.raises(CannotContinueError, match="history: has changed"):
        replay(prepare(file, load_all()))


def test_a_replaced_model_is_refused_by_its_role(folder):
    with Stub(Roles()) as stub:
        go(file_in(folder, stub.url, SAME, trials=1))
        models = ('answerer: {{model: other, base_url: "{}"}}', 'default: {{model: stub, base_url: "{}"}}')
        other = "".join(f"  {line.format(stub.url)}\n" for line in models)
        with pytest.raises(CannotContinueError, match=r"models\.answerer: has changed"):
            go(file_in(folder, stub.url, SAME, models=other, trials=1))


def test_prices_keys_and_speed_may_change(folder, monkeypatch):
    monkeypatch.setenv("MY_KEY", "abcdefgh")
    with Stub(Roles()) as stub:
        go(file_in(folder, stub.url, SAME, trials=1))
        more = "api_key_env: MY_KEY, timeout: 9, price: {input: 1}"
        same = f'  default: {{model: stub, base_url: "{stub.url}", {more}}}\n'
        assert go(file_in(folder, stub.url, SAME, models=same, trials=2)).scored == 2


def test_a_server_that_dies_ends_the_study_which_goes_on_later(folder):
    roles = Roles()
    with Stub(roles) as stub:
        first = VALIDATION + TRAIN + 3
        dead = lambda path, body, number: Answer(fate="reset") if roles.chats >= first else roles(path, body, number)  # noqa: E731
        stub.script = dead
        file = file_in(folder, stub.url, SAME, trials=1)
        with pytest.raises(CannotContinueError, match=r"all that was measured is kept, and designsearch run goes on"):
            go(file)
        assert [entry.decision for entry in entries(file)] == ["interrupted"]
        stub.script = roles
        assert go(file).scored == 1


def test_a_server_that_dies_before_the_base_is_scored_loses_nothing_either(folder):
    roles = Roles()
    with Stub(roles) as stub:
        stub.script = lambda path, body, number: Answer(fate="reset") if roles.chats >= 3 else roles(path, body, number)
        file = file_in(folder, stub.url, SAME, trials=1)
        with pytest.raises(CannotContinueError, match=r"all that was measured is kept, and designsearch run goes on"):
            go(file)
        assert read_spending(file.run_folder / "calls.sqlite").calls >= roles.chats >= 3
        stub.script = roles
        assert go(file).scored == 1


LM_BASE = "version: 1\nretrieval:\n  - {op: bm25, k: 1}\nanswer: {check: {rounds: 1}}\n"


def test_a_base_that_needs_a_helper_is_told_before_anything_runs(folder):
    (folder / "base.yaml").write_text(LM_BASE, encoding="utf-8")
    with Stub() as stub:
        only = f'  answerer: {{model: stub, base_url: "{stub.url}"}}\n'
        with pytest.raises(InvalidFileError, match=r"answer\.check needs a model for the role helper"):
            prepare(file_in(folder, stub.url, models=only), load_all())
        assert prepare(file_in(folder, stub.url), load_all()).base.answer.check is not None


class Always:
    """Proposes a design that needs a helper, once."""

    name = "always"

    def propose(self, state):
        from designsearch.search.proposers.base import Proposal

        return None if state.ordinal else Proposal(LM_BASE, proposer=self.name)


def test_a_proposal_that_needs_a_helper_is_invalid_without_one(folder):
    with Stub(Roles()) as stub:
        only = f'  answerer: {{model: stub, base_url: "{stub.url}"}}\n'
        file = file_in(folder, stub.url, models=only)
        with at_work(prepare(file, load_all()), silent) as study:
            study.proposer = Always()
            study.go_on()
    [entry] = entries(file)
    assert entry.decision == "invalid"
    assert "needs a model for the role helper" in entry.attrs["reason"]


def start(folder):
    return subprocess.Popen(
        [sys.executable, "-m", "designsearch", "run", "study.yaml"],
        cwd=folder, env=os.environ | {"OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_study_equals_an_uninterrupted_one_and_pays_little_twice(folder, tmp_path_factory):
    whole = tmp_path_factory.mktemp("whole")
    write_world(whole)
    roles = Roles()

    def slowly(path, body, number):
        made = roles(path, body, number)
        return made if made is None else Answer(body=_chat(made), delay=0.004)

    with Stub(slowly) as stub:
        expected = file_in(whole, stub.url, SAME, proposer="llm", trials=3)
        go(expected)
        paid = roles.chats
        roles.calls.clear()
        file = file_in(folder, stub.url, SAME, proposer="llm", trials=3)
        for stop in (7, VALIDATION + 9, VALIDATION + TRAIN + 5):
            process = start(folder)
            end = time.monotonic() + 60
            while roles.chats < stop and process.poll() is None and time.monotonic() < end:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert roles.chats >= VALIDATION + TRAIN + 5
        done = go(file)
    assert trajectory(file) == trajectory(expected)
    assert done.scored == 3
    assert roles.chats <= paid + 3 * 4  # what was in flight when it was killed
    # what was in flight is booked at its most, so that a cap holds whatever became of it
    assert read_spending(file.run_folder / "calls.sqlite").calls >= paid


def _chat(text):
    message = {"role": "assistant", "content": text}
    return {
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5},
    }
