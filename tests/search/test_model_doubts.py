from __future__ import annotations

import pytest
from model_world import study_text, write_world

from designsearch.runtime.operators import load_all
from designsearch.search.model_doubts import doubts
from designsearch.search.study_file import parse_study

SERVED = '{model: m, base_url: "http://127.0.0.1:9/v1"}'
NO_JUDGE = (
    "models.judge is not named: answers that no rule can compare will not be measured; "
    'add judge: {model: NAME, base_url: "http://127.0.0.1:8080/v1"}'
)


@pytest.fixture
def told(tmp_path):
    write_world(tmp_path)

    def tell(*models, proposer="sampler"):
        text = study_text("", models="".join(f"  {line}\n" for line in models), proposer=proposer)
        return list(doubts(parse_study(text, tmp_path / "study.yaml"), load_all()))

    return tell


def test_answers_of_a_model_that_nobody_judges_are_told_before_they_are_paid_for(told):
    assert told(f"answerer: {SERVED}") == [NO_JUDGE]
    assert told(f"default: {SERVED}") == []
    assert told(f"default: {SERVED}", "judge: offline") == [NO_JUDGE]
    assert told(f"helper: {SERVED}") == []


def test_a_local_model_that_reads_too_little_to_propose_is_told_with_what_is_enough(told):
    [line] = told("default: local", proposer="llm")
    assert line.startswith("models.proposer: a request for a proposal is longer than the 4,096 tokens that local reads")
    wanted = int(line.partition("context_tokens: ")[2].partition("}")[0])
    enough = f"proposer: {{model: local, context_tokens: {wanted}}}"
    assert told("default: local", enough, proposer="llm") == []
    assert told("default: local", "proposer: offline", proposer="mixed") == []
    assert told(f"default: {SERVED}", proposer="llm") == []
