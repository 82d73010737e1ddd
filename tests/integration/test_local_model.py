"""The bundled model, really run on this machine: chat, JSON, tools, vectors, an overlong text, a replay."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.exchange.call_body import most_tokens
from designsearch.runtime.models.requests import Message, Request, Tool
from designsearch.runtime.models.serving import extras, local
from designsearch.runtime.models.settings import ModelSettings
from designsearch.runtime.models.team import Team

pytestmark = [
    pytest.mark.skipif(not extras.installed(extras.LOCAL_LIBRARY), reason=f"needs {extras.LOCAL_INSTALL}"),
    pytest.mark.skipif(extras.bundled_model() is None, reason=f"needs {extras.BUNDLE_INSTALL}"),
]

CONTEXT = 512
CHAT = ModelSettings(model="local", context_tokens=CONTEXT, concurrency=2, max_output_tokens=24)
COLOUR = {
    "type": "object",
    "properties": {"colour": {"enum": ["red", "green", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}
SEARCH = Tool(
    "search",
    "Look something up.",
    {
        "type": "object",
        "properties": {"words": {"type": "string", "maxLength": 20}},
        "required": ["words"],
        "additionalProperties": False,
    },
)


def ask(text, **more):
    return Request("local/test@1", (Message("user", text),), **more)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("local") / "calls.sqlite"


@pytest.fixture(scope="module")
def team(path):
    opened = Team.open({"helper": CHAT, "answerer": CHAT, "embedder": CHAT}, CallStore(path))
    yield opened
    opened.close()


def test_it_is_there_and_knows_its_name(team):
    assert team.check() == []
    assert team.spent.calls == 0


def test_chat(team):
    (reply,) = team.model("helper").complete([ask("What is the capital of France? Answer in one word.")])
    assert reply.ok, reply.detail
    assert "Paris" in reply.text
    assert reply.calls == 1
    assert reply.input_tokens > 10
    assert reply.output_tokens > 0
    assert reply.seconds > 0


def test_json_follows_its_schema(team):
    replies = team.model("helper").complete([ask(f"Choose a colour for {thing}.", schema=COLOUR) for thing in "ab"])
    assert [reply.failure for reply in replies] == ["", ""]
    assert {reply.value["colour"] for reply in replies} <= {"red", "green", "blue"}
    assert [reply.calls for reply in replies] == [1, 1]


def test_a_tool_call_is_written_as_json(team):
    (reply,) = team.model("answerer").complete(
        [ask("Find out where Ana lives.", tools=(SEARCH,), max_output_tokens=64)]
    )
    assert reply.ok, reply.detail
    assert reply.value["tool"] == "search"
    assert isinstance(reply.value["arguments"]["words"], str)
    assert reply.calls == 1  # nothing is spent on finding out what this server can


def test_that_a_server_ignores_tools_is_found_out_once_and_remembered(team, path):
    """The same server as one that nothing is known of."""
    url = team._dialogue(team._seats["helper"])._place.url
    settings = ModelSettings(model="smollm", base_url=url, concurrency=1, max_output_tokens=64)
    notes = []
    requests = [ask(f"Find out where {name} lives.", tools=(SEARCH,)) for name in ("Ana", "Ben")]
    for run in range(2):
        other = Team.open({"helper": settings}, CallStore(path.with_name("other.sqlite")), say=notes.append)
        (reply,) = other.model("helper").complete(requests[run : run + 1])
        other.close()
        assert reply.ok, reply.detail
        assert reply.value["tool"] == "search"
        assert reply.calls == 2 - run
    assert len(notes) == 1
    assert "tools" in notes[0]


def test_an_overlong_text_is_told_and_costs_nothing_else(team):
    replies = team.model("helper").complete([ask("word " * 2 * CONTEXT), ask("Choose.", schema=COLOUR)])
    assert [reply.failure for reply in replies] == ["too_long", ""]


SCRIPTS = {
    "English": "The neighbour's cat sleeps on the warm roof every afternoon.",
    "German": "Die Straßenbahnhaltestelle wurde größtenteils überdacht.",
    "Korean": "고양이는 매일 오후 따뜻한 지붕 위에서 잠을 잔다.",
    "Chinese": "猫每天下午都在温暖的屋顶上睡觉。",
    "Arabic": "تنام القطة كل يوم على السطح الدافئ.",
    "Hindi": "बिल्ली हर दोपहर गर्म छत पर सोती है।",
    "numbers": "3.14159 2653589793 00:11:22 1,000,000.00 0xDEADBEEF",
    "signs": "😀👩‍👩‍👧 ∑∫√ {{{[[[]]]}}} \\n\\n ~~~~ \n\n\t",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_text_is_longer_than_what_was_set_aside_for_it(team, script):
    (reply,) = team.model("helper").complete([ask(SCRIPTS[script], schema=COLOUR)])
    assert reply.ok, reply.detail
    body = {"messages": [{"role": "user", "content": SCRIPTS[script]}]}
    assert 0 < reply.input_tokens / reply.calls <= most_tokens(body)  # a reply that was cut is asked for twice


def test_vectors(team):
    embedder = team.embedder()
    texts = ["A cat sat on the mat.", "A kitten lay on the rug.", "Interest rates rose again in March.", ""]
    made = embedder.embed(texts)
    assert made.shape == (4, embedder.dimensions) == (4, 576)
    np.testing.assert_allclose(np.linalg.norm(made, axis=1), [1, 1, 1, 0], atol=1e-5)
    assert made[0] @ made[1] > made[0] @ made[2]
    long = embedder.embed(["many words and more " * 120])
    np.testing.assert_allclose(np.linalg.norm(long), 1.0, atol=1e-5)


def test_another_run_asks_nothing_again(team, path):
    requests = [ask("What is the capital of France? Answer in one word."), ask("Choose a colour for a.", schema=COLOUR)]
    first = team.model("helper").complete(requests)
    vectors = team.embedder().embed(["A cat sat on the mat."])
    replay = Team.open({"helper": CHAT, "embedder": CHAT}, CallStore(path, replay=True))
    again = replay.model("helper").complete(requests)
    assert [(r.text, r.value, r.cached) for r in again] == [(r.text, r.value, True) for r in first]
    np.testing.assert_array_equal(replay.embedder().embed(["A cat sat on the mat."]), vectors)
    assert replay.spent.calls == 0
    assert replay._started == []  # no server was run
    replay.close()


def test_all_is_quiet_and_gone_at_the_end(tmp_path):
    """In a process of its own, that ends without closing the team."""
    code = (
        "from designsearch.runtime.models.team import Team\n"
        "from designsearch.runtime.models.settings import ModelSettings\n"
        "from designsearch.runtime.models.requests import Message, Request\n"
        "team = Team.open({'helper': ModelSettings(model='local', context_tokens=512, concurrency=1)})\n"
        "request = Request('p@1', (Message('user', 'Say yes.'),), max_output_tokens=4)\n"
        "assert team.model('helper').complete([request])[0].calls\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_file_that_cannot_be_loaded_is_one_line(tmp_path, capfd):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(Path(extras.bundled_model()).read_bytes()[:100_000])
    team = Team.open({"helper": ModelSettings(model="local", file=str(broken))})
    with pytest.raises(UserError) as error:
        team.model("helper").complete([ask("hello")])
    assert re.fullmatch(
        rf"models\.helper\.file: llama\.cpp cannot run {broken} \(.*\); is it a whole .*", str(error.value)
    )
    team.close()
    assert capfd.readouterr() == ("", "")


def test_servers_are_shared_in_the_process_and_stop_with_the_last_team(team):
    running = dict(local._running)
    other = Team.open({"helper": CHAT, "answerer": CHAT})
    other.check()
    assert {plan: server for plan, (server, _) in local._running.items()} == {
        plan: server for plan, (server, _) in running.items()
    }
    other.close()
    assert local._running == running


def test_several_tools_are_called_in_one_reply(team):
    asked = ask("Search for 'tea'.", tools=(SEARCH,), most_calls=2, max_output_tokens=80)
    (reply,) = team.model("helper").complete([asked])
    assert reply.ok, reply.detail
    assert 1 <= len(reply.value) <= 2
    assert {call["tool"] for call in reply.value} == {"search"}
