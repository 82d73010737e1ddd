import gc
import json
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_stub import Answer, Stub, said
from small_world import DESIGN, HISTORY

from designsearch import Hit, Memory, UserError
from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError
from designsearch.runtime.histories.base import load
from designsearch.runtime.policies import learned
from designsearch.runtime.policies.weights import Weights, load_weights
from designsearch.runtime.records import Record

HYBRID = """\
version: 1
storage:
  units: {op: turns}
  views: {window: {op: window}}
retrieval:
  - {op: bm25}
  - {op: dense, view: window}
  - {op: rrf}
context: {item: "{{ unit.text }}"}
"""


def test_five_lines(world):
    memory = Memory.open("design.yaml", "history.jsonl")
    answer = memory.ask("How many socks did Miso eat?")
    assert (answer.text, answer.abstained, str(answer)) == ("3", False, "3")
    assert answer.context.text == "[2025-03-04] Ida: Our dog is called Miso.\n[2025-03-09] Ida: Miso ate 3 socks today."
    assert [hit.records for hit in answer.units] == [("m3",), ("m4",)]
    assert len(memory) == 5


def test_a_failed_answerer_is_told_apart_from_an_abstention():
    def asked(reply):
        with Stub(lambda path, body, number: reply if path == "/chat/completions" else None) as stub:
            memory = Memory.open(DESIGN, HISTORY, models={"default": {"model": "stub", "base_url": stub.url}})
            answer = memory.ask("What is the dog called?")
            memory.close()
            return answer

    failed = asked(said(""))
    assert (failed.text, failed.abstained) == ("", False)
    assert failed.failure.startswith("no_answer")
    assert str(failed).startswith("(the answerer failed: no_answer")
    assert str(asked("NO ANSWER")) == "(the memory does not say)"
    assert str(asked("Ida")) == "Ida"


def test_models_are_named_by_a_file_or_a_mapping_and_what_they_wrote_is_forgotten_with_a_record(world):
    with Stub(lambda path, body, number: "Miso" if path == "/chat/completions" else None) as stub:
        models = {
            "answerer": {"model": "stub", "base_url": stub.url},
            "embedder": {"model": "stub", "base_url": stub.url},
        }
        Path("models.yaml").write_text(json.dumps({"models": models, "budget": {"llm_calls": 9}}), encoding="utf-8")
        memory = Memory.open(HYBRID, HISTORY, models="models.yaml")
        assert memory.ask("What is the dog called?").text == "Miso"
        assert memory.ask("What is the dog called?").text == "Miso"
        assert len(stub.bodies()) == 1
        first = len(stub.bodies("/embeddings"))
        assert first >= 1
        memory.forget("m1")
        assert memory.ask("What is the dog called?").text == "Miso"
        assert len(stub.bodies()) == 2
        assert len(stub.bodies("/embeddings")) > first
        texts = [text for body in stub.bodies("/embeddings")[first:] for text in body["input"]]
        assert not any("ferry to Texel" in text for text in texts)
        for number in range(9):
            try:
                memory.ask(f"What is dog {number} called?")
            except OutOfBudgetError:
                break
        assert len(stub.bodies()) + len(stub.bodies("/embeddings")) <= 9
        memory.close()


FACTS = """\
version: 1
storage:
  units: {op: facts, batch: record}
  views: {asked: {op: questions}}
retrieval: [{op: dense, view: asked}]
context: {item: "{{ unit.text }}"}
"""


def written_by_model(path, body, number):
    if path != "/chat/completions":
        return None
    text = re.search(r"<(?:message|text) key=\w+>\n(.*)\n</", body["messages"][-1]["content"])[1]
    if body["response_format"]["json_schema"]["name"] == "memory_questions":
        return json.dumps({"questions": [f"Who said {text}?"]})
    return json.dumps({"facts": [{"text": f"It was said: {text}", "from": [1]}]})


