"""A study whose proposer is a model: what it is asked, what is entered, and that an interruption changes nothing."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import replace
from itertools import count

import pytest
from model_fakes import ScriptedModel
from study_fakes import PARTS, FakeEvaluator, make_study

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.models.requests import Reply
from designsearch.search.ledger import Ledger
from designsearch.search.proposers.llm import LlmProposer
from designsearch.search.proposers.mixed import MixedProposer
from designsearch.search.proposers.rules import RulesProposer
from designsearch.search.proposers.sampler import SamplerProposer
from designsearch.search.run_folder import RunFolder

EXTRA = "budget: {trials: 12}\naccept: {op: paired, alpha: 0.3}\nseed: 5\n"
SPLIT = "split: {train: 0.3, validation: 0.4, confirm: 0.1, locked: 0.2}\n"
KEYS = ("ordinal", "proposer", "parent", "design_hash", "gain", "p", "reason", "revision", "work")


class Answered(FakeEvaluator):
    """Each question takes a call."""

    def evaluate(self, design, part):
        return [replace(result, calls=1) for result in super().evaluate(design, part)]


class Marked(FakeEvaluator):
    """Every text says which share of the questions it is from."""

    def evaluate(self, design, part):
        return [
            replace(result, question=f"MARK-{part} {result.question}", context=f"MARK-{part}", answer=f"MARK-{part}")
            for result in super().evaluate(design, part)
        ]

    def diagnose(self, design, part):
        return [
            replace(failure, question=f"MARK-{part}", gold=f"MARK-{part}") for failure in super().diagnose(design, part)
        ]


def choose(request):
    """A model's reply that only the request decides: now and then invalid, or one that fails."""
    text = request.messages[-1].content
    digest = int(hashlib.sha256(f"{request.replicate}\n{text}".encode()).hexdigest()[:8], 16)
    if digest % 11 == 0:
        return Reply(failure="truncated", detail="at max_output_tokens=1024", calls=1)
    k = "0" if digest % 5 == 0 else "{tune: [20, 2000]}" if digest % 3 == 0 else str(50 + digest % 400)
    edits = [{"op": "set", "path": "retrieval[0].k", "value": k, "to": None}]
    if digest % 2:
        edits.append({"op": "insert", "path": "retrieval[1]", "value": "{op: take, k: {tune: [20, 60]}}", "to": None})
    value = {"rationale": f"idea {digest}", "expected": "more", "edits": edits}
    return Reply(value=value, calls=1 + digest % 3, input_tokens=digest % 999, cost=0.001, seconds=1.5)


def study_in(folder, model, evaluator=None, extra=EXTRA):
    folder.mkdir(exist_ok=True)
    proposer = MixedProposer([LlmProposer(model), RulesProposer(), SamplerProposer()])
    return make_study(folder, extra, evaluator or Answered(), proposer)


def entries(folder):
    ledger = Ledger(str(folder / "runs/demo/journal.log"), "demo", "evidence_recall", print)
    return [entry for entry in ledger.entries() if entry.decision != "interrupted"]


def trajectory(folder):
    files = RunFolder(folder / "runs/demo")
    return [
        (
            entry.decision,
            entry.value,
            *(entry.attrs.get(key) for key in KEYS),
            files.trial(entry.number).read_proposal(),
        )
        for entry in entries(folder)
    ]


def test_a_model_alone_runs_a_study(tmp_path):
    asked = count(1)
    cut = Reply(failure="truncated", detail="at max_output_tokens=1024", calls=1)
    model = ScriptedModel(lambda request: cut if next(asked) in (3, 4, 5) else choose(request))
    outcome = make_study(tmp_path, EXTRA, Answered(), LlmProposer(model)).run()
    found = trajectory(tmp_path)
    assert outcome.scored == 12
    assert {"invalid", "rejected"} <= {row[0] for row in found}
    failed = [row for row in found if row[0] == "invalid"]
    assert all(row[1] is None and row[-1].problem for row in failed)
    assert all(row[KEYS.index("reason") + 2] == row[-1].problem for row in failed)
    for row in found:
        share = row[-1].calls / (1 if row[0] == "invalid" else PARTS["validation"])
        assert row[KEYS.index("work") + 2] == round(1 + share, 4)
    assert "a comment that must survive" in (tmp_path / "runs/demo/trials/000/design.yaml").read_text()


def test_no_request_holds_anything_of_validation_confirm_or_locked_questions(tmp_path):
    model = ScriptedModel(choose)
    extra = EXTRA.replace("op: paired", "op: confirm") + SPLIT
    outcome = make_study(tmp_path, extra, Marked(), LlmProposer(model)).run()
    assert outcome.scored == 12
    told = "\n".join(message.content for request in model.requests for message in request.messages)
    assert "MARK-train" in told
    for part in set(PARTS) - {"train"}:
        assert f"MARK-{part}" not in told
    assert str(tmp_path) not in told


class Stops(Answered):
    """The user stops the study at the n-th evaluation."""

    def __init__(self, after):
        super().__init__()
        self.after = after

    def evaluate(self, design, part):
        if len(self.evaluated) == self.after:
            raise KeyboardInterrupt
        return super().evaluate(design, part)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    model = ScriptedModel(choose)
    study_in(folder, model).run()
    return trajectory(folder), [request.messages for request in model.requests]


def test_a_study_that_was_stopped_while_it_evaluated_equals_one_that_was_not(tmp_path, whole):
    requests = []
    for after in (1, 3, 1, 2, 2, 99):
        model = ScriptedModel(choose)
        with suppress(KeyboardInterrupt):
            study_in(tmp_path, model, Stops(after)).run()
        requests += [request.messages for request in model.requests]
    assert trajectory(tmp_path) == whole[0]
    assert requests == whole[1]


def test_a_study_whose_model_ran_out_of_budget_goes_on_as_if_it_had_not(tmp_path, whole):
    kept = {}  # as replies are between runs

    class Limited(ScriptedModel):
        def complete(self, requests):
            [request] = requests
            key = (request.messages, request.replicate)
            if key not in kept:
                if self.requests:
                    raise OutOfBudgetError("all calls are used")
                kept[key] = super().complete(requests)
            return kept[key]

    reasons = []
    while not reasons or reasons[-1] == "quota":
        reasons.append(study_in(tmp_path, Limited(choose)).run().reason)
        assert len(reasons) < 30
    assert reasons[-1] == "trials"
    assert len(reasons) >= 3
    assert trajectory(tmp_path) == whole[0]


def test_the_whole_study_has_something_of_everything(whole):
    rows, requests = whole
    assert {row[-1].proposer for row in rows} == {"rules", "sampler", "llm"}
    assert "accepted" in {row[0] for row in rows}
    assert len(requests) >= 3
