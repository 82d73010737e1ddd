import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.report import Group, report
from designsearch.search.results import Key


@pytest.fixture(scope="module")
def mixed(make_result):
    return [
        make_result(1, True, type="fact", context_tokens=100, seconds=1.0, calls=2, cost=0.5, evidence_recall=1.0),
        make_result(
            2, False, type="fact", context_tokens=300, seconds=3.0, calls=1, cost=math.nan, evidence_recall=0.5
        ),
        make_result(3, None, type="count", error="judge: no verdict", context_tokens=200, calls=1),
        make_result(4, True, history="k", type="count", context_tokens=200, seconds=2.0),
        make_result(5, None, history="k", type="count", context="", answer=None, error="retrieval failed"),
    ]


def test_a_mean_is_over_what_was_measured(mixed):
    accuracy = report(mixed).metrics["accuracy"]
    assert accuracy.count == 3
    assert accuracy.mean == pytest.approx(2 / 3)
    assert accuracy.unmeasured == (Key("h", "q3"), Key("k", "q5"))
    assert accuracy.by_type == {"count": Group(1, 1.0, 2), "fact": Group(2, 0.5, 0)}
    assert accuracy.by_history == {"h": Group(2, 0.5, 1), "k": Group(1, 1.0, 1)}
    assert accuracy.interval.low <= accuracy.mean <= accuracy.interval.high
    assert accuracy.users_interval is not None


def test_a_question_without_evidence_is_not_a_failure(mixed):
    recall = report(mixed).metrics["evidence_recall"]
    assert (recall.count, recall.mean, recall.unmeasured, recall.not_applicable) == (2, 0.75, (Key("k", "q5"),), 2)
    assert recall.users_interval is None
    assert report(mixed).metrics["evidence_coverage"].mean == 0.5


def test_price_and_size(mixed):
    found = report(mixed)
    assert (found.design, found.questions, found.errors) == ("d", 5, 2)
    assert (found.mean_context_tokens, found.max_context_tokens) == (200.0, 300)
    assert found.seconds_p50 == 2.0
    assert found.seconds_p95 == pytest.approx(2.9)
    assert (found.calls, found.cost) == (4, 0.5)


def test_headline_metrics_come_first_and_what_never_applies_is_left_out(make_result):
    results = [make_result(1, evidence_recall=1.0, metrics={"f1": 0.5, "bleu1": 0.4})]
    assert list(report(results).metrics) == ["accuracy", "evidence_coverage", "evidence_recall", "bleu1", "f1"]
    unanswered = [make_result(1, None, answer=None, evidence_recall=1.0)]
    assert list(report(unanswered).metrics) == ["evidence_coverage", "evidence_recall"]


def test_when_nothing_was_measured_nothing_is_claimed(make_result):
    accuracy = report([make_result(1, None), make_result(2, None)]).metrics["accuracy"]
    assert (accuracy.count, accuracy.mean, accuracy.interval) == (0, None, None)


def test_plain_json(mixed):
    line = json.loads(json.dumps(report(mixed).to_json(), allow_nan=False))
    assert line["metrics"]["accuracy"]["unmeasured"] == ["h/q3", "k/q5"]
    assert line["metrics"]["accuracy"]["by_type"]["fact"] == {"count": 2, "mean": 0.5, "unmeasured": 0}
    assert line["metrics"]["accuracy"]["interval"]["level"] == 0.95


@pytest.mark.parametrize("designs", [[], ["a", "b"]])
def test_results_of_one_design_only(make_result, designs):
    with pytest.raises(ValueError, match=f"not of {len(designs)}"):
        report([make_result(1, design=d) for d in designs])


@given(st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=8), st.randoms())
def test_the_order_of_the_lines_plays_no_part(make_result, verdicts, random):
    results = [make_result(n, verdict) for n, verdict in enumerate(verdicts)]
    before, after = report(results), report(random.sample(results, len(results)))
    a, b = before.metrics["accuracy"], after.metrics["accuracy"]
    assert (a.count, a.mean, a.interval, set(a.unmeasured)) == (b.count, b.mean, b.interval, set(b.unmeasured))
    assert a.count + len(a.unmeasured) == len(results)
    assert a.mean is None or 0 <= a.mean <= 1
