"""Histories side by side."""

from functools import partial

import pytest
from evaluate_fakes import EVENTS, QUESTIONS, design_of
from model_fakes import ScriptedModel

from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.answering import ModelAnswerer
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Runner, Task
from designsearch.search.judge import Judge
from designsearch.search.parallel import Histories

TASKS = [Task(Dataset(name, EVENTS, QUESTIONS), QUESTIONS) for name in ("one", "two")]
SHARES = [(0, [0, 1]), (1, [2])]


def results(design, runner, task, rows):
    return [(r.key, r.answer, r.correct, r.replicate) for r in runner.results(design, task, rows)]


def found(runner, backend):
    work = partial(results, design_of("retrieval: [{op: bm25, k: 4}]"))
    return Histories(runner, TASKS, backend, 2).map(work, SHARES)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_rules_answer_the_same_wherever_they_run(backend):
    assert found(Runner(answerer=OfflineAnswerer()), backend) == found(Runner(answerer=OfflineAnswerer()), "serial")


class ServedEmbedder:
    """One that stays in its process."""

    name = fingerprint = "served"
    dimensions = 256
    embed = staticmethod(StaticEmbedder().embed)

    def __reduce__(self):
        raise TypeError("a connection cannot be sent to another process")


@pytest.mark.parametrize("role", ["answerer", "judge", "helper", "embedder"])
def test_models_are_asked_from_threads_of_one_process(role):
    model = ScriptedModel(lambda request: {"reason": "", "verdict": "correct"} if request.schema else "Miso")
    runner = Runner(
        services=Services(
            helper=model if role == "helper" else None,
            embedder=ServedEmbedder() if role == "embedder" else StaticEmbedder(),
        ),
        answerer=ModelAnswerer(model, 2) if role == "answerer" else OfflineAnswerer(),
        judge=Judge(model) if role == "judge" else None,
    )
    # a lambda cannot be sent to another process, so that this would fail there
    first, second = found(runner, "loky")
    assert [key.history for key, *_ in (*first, *second)] == ["one"] * (len(first)) + ["two"] * len(second)
    assert len(first) == 2 * len(second) == (4 if role == "answerer" else 2)
