import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.metrics import text

VOCABULARY = ("the", "cat", "sat", "on", "a", "mat", "and", "ran", "7", "café", "$5", "yes", "no")
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=8).map(" ".join)
SYMMETRIC = [text.squad_f1, text.hotpot_f1, text.locomo_f1]
ALL = [*SYMMETRIC, text.locomo_multi_f1, text.bleu1]


@pytest.mark.parametrize(
    ("metric", "prediction", "gold", "expected"),
    [
        (text.squad_f1, "the red cat", "cat", 2 / 3),
        (text.squad_f1, "cat cat", "cat", 2 / 3),
        (text.hotpot_f1, "yes it is", "yes", 0.0),
        (text.hotpot_f1, "Yes.", "yes", 1.0),
        (text.squad_f1, "yes it is", "yes", 0.5),
        (text.locomo_f1, "hiking and swimming", "hikes, swims", 1.0),
        (text.locomo_multi_f1, "red cat, dog", "dog, cat", (1 + 2 / 3) / 2),
        (text.locomo_multi_f1, "dog", "dog, cat", 0.5),
        (text.bleu1, "a cat!", "a cat", 1.0),
        (text.bleu1, "a cat sat here", "a cat", 0.5),
        (text.bleu1, "\u201ccafé\u201d", "café", 1.0),
    ],
)
def test_values(metric, prediction, gold, expected):
    assert metric(prediction, gold) == pytest.approx(expected)


@pytest.mark.parametrize("metric", ALL, ids=lambda m: m.__name__)
@given(a=WORDS, b=WORDS)
def test_between_0_and_1(metric, a, b):
    assert 0 <= metric(a, b) <= 1


@pytest.mark.parametrize("metric", SYMMETRIC, ids=lambda m: m.__name__)
@given(a=WORDS, b=WORDS)
def test_symmetric(metric, a, b):
    assert metric(a, b) == pytest.approx(metric(b, a))


@given(WORDS.flatmap(lambda t: st.tuples(st.just(t), st.permutations(t.split()))), WORDS)
def test_word_order_plays_no_part(pair, gold):
    prediction, mixed = pair[0], " ".join(pair[1])
    for metric in (text.squad_f1, text.locomo_f1, text.bleu1):
        assert metric(prediction, gold) == pytest.approx(metric(mixed, gold))


def test_the_best_gold_answer_counts():
    assert text.best(text.squad_f1, "cat", ["dog", "red cat"]) == pytest.approx(2 / 3)
    assert text.best(text.squad_exact_match, "cat", ["dog", "the cat"]) == 1.0
    assert text.best(text.squad_f1, "cat", []) == 0.0
