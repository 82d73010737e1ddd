"""What a dry run says, against numbers worked out by hand."""

from __future__ import annotations

import pytest
from model_world import Stub, study_text, write_world

from designsearch.runtime.operators import load_all
from designsearch.search.forecast import forecast
from designsearch.search.study_file import parse_study
from designsearch.search.study_setup import idle_roles, prepare

TRAIN, VALIDATION, LOCKED = 20, 12, 8


@pytest.fixture
def folder(tmp_path):
    write_world(tmp_path)
    return tmp_path


def study(folder, url="http://127.0.0.1:9/v1", extra="", **more):
    text = study_text(url, extra, **more)
    return parse_study(text, folder / "study.yaml")


def roles(found):
    return {one.role: (one.least, one.most) for one in found.roles}


def test_calls_of_each_role_are_counted_and_nothing_is_sent(folder):
    with Stub() as stub:
        found = forecast(prepare(study(folder, stub.url, proposer="llm"), load_all()))
        assert not stub.asked
    assert roles(found) == {
        "answerer": (VALIDATION, VALIDATION), "judge": (0, VALIDATION), "proposer": (1, 3), "helper": (0, 0),
    }  # fmt: skip
    answerer = found.roles[0]
    assert answerer.output_tokens == VALIDATION * 1024
    assert answerer.input_tokens > VALIDATION * 60
    assert answerer.usd is None
    assert (found.trials, found.claim) == (3, 0)
    assert found.destinations == (
        f"answerer, judge, proposer, helper: stub at {stub.url} gets records, questions, answers and designs",
    )


def test_a_cap_on_calls_leaves_room_for_base_and_claim(folder):
    models = '  answerer: {model: m, base_url: "http://127.0.0.1:9/v1", replicates: 2}\n'
    calls, claim = 2 * VALIDATION, 2 * 2 * LOCKED
    for trials in (0, 1, 4):
        cap = calls + claim + trials * calls
        extra = f"budget: {{trials: 9, llm_calls: {cap}}}\n"
        found = forecast(prepare(study(folder, extra=extra, models=models), load_all()))
        assert roles(found) == {"answerer": (calls, calls)}
        assert (found.claim, found.trials) == (claim, trials)


def test_a_cap_on_money_counts_tokens_by_their_price(folder):
    models = '  answerer: {model: m, base_url: "http://127.0.0.1:9/v1", price: {input: 1, output: 10}}\n'
    one = forecast(prepare(study(folder, models=models), load_all())).roles[0]
    assert one.usd == pytest.approx((one.input_tokens + 10 * one.output_tokens) / 1e6)
    cap = one.usd * (1 + 2 * LOCKED / VALIDATION + 2.5)
    found = forecast(prepare(study(folder, extra=f"budget: {{trials: 9, usd: {cap}}}\n", models=models), load_all()))
    assert found.trials == 2


def test_storage_by_a_helper_is_a_range(folder):
    (folder / "base.yaml").write_text(
        "version: 1\nstorage: {units: {op: records}, views: {short: {op: summary}}}\n"
        "retrieval: [{op: bm25, view: short, k: 5}]\n",
        encoding="utf-8",
    )
    found = forecast(prepare(study(folder), load_all()))
    assert roles(found)["helper"] == (0, 40)


@pytest.mark.parametrize(
    ("design", "calls"),
    [
        ("storage: {units: {op: facts}}\nretrieval: [{op: bm25}]", 40),
        # two facts a record, each compared with others and asked about again for a view
        (
            (
                "storage: {units: {op: facts}, write: {op: consolidate}, views: {short: {op: summary}}}\n"
                "retrieval: [{op: bm25, view: short}]"
            ),
            40 + 80 + 80,
        ),
        # 35 candidates in batches of 10, for each question of train and validation
        (
            "storage: {units: {op: records}}\nretrieval: [{op: hyde}, {op: dense}, {op: rerank, k: 35}]",
            (TRAIN + VALIDATION) * (1 + 4),
        ),
        ("storage: {units: {op: records}}\nretrieval: [{op: agent, max_steps: 7}]", (TRAIN + VALIDATION) * 7),
        # a check, and twice a revision with its check
        (
            "storage: {units: {op: records}}\nretrieval: [{op: bm25}]\nanswer: {check: {rounds: 2}}",
            VALIDATION * 5,
        ),
    ],
)
def test_every_request_of_an_operator_is_counted(folder, design, calls):
    (folder / "base.yaml").write_text(f"version: 1\n{design}\n", encoding="utf-8")
    [helper] = [one for one in forecast(prepare(study(folder), load_all())).roles if one.role == "helper"]
    assert helper.most == calls


def test_a_request_that_shows_more_reads_more(folder):
    def read(batch):
        (folder / "base.yaml").write_text(
            "version: 1\nstorage: {units: {op: records}}\n"
            f"retrieval: [{{op: bm25}}, {{op: rerank, k: 40, batch: {batch}}}]\n",
            encoding="utf-8",
        )
        [helper] = [one for one in forecast(prepare(study(folder), load_all())).roles if one.role == "helper"]
        return helper.input_tokens / helper.most

    assert read(20) > read(1) + 19


def test_a_study_without_models_has_none(folder):
    text = study_text("x").partition("models:")[0]
    plain = prepare(parse_study(text, folder / "study.yaml"), load_all())
    assert forecast(plain) is None


def test_models_that_are_named_and_not_asked_are_told(folder):
    models = "  default: local\n  proposer: local\n  reader: local\n"
    assert idle_roles(study(folder, models=models)) == [
        "models.proposer is not asked: the proposer sampler asks no model",
        "models.reader is not asked: no questions are generated; see questions: {generate: {}}",
    ]
    assert idle_roles(study(folder, models="  default: local\n")) == []
