"""Topics end where what is said before and after is unlike, and where they are full."""

from __future__ import annotations

import numpy as np
import pytest
from runtime_fakes import WordCounter, call, history_of

from designsearch.runtime.services import Services


class Axes:
    """Each letter of a text has a direction of its own."""

    name = fingerprint = "axes"
    dimensions = 26

    def embed(self, texts):
        made = np.zeros((len(texts), 26), np.float32)
        for row, text in enumerate(texts):
            for letter in text:
                if letter.isalpha():
                    made[row, ord(letter) - 97] += 1
        norms = np.linalg.norm(made, axis=1, keepdims=True)
        return np.divide(made, norms, out=np.zeros_like(made), where=norms > 0)


SERVICES = Services(embedder=Axes(), counter=WordCounter())


def cut(texts, sessions=None, **params):
    history = history_of([{"text": t, "session": s} for t, s in zip(texts, sessions or "s" * len(texts), strict=True)])
    return list(call("units", "topics", history, SERVICES, **params).texts)


def test_where_neighbours_are_unlike():
    assert cut(["a", "a", "b", "b", "ab"]) == ["a\na", "b\nb\nab"]


@pytest.mark.parametrize(("threshold", "expected"), [(0.7, ["a\nab"]), (0.71, ["a", "ab"]), (-1, ["a\nab"])])
def test_the_threshold_is_the_least_cosine_that_goes_on(threshold, expected):
    assert cut(["a", "ab"], threshold=threshold) == expected


def test_a_wider_window_looks_over_an_odd_record():
    texts = ["a", "a", "ab", "a", "a"]
    assert cut(texts, threshold=0.8) == ["a\na", "ab", "a\na"]
    assert cut(texts, threshold=0.8, window=2) == ["a\na\nab\na\na"]


def test_a_full_topic_ends_and_a_long_record_stands_alone():
    a, long = "a " * 10, "a " * 40
    assert cut([a, a, long, a], tokens=16) == [a, a, long, a]
    assert cut([a, a, a], tokens=20) == [f"{a}\n{a}", a]


def test_a_record_without_content_ends_nothing():
    assert cut(["a", "", "a", "b"]) == ["a\n\na", "b"]


def test_sessions_do_not_mix_and_units_stand_in_order():
    assert cut(["a", "b", "a", "b", "a"], ["s", "t", "s", "t", ""]) == ["a\na", "b\nb", "a"]


def test_no_records():
    assert cut([]) == []


def test_a_record_changes_only_what_is_near():
    chance = np.random.default_rng(0)
    texts = [" ".join(chance.choice(list("abcd"), 3)) for _ in range(200)]
    before = cut(texts, window=3, threshold=0.6)
    after = cut(["a a a", *texts], window=3, threshold=0.6)
    assert before[-20:] == after[-20:]
