from dataclasses import replace

import pytest

from designsearch.search.decide import alpha_of, decide, loses_answers
from designsearch.search.results import QuestionResult
from designsearch.search.study_choices import ConfirmOptions, PairedOptions, StrictOptions
from designsearch.search.study_file import Choice

PAIRED = Choice("paired", PairedOptions(alpha=0.1))
STRICT = Choice("strict", StrictOptions())
CONFIRM = Choice("confirm", ConfirmOptions(alpha=0.1))


def results(covered, answers=None, count=20):
    """``covered`` of the questions have their evidence; each context holds ``answers`` of the gold answer."""
    return [
        QuestionResult(
            "d", f"q{i}", "h", "?", evidence_recall=float(i < covered), answer_recall=answers, correct=i < covered
        )
        for i in range(count)
    ]


def verdict(rule, old, new, objective="evidence_coverage", **more):
    given = {"confirmations": 0, "seed": 0, **more}
    return decide(rule, old, new, objective, lambda: pytest.fail("the reserved slice is not asked for"), **given)


def test_the_rule_decides():
    assert verdict(PAIRED, results(5), results(9)).decision == "accepted"  # 4 gains: p = 1/16
    assert verdict(PAIRED, results(5), results(8)).decision == "indecisive"  # 3 gains: p = 1/8
    assert verdict(STRICT, results(5), results(6)).decision == "accepted"
    assert verdict(PAIRED, results(5), results(4)).decision == "rejected"
    assert verdict(CONFIRM, results(5), results(6)).decision == "indecisive"


def test_fewer_answers_in_the_context_are_no_bargain():
    found = verdict(PAIRED, results(5, 0.8), results(15, 0.5))
    assert found.decision == "rejected"
    assert found.gain == pytest.approx(0.5)
    assert found.reason.startswith("answer_recall fell by 0.3000 (p ")
    assert verdict(STRICT, results(5, 0.8), results(15, 0.5)).decision == "rejected"


def test_a_loss_of_answers_by_chance_or_of_no_size_is_let_pass():
    assert loses_answers(results(5, 0.8), results(5, 0.795), seed=0) == ""
    few = results(5, 0.8)
    worse = [*results(5, 0.1)[:3], *few[3:]]
    assert loses_answers(few, worse, seed=0) == ""  # three questions: p = 1/8
    assert verdict(PAIRED, results(5, None), results(15, None)).decision == "accepted"  # not measured


def test_answers_that_are_worked_out_stand_in_a_context_by_chance():
    counted = [replace(result, answer_stated=False) for result in results(15, 0.1)]
    assert loses_answers(results(5, 0.8), [*counted, *results(15, 0.8, count=20)[3:]], seed=0) == ""
    assert verdict(PAIRED, results(5, 0.8), counted).decision == "accepted"


def test_accuracy_needs_no_such_check():
    assert verdict(PAIRED, results(5, 0.8), results(15, 0.5), "accuracy").decision == "accepted"


def test_alpha_of_a_rule():
    assert (alpha_of(PAIRED), alpha_of(STRICT)) == (0.1, None)
