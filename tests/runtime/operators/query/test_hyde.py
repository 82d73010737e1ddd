import numpy as np
import pytest
from model_fakes import ScriptedModel
from runtime_fakes import ask, call, memory_of, rows_of

from designsearch.runtime.operators.query.hyde import HydeParams
from designsearch.runtime.services import Services

PASSAGES = ["We bought a red boat.", "I paddle on the river on Sundays."]


def memory():
    model = ScriptedModel(lambda request: {"texts": PASSAGES})
    return memory_of(["a kayak", "the boat", "green tea"], services=Services(helper=model))


def test_dense_searches_by_the_mean_of_question_and_passages():
    m = memory()
    found = call("cascade", "dense", call("cascade", "hyde", ask("What do I own?"), m, n=2), m)
    vectors = m.services.embedder.embed(["What do I own?", *PASSAGES]).astype(np.float64)
    mean = vectors.mean(axis=0) / np.linalg.norm(vectors.mean(axis=0))
    ids, scores = found.of_question(0)
    assert scores == pytest.approx(m.store(None).vectors("raw").vectors[ids] @ mean, abs=1e-5)


def test_bm25_does_not_read_passages():
    m = memory()
    queries = call("cascade", "hyde", ask("kayak"), m, n=2)
    assert rows_of(call("cascade", "bm25", queries, m)) == [[0]]


def test_four_passages_unless_said_otherwise():
    assert HydeParams().n == 4
