import numpy as np
import pytest
from runtime_fakes import ask, call, memory_of, ranked

from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder, unit_rows
from designsearch.runtime.lexical_tokens import words
from designsearch.runtime.operators.refine.features import semantic

TEXTS = ["my kitten sleeps", "the tram ticket", "green tea", "", "a kitten and a puppy", "green tea"]
M = memory_of(TEXTS)
ALL = ranked([0, 1, 2, 3, 4, 5])


def feature(name, question, m=M, ranking=ALL):
    return call("features", name, ranking, ask(question), m).tolist()


def test_cosine():
    expected = StaticEmbedder().embed(TEXTS) @ StaticEmbedder().embed(["a cat"])[0]
    assert feature("cosine", "a cat") == pytest.approx(expected, abs=1e-6)


def test_centered_cosine():
    own, asked = StaticEmbedder().embed(TEXTS), StaticEmbedder().embed(["a cat"])
    mean = own.mean(axis=0)
    expected = unit_rows(own - mean) @ unit_rows(asked - mean)[0]
    assert feature("centered_cosine", "a cat") == pytest.approx(expected, abs=1e-6)


def test_what_does_not_depend_on_the_question_is_computed_once(monkeypatch):
    m = memory_of(TEXTS)
    before = feature("centered_cosine", "a cat", m)
    monkeypatch.setattr(semantic, "_centred", None)
    assert feature("centered_cosine", "a cat", m) == before
    assert feature("centered_cosine", "a tram", m) != before


def soft_terms(question):
    """The definition, read out slowly."""
    vocabulary = list(dict.fromkeys(w for t in TEXTS for w in words(t) if w not in ENGLISH))
    embed = StaticEmbedder().embed
    mean = embed(vocabulary).mean(axis=0)

    def similarity(a, b):
        if a == b:
            return 1.0
        one, other = unit_rows(embed([a, b]) - mean)
        return float(np.clip((one @ other - 0.3) / 0.7, 0, 1))

    total = np.zeros(len(TEXTS))
    for word in dict.fromkeys(w for w in words(question) if w not in ENGLISH):
        held = {v: sum(v in words(t) for t in TEXTS) for v in vocabulary}
        frequency = min(sum(similarity(word, v) * n for v, n in held.items()), len(TEXTS))
        if frequency > 0.3:
            weight = np.log(1 + (len(TEXTS) - frequency + 0.5) / (frequency + 0.5))
            best = [max((similarity(word, v) for v in words(t) if v in held), default=0.0) for t in TEXTS]
            total += weight * np.array(best)
    return total


@pytest.mark.parametrize("question", ["a cat", "the kitten and the tea", "puppies sleep", "is it", "", "tram tram"])
def test_soft_terms(question):
    assert feature("soft_terms", question) == pytest.approx(soft_terms(question), abs=1e-4)


def test_a_synonym_is_found():
    values = feature("soft_terms", "my cat")
    assert values[0] > values[1]
    assert values[0] > values[2]


@pytest.mark.parametrize("name", ["cosine", "centered_cosine", "soft_terms"])
def test_an_empty_store(name):
    assert feature(name, "cat", memory_of([]), ranked([])) == []