def test_forgetting_asks_nothing_about_the_others_again(world):
    secret = "quag" + str(len(HISTORY)) + "note"  # built at run time, so that no constant of this test holds it
    with Stub(written_by_model) as stub:
        memory = Memory.open(FACTS, HISTORY, models={"helper": {"model": "stub", "base_url": stub.url}})
        memory.search("dog")
        first = len(stub.bodies())
        assert first == 2 * len(HISTORY)
        memory.add({"id": "s1", "text": f"The word is {secret} now.", "time": "2025-03-30"})
        assert any(secret in hit.text for hit in memory.search("word"))
        assert len(stub.bodies()) == first + 2
        memory.forget("s1")
        assert not any(secret in hit.text for hit in memory.search("word"))
        assert len(stub.bodies()) == first + 2
        stub.asked.clear()
        assert holders(secret) == []
        memory.add({"id": "s2", "text": f"The word is {secret} now.", "time": "2025-03-30"})
        memory.search("word")
        assert len(stub.bodies()) == 2
        memory.close()


def test_a_record_is_forgotten_though_the_model_cannot_be_asked(world):
    windows = FACTS.replace("batch: record", "batch: window, size: 200")
    talk = [{**line, "session": "s"} for line in HISTORY]
    answers = [True]
    with Stub(lambda *given: written_by_model(*given) if answers[0] else Answer(401, {"error": "no"})) as stub:
        memory = Memory.open(windows, talk, models={"helper": {"model": "stub", "base_url": stub.url, "retries": 0}})
        assert memory.search("ferry")
        answers[0] = False
        memory.forget("m1")
        assert len(memory) == len(HISTORY) - 1
        with pytest.raises(CannotContinueError, match="key"):
            memory.search("ferry")
        answers[0] = True
        assert not any("ferry to Texel" in hit.text for hit in memory.search("ferry"))
        memory.close()


def test_search():
    memory = Memory.open(DESIGN, HISTORY)
    first, second = memory.search("Miso socks")
    assert first == Hit(
        text="Miso ate 3 socks today.",
        records=("m4",),
        rank=1,
        score=first.score,
        time="2025-03-09",
        author="Ida",
        session="",
        source="",
        store="main",
    )
    assert (second.rank, second.records) == (2, ("m3",))
    assert first.score > second.score
    assert memory.search("Miso socks", k=1) == [first]
    assert memory.search("zzz") == []


def test_context_within_another_budget():
    memory = Memory.open(DESIGN, HISTORY, budget=4000)
    assert len(memory.context("Miso").units) == 2
    assert len(memory.context("Miso", budget=30).units) == 1
    assert memory.context("Miso", budget=30).tokens <= 30
    assert len(memory.context("Miso").units) == 2


def test_abstention():
    answer = Memory.open(DESIGN).ask("Who?")
    assert (answer.text, answer.abstained, answer.units) == ("", True, ())
    assert str(answer) == "(the memory does not say)"
    assert answer.context.text == ""


def test_every_kind_of_history(world):
    want = Memory.open(DESIGN, HISTORY).search("Miso socks")
    records = [Record(**{key: line[key] for key in line}) for line in HISTORY]
    (dataset,) = load("history.jsonl")
    for history in (HISTORY, records, iter(records), dataset, "history.jsonl", Path("history.jsonl")):
        assert Memory.open(DESIGN, history).search("Miso socks") == want


def test_adding_makes_it_known():
    memory = Memory.open(DESIGN, HISTORY)
    assert memory.search("Lisbon") == []
    assert memory.add({"id": "new", "text": "We fly to Lisbon.", "time": date(2025, 5, 1), "author": "Ida"}) == ["new"]
    (hit,) = memory.search("Lisbon")
    assert (hit.records, hit.time) == (("new",), "2025-05-01")
    assert memory.add([Record("new", "Lisbon again."), {"text": "Lisbon, for the third time."}])[0] == "new~2"
    assert len(memory.search("Lisbon")) == 3


