"""A tiny policy plays real episodes over a small memory and learns from their tokens."""

import copy
import json

import pytest
import small_episodes

from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.runtime.episodes.states import Stop
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Question, Record
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.quality import judgement

DESIGN = """
version: 1
storage: {units: {op: records}}
retrieval:
  - {op: policy, policy: llm, max_steps: 4, search: [{op: bm25, k: 3}]}
"""
UNLABELLED = Question("q0", "Who?", "nobody")


def task(*questions):
    events = [
        Record(id=f"r{i}", text=text, time=f"2025-03-0{i + 1}", author="Ida", role="user")
        for i, text in enumerate(small_episodes.TEXTS)
    ]
    return Task(Dataset("h", tuple(events)), questions or (UNLABELLED, small_episodes.QUESTION))


def ground(*questions):
    from designsearch.search.training.lora.ground import Ground

    return Ground(load_design(DESIGN, registry=load_all()), task(*questions), Services())


def shape(**parts):
    from designsearch.search.training.lora.config import TrainingShape

    rollouts = {"episodes": 6, "questions": 1, "reply_tokens": 8} | parts.pop("rollouts", {})
    return TrainingShape.model_validate({"policy": "llm", "design": "d", "model": "tiny", "rollouts": rollouts} | parts)


@pytest.fixture
def schooled(tiny, once):
    """A model that calls tools in the right form, each as likely as any other; and its template."""
    if not once:
        once.append(school(tiny))
    return copy.deepcopy(once[0]), tiny.chat()


@pytest.fixture(scope="module")
def once():
    return []


def school(tiny):
    from designsearch.search.training.lora.config import SftShape
    from designsearch.search.training.lora.policy import LoraPolicy
    from designsearch.search.training.lora.reward_stages import train_sft
    from designsearch.search.training.lora.speaker import Speaker
    from designsearch.search.training.lora.utterances import Utterance

    chat, model = tiny.chat(), tiny.model(rank=8, alpha=16)
    asked = set()

    class Listening(Speaker):
        def speak(self, requests):
            asked.update(chat.prompt(request.messages, request.tools) for request in requests)
            return super().speak(requests)

    words = tiny.tokenizer()
    ids = {text: words(text, add_special_tokens=False)["input_ids"][0] for text in tiny.CALLS}
    end = next(iter(chat.ends))
    for _ in range(2):  # at first nothing is found, so that the model is not shown what an extraction looks like
        ground().episodes([0], 8, lambda world: LoraPolicy(world, Listening(model, chat, "tiny", reply_tokens=8)))
        calls = {"search_memory_units": [*tiny.SEARCHES, tiny.STOP], "add_note": [*tiny.NOTES, tiny.SKIP]}
        examples = [
            Utterance(prompt, (ids[text], end))
            for prompt in sorted(asked, key=lambda ids: (len(ids), ids))[:4]
            for text in calls[words.decode(prompt[:1])]
        ]
        train_sft(model, examples, SftShape(epochs=25, rate=0.02, batch=len(examples)), 20_000)
    return model


def test_tokens_of_an_episode_are_those_of_its_steps(tiny, schooled):
    from designsearch.search.training.lora.logps import frozen_logps
    from designsearch.search.training.lora.policy import LoraPolicy
    from designsearch.search.training.lora.speaker import Speaker

    model, chat = schooled
    speaker = Speaker(model, chat, "tiny", seed=1, reply_tokens=8)
    ((*episodes,),), policy = ground().episodes([0], 8, lambda world: LoraPolicy(world, speaker))
    kinds, forced = set(), 0
    for row, one in enumerate(episodes):
        played = policy.played(row, one.trajectory, 0.5)
        steps = [step for step in one.trajectory.steps if step.choices]
        chosen = [choice.picked for step in steps for choice in step.choices]
        assert chosen == [token for turn in played.turns for token in turn.utterance.said]
        logps = [choice.logp for step in steps for choice in step.choices]
        again = frozen_logps(model, [turn.utterance for turn in played.turns], 20_000) if played.turns else []
        assert logps == pytest.approx([logp for own in again for logp in own.tolist()], abs=1e-9)
        kinds |= {step.action.type for step in steps}
        last = one.trajectory.steps[-1].action
        if isinstance(last, Stop) and last.forced:
            forced += 1
            assert not played.turns[-1].generated, "a forced stop is scored without tokens"
        assert sum(not turn.generated for turn in played.turns) <= 2
        if len(one.trajectory.steps) == 7:
            assert not one.trajectory.steps[-1].choices, "where only stopping is left nobody is asked"
    assert {"search", "stop"} < kinds
    assert forced < len(episodes)


