"""Exact values that a right implementation reproduces."""

import json
from pathlib import Path

import pytest

from designsearch.search.mcnemar import mcnemar
from designsearch.search.metrics import text
from designsearch.search.metrics.typed import canonical, equal

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))


def plain(form):
    return list(form) if isinstance(form, tuple) else form


@pytest.mark.parametrize("case", VECTORS["typed_equality"], ids=lambda c: f"{c['type']}-{c['a']}-{c['b']}")
def test_typed_equality(case):
    kind = case["type"]
    assert plain(canonical(case["a"], kind)) == case["canon_a"]
    assert plain(canonical(case["b"], kind)) == case["canon_b"]
    assert equal(case["a"], case["b"], kind) is case["equal"]
    assert equal(case["b"], case["a"], kind) is case["equal"]


@pytest.mark.parametrize("case", VECTORS["text_metrics"], ids=lambda c: c["pred"] or "empty")
def test_text_metrics(case):
    predicted, gold = case["pred"], case["gold"]
    assert text.squad_normal(predicted) == case["squad_norm_pred"]
    assert text.squad_exact_match(predicted, gold) is case["squad_em"]
    assert text.squad_f1(predicted, gold) == pytest.approx(case["squad_f1"])
    assert text.hotpot_f1(predicted, gold) == pytest.approx(case["hotpot_f1"])
    assert text.locomo_normal(predicted) == case["locomo_norm_pred"]
    assert text.locomo_f1(predicted, gold) == pytest.approx(case["locomo_f1"])
    assert text.locomo_multi_f1(predicted, gold) == pytest.approx(case["locomo_cat1_multi_f1"])


@pytest.mark.parametrize("case", VECTORS["bleu1"]["cases"], ids=lambda c: c["pred"] or "empty")
def test_bleu1(case):
    assert text.bleu1(case["pred"], case["gold"]) == pytest.approx(case["bleu1"], abs=1e-15)


@pytest.mark.parametrize("case", VECTORS["mcnemar_one_sided_exact"], ids=lambda c: f"{c['gains_b']}-{c['losses_c']}")
def test_mcnemar(case):
    assert mcnemar(case["gains_b"], case["losses_c"]) == pytest.approx(case["p"], rel=1e-12)