def test_edits_and_deletions():
    memory = Memory.open(DESIGN, HISTORY)
    memory.add({"id": "m3", "event": "edit", "text": "Our dog is called Udon.", "known_at": "2025-05-01"})
    assert memory.search("dog")[0].text == "Our dog is called Udon."
    memory.add({"id": "m3", "event": "delete", "known_at": "2025-06-01"})
    assert memory.search("dog") == []
    assert memory.search("dog", as_of="2025-05-15")[0].text == "Our dog is called Udon."
    assert memory.search("dog", as_of="2025-04-01")[0].text == "Our dog is called Miso."


def test_as_of():
    memory = Memory.open(DESIGN, HISTORY)
    assert memory.search("rent", as_of="2025-04-19") == []
    assert memory.search("rent", as_of=date(2025, 4, 20))[0].records == ("m5",)
    assert "840" in memory.ask("How much is the rent in euros?").context.text
    assert "840" not in memory.ask("How much is the rent in euros?", as_of="2025-04-01").context.text
    with pytest.raises(UserError, match="as_of: 'soon' is no time"):
        memory.ask("rent", as_of="soon")


TEXTS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.text("abc def é日", min_size=1, max_size=12),
            "time": st.sampled_from([None, "2025", "2025-01", "2025-01-02", "2025-01-02T10:00"]),
            "author": st.sampled_from(["Ida", "bot"]),
            "session": st.sampled_from(["", "s1", "s2"]),
        }
    ),
    min_size=1,
    max_size=24,
)


@settings(max_examples=25, deadline=None)
@given(TEXTS, st.integers(0, 24), st.text("abc def é日", min_size=1, max_size=8))
def test_adding_in_parts_is_adding_at_once(records, cut, question):
    whole = Memory.open(HYBRID, records)
    parts = Memory.open(HYBRID, records[:cut])
    parts.search(question)
    parts.add(records[cut:])
    assert parts.search(question, k=50) == whole.search(question, k=50)
    assert parts.context(question) == whole.context(question)


def holders(secret):
    """The types of all objects of the process that hold a text with the secret in it, but for this test itself."""
    gc.collect()
    found = []
    for one in gc.get_objects():
        referents = gc.get_referents(one)
        plain = [inner for r in referents if isinstance(r, tuple | dict) and not gc.is_tracked(r) for inner in _flat(r)]
        if any(isinstance(value, str) and secret in value and value != secret for value in [*referents, *plain]):
            found.append(type(one).__name__)
    return found


def _flat(container):
    return [*container, *container.values()] if isinstance(container, dict) else container


def test_forgetting_leaves_no_text_anywhere():
    secret = "quag" + str(len(HISTORY)) + "code"  # built at run time, so that no constant of this test holds it
    memory = Memory.open(
        HYBRID, HISTORY + [{"id": f"x{i}", "text": f"filler number {i}", "session": "s"} for i in range(20)]
    )
    memory.add({"id": "s1", "text": f"The word is {secret} now.", "session": "s", "time": "2025-03-02"})
    memory.add({"id": "s1", "event": "edit", "text": f"The word was {secret} then.", "known_at": "2025-03-03"})
    assert secret in memory.ask("word").context.text
    assert len(holders(secret)) > 3
    memory.forget("s1")
    assert holders(secret) == []
    assert "word" not in memory.ask("word").context.text
    memory.add({"id": "y", "text": "one more"})
    memory.search("filler")
    assert holders(secret) == []
    assert len(memory) == 26


def test_forgetting_keeps_the_others_and_their_ids():
    memory = Memory.open(DESIGN, HISTORY)
    (twin,) = memory.add({"id": "m3", "text": "Another dog is called Udon."})
    assert twin == "m3~2"
    memory.forget("m3")
    assert [hit.records for hit in memory.search("dog")] == [("m3~2",)]
    assert memory.add({"id": "m3", "text": "A third dog."}) == ["m3"]
    memory.forget("m3~2")
    assert [hit.text for hit in memory.search("dog")] == ["A third dog."]