def test_training_keeps_the_best_by_held_out_evidence(tiny, schooled, tmp_path):
    from designsearch.search.training.lora.adapters import load
    from designsearch.search.training.lora.logps import frozen_logps
    from designsearch.search.training.lora.train import evaluate, train_policy

    model, chat = schooled
    said = []
    where = ground()
    how = shape(epochs=10, evaluate_every=5, update={"rate": 0.02, "tokens_at_once": 20_000}, rollouts={"episodes": 8})
    best = train_policy(model, chat, how, [where], [where], tmp_path, say=said.append)
    rows = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    updates = [row for row in rows if "loss" in row]
    looks = {row["update"]: row["held_out"]["kept"] for row in rows if "held_out" in row}
    assert [row["update"] for row in updates] == list(range(1, 11))
    assert list(looks) == [0, 5, 10]
    assert len(said) == len(rows)
    assert any(row["groups"] for row in updates)
    for row in updates:
        if row["groups"]:
            assert row["drift"] == pytest.approx(0, abs=1e-9), "tokens are trained with the probability they had"
            assert row["gradient"] > 0
        assert set(row["actions"]) == set(row["reward_by_type"]) == {"search", "add", "skip", "stop"}
        assert row["kept"] <= row["found"]
    first, last = (sum(row["reward"] for row in part) / 3 for part in (updates[:3], updates[-3:]))
    assert last > first
    state = json.loads((best / "training.json").read_text())
    assert state["held_out"]["kept"] == max(looks.values())
    assert state["update"] == min(number for number, recall in looks.items() if recall == max(looks.values()))
    other = tiny.model(rank=8, alpha=16, moved=0.0)
    assert load(other, tmp_path / "last") == {"update": 10}
    given = tiny.utterances(3)
    for one, two in zip(frozen_logps(model, given, 99), frozen_logps(other, given, 99), strict=True):
        assert one.tolist() == two.tolist()
    load(other, best)
    from designsearch.search.training.lora.train import _speaker

    assert evaluate([where], _speaker(other, chat, how, 0.0))["kept"] == state["held_out"]["kept"]


def test_a_judge_takes_the_place_of_the_rule(tiny, schooled, tmp_path):
    from designsearch.search.training.lora.train import train_policy

    class Judge:
        """Likes stopping, and cannot judge what has a single step."""

        fingerprint = "judge"

        def judge(self, episodes):
            steps = [[step.action.type for step in one.trajectory.steps] for one in episodes]
            scores = [[(kind, 90.0 if kind == "stop" else 10.0) for kind in own] for own in steps]
            return [Opinion(judgement(own)) if len(own) > 1 else Opinion(failure="short") for own in scores]

        def told(self):
            return "some were short"

    model, chat = schooled
    said = []
    where = ground()
    train_policy(model, chat, shape(), [where], [where], tmp_path, Judge(), said.append)
    assert said[-1] == "some were short"
    (row,) = (json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines() if "loss" in line)
    assert row["reward_by_type"]["stop"] == pytest.approx(89 / 99)
    assert row["reward_by_type"]["search"] == pytest.approx(9 / 99)


def test_long_episodes_are_punished(tiny):
    from designsearch.search.training.lora.config import OverlongShape
    from designsearch.search.training.lora.train import _punished
    from designsearch.search.training.lora.utterances import Played, Turn, Utterance

    group = [
        Played(0.5, (Turn(Utterance((1,), (2,) * size)), Turn(Utterance((1,), (2,) * 9), False))) for size in (4, 9)
    ]
    assert _punished(group, None) == group
    assert [one.reward for one in _punished(group, OverlongShape(longest=10, buffer=4))] == [0.5, 0.5 - 0.75]


def test_nothing_to_learn_from(tiny, tmp_path):
    from designsearch.search.training.lora.ground import Ground
    from designsearch.search.training.lora.train import train_policy

    empty = ground(UNLABELLED)
    assert len(empty) == 0
    with pytest.raises(UserError, match="needs questions with evidence to learn from, and others held out"):
        train_policy(tiny.model(), tiny.chat(), shape(), [empty], [ground()], tmp_path)
    plain = load_design(DESIGN.replace("op: policy, policy: llm, max_steps: 4, search: [{op: bm25, k: 3}]", "op: bm25"))
    with pytest.raises(UserError, match="retrieval has no stage op: policy"):
        Ground(plain, task(), Services())
