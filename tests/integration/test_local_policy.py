"""The policy ``llm`` with the bundled model, really run: what it says is worth little, that it runs is tested."""

from __future__ import annotations

import pytest

from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.fold import fold
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.serving import extras
from designsearch.runtime.models.settings import ModelSettings
from designsearch.runtime.models.team import Team
from designsearch.runtime.operators import load_all
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.records import Queries, Record
from designsearch.runtime.services import Services

pytestmark = [
    pytest.mark.skipif(not extras.installed(extras.LOCAL_LIBRARY), reason=f"needs {extras.LOCAL_INSTALL}"),
    pytest.mark.skipif(extras.bundled_model() is None, reason=f"needs {extras.BUNDLE_INSTALL}"),
]

HELPER = ModelSettings(model="local", context_tokens=4096, concurrency=1, max_output_tokens=96)
DESIGN = """version: 1
storage: {units: {op: sessions}}
retrieval: [{op: policy, policy: llm, max_steps: 2, observation_tokens: 200, search: [{op: bm25, k: 2}]}]
"""
TEXTS = ["I was born in Porto.", "The kayak is red.", "Mira sold the kayak to Jonah.", "Tea is ready."]
QUESTIONS = ["Who has the kayak?"]


def test_it_searches_and_ends_and_repeats_itself_for_nothing():
    records = [Record(id=f"r{i}", text=text, author="Mira", session=f"s{i}") for i, text in enumerate(TEXTS)]
    team = Team.open({"helper": HELPER})
    try:
        m = Memory(load_design(DESIGN, registry=load_all()), fold(records, "h"), Services(helper=team.model("helper")))
        asked = Queries.of(QUESTIONS)
        first = run_cascade(m, m.design.retrieval, asked)
        calls = team.spent.calls
        again = Memory(m.design, m.history, Services(helper=team.model("helper")))
        second = run_cascade(again, m.design.retrieval, asked)
    finally:
        team.close()
    assert calls >= len(QUESTIONS)
    assert team.spent.calls - calls < calls, "usable replies are kept; only failures are asked for again"
    assert len(first.steps[0].episodes) == len(QUESTIONS)
    for episode in first.steps[0].episodes:
        assert episode.final.done
        assert episode.steps[-1].action.type == "stop"
        for note in episode.notes:
            for cited in note.cited:
                assert 0 <= cited.start < cited.end <= len(m.history.texts[cited.record])
    if not any(episode.forced for episode in first.steps[0].episodes):
        assert second.ranking.ids.tolist() == first.ranking.ids.tolist()