def test_forgetting_equals_never_having_known():
    memory = Memory.open(HYBRID, HISTORY)
    memory.search("ferry")
    memory.forget("m2")
    never = Memory.open(HYBRID, [line for line in HISTORY if line["id"] != "m2"])
    assert memory.search("ferry dog") == never.search("ferry dog")


def test_forgetting_what_is_not_there():
    memory = Memory.open(DESIGN, HISTORY)
    with pytest.raises(UserError, match=r"holds no record 'M3' \(did you mean m3\?\)"):
        memory.forget("M3")
    memory.forget("m3")
    with pytest.raises(UserError, match="holds no record 'm3'"):
        memory.forget("m3")


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (("no.yaml",), {}, "no.yaml: there is no such design file"),
        ((DESIGN, "no.jsonl"), {}, "no.jsonl: there is no such file"),
        ((DESIGN, [{"txt": "x"}]), {}, "<records>:1: text: is missing"),
        ((DESIGN, ["x"]), {}, "<records>:1: an event is a JSON object, not a string"),
        ((DESIGN, [{"text": "x"}, {"text": 5}]), {}, "<records>:2: text: must be a string"),
        ((DESIGN,), {"budget": 0}, "budget: must be at least 1, not 0"),
        ((DESIGN,), {"answerer": "gpt"}, "models.answerer: gpt names no model here (write answerer: {model: gpt,"),
        ((DESIGN,), {"answerer": "offline", "models": {}}, "name the answerer in models, or alone with answerer"),
        ((DESIGN,), {"models": "no.yaml"}, "no.yaml: there is no such models file"),
        (("version: 1\nretrieval: [{op: bm26}]\n",), {}, "<design>:2:18: retrieval[0].op: unknown operator bm26"),
    ],
)
def test_mistakes(arguments, options, said, world):
    with pytest.raises(UserError) as caught:
        Memory.open(*arguments, **options)
    assert said in str(caught.value)


def test_a_mistake_in_one_record_adds_none():
    memory = Memory.open(DESIGN, HISTORY)
    with pytest.raises(UserError):
        memory.add([{"id": "ok", "text": "zebra"}, {"id": "bad"}])
    assert memory.search("zebra") == []
    assert len(memory) == 5


LEARNED = """\
version: 1
retrieval: [{op: policy, policy: learned, weights: w.json, search: [{op: bm25}]}]
"""


def weights(tokens):
    always = {"always": 9.0}
    return Weights(tokens, {"bm25": 1.0}, go_on=always, decide={"question": {"first": 9.0}, "stop": always}).text()


def test_a_policy_goes_on_with_the_weights_that_it_was_opened_with(tmp_path, monkeypatch):
    (tmp_path / "design.yaml").write_text(LEARNED, encoding="utf-8")
    (tmp_path / "w.json").write_text(weights(1000), encoding="utf-8")
    read = []
    monkeypatch.setattr(learned, "load_weights", lambda file: read.append(file) or load_weights(file))
    memory = Memory.open(tmp_path / "design.yaml", HISTORY)
    assert len(memory.search("ferry or Miso?")) == 4
    (tmp_path / "w.json").write_text(weights(1), encoding="utf-8")
    memory.add({"text": "The ferry was late.", "author": "Ida"})
    assert len(memory.search("Miso or ferry?")) == 5
    assert len(memory.search("Miso or ferry?", as_of="2025-03-04")) == 3
    assert len(read) == 1
    assert len(Memory.open(tmp_path / "design.yaml", HISTORY).search("Miso or ferry?")) == 1


def test_weights_that_changed_before_they_were_read_are_not_used(tmp_path):
    (tmp_path / "design.yaml").write_text(LEARNED, encoding="utf-8")
    (tmp_path / "w.json").write_text(weights(1000), encoding="utf-8")
    memory = Memory.open(tmp_path / "design.yaml", HISTORY)
    (tmp_path / "w.json").write_text(weights(1001), encoding="utf-8")
    with pytest.raises(CannotContinueError, match=r"w\.json: is no longer what it was when the design"):
        memory.ask("ferry?")
